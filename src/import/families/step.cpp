// Step-3.5-Flash: layers with all tokens and layers with a window, which have other heads, a gate
// for each head, norms on q and k, experts with a shared one, three MTP modules with dense MLPs.
// Tensors as the publisher's modeling_step3p5.py and vLLM's step3p5.py and step3p5_mtp.py define
// them.
#include <algorithm>

#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

struct Shape {
  DecoderShape decoder;
  AttentionShape full;
  AttentionShape windowed;
  Extent window;
  bool gated = true;  // one gate for each head
  Extent intermediate;
  MixtureShape mixture;
};

// The heads of layers with a window: those of attention_other_setting, or the number that
// transformers writes in its place. A configuration without either is not one of the publisher's.
base::Result<AttentionShape> read_windowed(ConfigReader& config, const AttentionShape& full) {
  constexpr std::string_view kKey = "attention_other_setting";
  ULLAGE_TRY(auto written, config.optional_count("num_sliding_attention_heads"));
  if (written && config.find(kKey) == nullptr) {
    AttentionShape shape = full;
    shape.heads = std::move(*written);
    return shape;
  }
  if (config.find(kKey) == nullptr) {
    return config.fault(base::Code::unsupported_architecture, kKey,
                        std::string(kKey) +
                            " is missing: published configurations say there how "
                            "many heads the layers with a window have",
                        "Step-3.5-Flash has 96, and 64 in the others");
  }
  ULLAGE_TRY(ConfigReader other, config.nested(kKey));
  other.spell("num_key_value_heads", {"num_attention_groups"});
  ULLAGE_TRY(Extent heads, other.count("num_attention_heads"));
  ULLAGE_TRY(Extent kv_heads, other.count("num_key_value_heads"));
  ULLAGE_TRY(auto head_dim, other.optional_count("head_dim"));
  other.find("true_head_dim");
  AttentionShape shape = full;
  shape.heads = std::move(heads);
  shape.kv_heads = std::move(kv_heads);
  if (head_dim) shape.head_dim = std::move(*head_dim);
  return shape;
}

base::Result<MixtureShape> read_mixture(ConfigReader& config) {
  config.spell("num_experts_per_tok", {"moe_top_k"});
  config.spell("num_experts", {"moe_num_experts", "n_routed_experts"});
  config.spell("use_moe_router_bias", {"use_router_bias"});
  ULLAGE_TRY(ExpertShape routed, read_expert_shape(config, "num_experts", "moe_intermediate_size"));
  ULLAGE_TRY(const bool bias, config.flag("use_moe_router_bias", true));
  MixtureShape shape{.routed = std::move(routed), .shared = {}, .correction_bias = bias};
  ULLAGE_TRY(shape.shared, config.optional_count("share_expert_dim"));
  for (const char* key : {"n_shared_experts", "share_expert_dims", "moe_num_experts", "moe_top_k",
                          "moe_router_scaling_factor", "moe_router_activation", "need_fp32_gate",
                          "norm_expert_weight", "swiglu_limits_shared"})
    config.find(key);  // how experts are weighed, or repeated
  return shape;
}

base::Result<Shape> read_shape(ConfigReader& config) {
  config.spell("num_key_value_heads", {"num_attention_groups"});
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape full, read_attention_shape(config, decoder.hidden));
  full.head_norms = true;
  ULLAGE_TRY(AttentionShape windowed, read_windowed(config, full));
  ULLAGE_TRY(Extent window, config.count("sliding_window"));
  ULLAGE_TRY(const bool gated, config.flag("use_head_wise_attn_gate", true));
  ULLAGE_TRY(Extent intermediate, config.count("intermediate_size"));
  ULLAGE_TRY(MixtureShape mixture, read_mixture(config));
  return Shape{std::move(decoder), std::move(full), std::move(windowed),
               std::move(window),  gated,           std::move(intermediate),
               std::move(mixture)};
}

// layer_types names the layers of the model and then those of the MTP modules.
base::Result<std::vector<std::int64_t>> full_layers(ConfigReader& config, std::int64_t total) {
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  for (std::int64_t i = 0; i < total; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    if (word != "full_attention" && word != "sliding_attention") {
      return unknown_layer(config, "layer_types", word, "full_attention, sliding_attention");
    }
  }
  return layers_called(words, total, "full_attention");
}

// moe_layers_enum lists the layers with experts in a text, `3,4,5`; else all but the first
// first_k_dense_replace have them.
base::Result<SparseLayers> read_sparse(ConfigReader& config, const Extent& layers,
                                       std::int64_t total) {
  ULLAGE_TRY(const auto listed, config.optional_text("moe_layers_enum"));
  if (!listed) return read_dense_first(config, layers);
  std::vector<std::int64_t> sparse;
  std::int64_t number = -1;
  bool wrong = false;
  for (const char c : *listed + ",") {
    if (c >= '0' && c <= '9') {
      number = std::min<std::int64_t>((number < 0 ? 0 : number * 10) + (c - '0'), total);
    } else if (c == ',') {
      wrong = wrong || number < 0 || number >= total;
      sparse.push_back(number);
      number = -1;
    } else {
      wrong = wrong || c != ' ';
    }
  }
  std::sort(sparse.begin(), sparse.end());
  wrong = wrong || std::adjacent_find(sparse.begin(), sparse.end()) != sparse.end();
  if (wrong) {
    return config.fault(base::Code::out_of_range, "moe_layers_enum",
                        "moe_layers_enum is no list of layers below " + std::to_string(total),
                        "numbers with commas between them, each once");
  }
  return SparseLayers{
      layers_of_kind(config, layers, "dense layers", other_layers(total, sparse),
                     "moe_layers_enum"),
      layers_of_kind(config, layers, "layers with experts", sparse, "moe_layers_enum")};
}

void add_attention_part(TensorList& list, const Extent& hidden, const AttentionShape& shape,
                        bool gated) {
  const model::Axis query{shape.heads, shape.head_dim};
  const model::Axis key{shape.kv_heads, shape.head_dim};
  list.add("self_attn.q_proj.weight", Component::attention, {query, {hidden}}, Split::columns);
  list.add("self_attn.k_proj.weight", Component::attention, {key, {hidden}}, Split::columns);
  list.add("self_attn.v_proj.weight", Component::attention, {key, {hidden}}, Split::columns);
  list.add("self_attn.o_proj.weight", Component::attention, {{hidden}, query}, Split::rows);
  list.add("self_attn.q_norm.weight", Component::norms, {{shape.head_dim}});
  list.add("self_attn.k_norm.weight", Component::norms, {{shape.head_dim}});
  if (!gated) return;
  list.add("self_attn.g_proj.weight", Component::attention, {{shape.heads}, {hidden}},
           Split::columns);
}

// Each module has a layer with a window and a dense MLP, and stores the head again.
base::Result<void> add_modules(ConfigReader& config, Inventory& inventory, const Shape& shape) {
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  if (!modules) return {};
  const Extent& hidden = shape.decoder.hidden;
  TensorList module = module_list(inventory, "mtp.*.", *modules);
  add_module_frame(config, module, hidden);
  add_layer_norms(config, module, hidden);
  add_attention_part(module, hidden, shape.windowed, shape.gated);
  add_gated_projections(module, "mlp.", Component::mlp, hidden, shape.intermediate);
  module
      .add("shared_head.output.weight", Component::mtp, {{shape.decoder.vocabulary}, {hidden}},
           Split::vocabulary)
      .counted = false;
  Inventory caches;
  add_attention_cache(caches, *modules, shape.windowed, shape.window);
  inventory.draft_caches = std::move(caches.caches);
  return {};
}

base::Result<Inventory> read_text(ConfigReader& config) {
  ULLAGE_TRY(const Shape shape, read_shape(config));
  const Extent& layers = shape.decoder.layers;
  const Extent& hidden = shape.decoder.hidden;
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const std::vector<std::int64_t> full, full_layers(config, total));
  ULLAGE_TRY(const SparseLayers kinds, read_sparse(config, layers, total));
  Inventory inventory;
  add_embeddings(inventory, shape.decoder);
  if (const auto some =
          layers_of_kind(config, layers, "layers with full attention", full, "layer_types")) {
    TensorList list(inventory, "layers.*.", {*some});
    add_attention_part(list, hidden, shape.full, shape.gated);
    add_attention_cache(inventory, *some, shape.full);
  }
  if (const auto some = layers_of_kind(config, layers, "layers with a window",
                                       other_layers(total, full), "layer_types")) {
    TensorList list(inventory, "layers.*.", {*some});
    add_attention_part(list, hidden, shape.windowed, shape.gated);
    add_attention_cache(inventory, *some, shape.windowed, shape.window);
  }
  if (kinds.dense) add_gated_mlp(inventory, *kinds.dense, hidden, shape.intermediate, false);
  if (kinds.sparse) {
    TensorList list(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(list, hidden, shape.mixture);
  }
  add_decoder_norms(config, inventory, shape.decoder);
  ULLAGE_CHECK(add_modules(config, inventory, shape));
  return inventory;
}

}  // namespace

base::Result<Inventory> read_step3p5(ConfigReader& config) {
  return read_text(config);
}

// Step 3.7 nests the same decoder beside a tower, as transformers defines it in models/step3p7.
base::Result<Inventory> read_step3p7(ConfigReader& config) {
  if (config.find("text_config") == nullptr) return read_text(config);
  ULLAGE_TRY(ConfigReader text, config.nested("text_config"));
  ULLAGE_TRY(Inventory inventory, read_text(text));
  if (config.find("vision_config") == nullptr) {
    config.note("vision-absent", "the configuration has no vision_config: no tower is counted");
    return inventory;
  }
  ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
  ULLAGE_TRY(const Extent hidden, text.count("hidden_size"));
  ULLAGE_CHECK(add_step_vision(config, vision, inventory, hidden));
  return inventory;
}

}  // namespace ullage::import

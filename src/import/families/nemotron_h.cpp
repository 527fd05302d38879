// Nemotron-H and Nemotron 3: each layer is one mixer (Mamba-2, attention, MLP or a mixture of
// experts) behind one norm. Tensors as NVIDIA's modeling_nemotron_h.py defines them.
#include "import/families/families.hpp"
#include "import/layer_pattern.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/state_space.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;

// How many layers of each kind a pattern has.
struct Kinds {
  std::string_view key;  // where the pattern stands
  std::vector<std::int64_t> mamba = {};
  std::vector<std::int64_t> attention = {};
  std::vector<std::int64_t> mlp = {};
  std::vector<std::int64_t> moe = {};
  std::int64_t total() const {
    return static_cast<std::int64_t>(mamba.size() + attention.size() + mlp.size() + moe.size());
  }
};

// `M*E-` of the pattern string, or the words of the list that newer configs have.
bool count_layer(std::string_view kind, Kinds& kinds) {
  const std::int64_t layer = kinds.total();
  if (kind == "M" || kind == "mamba") {
    kinds.mamba.push_back(layer);
  } else if (kind == "*" || kind == "attention") {
    kinds.attention.push_back(layer);
  } else if (kind == "-" || kind == "mlp") {
    kinds.mlp.push_back(layer);
  } else if (kind == "E" || kind == "moe") {
    kinds.moe.push_back(layer);
  } else {
    return false;
  }
  return true;
}

base::Result<std::optional<Kinds>> read_kinds(ConfigReader& config, std::string_view pattern_key,
                                              std::string_view list_key) {
  Kinds kinds;
  kinds.key = pattern_key;
  if (config.find(list_key) != nullptr) {
    kinds.key = list_key;
    ULLAGE_TRY(const auto words, config.texts(list_key));
    for (const std::string& word : words) {
      if (!count_layer(word, kinds)) {
        return unknown_layer(config, list_key, word, "mamba, attention, mlp, moe");
      }
    }
    return std::optional(kinds);
  }
  ULLAGE_TRY(const auto pattern, config.optional_text(pattern_key));
  if (!pattern) return std::optional<Kinds>();
  for (std::size_t i = 0; i < pattern->size(); ++i) {
    if ((*pattern)[i] == '|') continue;  // a mark between stages of a pipeline
    const std::string kind = pattern->substr(i, 1);
    if (!count_layer(kind, kinds)) return unknown_layer(config, pattern_key, kind, "M, *, E, -");
  }
  return std::optional(kinds);
}

struct Parts {
  Extent hidden;
  std::optional<Mamba2Shape> mamba;
  std::optional<AttentionShape> attention;
  std::optional<Extent> mlp;
  std::optional<MixtureShape> mixture;
  std::optional<Extent> latent;  // the width in which experts work, where it is not the model's
  bool mlp_bias = false;
};

constexpr Mamba2Keys kMambaKeys{"mamba_num_heads", "mamba_head_dim",       "n_groups",
                                "ssm_state_size",  "conv_kernel",          "use_conv_bias",
                                "mamba_proj_bias", "mamba_ssm_cache_dtype"};

base::Result<MixtureShape> read_mixture(ConfigReader& config) {
  ULLAGE_TRY(MixtureShape mixture, read_deepseek_mixture(config, true));
  if (!mixture.shared) return mixture;
  ULLAGE_TRY(const auto width, config.optional_count("moe_shared_expert_intermediate_size"));
  if (!width) return mixture;
  ULLAGE_TRY(const Extent number, config.count("n_shared_experts"));
  mixture.shared = config.derived("shared expert width", width->value * number.value,
                                  "n_shared_experts × moe_shared_expert_intermediate_size",
                                  {number.figure, width->figure});
  return mixture;
}

base::Result<Parts> read_parts(ConfigReader& config, const Extent& hidden, const Kinds& kinds,
                               const std::optional<Kinds>& module) {
  Parts parts{
      .hidden = hidden, .mamba = {}, .attention = {}, .mlp = {}, .mixture = {}, .latent = {}};
  const auto uses = [&](std::vector<std::int64_t> Kinds::*kind) {
    return !(kinds.*kind).empty() || (module && !((*module).*kind).empty());
  };
  if (uses(&Kinds::mamba)) {
    ULLAGE_TRY(parts.mamba, read_mamba2_shape(config, kMambaKeys));
  }
  if (uses(&Kinds::attention)) {
    ULLAGE_TRY(auto head_dim, config.optional_count("attention_head_dim"));  // its first name
    ULLAGE_TRY(parts.attention, read_attention_shape(config, hidden, std::move(head_dim)));
    ULLAGE_TRY(parts.attention->input_bias, config.flag("attention_bias", false));
    parts.attention->output_bias = parts.attention->input_bias;
  }
  ULLAGE_TRY(parts.mlp_bias, config.flag("mlp_bias", false));
  for (const char* key : {"moe_shared_expert_overlap", "time_step_rank"})
    config.find(key);  // when the shared expert runs; a rank that Mamba-2 does not have
  if (uses(&Kinds::mlp)) {
    ULLAGE_TRY(parts.mlp, config.optional_count("intermediate_size"));
    if (!parts.mlp) ULLAGE_CHECK(config.count("intermediate_size"));
  } else {
    config.find("intermediate_size");  // of layers that this model has none of
  }
  if (uses(&Kinds::moe)) {
    ULLAGE_TRY(parts.mixture, read_mixture(config));
    ULLAGE_TRY(parts.latent, config.optional_count("moe_latent_size"));
  }
  return parts;
}

void add_attention_mixer(TensorList& layers, const Parts& parts) {
  const AttentionShape& shape = *parts.attention;
  const model::Axis query{shape.heads, shape.head_dim};
  const model::Axis key{shape.kv_heads, shape.head_dim};
  layers.add("mixer.q_proj.weight", Component::attention, {query, {parts.hidden}}, Split::columns);
  layers.add("mixer.k_proj.weight", Component::attention, {key, {parts.hidden}}, Split::columns);
  layers.add("mixer.v_proj.weight", Component::attention, {key, {parts.hidden}}, Split::columns);
  layers.add("mixer.o_proj.weight", Component::attention, {{parts.hidden}, query}, Split::rows);
  if (!shape.input_bias) return;
  layers.add("mixer.q_proj.bias", Component::attention, {query}, Split::columns);
  layers.add("mixer.k_proj.bias", Component::attention, {key}, Split::columns);
  layers.add("mixer.v_proj.bias", Component::attention, {key}, Split::columns);
  layers.add("mixer.o_proj.bias", Component::attention, {{parts.hidden}});
}

// Experts without gates: up and down only. With a latent width they work between two projections
// of their own, the shared expert in the model's width.
void add_mixture_mixer(TensorList& layers, const Parts& parts) {
  const MixtureShape& shape = *parts.mixture;
  const ExpertShape& routed = shape.routed;
  const Extent& width = parts.latent ? *parts.latent : parts.hidden;
  layers.add("mixer.gate.weight", Component::router, {{routed.experts}, {parts.hidden}});
  layers.add("mixer.gate.e_score_correction_bias", Component::router, {{routed.experts}});
  if (parts.latent) {
    layers.add("mixer.fc1_latent_proj.weight", Component::experts, {{width}, {parts.hidden}});
    layers.add("mixer.fc2_latent_proj.weight", Component::experts, {{parts.hidden}, {width}});
  }
  layers.add_routed("mixer.experts.*.up_proj.weight", {{routed.intermediate}, {width}},
                    Split::columns, routed.experts, routed.chosen);
  layers.add_routed("mixer.experts.*.down_proj.weight", {{width}, {routed.intermediate}},
                    Split::rows, routed.experts, routed.chosen);
  if (!shape.shared) return;
  layers.add("mixer.shared_experts.up_proj.weight", Component::shared_experts,
             {{*shape.shared}, {parts.hidden}}, Split::columns);
  layers.add("mixer.shared_experts.down_proj.weight", Component::shared_experts,
             {{parts.hidden}, {*shape.shared}}, Split::rows);
}

void add_mlp_mixer(TensorList& layers, const Parts& parts) {
  layers.add("mixer.up_proj.weight", Component::mlp, {{*parts.mlp}, {parts.hidden}},
             Split::columns);
  layers.add("mixer.down_proj.weight", Component::mlp, {{parts.hidden}, {*parts.mlp}}, Split::rows);
  if (!parts.mlp_bias) return;
  layers.add("mixer.up_proj.bias", Component::mlp, {{*parts.mlp}}, Split::columns);
  layers.add("mixer.down_proj.bias", Component::mlp, {{parts.hidden}});
}

// The layers of a pattern. `whole` is the list that all of them stand in: the model's or a
// module's; caches go to `caches`.
void add_layers(ConfigReader& config, const TensorList& whole, const std::string& prefix,
                const Kinds& kinds, const Parts& parts, const std::vector<Extent>& repeat,
                std::vector<model::CacheGroup>& caches) {
  const auto layers = [&](const std::vector<std::int64_t>& numbers, const char* what) {
    return counted_layers(config, what, numbers, kinds.key);
  };
  const auto list = [&](const Extent& number) {
    std::vector<Extent> all = repeat;
    all.push_back(number);
    TensorList made = whole.under(prefix, std::move(all));
    made.add("norm.weight", Component::norms, {{parts.hidden}});
    return made;
  };
  if (!kinds.mamba.empty()) {
    const Extent number = layers(kinds.mamba, "Mamba layers");
    TensorList made = list(number);
    add_mamba2(config, made, parts.hidden, *parts.mamba);
    caches.push_back(mamba2_cache(config, number, *parts.mamba));
  }
  if (!kinds.attention.empty()) {
    const Extent number = layers(kinds.attention, "attention layers");
    TensorList made = list(number);
    add_attention_mixer(made, parts);
    Inventory inventory;
    add_attention_cache(inventory, number, *parts.attention);
    caches.push_back(std::move(inventory.caches.front()));
  }
  if (!kinds.mlp.empty()) {
    TensorList made = list(layers(kinds.mlp, "MLP layers"));
    add_mlp_mixer(made, parts);
  }
  if (!kinds.moe.empty()) {
    TensorList made = list(layers(kinds.moe, "layers with experts"));
    add_mixture_mixer(made, parts);
  }
}

}  // namespace

base::Result<Inventory> read_nemotron_h(ConfigReader& config) {
  ULLAGE_TRY(const auto kinds, read_kinds(config, "hybrid_override_pattern", "layers_block_type"));
  if (!kinds) {
    return config.fault(base::Code::missing_key, "hybrid_override_pattern",
                        "hybrid_override_pattern is missing",
                        "it, or layers_block_type, says of which kind each layer is");
  }
  if (kinds->total() == 0) {
    return config.fault(base::Code::out_of_range, kinds->key,
                        std::string(kinds->key) + " names no layer");
  }
  ULLAGE_TRY(const auto stated, config.optional_count("num_hidden_layers"));
  if (stated && stated->value != exact::Rational(kinds->total())) {
    return config.fault(base::Code::out_of_range, "num_hidden_layers",
                        "num_hidden_layers is " + stated->value.to_string() +
                            ", but the layer pattern has " + std::to_string(kinds->total()));
  }
  ULLAGE_TRY(const auto module,
             read_kinds(config, "mtp_hybrid_override_pattern", "mtp_layers_block_type"));
  ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
  ULLAGE_TRY(Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(Extent vocabulary, config.count("vocab_size"));
  ULLAGE_TRY(const bool tied, config.flag("tie_word_embeddings", false));
  ULLAGE_TRY(const Parts parts, read_parts(config, hidden, *kinds, module));
  const DecoderShape decoder{
      hidden,
      counted_layers(config, "layers",
                     layers_where(kinds->total(), [](std::int64_t) { return true; }), kinds->key),
      std::move(vocabulary), tied};
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_layers(config, TensorList(inventory, "", {}), "layers.*.", *kinds, parts, {},
             inventory.caches);
  add_final_norm(inventory, hidden);
  if (!modules) return inventory;
  if (!module) {
    return config.fault(base::Code::missing_key, "mtp_hybrid_override_pattern",
                        "num_nextn_predict_layers announces MTP, but mtp_hybrid_override_pattern "
                        "is missing",
                        "it, or mtp_layers_block_type, says of which kind its layers are");
  }
  TensorList frame = module_list(inventory, "mtp.*.", *modules);
  add_module_frame(config, frame, hidden);
  add_layers(config, frame, "mtp.*.layers.*.", *module, parts, {*modules}, inventory.draft_caches);
  return inventory;
}

}  // namespace ullage::import

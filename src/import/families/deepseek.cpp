// DeepSeek's mixtures and those with their tensors: DeepSeek-MoE (plain attention), V2 and V3
// (latent attention; also GLM-4.7-Flash), V3.2 and GLM-5 (with an indexer), Kimi-K2. Tensors as
// transformers defines them in models/deepseek_v3 and as DeepSeek-V3.2-Exp defines the indexer
// (inference/model.py).
#include "import/dense.hpp"
#include "import/families/families.hpp"
#include "import/latent_attention.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"

namespace ullage::import {
namespace {

using model::Extent;
using model::Inventory;

// How the members of this kin differ.
struct Kin {
  bool correction_bias = false;  // a number an expert beside the router
  bool indexer = false;
  bool modules = false;  // num_nextn_predict_layers announces MTP modules
  bool copies = false;   // whose table and head the checkpoint stores again
  bool fp8_known = false;
};

// Which layers have an indexer of their own; the others reuse the choice of the layer before.
base::Result<std::optional<Extent>> read_index_layers(ConfigReader& config, const Extent& layers) {
  if (config.find("indexer_types") == nullptr) return std::optional(layers);
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto words, layer_words(config, "indexer_types", total));
  for (std::int64_t i = 0; i < total; ++i) {
    const std::string& word = words[static_cast<std::size_t>(i)];
    if (word != "full" && word != "shared") {
      return unknown_layer(config, "indexer_types", word, "full, shared");
    }
  }
  return layers_of_kind(config, layers, "layers with an indexer",
                        layers_called(words, total, "full"), "indexer_types");
}

struct Parts {
  DecoderShape decoder;
  LatentShape latent;
  MixtureShape mixture;
  std::optional<IndexerShape> indexer;
};

// Attention and indexer of `layers` layers, with their caches.
base::Result<void> add_sparse_attention(ConfigReader& config, Inventory& inventory,
                                        const Parts& parts) {
  const Extent& layers = parts.decoder.layers;
  TensorList all(inventory, "layers.*.", {layers});
  add_latent_attention(config, all, parts.decoder.hidden, parts.latent);
  inventory.caches.push_back(latent_cache(layers, parts.latent));
  if (!parts.indexer) return {};
  ULLAGE_TRY(const auto own, read_index_layers(config, layers));
  if (!own) return {};
  TensorList indexed(inventory, "layers.*.", {*own});
  add_indexer(config, indexed, parts.decoder.hidden, *parts.latent.query_rank, *parts.indexer);
  inventory.caches.back().chosen = parts.indexer->chosen;
  inventory.caches.push_back(index_cache(*own, parts.indexer->head_dim));
  return {};
}

void add_modules(ConfigReader& config, Inventory& inventory, const Parts& parts,
                 const Extent& modules, bool copies) {
  const Extent& hidden = parts.decoder.hidden;
  TensorList module = module_list(inventory, "mtp.*.", modules);
  add_module_frame(config, module, hidden);
  add_layer_norms(config, module, hidden);
  add_latent_attention(config, module, hidden, parts.latent);
  inventory.draft_caches.push_back(latent_cache(modules, parts.latent));
  if (parts.indexer) {
    add_indexer(config, module, hidden, *parts.latent.query_rank, *parts.indexer);
    inventory.draft_caches.back().chosen = parts.indexer->chosen;
    inventory.draft_caches.push_back(index_cache(modules, parts.indexer->head_dim));
  }
  add_mixture(module, hidden, parts.mixture);
  add_module_copies(module, parts.decoder, copies);
}

// What the FP8 checkpoints of DeepSeek-V3 and Kimi-K2 keep in BF16 and F32.
void keep_formats(Inventory& inventory) {
  for (model::TensorGroup& group : inventory.tensors) {
    const std::string& name = group.name;
    const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    if (has("correction_bias")) {
      group.kept = "fp32";
    } else if (has("norm") || has("embed_tokens") || has("head") || has("eh_proj") ||
               has("mlp.gate.weight") || has("weights_proj")) {
      group.kept = "bf16";
    }
  }
  inventory.formats_known = true;
}

// `experts` is the object that describes the mixture: `config` itself, or one inside it.
base::Result<Inventory> read_latent_mixture(ConfigReader& config, const Kin& kin,
                                            ConfigReader& experts) {
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(LatentShape latent, read_latent_shape(config));
  ULLAGE_TRY(MixtureShape mixture, read_deepseek_mixture(experts, kin.correction_bias));
  for (const char* key :
       {"num_key_value_heads", "head_dim", "qk_head_dim", "index_topk_freq", "index_topk_pattern",
        "index_skip_topk_offset", "index_share_for_mtp_iteration"})
    config.find(key);  // follow from the widths above, or say how the indexer is used
  Parts parts{std::move(decoder), std::move(latent), std::move(mixture), {}};
  if (kin.indexer) {
    ULLAGE_TRY(IndexerShape indexer, read_indexer_shape(config));
    if (!parts.latent.query_rank) ULLAGE_CHECK(config.count("q_lora_rank"));
    parts.indexer = std::move(indexer);
  }
  ULLAGE_TRY(const SparseLayers kinds, read_dense_first(experts, parts.decoder.layers));
  const Extent& hidden = parts.decoder.hidden;
  Inventory inventory;
  add_embeddings(inventory, parts.decoder);
  ULLAGE_CHECK(add_sparse_attention(config, inventory, parts));
  if (kinds.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, *kinds.dense, hidden, intermediate, false);
  }
  if (kinds.sparse) {
    TensorList sparse(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(sparse, hidden, parts.mixture);
  }
  add_decoder_norms(config, inventory, parts.decoder);
  if (kin.modules) {
    ULLAGE_TRY(const auto modules, read_modules(config, "num_nextn_predict_layers"));
    if (modules) add_modules(config, inventory, parts, *modules, kin.copies);
  }
  if (kin.fp8_known) keep_formats(inventory);
  return inventory;
}

base::Result<Inventory> read_latent_mixture(ConfigReader& config, const Kin& kin) {
  return read_latent_mixture(config, kin, config);
}

}  // namespace

base::Result<Inventory> read_deepseek(ConfigReader& config) {
  ULLAGE_TRY(const DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(AttentionShape attention, read_attention_shape(config, decoder.hidden));
  ULLAGE_TRY(const bool bias, config.flag("attention_bias", false));
  attention.input_bias = bias;
  attention.output_bias = bias;
  ULLAGE_TRY(const MixtureShape mixture, read_deepseek_mixture(config, false));
  ULLAGE_TRY(const SparseLayers kinds, read_dense_first(config, decoder.layers));
  Inventory inventory;
  add_embeddings(inventory, decoder);
  add_attention(inventory, decoder.layers, decoder.hidden, attention);
  add_attention_cache(inventory, decoder.layers, attention);
  if (kinds.dense) {
    ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
    add_gated_mlp(inventory, *kinds.dense, decoder.hidden, intermediate, false);
  }
  if (kinds.sparse) {
    TensorList sparse(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(sparse, decoder.hidden, mixture);
  }
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

base::Result<Inventory> read_deepseek_v2(ConfigReader& config) {
  return read_latent_mixture(config, {});
}

base::Result<Inventory> read_deepseek_v3(ConfigReader& config) {
  return read_latent_mixture(
      config, {.correction_bias = true, .modules = true, .copies = true, .fp8_known = true});
}

base::Result<Inventory> read_deepseek_v32(ConfigReader& config) {
  return read_latent_mixture(config, {.correction_bias = true,
                                      .indexer = true,
                                      .modules = true,
                                      .copies = true,
                                      .fp8_known = true});
}

namespace {

// Moonshot's checkpoints store a rotary buffer in each layer, as wide as half a head would be if
// the heads divided hidden_size, in 16 bits: 56 elements in 61 layers of Kimi-K2-Instruct, 64 in 27
// of Moonlight and Kimi-VL. That is what their published totals have more than the weights.
base::Result<void> add_rotary_buffers(ConfigReader& config, Inventory& inventory) {
  ULLAGE_TRY(const Extent hidden, config.count("hidden_size"));
  ULLAGE_TRY(const Extent heads, config.count("num_attention_heads"));
  const exact::Rational elements = hidden.value / heads.value / exact::Rational(2);
  if (!elements.is_whole()) return {};
  for (model::TensorGroup& group : inventory.tensors) {
    const bool once = group.name == "layers.*.self_attn.kv_a_layernorm.weight";
    if (once) group.beside = elements * exact::Rational(2);
  }
  config.note("rotary-stored", "a rotary buffer of " + elements.to_string() +
                                   " elements a layer, which Moonshot's checkpoints store, counts "
                                   "in the bytes of quantised weights and not as parameters");
  return {};
}

}  // namespace

base::Result<Inventory> read_kimi_k2(ConfigReader& config) {
  ULLAGE_TRY(
      Inventory inventory,
      read_latent_mixture(config, {.correction_bias = true, .modules = true, .fp8_known = true}));
  ULLAGE_CHECK(add_rotary_buffers(config, inventory));
  return inventory;
}

// Compressed attention before a plain MLP, under a tied head.
base::Result<Inventory> read_minicpm3(ConfigReader& config) {
  ULLAGE_TRY(const bool tied, read_tied_head(config, {true, "MiniCPM3Config (transformers)"}));
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, tied));
  decoder.tied_head = tied;
  ULLAGE_TRY(const Extent heads, config.count("num_attention_heads"));
  const std::int64_t width = (decoder.hidden.value / heads.value).floor().to_int64().value_or(0);
  if (width >= 1) {
    config.class_default("v_head_dim", width,
                         "MiniCPM3Config (transformers): hidden_size ÷ num_attention_heads");
  }
  ULLAGE_TRY(const LatentShape latent, read_latent_shape(config));
  ULLAGE_TRY(const Extent intermediate, config.count("intermediate_size"));
  for (const char* key : {"num_key_value_heads", "head_dim"})
    config.find(key);  // latent attention has widths of its own
  Inventory inventory;
  add_embeddings(inventory, decoder);
  TensorList layers(inventory, "layers.*.", {decoder.layers});
  add_latent_attention(config, layers, decoder.hidden, latent);
  inventory.caches.push_back(latent_cache(decoder.layers, latent));
  add_gated_mlp(inventory, decoder.layers, decoder.hidden, intermediate, false);
  add_decoder_norms(config, inventory, decoder);
  return inventory;
}

base::Result<Inventory> read_latent_mixture_in(ConfigReader& config, ConfigReader& experts) {
  return read_latent_mixture(config, {}, experts);
}

// Mistral Small 4: DeepSeek-V2's layer with experts throughout.
base::Result<Inventory> read_mistral4(ConfigReader& config) {
  return read_latent_mixture(config, {});
}

base::Result<Inventory> read_glm4_moe_lite(ConfigReader& config) {
  return read_latent_mixture(config, {.correction_bias = true, .modules = true, .copies = true});
}

base::Result<Inventory> read_glm_moe_dsa(ConfigReader& config) {
  for (const char* key : {"layer_types", "num_experts"})
    config.find(key);  // written by transformers 5: every layer is sparse; n_routed_experts again
  return read_latent_mixture(config, {.correction_bias = true, .indexer = true, .modules = true});
}

// The schema of the publisher's inference/model.py, which has no MTP module.
base::Result<Inventory> read_deepseek_native(ConfigReader& config) {
  config.spell("hidden_size", {"dim"});
  config.spell("num_hidden_layers", {"n_layers"});
  config.spell("num_attention_heads", {"n_heads"});
  config.spell("intermediate_size", {"inter_dim"});
  config.spell("moe_intermediate_size", {"moe_inter_dim"});
  config.spell("num_experts_per_tok", {"n_activated_experts"});
  config.spell("first_k_dense_replace", {"n_dense_layers"});
  config.find("n_expert_groups");  // among how many groups a router chooses
  ULLAGE_TRY(const auto score, config.optional_text("score_func"));
  const bool third = score && *score == "sigmoid";
  if (third) {
    config.note("mtp-absent",
                "the publisher's inference schema has no MTP module; the checkpoint that it was "
                "converted from has one");
  }
  return read_latent_mixture(
      config, {.correction_bias = third, .indexer = config.find("index_n_heads") != nullptr});
}

}  // namespace ullage::import

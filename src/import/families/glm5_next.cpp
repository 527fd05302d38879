// GLM-5.3-Flash: Kimi delta attention in three layers of four and sparse latent attention without
// positions in the fourth, a mixture, hyper-connections around every part, one MTP module and a
// vision tower. Tensors as transformers defines them in models/glm5_next.
#include <algorithm>

#include "import/families/families.hpp"
#include "import/hyper_connections.hpp"
#include "import/latent_attention.hpp"
#include "import/linear_attention.hpp"
#include "import/mixture.hpp"
#include "import/prediction.hpp"
#include "import/vision_tower.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Extent;
using model::Inventory;

struct Text {
  DecoderShape decoder;
  KimiDeltaShape delta;
  LatentShape latent;
  IndexerShape indexer;
  std::optional<Extent> pool;  // tokens that share one index key
  MixtureShape mixture;
  std::optional<Extent> streams;  // of the residual, where hyper-connections widen it
};

base::Result<Text> read_text(ConfigReader& config) {
  ULLAGE_TRY(DecoderShape decoder, read_decoder_shape(config, false));
  ULLAGE_TRY(ConfigReader linear, config.nested("linear_attn_config"));
  ULLAGE_TRY(KimiDeltaShape delta, read_kimi_delta_shape(linear));
  for (const char* key : {"kda_layers", "full_attn_layers"})
    linear.find(key);  // layer_types under other names
  ULLAGE_TRY(LatentShape latent, read_latent_shape(config));
  if (!latent.query_rank) ULLAGE_CHECK(config.count("q_lora_rank"));
  ULLAGE_TRY(IndexerShape indexer, read_indexer_shape(config));
  ULLAGE_TRY(const bool compress, config.flag("index_kpool_compress", false));
  ULLAGE_TRY(auto pool, config.optional_count("index_kpool"));
  ULLAGE_TRY(MixtureShape mixture, read_deepseek_mixture(config, true));
  ULLAGE_TRY(const bool widened, config.flag("mhc", false));
  ULLAGE_TRY(auto streams, config.optional_count("hc_mult"));
  if (!widened) streams.reset();
  if (!compress) pool.reset();
  for (const char* key : {"head_dim", "num_key_value_heads", "qk_head_dim", "indexer_types",
                          "index_share_for_mtp_iteration"})
    config.find(key);  // follow from the others or change no tensor
  return Text{std::move(decoder), std::move(delta),   std::move(latent), std::move(indexer),
              std::move(pool),    std::move(mixture), std::move(streams)};
}

base::Result<std::vector<std::int64_t>> sparse_layers(ConfigReader& config, const Extent& layers) {
  ULLAGE_TRY(const std::int64_t total, layer_total(config, layers));
  ULLAGE_TRY(const auto words, layer_words(config, "layer_types", total));
  for (const std::string& word : words) {
    if (word != "linear_attention" && word != "deepseek_sparse_attention") {
      return unknown_layer(config, "layer_types", word,
                           "linear_attention, deepseek_sparse_attention");
    }
  }
  return layers_called(words, total, "deepseek_sparse_attention");
}

// Latent attention with an indexer whose keys are pooled.
void add_sparse(ConfigReader& config, TensorList& layers, const Text& text) {
  const Extent& hidden = text.decoder.hidden;
  add_latent_attention(config, layers, hidden, text.latent);
  add_indexer(config, layers, hidden, *text.latent.query_rank, text.indexer);
  if (!text.pool) return;
  layers.add("self_attn.indexer.index_kpool_compress_gate.weight", Component::attention,
             {{text.indexer.head_dim}, {hidden}});
  layers.add("self_attn.indexer.index_kpool_compress_ape", Component::attention,
             {{*text.pool}, {text.indexer.head_dim}});
}

void add_sparse_caches(std::vector<model::CacheGroup>& caches, const Extent& layers,
                       const Text& text) {
  caches.push_back(latent_cache(layers, text.latent));
  caches.push_back(index_cache(layers, text.indexer.head_dim));
  caches.back().compress = text.pool;
}

void add_module(ConfigReader& config, Inventory& inventory, const Text& text,
                const Extent& modules) {
  TensorList module = module_list(inventory, "mtp.*.", modules);
  add_module_frame(config, module, text.decoder.hidden);
  add_layer_norms(config, module, text.decoder.hidden);
  add_sparse(config, module, text);
  add_mixture(module, text.decoder.hidden, text.mixture);
  add_sparse_caches(inventory.draft_caches, modules, text);
}

// Delta attention is not quantised.
void keep_delta_formats(Inventory& inventory, std::size_t first) {
  for (std::size_t i = first; i < inventory.tensors.size(); ++i) {
    model::TensorGroup& group = inventory.tensors[i];
    const bool wide = group.name.ends_with("A_log") || group.name.ends_with("dt_bias");
    group.kept = wide ? "fp32" : "bf16";
  }
}

// Block FP8 holds the MLPs, the experts and latent attention but for its up-projection.
void keep_formats(Inventory& inventory) {
  for (model::TensorGroup& group : inventory.tensors) {
    const auto has = [&](std::string_view part) {
      return group.name.find(part) != std::string::npos;
    };
    if (!group.kept.empty()) continue;
    if (has("correction_bias")) {
      group.kept = "fp32";
    } else if (group.component == Component::vision || has("norm") || has("embed_tokens") ||
               has("head") || has("eh_proj") || has("mlp.gate.weight") || has("indexer") ||
               has("hc_") || has("kv_b_proj")) {
      group.kept = "bf16";
    }
  }
  inventory.formats_known = true;
}

}  // namespace

base::Result<Inventory> read_glm5_next(ConfigReader& config) {
  ULLAGE_TRY(ConfigReader source, config.nested("text_config"));
  ULLAGE_TRY(const Text text, read_text(source));
  const Extent& layers = text.decoder.layers;
  const Extent& hidden = text.decoder.hidden;
  ULLAGE_TRY(const std::int64_t total, layer_total(source, layers));
  ULLAGE_TRY(const auto sparse, sparse_layers(source, layers));
  ULLAGE_TRY(const SparseLayers kinds, read_dense_first(source, layers));
  ULLAGE_TRY(const auto modules, read_modules(source, "num_nextn_predict_layers"));
  Inventory inventory;
  add_embeddings(inventory, text.decoder);
  if (const auto linear = layers_of_kind(source, layers, "layers with delta attention",
                                         other_layers(total, sparse), "layer_types")) {
    TensorList list(inventory, "layers.*.", {*linear});
    const std::size_t first = inventory.tensors.size();
    add_kimi_delta(list, hidden, text.delta);
    keep_delta_formats(inventory, first);
    inventory.caches.push_back(kimi_delta_cache(source, *linear, text.delta));
  }
  if (const auto latent =
          layers_of_kind(source, layers, "layers with sparse attention", sparse, "layer_types")) {
    TensorList list(inventory, "layers.*.", {*latent});
    add_sparse(source, list, text);
    add_sparse_caches(inventory.caches, *latent, text);
  }
  if (kinds.dense) {
    ULLAGE_TRY(const Extent intermediate, source.count("intermediate_size"));
    add_gated_mlp(inventory, *kinds.dense, hidden, intermediate, false);
  }
  if (kinds.sparse) {
    TensorList list(inventory, "layers.*.", {*kinds.sparse});
    add_mixture(list, hidden, text.mixture);
  }
  TensorList all(inventory, "layers.*.", {layers});
  if (text.streams) add_hyper_connections(source, all, hidden, *text.streams);
  add_decoder_norms(source, inventory, text.decoder);
  if (modules) add_module(source, inventory, text, *modules);
  if (config.find("vision_config") != nullptr) {
    ULLAGE_TRY(ConfigReader vision, config.nested("vision_config"));
    ULLAGE_CHECK(add_glm_vision(vision, inventory));
  }
  keep_formats(inventory);
  return inventory;
}

}  // namespace ullage::import

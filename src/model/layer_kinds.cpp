// Pairs each cache with the projections of its layers, and each MLP's output matrix with what
// stands before it.
#include "model/layer_kinds.hpp"

#include <algorithm>

namespace ullage::model {
namespace {

using exact::Rational;

bool has(const std::string& name, std::string_view part) {
  return name.find(part) != std::string::npos;
}

base::Diagnostic unsupported(const std::string& model, std::string why) {
  return {.code = base::Code::unsupported_architecture,
          .message = base::printable(model) + ": " + std::move(why),
          .span = {},
          .hint =
              "training memory and FLOPs are counted for decoders; `ullage weights` counts the "
              "parameters",
          .notes = {}};
}

bool in_layers(const TensorGroup& group, const Extent& layers) {
  return !group.repeat.empty() && group.repeat.front().figure == layers.figure;
}

bool of_prediction(const TensorGroup& group) {
  return group.component == Component::mtp;
}

// The first matrix of `component` (or of a prediction module) in the same layers whose name fits.
template <class Fits>
const TensorGroup* find_matrix(const Inventory& inventory, const Extent* layers, bool prediction,
                               Fits fits) {
  for (const TensorGroup& group : inventory.tensors) {
    if (group.component == Component::vision || of_prediction(group) != prediction) continue;
    if (layers != nullptr && !in_layers(group, *layers)) continue;
    if (group.shape.size() == 2 && fits(group)) return &group;
  }
  return nullptr;
}

bool is_attention_output(const TensorGroup& group) {
  return group.split == Split::rows &&
         (has(group.name, "o_proj") || has(group.name, "out_proj") || has(group.name, "wo"));
}

// The output projection of the mixer whose cache is `cache`: in the same layers where there is one,
// else the one shape that all layers share.
const TensorGroup* output_of(const Inventory& inventory, const CacheGroup& cache, bool prediction) {
  const bool recurrent = cache.kind == CacheKind::recurrent;
  const auto last = cache.name.rfind('.');
  const std::string part = cache.name.substr(last == std::string::npos ? 0 : last + 1) + ".";
  const auto fits = [&](const TensorGroup& group) {
    return is_attention_output(group) && has(group.name, part) &&
           (group.component == Component::attention || prediction);
  };
  if (const auto* own = find_matrix(inventory, &cache.layers, prediction, fits)) return own;
  if (recurrent) return nullptr;
  const TensorGroup* shared = find_matrix(inventory, nullptr, prediction, fits);
  if (shared != nullptr) return shared;
  return find_matrix(inventory, nullptr, prediction, [&](const TensorGroup& group) {
    return is_attention_output(group) && !has(group.name, "linear_attn") &&
           (group.component == Component::attention || prediction);
  });
}

const CachePart* part_of(const CacheGroup& cache, std::string_view name) {
  for (const CachePart& part : cache.per_token) {
    if (part.name == name) return &part;
  }
  return nullptr;
}

bool has_head_norms(const Inventory& inventory, bool prediction) {
  return std::any_of(inventory.tensors.begin(), inventory.tensors.end(),
                     [&](const TensorGroup& group) {
                       return of_prediction(group) == prediction && has(group.name, "self_attn.") &&
                              has(group.name, "q_norm");
                     });
}

base::Result<MixerLayers> softmax_mixer(const Inventory& inventory, const CacheGroup& cache,
                                        bool prediction, const std::string& model) {
  const TensorGroup* output = output_of(inventory, cache, prediction);
  const CachePart* key = part_of(cache, "key");
  const CachePart* value = part_of(cache, "value");
  if (output == nullptr || key == nullptr || value == nullptr || key->elements.size() != 2) {
    return unsupported(model, "the widths of attention in " + cache.name + " are not known");
  }
  MixerLayers mixer{.layers = cache.layers, .prediction = prediction};
  mixer.output = output->shape[1];
  mixer.heads = mixer.output.front();
  mixer.kv_heads = key->elements.front();
  mixer.key = key->elements;
  mixer.value = value->elements;
  mixer.query = {*mixer.heads, key->elements.back()};
  mixer.window = cache.window;
  mixer.chunked = cache.kind == CacheKind::chunked;
  mixer.head_norms = has_head_norms(inventory, prediction);
  return mixer;
}

base::Result<MixerLayers> latent_mixer(const Inventory& inventory, const CacheGroup& cache,
                                       bool prediction, const std::string& model) {
  const TensorGroup* output = output_of(inventory, cache, prediction);
  const auto query = [](const TensorGroup& group) {
    return !has(group.name, "index") && (has(group.name, "q_b_proj") || has(group.name, "q_proj"));
  };
  const TensorGroup* queries = find_matrix(inventory, &cache.layers, prediction, query);
  if (queries == nullptr) queries = find_matrix(inventory, nullptr, prediction, query);
  if (output == nullptr || queries == nullptr) {
    return unsupported(model, "the widths of latent attention in " + cache.name + " are not known");
  }
  MixerLayers mixer{.mixing = Mixing::latent, .layers = cache.layers, .prediction = prediction};
  mixer.output = output->shape[1];
  mixer.heads = mixer.output.front();
  mixer.query = queries->shape[0];
  mixer.key = mixer.query;
  mixer.value = mixer.output;
  if (has(queries->name, "q_b_proj")) mixer.latents.push_back(queries->shape[1].front());
  for (const CachePart& part : cache.per_token)
    mixer.latents.insert(mixer.latents.end(), part.elements.begin(), part.elements.end());
  mixer.chosen = cache.chosen;
  return mixer;
}

// The indexer whose keys `cache` holds; no heads where the inventory does not tell its queries.
IndexerLayers indexer_of(const Inventory& inventory, const CacheGroup& cache, bool prediction) {
  const auto query = [](const TensorGroup& group) {
    return has(group.name, "index") &&
           (has(group.name, "wq_b") || has(group.name, "q_b_proj") || has(group.name, "q_proj"));
  };
  IndexerLayers indexer{.layers = cache.layers, .prediction = prediction};
  const TensorGroup* queries = find_matrix(inventory, &cache.layers, prediction, query);
  if (queries != nullptr) indexer.query = queries->shape[0];
  return indexer;
}

Mixing kind_of_state(const Inventory& inventory, const CacheGroup& cache) {
  const auto beta = [](const TensorGroup& group) {
    return has(group.name, "in_proj_b.") || has(group.name, ".b_proj.");
  };
  const auto decay = [&](const TensorGroup& group) {
    return has(group.name, "A_log") && in_layers(group, cache.layers);
  };
  if (find_matrix(inventory, &cache.layers, false, beta) != nullptr) return Mixing::delta_rule;
  const bool decays = std::any_of(inventory.tensors.begin(), inventory.tensors.end(), decay);
  return decays ? Mixing::state_space : Mixing::linear;
}

base::Result<MixerLayers> state_mixer(provenance::Graph& graph, const Inventory& inventory,
                                      const CacheGroup& cache, const std::string& model) {
  const TensorGroup* output = output_of(inventory, cache, false);
  if (output == nullptr) {
    return unsupported(model, "the widths of the mixer in " + cache.name + " are not known");
  }
  MixerLayers mixer{.mixing = kind_of_state(inventory, cache), .layers = cache.layers};
  mixer.output = output->shape[1];
  const std::string prefix =
      output->name.substr(0, output->name.rfind('.', output->name.size() - 8));
  Term projected(0);
  for (const TensorGroup& group : inventory.tensors) {
    if (!in_layers(group, cache.layers) || group.shape.size() != 2 || &group == output) continue;
    const bool inside = group.name.starts_with(prefix) && group.component == Component::attention;
    const bool projects = inside && is_matrix(group) && has(group.name, "proj");
    if (projects) projected = projected + Term(group.shape[0]);
  }
  const auto width = projected.derive<units::Count>(graph, "projected width of " + cache.name);
  mixer.projected = {extent_of(graph, width.id())};
  for (const CachePart& part : cache.per_sequence) {
    if (part.name == "ssm") mixer.state = part.elements;
  }
  return mixer;
}

base::Result<void> add_mixers(provenance::Graph& graph, const Inventory& inventory,
                              const std::string& model, LayerKinds& kinds) {
  const auto add = [&](const CacheGroup& cache, bool prediction) -> base::Result<void> {
    switch (cache.kind) {
      case CacheKind::full:
      case CacheKind::window:
      case CacheKind::chunked: {
        ULLAGE_TRY(MixerLayers mixer, softmax_mixer(inventory, cache, prediction, model));
        kinds.mixers.push_back(std::move(mixer));
        return {};
      }
      case CacheKind::latent: {
        ULLAGE_TRY(MixerLayers mixer, latent_mixer(inventory, cache, prediction, model));
        kinds.mixers.push_back(std::move(mixer));
        return {};
      }
      case CacheKind::recurrent: {
        ULLAGE_TRY(MixerLayers mixer, state_mixer(graph, inventory, cache, model));
        kinds.mixers.push_back(std::move(mixer));
        return {};
      }
      case CacheKind::index:
        kinds.indexers.push_back(indexer_of(inventory, cache, prediction));
        return {};
      case CacheKind::cross:
        return unsupported(model, "attention to another model's output is not counted");
    }
    return {};
  };
  for (const CacheGroup& cache : inventory.caches)
    ULLAGE_CHECK(add(cache, false));
  for (const CacheGroup& cache : inventory.draft_caches)
    ULLAGE_CHECK(add(cache, true));
  return {};
}

bool is_mlp_output(const TensorGroup& group) {
  const bool part = group.component == Component::mlp || group.component == Component::experts ||
                    group.component == Component::shared_experts || of_prediction(group);
  return part && group.split == Split::rows && group.shape.size() == 2 &&
         !is_attention_output(group) && group.counted;
}

// Gate and up beside each other: matrices of the same part and layers that lead to its width.
bool is_gated(const Inventory& inventory, const TensorGroup& output) {
  const auto last = output.name.rfind("down_proj");
  const std::string part = last == std::string::npos ? std::string() : output.name.substr(0, last);
  Rational width;
  for (const TensorGroup& group : inventory.tensors) {
    if (group.component != output.component || group.split != Split::columns) continue;
    if (!in_layers(group, output.repeat.front()) || group.shape.size() != 2) continue;
    if (group.experts.has_value() != output.experts.has_value()) continue;
    if (!group.name.starts_with(part)) continue;
    width += product_of(group.shape[0]);
  }
  return width == Rational(2) * product_of(output.shape[1]);
}

void add_mlps(const Inventory& inventory, LayerKinds& kinds) {
  for (const TensorGroup& group : inventory.tensors) {
    if (!is_mlp_output(group) || group.repeat.empty()) continue;
    MlpLayers mlp{.layers = group.repeat.front(), .prediction = of_prediction(group)};
    mlp.width = group.shape[1];
    mlp.gated = is_gated(inventory, group);
    mlp.shared = group.component == Component::shared_experts ||
                 (mlp.prediction && has(group.name, "shared_expert"));
    mlp.experts = group.experts;
    mlp.chosen = group.chosen;
    kinds.mlps.push_back(std::move(mlp));
  }
}

// Norms over hidden_size that stand in layers; a bias beside a weight is the same norm.
Term layer_norms(const Inventory& inventory, const Extent& hidden) {
  Term total(0);
  for (const TensorGroup& group : inventory.tensors) {
    if (!is_norm(group) || group.component != Component::norms || group.repeat.empty()) continue;
    if (group.name.ends_with("bias")) continue;
    Term count(1);
    bool spans = false;
    for (const Axis& axis : group.shape) {
      for (const Extent& extent : axis)
        spans = spans || extent.figure == hidden.figure;
    }
    if (!spans) continue;
    for (const Extent& extent : group.repeat)
      count = count * Term(extent);
    total = total + count;
  }
  return total;
}

// Layers of a list, each group of equal ones once.
template <class Kind>
Term distinct_layers(const std::vector<Kind>& kinds) {
  std::vector<provenance::FigureId> seen;
  Term total(0);
  for (const Kind& kind : kinds) {
    if (kind.prediction) continue;
    if (std::find(seen.begin(), seen.end(), kind.layers.figure) != seen.end()) continue;
    seen.push_back(kind.layers.figure);
    total = total + Term(kind.layers);
  }
  return total;
}

// How many layers the main model has: those that mix tokens, or mixers and MLPs together where the
// configuration states their sum.
void set_layers(provenance::Graph& graph, const Inventory& inventory, LayerKinds& kinds) {
  const Term mixers = distinct_layers(kinds.mixers);
  const Term mlps = distinct_layers(kinds.mlps);
  kinds.one_part_layers =
      !mlps.is_constant(0) && Rational(inventory.main_layers) == mixers.value() + mlps.value();
  const Term& larger = mixers.value() < mlps.value() ? mlps : mixers;
  const Term layers = kinds.one_part_layers ? mixers + mlps : larger;
  if (layers.inputs().size() == 1) {
    kinds.layers = extent_of(graph, layers.inputs().front());
  } else {
    kinds.layers = extent_of(graph, layers.derive<units::Count>(graph, "layers").id());
  }
}

const TensorGroup* table_of(const Inventory& inventory) {
  for (const TensorGroup& group : inventory.tensors) {
    const bool table = group.component == Component::embedding && group.split == Split::vocabulary;
    if (table && group.counted && group.shape.size() == 2) return &group;
  }
  return nullptr;
}

std::optional<Extent> head_rows(const Inventory& inventory, const TensorGroup& table) {
  for (const TensorGroup& group : inventory.tensors) {
    const bool head = group.component == Component::head && group.shape.size() == 2;
    if (head && group.counted) return group.shape[0].front();
  }
  if (table.use == Use::every_token) return table.shape[0].front();
  return std::nullopt;
}

}  // namespace

bool is_norm(const TensorGroup& group) {
  return group.component == Component::norms || has(group.name, "norm");
}

bool is_router(const TensorGroup& group) {
  return group.component == Component::router ||
         (of_prediction(group) && (has(group.name, "mlp.gate.") || has(group.name, "router")));
}

bool is_matrix(const TensorGroup& group) {
  if (is_norm(group) || group.name.ends_with("bias")) return false;
  for (const char* vector : {"A_log", "_scale", "sinks", "_ape"}) {
    if (group.name.ends_with(vector)) return false;
  }
  return group.shape.size() >= 2 || group.name.ends_with("gate.weight");
}

base::Result<LayerKinds> layer_kinds(provenance::Graph& graph, const Inventory& inventory,
                                     const std::string& model) {
  const TensorGroup* table = table_of(inventory);
  if (table == nullptr || inventory.caches.empty()) {
    return unsupported(model, "its layers are not those of a decoder");
  }
  for (const TensorGroup& group : inventory.tensors) {
    if (group.name.starts_with("encoder.")) {
      return unsupported(model, "a model with an encoder is not counted");
    }
  }
  LayerKinds kinds{.hidden = table->shape[1].front(),
                   .vocabulary = head_rows(inventory, *table),
                   .layers = inventory.caches.front().layers};
  kinds.offset_norms = inventory.offset_norms;
  ULLAGE_CHECK(add_mixers(graph, inventory, model, kinds));
  add_mlps(inventory, kinds);
  kinds.norms = layer_norms(inventory, kinds.hidden);
  for (const MixerLayers& mixer : kinds.mixers) {
    if (mixer.prediction) kinds.prediction_layers = kinds.prediction_layers + Term(mixer.layers);
  }
  set_layers(graph, inventory, kinds);
  kinds.vision =
      std::any_of(inventory.tensors.begin(), inventory.tensors.end(),
                  [](const TensorGroup& group) { return group.component == Component::vision; });
  return kinds;
}

}  // namespace ullage::model

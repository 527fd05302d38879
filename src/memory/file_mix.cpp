// Applies the rules of a mix tensor by tensor, as llama_tensor_get_type_impl of llama.cpp
// (src/llama-quant.cpp) does for a file made without an importance matrix.
#include "memory/file_mix.hpp"

#include <algorithm>

#include "model/storage_plan.hpp"

namespace ullage::memory {
namespace {

using catalog::Bump;
using catalog::StorageFormat;
using exact::Rational;
using model::TensorClass;
using model::TensorGroup;

constexpr std::string_view kConvention = "llama.cpp";
constexpr std::int64_t kLayersOf70B = 80;

// What the rules ask about a model.
struct Traits {
  std::int64_t layers = 0;
  std::int64_t experts = 0;
  std::int64_t heads_a_kv_head = 1;
  bool tied = true;  // no head: the table takes its format
};

std::string_view category(const TensorGroup& group, bool tied) {
  const std::string_view name = group.name;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const TensorClass tensor_class = model::class_of(group);
  if (tensor_class == TensorClass::head) return "output";
  if (tensor_class == TensorClass::embedding) return tied ? "output" : "token_embd";
  // One matrix of queries, keys and values counts as the values' (category_is_attn_v).
  if (has("v_proj") || has("qkv") || has("query_key_value") || has("c_attn") || has("Wqkv"))
    return "attn_v";
  if (has("k_proj")) return "attn_k";
  if (has("o_proj") || has("out_proj") || has("attention.dense")) return "attn_output";
  if (has("down_proj") || has("fc2") || has("w2.")) return "ffn_down";
  return "other";
}

Traits traits_of(const model::Inventory& inventory) {
  Traits traits;
  traits.layers = inventory.main_layers;
  Rational heads;
  Rational kv_heads;
  for (const TensorGroup& group : inventory.tensors) {
    if (model::class_of(group) == TensorClass::head) traits.tied = false;
    if (group.experts) {
      traits.experts = std::max(traits.experts, group.experts->value.to_int64().value_or(0));
    }
    if (group.shape.empty() || group.shape[0].empty()) continue;
    if (group.name.ends_with(".q_proj.weight")) heads = group.shape[0][0].value;
    if (group.name.ends_with(".k_proj.weight")) kv_heads = group.shape[0][0].value;
    for (const model::Extent& extent : group.repeat) {
      if (extent.layers && !extent.layers->empty()) {
        traits.layers = std::max(traits.layers, extent.layers->back() + 1);
      }
    }
  }
  if (!kv_heads.is_zero()) {
    traits.heads_a_kv_head = (heads / kv_heads).floor().to_int64().value_or(1);
  }
  return traits;
}

// use_more_bits: the first and the last eighth, and every third between.
bool more_bits(std::int64_t layer, std::int64_t layers) {
  return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

bool in_layers(const Bump& bump, std::int64_t layer, std::int64_t layers, bool bumped) {
  if (bump.layers.empty()) return true;
  if (bump.layers == "more") return more_bits(layer, layers);
  if (bump.layers == "others") return !bumped;
  if (bump.layers == "first-2") return layer < 2;
  if (bump.layers == "first-4") return layer < 4;
  if (bump.layers == "first-eighth") return layer < layers / 8;
  if (bump.layers == "first-sixteenth") return layer < layers / 16;
  return false;
}

bool of_model(const Bump& bump, const Traits& traits) {
  if (bump.experts > 0 && bump.experts != traits.experts) return false;
  if (bump.heads_a_kv_head > traits.heads_a_kv_head) return false;
  // LLM_TYPE_70B: 80 layers and fewer KV heads than heads.
  return bump.size.empty() || (traits.layers == kLayersOf70B && traits.heads_a_kv_head > 1);
}

// Why the rules cannot be applied; empty where they can.
std::string not_covered(const model::Model& model) {
  for (const model::CacheGroup& cache : model.inventory->caches) {
    if (cache.kind == model::CacheKind::full || cache.kind == model::CacheKind::window ||
        cache.kind == model::CacheKind::chunked)
      continue;
    return "the rule of llama.cpp is read for plain attention only, and " + cache.name +
           " keeps a " + std::string(name_of(cache.kind)) + " cache";
  }
  if (model.inventory->caches.empty()) {
    return "the rule of llama.cpp is read for decoders with plain attention only";
  }
  const bool apart = std::any_of(
      model.inventory->tensors.begin(), model.inventory->tensors.end(), [](const TensorGroup& t) {
        return t.component == model::Component::mtp || t.component == model::Component::vision;
      });
  return apart ? "files of llama.cpp hold vision towers and prediction modules apart" : "";
}

// The format of rows that the format's groups do not fill (tensor_type_fallback).
std::string fitting(const std::string& name, const TensorGroup& group,
                    const catalog::StorageFormats& formats) {
  const auto found = formats.find(name);
  if (!found) return name;
  Rational columns = 1;
  for (const model::Extent& extent : group.shape.back())
    columns *= extent.value;
  const auto fills = [&](const StorageFormat& format) {
    return !format.grouped ||
           (columns / Rational(static_cast<std::int64_t>(format.group))).is_whole();
  };
  if (fills(**found)) return name;
  const auto other = formats.find((*found)->falls_to);
  return other && fills(**other) ? (*other)->name : "fp16";
}

}  // namespace

base::Result<std::optional<model::Inventory>> store_as_file(provenance::Graph& graph,
                                                            const model::Model& model,
                                                            const StorageFormat& format,
                                                            const catalog::StorageFormats& formats,
                                                            std::string& unknown) {
  unknown = not_covered(model);
  const catalog::Convention* convention = formats.rules().convention(kConvention);
  if (!unknown.empty() || convention == nullptr) return std::optional<model::Inventory>();
  const Traits traits = traits_of(*model.inventory);
  const catalog::FileMix& mix = *format.file;
  return std::optional(
      model::store(graph, *model.inventory, "layers alike in a " + format.name + " file",
                   [&](const TensorGroup& group, std::int64_t layer) -> std::string {
                     if (convention->keeps_class(name_of(model::class_of(group))))
                       return convention->keeps_in;
                     std::string chosen = mix.base;
                     const std::string_view wanted = category(group, traits.tied);
                     bool bumped = false;
                     for (const Bump& bump : mix.bumps) {
                       if (bump.tensors != wanted || !of_model(bump, traits)) continue;
                       if (!in_layers(bump, layer, traits.layers, bumped)) continue;
                       chosen = bump.to;
                       bumped = true;
                     }
                     return fitting(chosen, group, formats);
                   }));
}

}  // namespace ullage::memory

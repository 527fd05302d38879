// Walks the groups of an inventory, layer by layer where a list names layers.
#include "model/storage_plan.hpp"

#include <algorithm>
#include <map>

namespace ullage::model {
namespace {

using exact::Rational;

constexpr std::size_t kShown = 3;  // modules that a note names

// Which extent of the repeats counts decoder layers; nothing outside of them.
std::optional<std::size_t> layer_extent(const TensorGroup& group) {
  if (group.component == Component::mtp || group.component == Component::vision) return {};
  for (std::size_t i = 0; i < group.repeat.size(); ++i) {
    if (group.repeat[i].layers != nullptr) return i;
  }
  return {};
}

// `layers.*.mlp.experts.*.up_proj.weight` in layer 3 is layers.3.mlp.experts.0.up_proj: experts are
// all alike.
std::string module_name(const std::string& group, std::int64_t layer) {
  std::string name;
  bool first = true;
  for (const char c : group) {
    if (c != '*') {
      name += c;
      continue;
    }
    name += first ? std::to_string(std::max<std::int64_t>(layer, 0)) : "0";
    first = false;
  }
  if (name.ends_with(".weight")) name.resize(name.size() - std::string_view(".weight").size());
  return name;
}

// The names under which checkpoints of different families hold a module.
std::vector<std::string> names_of(const TensorGroup& group, std::int64_t layer,
                                  std::int64_t decoder_layers) {
  std::vector<std::string> names{module_name(group.name, layer)};
  const std::string first = names.front();
  if (group.component == Component::mtp && first.starts_with("mtp.0.")) {
    const std::string rest = first.substr(std::string_view("mtp.0.").size());
    names.push_back("layers." + std::to_string(decoder_layers) + "." + rest);
    names.push_back("mtp.layers.0." + rest);
  }
  const auto also = [&](std::string_view part, std::string_view other) {
    const std::size_t known = names.size();
    for (std::size_t i = 0; i < known; ++i) {
      const auto at = names[i].find(part);
      if (at == std::string::npos) continue;
      std::string name = names[i];
      name.replace(at, part.size(), other);
      names.push_back(std::move(name));
    }
  };
  if (first == "lm_head") {
    for (const char* other : {"ff_out", "output", "output_layer", "embed_out", "head"})
      names.emplace_back(other);
  }
  also(".mlp.", ".block_sparse_moe.");
  also(".mlp.", ".feed_forward.");
  if (first.ends_with(".gate")) also(".gate", ".router");
  return names;
}

bool lists(const ModuleList& modules, const std::vector<std::string>& names) {
  bool found = false;
  for (const std::string& name : names)
    found = modules.names(name) || found;
  return found;
}

Extent some_layers(provenance::Graph& graph, const Extent& all, const std::string& why,
                   std::vector<std::int64_t> numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  Extent extent{
      all.name, count,
      graph.derived(all.name + ", some", units::Count::kUnit, why, {}, {all.figure}, count),
      nullptr};
  extent.layers = std::make_shared<const std::vector<std::int64_t>>(std::move(numbers));
  return extent;
}

}  // namespace

Inventory store(provenance::Graph& graph, const Inventory& inventory, const std::string& why,
                const ChooseFormat& choose) {
  Inventory stored;
  stored.caches = inventory.caches;
  stored.draft_caches = inventory.draft_caches;
  stored.main_layers = inventory.main_layers;
  stored.formats_known = true;
  for (const TensorGroup& group : inventory.tensors) {
    const auto extent = layer_extent(group);
    std::map<std::string, std::vector<std::int64_t>> by_format;
    if (extent && !group.repeat[*extent].layers->empty()) {
      for (const std::int64_t layer : *group.repeat[*extent].layers)
        by_format[choose(group, layer)].push_back(layer);
    } else {
      by_format[choose(group, -1)] = {};
    }
    for (auto& [format, numbers] : by_format) {
      TensorGroup part = group;
      part.kept = format;
      if (by_format.size() > 1) {
        part.repeat[*extent] = some_layers(graph, group.repeat[*extent], why, std::move(numbers));
      }
      stored.tensors.push_back(std::move(part));
    }
  }
  return stored;
}

std::string StoragePlan::format_of(const TensorGroup& group, std::int64_t layer,
                                   std::int64_t decoder_layers) const {
  const TensorClass tensor_class = class_of(group);
  const std::vector<std::string> names = names_of(group, layer, decoder_layers);
  const bool skipped = lists(skips, names);
  if (family_first && !group.kept.empty()) return group.kept;
  if (skipped || convention.keeps_class(name_of(tensor_class))) return kept_in;
  for (const Assignment& assignment : assignments) {
    if (!assignment.targets || lists(*assignment.targets, names)) return assignment.format;
  }
  return kept_in;
}

Inventory store(provenance::Graph& graph, const Inventory& inventory, const StoragePlan& plan) {
  std::int64_t layers = inventory.main_layers;
  for (const TensorGroup& group : inventory.tensors) {
    if (const auto extent = layer_extent(group); extent && !group.repeat[*extent].layers->empty()) {
      layers = std::max(layers, group.repeat[*extent].layers->back() + 1);
    }
  }
  Inventory stored = store(graph, inventory, "layers alike under " + plan.where,
                           [&](const TensorGroup& group, std::int64_t layer) {
                             return plan.format_of(group, layer, layers);
                           });
  for (TensorGroup& group : stored.tensors) {
    if (group.name.ends_with("k_proj.weight") || group.name.ends_with("v_proj.weight")) {
      group.beside = plan.cache_scale_bits / Rational(8);
    }
  }
  return stored;
}

// But for what is never quantised anyway.
std::optional<base::Note> unmatched_modules(const StoragePlan& plan) {
  constexpr std::array<std::string_view, 10> kHarmless{"norm",      "bias", "embed",  "visual",
                                                       "vision",    "conv", "rotary", "lm_head",
                                                       "projector", "merge"};
  std::string shown;
  std::size_t count = 0;
  for (const std::string& entry : plan.skips.unused()) {
    const bool harmless =
        std::any_of(kHarmless.begin(), kHarmless.end(),
                    [&](std::string_view word) { return entry.find(word) != std::string::npos; });
    if (harmless) continue;
    if (count < kShown) shown += (count == 0 ? "" : ", ") + base::printable(entry);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return base::Note{"modules-unmatched", base::Severity::warning,
                    std::to_string(count) +
                        " modules that the checkpoint leaves out are no tensor of this "
                        "family: " +
                        shown + (count > kShown ? " …" : "")};
}

std::string describe_kept(const Inventory& stored, const std::string& format) {
  std::map<std::string, std::array<Rational, kTensorClasses>> by_format;
  for (const TensorGroup& group : stored.tensors) {
    if (group.kept == format || !group.stored) continue;
    Rational elements = 1;
    for (const Extent& extent : group.repeat)
      elements *= extent.value;
    for (const Axis& axis : group.shape) {
      for (const Extent& extent : axis)
        elements *= extent.value;
    }
    by_format[group.kept][static_cast<std::size_t>(class_of(group))] += elements;
  }
  std::string text;
  for (const auto& [name, classes] : by_format) {
    text += (text.empty() ? "" : "; ") + name + ": ";
    bool first = true;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i].is_zero()) continue;
      text += (first ? "" : ", ") + std::string(name_of(static_cast<TensorClass>(i))) + " (" +
              classes[i].to_string() + ")";
      first = false;
    }
  }
  return text;
}

}  // namespace ullage::model

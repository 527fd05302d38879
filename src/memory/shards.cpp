// Walks the groups of the inventory once for each stage.
#include "memory/shards.hpp"

#include <algorithm>

namespace ullage::memory {
namespace {

using base::Code;
using base::Diagnostic;
using exact::Rational;
using model::Component;
using model::Extent;
using model::Inventory;
using model::Split;
using model::TensorGroup;

Diagnostic usage(std::string message, std::string hint) {
  return {.code = Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

Diagnostic unnumbered(const std::string& what) {
  return {.code = Code::unsupported_architecture,
          .message =
              "which layers hold " + what + " is not known, so the model cannot be cut into stages",
          .span = {},
          .hint = "leave out --pp and --layer-split",
          .notes = {}};
}

Rational product(const std::vector<Extent>& extents) {
  Rational value = 1;
  for (const Extent& extent : extents)
    value *= extent.value;
  return value;
}

bool is_layers(const TensorGroup& group, const Extent& extent) {
  return group.component != Component::mtp && group.component != Component::vision &&
         extent.layers != nullptr;
}

// Whether the group repeats with the decoder's layers.
bool in_layers(const TensorGroup& group) {
  return std::any_of(group.repeat.begin(), group.repeat.end(),
                     [&](const Extent& extent) { return is_layers(group, extent); });
}

bool is_kv_heads(const Inventory& inventory, const Extent& extent) {
  const auto in = [&](const std::vector<model::CacheGroup>& caches) {
    for (const model::CacheGroup& cache : caches) {
      for (const model::CachePart& part : cache.per_token) {
        if (part.divided && part.divided->figure == extent.figure) return true;
      }
    }
    return false;
  };
  return in(inventory.caches) || in(inventory.draft_caches);
}

// Which extent of an axis is divided: the KV heads, else the first that does not merely stack two
// or three matrices (gate and up, query, key and value).
std::size_t divided_extent(const Inventory& inventory, const model::Axis& axis) {
  for (std::size_t i = 0; i < axis.size(); ++i) {
    if (is_kv_heads(inventory, axis[i])) return i;
  }
  std::size_t i = 0;
  while (i + 1 < axis.size() && axis[i].value <= Rational(3))
    ++i;
  return i;
}

// Ranks that share the matrices of one expert.
std::int64_t expert_tensor(const Layout& layout) {
  if (layout.expert_tensor) return layout.expert_tensor->value;
  return layout.expert.value > 1 ? 1 : layout.tensor.value;
}

class Splitter {
 public:
  Splitter(const Inventory& inventory, const Layout& layout)
      : inventory_(inventory), layout_(layout) {}

  // The share of `group` on a rank of the stage that holds layers [first, first + layers).
  GroupShare share(std::size_t index, const Stage& stage) const {
    const TensorGroup& group = inventory_.tensors[index];
    const bool spread = group.experts && layout_.expert.value > 1;
    const std::int64_t tensor = group.experts ? expert_tensor(layout_) : layout_.tensor.value;
    GroupShare share;
    share.group = index;
    Rational all_tensors = 1;
    Rational tensors = 1;
    for (const Extent& extent : group.repeat) {
      const Rational here =
          is_layers(group, extent) ? on_stage(*extent.layers, stage) : extent.value;
      all_tensors *= here;
      const bool experts = spread && extent.figure == group.experts->figure;
      tensors *= experts ? (here / Rational(layout_.expert.value)).ceil() : here;
    }
    share.tensors = tensors;
    share.parts = tensor * (spread ? layout_.expert.value : 1);
    divide(group, tensor, share);
    share.elements = share.tensors;
    for (const Rational& axis : share.shape)
      share.elements *= axis;
    share.whole = all_tensors;
    for (const model::Axis& axis : group.shape)
      share.whole *= product(axis);
    if (!share.replicated && !share.heads_replicated) {
      share.padding = share.elements * Rational(share.parts) - share.whole;
    }
    return share;
  }

 private:
  static Rational on_stage(const std::vector<std::int64_t>& numbers, const Stage& stage) {
    const auto from = std::lower_bound(numbers.begin(), numbers.end(), stage.first_layer);
    const auto to = std::lower_bound(from, numbers.end(), stage.first_layer + stage.layers);
    return Rational(static_cast<std::int64_t>(to - from));
  }

  void divide(const TensorGroup& group, std::int64_t ranks, GroupShare& share) const {
    for (const model::Axis& axis : group.shape)
      share.shape.push_back(product(axis));
    if (ranks == 1) return;
    const std::size_t axis = group.split == Split::rows ? 1 : 0;
    if (group.split == Split::replicated || axis >= group.shape.size()) {
      share.replicated = true;
      return;
    }
    const model::Axis& divided = group.shape[axis];
    const Extent& unit = divided[divided_extent(inventory_, divided)];
    const Rational part = (unit.value / Rational(ranks)).ceil();
    share.shape[axis] = share.shape[axis] / unit.value * part;
    share.heads_replicated = is_kv_heads(inventory_, unit) && unit.value < Rational(ranks);
  }

  const Inventory& inventory_;
  const Layout& layout_;
};

base::Result<std::vector<Stage>> stages_of(const Inventory& inventory, const Layout& layout) {
  const std::int64_t layers = layers_of(inventory);
  const std::int64_t stages = layout.pipeline.value;
  if (layers == 0 && (stages > 1 || !layout.layer_split.empty())) {
    return unnumbered("the tensors");
  }
  std::vector<std::int64_t> split = layout.layer_split;
  if (split.empty() && stages > std::max<std::int64_t>(layers, 1)) {
    return usage(std::to_string(stages) + " pipeline stages are more than the model's " +
                     std::to_string(layers) + " layers",
                 "at most one stage a layer");
  }
  if (split.empty()) split = even_split(layers, stages);
  std::vector<Stage> result;
  std::int64_t first = 0;
  for (const std::int64_t count : split) {
    result.push_back({first, count, {}});
    first += count;
  }
  if (first != layers) {
    return usage("--layer-split names " + std::to_string(first) + " layers, but the model has " +
                     std::to_string(layers),
                 "one number of layers for each stage");
  }
  return result;
}

// Whether a group outside the layers stands before them; it stands behind them otherwise.
bool comes_first(const TensorGroup& group) {
  return group.component == Component::embedding || group.component == Component::vision;
}

bool is_tied_table(const Inventory& inventory, const TensorGroup& group) {
  return group.component == Component::embedding && group.split == Split::vocabulary &&
         group.use == model::Use::every_token &&
         std::none_of(inventory.tensors.begin(), inventory.tensors.end(), [](const TensorGroup& t) {
           return t.component == Component::head && t.stored && t.split == Split::vocabulary &&
                  t.shape.size() == 2;
         });
}

// A group with `layers.*` in its name whose layers nobody numbers.
const TensorGroup* unplaced(const Inventory& inventory) {
  for (const TensorGroup& group : inventory.tensors) {
    if (!group.stored || group.component == Component::mtp ||
        group.component == Component::vision || in_layers(group))
      continue;
    if (group.name.find(".*") != std::string::npos) return &group;
  }
  return nullptr;
}

void add_notes(const Inventory& inventory, const Layout& layout, Shards& shards) {
  std::string uneven;
  std::string copied;
  std::string heads;
  Rational copied_elements;
  std::vector<Rational> padding(inventory.tensors.size());
  std::vector<bool> seen(inventory.tensors.size());
  for (const Stage& stage : shards.stages) {
    for (const GroupShare& share : stage.shares) {
      const auto name = [&](std::string& list) {
        if (!seen[share.group]) {
          list += (list.empty() ? "" : ", ") + inventory.tensors[share.group].name;
        }
        seen[share.group] = true;
      };
      padding[share.group] += share.padding;
      if (share.replicated) copied_elements += share.whole;
      if (share.replicated) name(copied);
      if (share.heads_replicated) name(heads);
    }
  }
  for (std::size_t g = 0; g < padding.size(); ++g) {
    if (padding[g].is_zero()) continue;
    uneven += (uneven.empty() ? "" : ", ") + inventory.tensors[g].name + " (" +
              padding[g].to_string() + ")";
  }
  const auto add = [&](const char* code, std::string text) {
    shards.notes.push_back({code, base::Severity::note, std::move(text)});
  };
  const std::string degree = std::to_string(layout.tensor.value);
  if (!uneven.empty()) {
    add("tensor-parallel-uneven",
        "the ranks do not divide these evenly; each holds the part rounded up, and the elements "
        "over all ranks that no tensor has are: " +
            uneven);
  }
  if (!heads.empty()) {
    add("kv-heads-replicated",
        "fewer KV heads than " + degree + " ranks: each rank keeps one whole head of " + heads);
  }
  if (!copied.empty()) {
    add("replicated", "every rank of a stage holds all of " + copied + ": " +
                          copied_elements.to_string() + " elements");
  }
}

}  // namespace

std::int64_t layers_of(const Inventory& inventory) {
  std::int64_t layers = 0;
  for (const TensorGroup& group : inventory.tensors) {
    for (const Extent& extent : group.repeat) {
      if (is_layers(group, extent) && !extent.layers->empty()) {
        layers = std::max(layers, extent.layers->back() + 1);
      }
    }
  }
  return layers > 0 ? layers : inventory.main_layers;
}

std::vector<std::int64_t> even_split(std::int64_t layers, std::int64_t stages) {
  std::vector<std::int64_t> split(static_cast<std::size_t>(stages), layers / stages);
  const auto left = static_cast<std::size_t>(layers % stages);
  for (std::size_t i = 2; i < left + 2; ++i)
    ++split[split.size() - i];
  return split;
}

base::Result<Shards> shard(const Inventory& inventory, const Layout& layout) {
  Shards shards;
  ULLAGE_TRY(shards.stages, stages_of(inventory, layout));
  const TensorGroup* homeless = shards.stages.size() > 1 ? unplaced(inventory) : nullptr;
  if (homeless != nullptr) {
    return unnumbered(homeless->name);
  }
  const bool mixture = std::any_of(inventory.tensors.begin(), inventory.tensors.end(),
                                   [](const TensorGroup& group) { return group.experts; });
  if (layout.expert.value > 1 && !mixture) {
    shards.notes.push_back({"no-experts", base::Severity::note,
                            "the model has no routed experts that " +
                                std::to_string(layout.expert.value) + " ranks could share"});
  }
  shards.ranks = layout.tensor.value;
  if (mixture) {
    shards.ranks = std::max(shards.ranks, layout.expert.value * expert_tensor(layout));
  }
  const Splitter splitter(inventory, layout);
  Rational held;
  Rational stored;
  const std::size_t last = shards.stages.size() - 1;
  for (std::size_t s = 0; s <= last; ++s) {
    Stage& stage = shards.stages[s];
    for (std::size_t g = 0; g < inventory.tensors.size(); ++g) {
      const TensorGroup& group = inventory.tensors[g];
      if (!group.stored) continue;
      const bool copy = s == last && s != 0 && is_tied_table(inventory, group);
      if (!in_layers(group) && !copy && s != (comes_first(group) ? 0 : last)) continue;
      GroupShare share = splitter.share(g, stage);
      if (share.tensors.is_zero()) continue;
      held += share.elements * Rational(shards.ranks);
      if (!copy) stored += share.whole;
      stage.shares.push_back(std::move(share));
    }
  }
  shards.replication = stored.is_zero() ? Rational(1) : held / stored;
  add_notes(inventory, layout, shards);
  return shards;
}

}  // namespace ullage::memory

// Finds the matrices and puts two thin ones beside each.
#include "memory/adapters.hpp"

#include <algorithm>
#include <set>

#include "base/spelling.hpp"
#include "memory/rank_parameters.hpp"
#include "model/term.hpp"

namespace ullage::memory {
namespace {

using model::Axis;
using model::Extent;
using model::Split;
using model::TensorGroup;
using model::Term;
using provenance::Graph;

struct Fused {
  std::string_view name;
  std::vector<std::string_view> parts;
};
const std::vector<Fused>& fused_names() {
  static const std::vector<Fused> names{{"qkv_proj", {"q_proj", "k_proj", "v_proj"}},
                                        {"query_key_value", {"q_proj", "k_proj", "v_proj"}},
                                        {"W_pack", {"q_proj", "k_proj", "v_proj"}},
                                        {"Wqkv", {"q_proj", "k_proj", "v_proj"}},
                                        {"c_attn", {"q_proj", "k_proj", "v_proj"}},
                                        {"gate_up_proj", {"gate_proj", "up_proj"}}};
  return names;
}

// `q_proj` of `layers.*.self_attn.q_proj.weight`.
std::string module_name(const TensorGroup& group) {
  std::string name = group.name;
  if (name.ends_with(".weight")) name.resize(name.size() - 7);
  const auto last = name.rfind('.');
  return last == std::string::npos ? name : name.substr(last + 1);
}

bool adaptable(const TensorGroup& group) {
  return is_layer_matrix(group) && group.counted && group.component != model::Component::mtp &&
         group.shape.size() == 2 && group.name.find("conv") == std::string::npos;
}

void add_pair(std::vector<TensorGroup>& result, const TensorGroup& base, const std::string& name,
              const Axis& outputs, const Axis& inputs, const Extent& rank) {
  TensorGroup down = base;
  down.name = name + ".lora_A";
  down.shape = {{rank}, inputs};
  down.split = base.split == Split::rows ? Split::rows : Split::replicated;
  TensorGroup up = base;
  up.name = name + ".lora_B";
  up.shape = {outputs, {rank}};
  up.split = base.split == Split::columns ? Split::columns : Split::replicated;
  result.push_back(std::move(down));
  result.push_back(std::move(up));
}

// One adapter over parts that a checkpoint stores side by side.
bool add_fused(Graph& graph, const model::Inventory& inventory, const Fused& fused,
               const Extent& rank, std::vector<TensorGroup>& result) {
  bool found = false;
  for (const TensorGroup& first : inventory.tensors) {
    if (!adaptable(first) || module_name(first) != fused.parts.front()) continue;
    const std::string prefix = first.name.substr(0, first.name.find(fused.parts.front()));
    Term outputs(first.shape[0]);
    for (std::size_t at = 1; at < fused.parts.size(); ++at) {
      for (const TensorGroup& part : inventory.tensors) {
        const bool same = adaptable(part) && part.name.starts_with(prefix) &&
                          part.repeat.front().figure == first.repeat.front().figure;
        if (same && module_name(part) == fused.parts[at]) outputs = outputs + Term(part.shape[0]);
      }
    }
    const std::string name = prefix + std::string(fused.name);
    const auto width = outputs.derive<units::Count>(graph, "outputs of " + name);
    add_pair(result, first, name, {model::extent_of(graph, width.id())}, first.shape[1], rank);
    found = true;
  }
  return found;
}

}  // namespace

base::Result<std::vector<TensorGroup>> adapters(Graph& graph, const model::Inventory& inventory,
                                                const Extent& rank,
                                                const std::vector<std::string>& targets) {
  std::set<std::string> known;
  for (const TensorGroup& group : inventory.tensors) {
    if (adaptable(group)) known.insert(module_name(group));
  }
  std::vector<TensorGroup> result;
  std::set<const TensorGroup*> adapted;  // a matrix has one adapter, however often it is named
  for (const std::string& target : targets) {
    bool found = false;
    for (const TensorGroup& group : inventory.tensors) {
      if (!adaptable(group)) continue;
      if (target != "all-linear" && module_name(group) != target) continue;
      found = true;
      if (!adapted.insert(&group).second) continue;
      add_pair(result, group, group.name.substr(0, group.name.rfind(".weight")), group.shape[0],
               group.shape[1], rank);
    }
    for (const Fused& fused : fused_names()) {
      if (!found && fused.name == target) found = add_fused(graph, inventory, fused, rank, result);
    }
    if (found) continue;
    const std::vector<std::string_view> names(known.begin(), known.end());
    const auto close = base::nearest(target, names, 3);
    std::string all;
    for (const std::string_view name : names)
      all += (all.empty() ? "" : ", ") + std::string(name);
    return base::Diagnostic{
        .code = base::Code::usage,
        .message = "--lora-targets: no matrix of a layer is called " + base::printable(target),
        .span = {},
        .hint = close.empty() ? all : base::did_you_mean(close),
        .notes = {}};
  }
  return result;
}

}  // namespace ullage::memory

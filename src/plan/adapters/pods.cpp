// Finds pods and reads where they run.
#include "plan/adapters/pods.hpp"

#include <algorithm>
#include <array>

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

constexpr std::array<std::string_view, 10> kChipResources{
    "nvidia.com/gpu",        "amd.com/gpu",        "google.com/tpu",
    "aws.amazon.com/neuron", "habana.ai/gaudi",    "gpu.intel.com/i915",
    "gpu.intel.com/xe",      "rebellions.ai/ATOM", "aws.amazon.com/neurondevice",
    "nvidia.com/gpu.shared"};
constexpr std::string_view kCores = "aws.amazon.com/neuroncore";
constexpr std::string_view kMig = "nvidia.com/mig-";

void find(const Value& value, std::vector<std::pair<std::string, const Value*>>& around,
          std::vector<Pod>& pods) {
  if (around.size() > 48) return;
  if (value.type == Type::array) {
    // An item stands around its pods under the key of its list.
    const std::string key = around.back().first;
    for (const Value& item : value.items) {
      around.emplace_back(key, &item);
      find(item, around, pods);
      around.pop_back();
    }
    return;
  }
  if (value.type != Type::object) return;
  const Value* containers = value.find("containers");
  if (containers != nullptr && containers->type == Type::array && !containers->items.empty()) {
    pods.push_back({&value, around});
    return;
  }
  for (const document::Member& member : value.members) {
    around.emplace_back(member.key, &member.value);
    find(member.value, around, pods);
    around.pop_back();
  }
}

// A ResourceClaimTemplate, or a ResourceClaim.
void read_claim(const PlanDocument& claim, Workload& workload, const Scope& scope) {
  const Value* spec = reach(claim.document.root, {"spec"});
  if (const Value* inner = reach(spec, {"spec"})) spec = inner;
  const Value* requests = reach(spec, {"devices", "requests"});
  if (requests == nullptr) return;
  exact::Rational total;
  std::optional<base::Span> where;
  for (const Value& request : requests->items) {
    const Value* exactly = reach(&request, {"exactly"});
    const Value& asked = exactly != nullptr ? *exactly : request;
    const Value* count = reach(&asked, {"count"});
    const auto number = count == nullptr
                            ? std::optional(Number{exact::Rational{1}, claim.document.span(asked)})
                            : count_of(claim, count, scope, "devices", workload);
    if (is_text(reach(&asked, {"allocationMode"}), "All")) continue;
    if (number) {
      total += number->value;
      if (!where) where = number->where;
    }
    if (const Value* selectors = reach(&asked, {"selectors"})) {
      for (const Value& selector : selectors->items) {
        const Value* expression = reach(&selector, {"cel", "expression"});
        if (expression != nullptr) read_cel(claim, *expression, workload);
      }
    }
  }
  workload.asks_for_devices = true;
  if (where) workload.devices = Number{total, *where};
  if (const Value* configs = reach(spec, {"devices", "config"})) {
    for (const Value& config : configs->items) {
      const Value* core = reach(&config, {"opaque", "parameters", "logicalNeuronCore"});
      if (core != nullptr) workload.lnc = count_of(claim, core, scope, "lnc", workload);
    }
  }
}

void read_claims(const Reading& reading, const PlanDocument& document, const Value& container,
                 const Value& spec, const Scope& scope, Workload& workload) {
  const Value* claims = reach(&container, {"resources", "claims"});
  const Value* pod_claims = reach(&spec, {"resourceClaims"});
  if (pod_claims == nullptr || claims == nullptr) return;
  for (const Value& claim : pod_claims->items) {
    const auto name = scalar_text(reach(&claim, {"name"}));
    bool is_used = false;
    for (const Value& used : claims->items)
      is_used = is_used || (name && is_text(reach(&used, {"name"}), *name));
    if (!is_used) continue;
    workload.asks_for_devices = true;
    const PlanDocument* found = nullptr;
    const Value* reference = nullptr;
    for (const auto& [key, kind] : {std::pair{"resourceClaimTemplateName", "ResourceClaimTemplate"},
                                    {"resourceClaimName", "ResourceClaim"}}) {
      const Value* named = reach(&claim, {key});
      if (named == nullptr) continue;
      reference = named;
      found = find_object(reading, kind, scalar_text(named).value_or(""));
    }
    if (found != nullptr) {
      read_claim(*found, workload, scope);
    } else if (reference != nullptr) {
      workload.remarks.push_back({"claim-not-given", base::Severity::note,
                                  "the device claim " + scalar_text(reference).value_or("") +
                                      " is in none of the files given: give the file that holds it",
                                  document.document.span(*reference)});
    }
  }
}

}  // namespace

// `device.attributes['neuron.aws.com'].instanceType == 'trn2.48xlarge'` and its kin.
void read_cel(const PlanDocument& document, const Value& expression, Workload& workload) {
  const std::string& text = expression.text;
  const base::Span where = document.document.span(expression);
  const auto quoted_behind = [&text](std::string_view mark) -> std::string {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return {};
    const std::size_t open = text.find_first_of("'\"", at + mark.size());
    if (open == std::string::npos) return {};
    const std::size_t close = text.find(text[open], open + 1);
    return close == std::string::npos ? std::string() : text.substr(open + 1, close - open - 1);
  };
  const auto add = [&](const char* key, std::string value) {
    if (!value.empty()) workload.selectors.push_back({key, {std::move(value), where}});
  };
  add("node.kubernetes.io/instance-type", quoted_behind(".instanceType =="));
  std::string product = quoted_behind(".productName ==");
  std::replace(product.begin(), product.end(), ' ', '-');
  add("nvidia.com/gpu.product", product);
  if (text.find(">=") != std::string::npos || text.find("> ") != std::string::npos) {
    add("cel.memory", quoted_behind("quantity("));
  }
}

const Value* Pod::nearest(std::string_view key) const {
  for (auto object = around.rbegin(); object != around.rend(); ++object) {
    if (const Value* found = reach(object->second, {key})) return found;
  }
  return nullptr;
}

bool Pod::under(std::string_view key) const {
  return std::any_of(around.begin(), around.end(),
                     [key](const auto& object) { return object.first == key; });
}

std::vector<Pod> find_pods(const Value& root) {
  std::vector<Pod> pods;
  std::vector<std::pair<std::string, const Value*>> around{{"", &root}};
  find(root, around, pods);
  return pods;
}

std::vector<const Value*> containers_of(const Value& spec) {
  std::vector<const Value*> found;
  if (const Value* containers = reach(&spec, {"containers"})) {
    for (const Value& container : containers->items) {
      if (container.type == Type::object) found.push_back(&container);
    }
  }
  return found;
}

bool is_device_resource(std::string_view name) {
  return name == kCores || name.starts_with(kMig) ||
         std::find(kChipResources.begin(), kChipResources.end(), name) != kChipResources.end();
}

void read_placement(const Reading& reading, const PlanDocument& document, const Value& spec,
                    const Scope& scope, Workload& workload) {
  static_cast<void>(reading);
  if (const Value* selector = reach(&spec, {"nodeSelector"})) {
    for (const document::Member& member : selector->members) {
      if (auto word = word_of(document, &member.value, scope)) {
        workload.selectors.push_back({member.key, *std::move(word)});
      }
    }
  }
  const Value* terms =
      reach(&spec, {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                    "nodeSelectorTerms"});
  if (terms == nullptr) terms = reach(&spec, {"nodeSelectorTerms"});
  if (terms == nullptr) return;
  for (const Value& term : terms->items) {
    const Value* expressions = reach(&term, {"matchExpressions"});
    if (expressions == nullptr) continue;
    for (const Value& expression : expressions->items) {
      const auto key = scalar_text(reach(&expression, {"key"}));
      const Value* values = reach(&expression, {"values"});
      if (!key || values == nullptr || !is_text(reach(&expression, {"operator"}), "In")) continue;
      for (const Value& value : values->items) {
        if (auto word = word_of(document, &value, scope)) {
          workload.selectors.push_back({*key, *std::move(word)});
        }
      }
    }
  }
}

void read_asked(const PlanDocument& document, const Value& asked, const Scope& scope,
                Workload& workload) {
  for (const document::Member& member : asked.members) {
    if (!is_device_resource(member.key)) continue;
    const auto number = count_of(document, &member.value, scope, "devices", workload);
    if (number && number->value.is_zero()) continue;
    workload.asks_for_devices = true;
    if (!number) continue;
    (member.key == kCores ? workload.cores : workload.devices) = number;
    const auto is_known = [](const Selector& known) { return known.key == "resource"; };
    std::erase_if(workload.selectors, is_known);
    workload.selectors.push_back({"resource", {member.key, document.document.span(member)}});
  }
}

void read_resources(const Reading& reading, const PlanDocument& document, const Value& container,
                    const Value& spec, const Scope& scope, Workload& workload) {
  const Value* requests = reach(&container, {"resources", "requests"});
  const Value* limits = reach(&container, {"resources", "limits"});
  if (requests != nullptr) {
    // What is unresolved is said once, for the limits.
    const std::vector<Unresolved> before = workload.unresolved;
    read_asked(document, *requests, scope, workload);
    if (limits != nullptr) workload.unresolved = before;
  }
  if (limits != nullptr) read_asked(document, *limits, scope, workload);
  read_claims(reading, document, container, spec, scope, workload);
}

}  // namespace ullage::plan

// SkyPilot tasks: accelerators in all their spellings, each alternative a row.
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/launching.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

struct Choice {
  Word name;
  std::optional<Number> count;
};

// `tpu-v6e-8`: the last number counts chips from v5e on, and cores, two a chip, for v4 and v5p.
std::optional<Choice> slice_of(const Word& word) {
  const std::size_t dash = word.text.rfind('-');
  if (!word.text.starts_with("tpu-") || dash == std::string::npos) return std::nullopt;
  const auto number = exact::Rational::parse(word.text.substr(dash + 1));
  if (!number || number->sign() <= 0) return std::nullopt;
  const std::string name = word.text.substr(0, dash);
  const bool counts_cores = name == "tpu-v4" || name == "tpu-v5p";
  const exact::Rational chips = counts_cores ? *number / exact::Rational{2} : *number;
  return Choice{{name, word.where, word.missing}, Number{chips, word.where}};
}

// `H100:8`, `H100`.
Choice choice_of(const Word& word) {
  if (auto slice = slice_of(word)) return *std::move(slice);
  const std::size_t colon = word.text.rfind(':');
  if (colon == std::string::npos) return {word, Number{exact::Rational{1}, word.where}};
  const auto number = exact::Rational::parse(word.text.substr(colon + 1));
  Choice choice{{word.text.substr(0, colon), word.where, word.missing}, std::nullopt};
  if (number && number->sign() > 0) choice.count = Number{*number, word.where};
  return choice;
}

class TaskReader {
 public:
  TaskReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading), document_(document), scope_(reading.scope()) {}

  std::vector<Workload> read() {
    const Value& root = document_.document.root;
    variables(reach(root, {"envs"}));
    variables(reach(root, {"secrets"}));
    const Value* resources = reach(root, {"resources"});
    std::vector<Choice> choices;
    collect(resources, choices);
    for (const char* key : {"any_of", "ordered"}) {
      const Value* list = reach(resources, {key});
      if (list == nullptr) continue;
      for (const Value& one : list->items)
        collect(&one, choices);
    }
    if (choices.empty()) choices.push_back({});
    for (const Choice& choice : choices)
      row(choice);
    return std::move(found_);
  }

 private:
  void variables(const Value* block) {
    if (block == nullptr) return;
    for (const document::Member& member : block->members) {
      if (auto word = word_of(document_, &member.value, scope_)) {
        scope_.set(member.key, *word);
      }
    }
  }

  void collect(const Value* resources, std::vector<Choice>& choices) {
    const Value* stated = reach(resources, {"accelerators"});
    if (stated == nullptr) return;
    if (stated->type == Type::object) {
      // `{H100: 8}` has numbers, `{H100:8}` is a set whose keys hold them.
      for (const document::Member& member : stated->members) {
        const Word key = expand_field({member.key, document_.document.span(member)}, scope_);
        Choice choice = choice_of(key);
        if (member.value.type == Type::number) {
          const auto number = exact::Rational::parse(member.value.text);
          if (number) choice = {key, Number{*number, document_.document.span(member.value)}};
        }
        choices.push_back(std::move(choice));
      }
      return;
    }
    if (stated->type == Type::array) {
      for (const Value& item : stated->items) {
        if (auto word = word_of(document_, &item, scope_)) choices.push_back(choice_of(*word));
      }
      return;
    }
    if (auto word = word_of(document_, stated, scope_)) choices.push_back(choice_of(*word));
  }

  void row(const Choice& choice) {
    const Value& root = document_.document.root;
    Workload workload =
        begin_workload(document_, "skypilot", scalar_text(reach(root, {"name"})).value_or(""));
    Number nodes{exact::Rational{1}, workload.where};
    if (const Value* stated = reach(root, {"num_nodes"})) {
      if (const auto number = count_of(document_, stated, scope_, "nodes", workload)) {
        nodes = *number;
      }
    }
    Scope scope = scope_;
    scope.set("SKYPILOT_NUM_NODES", {nodes.value.to_string(), nodes.where});
    if (choice.count) {
      scope.set("SKYPILOT_NUM_GPUS_PER_NODE",
                {choice.count->value.to_string(), choice.count->where});
    }
    const Started started =
        start_scripts(document_, {reach(root, {"setup"}), reach(root, {"run"})}, std::move(scope));
    if (started.launch) {
      take_launch(reading_, *started.launch, started.scope, started.here, workload);
    }
    workload.nodes = nodes;
    if (choice.count) {
      workload.devices_per_node = choice.count;
      workload.devices = Number{choice.count->value * nodes.value, choice.count->where};
      workload.asks_for_devices = true;
    }
    if (!choice.name.text.empty()) {
      workload.asks_for_devices = true;
      workload.selectors.push_back({"skypilot.accelerator", choice.name});
    }
    const Value* machine = reach(root, {"resources", "instance_type"});
    if (auto type = word_of(document_, machine, scope_); type && choice.name.text.empty()) {
      workload.asks_for_devices = true;
      workload.selectors.push_back({"node.kubernetes.io/instance-type", *std::move(type)});
    }
    replicas(root, workload);
    found_.push_back(std::move(workload));
  }

  void replicas(const Value& root, Workload& workload) {
    const Value* stated = reach(root, {"service", "replicas"});
    if (stated == nullptr) stated = reach(root, {"service", "replica_policy", "min_replicas"});
    if (stated == nullptr) return;
    const auto number = count_of(document_, stated, scope_, "replicas", workload);
    if (number && number->value.sign() > 0) workload.replicas = number;
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_skypilot(const PlanDocument& document) {
  const Value& root = document.document.root;
  if (reach(root, {"apiVersion"}) != nullptr) return false;
  if (reach(root, {"resources", "accelerators"}) != nullptr) return true;
  if (reach(root, {"resources", "any_of"}) != nullptr) return true;
  if (reach(root, {"resources", "instance_type"}) != nullptr) return true;
  const Value* run = reach(root, {"run"});
  return run != nullptr && run->type == Type::string &&
         (reach(root, {"resources"}) != nullptr || reach(root, {"num_nodes"}) != nullptr ||
          reach(root, {"setup"}) != nullptr);
}

std::vector<Workload> read_skypilot(const Reading& reading, const PlanDocument& document) {
  return TaskReader(reading, document).read();
}

}  // namespace ullage::plan

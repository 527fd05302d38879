// NVIDIA Dynamo: DynamoGraphDeployment, v1alpha1 (`services`) and v1beta1 (`components`).
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Value;

class GraphReader {
 public:
  GraphReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading), document_(document), scope_(reading.scope()) {}

  std::vector<Workload> read() {
    const Value* spec = reach(document_.document.root, {"spec"});
    if (const Value* services = reach(spec, {"services"})) {
      for (const document::Member& service : services->members)
        component(service.key, service.value);
    }
    if (const Value* components = reach(spec, {"components"})) {
      for (const Value& one : components->items)
        component(scalar_text(reach(&one, {"name"})).value_or(""), one);
    }
    return std::move(found_);
  }

 private:
  void component(const std::string& name, const Value& service) {
    Workload workload = begin_workload(document_, "dynamo", name);
    workload.where = document_.document.span(service);
    const Value* pod = first_of(&service, {"extraPodSpec"});
    if (pod == nullptr) pod = reach(&service, {"podTemplate", "spec"});
    static const Value kNone;
    const Value& spec = pod != nullptr ? *pod : kNone;
    std::vector<const Value*> containers = containers_of(spec);
    if (const Value* main = reach(&spec, {"mainContainer"})) containers = {main};
    for (const Value* container : containers) {
      Workload trial = workload;
      read_container(reading_, document_, spec, *container, scope_, trial);
      if (trial.engine || trial.asks_for_devices) workload = std::move(trial);
    }
    for (const char* side : {"requests", "limits"}) {
      const Value* gpu = reach(&service, {"resources", side, "gpu"});
      if (gpu == nullptr) continue;
      workload.devices = count_of(document_, gpu, scope_, "devices", workload);
      workload.asks_for_devices = true;
    }
    if (!is_workload(workload)) return;
    counts(service, workload);
    role(name, service, workload);
    found_.push_back(std::move(workload));
  }

  void counts(const Value& service, Workload& workload) {
    if (const Value* replicas = reach(&service, {"replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
    const Value* nodes = reach(&service, {"multinode", "nodeCount"});
    if (nodes == nullptr) return;
    workload.nodes = count_of(document_, nodes, scope_, "nodes", workload);
    workload.devices_per_node = workload.devices;
    if (workload.nodes && workload.devices) workload.devices->value *= workload.nodes->value;
  }

  // What the service says of itself wins over its command's flags.
  void role(const std::string& name, const Value& service, Workload& workload) {
    for (const char* key : {"subComponentType", "type"}) {
      const Value* stated = reach(&service, {key});
      const auto text = scalar_text(stated);
      if (text && (*text == "prefill" || *text == "decode")) {
        workload.role = Word{*text, document_.document.span(*stated)};
        return;
      }
    }
    if (workload.role) return;
    for (const auto& [part, role] :
         {std::pair{"refill", "prefill"}, std::pair{"ecode", "decode"}}) {
      if (name.find(part) != std::string::npos) workload.role = Word{role, workload.where};
    }
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_dynamo(const PlanDocument& document) {
  const auto kind = scalar_text(reach(document.document.root, {"kind"}));
  return kind && kind->starts_with("DynamoGraphDeployment");
}

std::vector<Workload> read_dynamo(const Reading& reading, const PlanDocument& document) {
  return GraphReader(reading, document).read();
}

}  // namespace ullage::plan

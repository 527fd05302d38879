// Pods and containers of Kubernetes objects, whatever the object around them is.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/adapters/reading.hpp"

namespace ullage::plan {

// A pod's specification with the objects around it, the outermost first; each with the key under
// which it stands.
struct Pod {
  const document::Value* spec = nullptr;
  std::vector<std::pair<std::string, const document::Value*>> around;

  // The nearest object around the pod that has the key, or nullptr.
  const document::Value* nearest(std::string_view key) const;
  // Whether one of the objects around it stands under that key.
  bool under(std::string_view key) const;
};

// Every mapping with `containers` in the tree.
std::vector<Pod> find_pods(const document::Value& root);

// The containers of a pod's specification.
std::vector<const document::Value*> containers_of(const document::Value& spec);

// Node selectors, affinities and device claims of the pod. A list of values of one label is
// several selectors of that key.
void read_placement(const Reading& reading, const PlanDocument& document,
                    const document::Value& spec, const Scope& scope, Workload& workload);

// What a CEL expression of a device claim says: instance type, product, memory.
void read_cel(const PlanDocument& document, const document::Value& expression, Workload& workload);

// The devices among `limits` or `requests`, and what kind is asked for.
void read_asked(const PlanDocument& document, const document::Value& asked, const Scope& scope,
                Workload& workload);

// `resources` of a container: devices of one pod, and what kind is asked for. Claims are looked up
// in the set.
void read_resources(const Reading& reading, const PlanDocument& document,
                    const document::Value& container, const document::Value& spec,
                    const Scope& scope, Workload& workload);

// The variables of a container, from `env` and from ConfigMaps of the set; later ones may use
// earlier ones. Secrets are never read.
Scope environment_of(const Reading& reading, const PlanDocument& document,
                     const document::Value& container, Scope scope);

// Reads a container: its variables, its command line, its devices. `extra` are variables that the
// object around gives (LWS_GROUP_SIZE). What runs in it is settled into the workload; the devices
// are those of one pod.
void read_container(const Reading& reading, const PlanDocument& document,
                    const document::Value& spec, const document::Value& container, Scope scope,
                    Workload& workload);

// Puts knobs that only variables hold (VLLM_ARGS, SM_ON_MODEL, MAX_MODEL_LEN) into the workload.
void read_knob_variables(const Scope& scope, std::string_view image, ScalarPlaces* places,
                         Workload& workload);

// The resource names that count accelerators.
bool is_device_resource(std::string_view name);

}  // namespace ullage::plan

// Kubernetes objects with pod templates: Deployment, StatefulSet, Pod, Job, JobSet, PyTorchJob,
// LeaderWorkerSet, RayCluster, and custom resources of whatever group.
#include <algorithm>

#include "plan/adapters/adapters.hpp"
#include "plan/adapters/pods.hpp"

namespace ullage::plan {
namespace {

using document::Value;

std::string kind_of(const PlanDocument& document) {
  return scalar_text(reach(document.document.root, {"kind"})).value_or("");
}

std::string name_in(const PlanDocument& document) {
  return scalar_text(reach(document.document.root, {"metadata", "name"})).value_or("");
}

// Objects that describe no pods of their own, or machines. Other groups may have kinds of these
// names.
bool is_other(const PlanDocument& document, const std::string& kind) {
  const auto version = scalar_text(reach(document.document.root, {"apiVersion"}));
  const bool is_core = version && version->find('/') == std::string::npos;
  if (kind == "Service" && !is_core) return false;
  for (const std::string_view other :
       {"ConfigMap", "Secret", "Service", "NodePool", "NodeClass", "EC2NodeClass",
        "ResourceClaimTemplate", "ResourceClaim", "Namespace", "PersistentVolumeClaim"}) {
    if (kind == other) return true;
  }
  return false;
}

// The product of two numbers, at the place of the first.
Number times(const Number& a, const exact::Rational& b) {
  return {a.value * b, a.where};
}

class ObjectReader {
 public:
  ObjectReader(const Reading& reading, const PlanDocument& document)
      : reading_(reading),
        document_(document),
        scope_(reading.scope()),
        kind_(kind_of(document)),
        shown_(kind_ == "LeaderWorkerSet" ? "leaderworkerset" : "kubernetes") {}

  std::vector<Workload> read() {
    if (is_other(document_, kind_)) return {};
    const std::vector<Pod> pods = find_pods(document_.document.root);
    for (const Pod& pod : pods)
      read_pod(pod);
    read_runners();
    read_playground();
    if (pods.empty() && found_.empty()) read_bare();
    join_groups();
    return std::move(found_);
  }

 private:
  void read_pod(const Pod& pod) {
    // A template that other roles patch is no role; a follower belongs to its leader's row.
    if (pod.under("roleTemplates")) return;
    const Value* members = members_of(pod);
    if (members != nullptr && is_text(pod.nearest("role"), "Worker")) return;
    for (const Value* container : containers_of(*pod.spec)) {
      const std::string name = scalar_text(reach(container, {"name"})).value_or("");
      Workload workload = begin_workload(document_, shown_, name_in(document_));
      workload.where = document_.document.span(*container);
      Scope scope = scope_;
      const Number size = group_size(pod, workload);
      scope.set("LWS_GROUP_SIZE", {size.value.to_string(), size.where});
      read_container(reading_, document_, *pod.spec, *container, scope, workload);
      read_member(pod, scope, workload);
      // The members of a group behind its leader.
      if (pod.under("workerTemplate") && has_leader(pod)) continue;
      // Ray starts its own command in the pods of a cluster, whatever their image is for.
      const bool is_ray = pod.under("headGroupSpec") || pod.under("workerGroupSpecs");
      if (is_ray && runs_nothing(*container)) {
        workload.engine.reset();
        workload.work = Work::unknown;
      }
      if (!is_workload(workload)) continue;
      count(pod, size, workload);
      role(pod, workload);
      if (!name.empty() && containers_of(*pod.spec).size() > 1) workload.name += "/" + name;
      found_.push_back(std::move(workload));
    }
  }

  static bool runs_nothing(const Value& container) {
    return first_of(&container, {"command", "args"}) == nullptr;
  }

  // Whether a leader template stands beside this worker's.
  static bool has_leader(const Pod& pod) {
    return pod.nearest("leaderTemplate") != nullptr || pod.nearest("leader") != nullptr;
  }

  // Modelplane lists the members of a gang: a Leader and Workers with `worker.nodes`. Nothing for
  // other lists.
  static const Value* members_of(const Pod& pod) {
    const Value* members = pod.nearest("members");
    if (members == nullptr || members->type != document::Type::array) return nullptr;
    const bool has_leader = std::any_of(
        members->items.begin(), members->items.end(),
        [](const Value& member) { return is_text(reach(&member, {"role"}), "Leader"); });
    return has_leader ? members : nullptr;
  }

  // Pods of one group: LeaderWorkerSet's `size`, a Job's parallelism, a gang's members.
  Number group_size(const Pod& pod, Workload& workload) {
    const Number one{exact::Rational{1}, document_.document.span(*pod.spec)};
    if (const Value* members = members_of(pod)) {
      Number size = one;
      for (const Value& member : members->items) {
        const Value* nodes = reach(&member, {"worker", "nodes"});
        if (nodes == nullptr) continue;
        if (const auto more = count_of(document_, nodes, scope_, "nodes", workload)) {
          size = {size.value + more->value, more->where};
        }
      }
      return size;
    }
    for (const char* key : {"size", "parallelism", "completions"}) {
      const Value* stated = pod.nearest(key);
      const auto text = scalar_text(stated);
      // `1Ti` is the size of a volume.
      const bool counts = text && !text->empty() &&
                          (text->front() == '$' || text->front() == '{' ||
                           text->find_first_not_of("0123456789") == std::string::npos);
      if (!counts) continue;
      if (const auto number = count_of(document_, stated, scope_, "nodes", workload))
        return *number;
      return one;
    }
    return one;
  }

  // Devices of one copy, and the copies.
  void count(const Pod& pod, const Number& size, Workload& workload) {
    exact::Rational pods = size.value;
    const Value* replicas = pod.nearest("replicas");
    std::optional<Number> copies;
    if (replicas != nullptr) copies = count_of(document_, replicas, scope_, "replicas", workload);
    // Replicas of a training group, and of a StatefulSet whose command spans nodes, are its nodes.
    const bool are_nodes =
        pod.under("pytorchReplicaSpecs") || pod.under("mpiReplicaSpecs") ||
        pod.under("tfReplicaSpecs") || pod.under("workerGroupSpecs") ||
        pod.under("replicatedJobs") ||
        (kind_ == "StatefulSet" && workload.nodes && copies &&
         workload.nodes->value == copies->value && workload.nodes->value > exact::Rational{1});
    if (are_nodes && copies) {
      pods = pods * copies->value;
    } else if (copies) {
      workload.replicas = copies;
    }
    // KubeRay: the pods of one replica of a group, the hosts of a slice.
    if (const Value* hosts = pod.nearest("numOfHosts"); pod.under("workerGroupSpecs") && hosts) {
      const auto number = count_of(document_, hosts, scope_, "nodes", workload);
      if (number && number->value.sign() > 0) pods = pods * number->value;
    }
    workload.devices_per_node = workload.devices;
    workload.nodes = Number{pods, size.where};
    if (workload.devices) workload.devices = times(*workload.devices, pods);
    if (workload.cores) workload.cores = times(*workload.cores, pods);
    if (workload.visible) workload.visible = times(*workload.visible, pods);
    topology(workload, replicas == nullptr && size.value == exact::Rational{1});
  }

  // A slice of TPUs is as large as its topology says where nothing else counts pods.
  void topology(Workload& workload, bool is_alone) {
    for (const Selector& selector : workload.selectors) {
      if (selector.key != "cloud.google.com/gke-tpu-topology" || !is_alone) continue;
      exact::Rational chips{1};
      std::size_t at = 0;
      while (at <= selector.value.text.size()) {
        const std::size_t end =
            std::min(selector.value.text.find('x', at), selector.value.text.size());
        const auto side = exact::Rational::parse(selector.value.text.substr(at, end - at));
        if (!side || side->sign() <= 0) return;
        chips *= *side;
        at = end + 1;
      }
      if (!workload.devices || workload.devices->value < chips) {
        workload.devices = Number{chips, selector.value.where};
      }
    }
  }

  // Prefill and decode by name: of the role that the object lists, or the label that llm-d writes.
  void role(const Pod& pod, Workload& workload) {
    if (workload.role) return;
    const Value* label = reach(pod.nearest("metadata"), {"labels", "llm-d.ai/role"});
    if (label == nullptr) label = pod.nearest("name");
    const auto text = scalar_text(label);
    if (text && (*text == "prefill" || *text == "decode")) {
      workload.role = Word{*text, document_.document.span(*label)};
    }
  }

  // Modelplane counts devices beside the template: members[].nodeSelector.devices[].
  void read_member(const Pod& pod, const Scope& scope, Workload& workload) {
    const Value* devices = reach(pod.nearest("nodeSelector"), {"devices"});
    if (devices == nullptr || devices->type != document::Type::array) return;
    for (const Value& device : devices->items) {
      workload.asks_for_devices = true;
      const Value* number = reach(&device, {"count"});
      if (number != nullptr) {
        workload.devices = count_of(document_, number, scope, "devices", workload);
      }
      const Value* selectors = reach(&device, {"selectors"});
      if (selectors == nullptr) continue;
      for (const Value& selector : selectors->items) {
        const Value* cel = reach(&selector, {"cel"});
        if (cel != nullptr && cel->type == document::Type::string) {
          read_cel(document_, *cel, workload);
        }
      }
    }
  }

  // OME's runtimes: a leader and a worker of one engine, each with one `runner` container.
  void read_runners() {
    const Value* spec = reach(document_.document.root, {"spec"});
    for (const auto& [key, role] :
         {std::pair{"engineConfig", "prefill"}, std::pair{"decoderConfig", "decode"}}) {
      const Value* config = reach(spec, {key});
      if (config == nullptr) continue;
      const Value* leader = first_of(config, {"leader"});
      const Value* holder = leader != nullptr ? leader : config;
      const Value* runner = reach(holder, {"runner"});
      if (runner == nullptr) continue;
      Workload workload = begin_workload(document_, shown_, name_in(document_));
      workload.where = document_.document.span(*runner);
      Scope scope = scope_;
      Number nodes{exact::Rational{1}, workload.where};
      if (const Value* size = reach(config, {"worker", "size"})) {
        if (const auto workers = count_of(document_, size, scope, "nodes", workload)) {
          nodes = {workers->value + exact::Rational{1}, workers->where};
        }
      }
      scope.set("LWS_GROUP_SIZE", {nodes.value.to_string(), nodes.where});
      read_container(reading_, document_, *holder, *runner, scope, workload);
      if (!is_workload(workload)) continue;
      workload.nodes = nodes;
      if (workload.devices) workload.devices = times(*workload.devices, nodes.value);
      const bool is_split = reach(spec, {"decoderConfig"}) != nullptr;
      if (!workload.role && is_split) workload.role = Word{role, workload.where};
      found_.push_back(std::move(workload));
    }
  }

  // An object of another group that asks for devices without a pod's template: its specification
  // has the fields of a container.
  void read_bare() {
    const Value* spec = reach(document_.document.root, {"spec"});
    if (spec == nullptr || reach(spec, {"resources"}) == nullptr) return;
    Workload workload = begin_workload(document_, shown_, name_in(document_));
    workload.where = document_.document.span(*spec);
    read_container(reading_, document_, *spec, *spec, scope_, workload);
    if (!workload.asks_for_devices) return;
    if (const Value* replicas = reach(spec, {"replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
    workload.devices_per_node = workload.devices;
    found_.push_back(std::move(workload));
  }

  // llmaz: a Playground claims models that OpenModel objects of the set describe.
  void read_playground() {
    const Value* root = &document_.document.root;
    if (kind_ != "Playground") return;
    const Value* claims = reach(root, {"spec", "modelClaims", "models"});
    const Value* single = reach(root, {"spec", "modelClaim", "modelName"});
    Workload workload = begin_workload(document_, shown_, name_in(document_));
    workload.work = Work::serve;
    workload.engine = Word{"vllm", workload.where};
    if (const auto backend = word_of(
            document_, reach(root, {"spec", "backendRuntimeConfig", "backendName"}), scope_)) {
      workload.engine = *backend;
    }
    if (const Value* replicas = reach(root, {"spec", "replicas"})) {
      workload.replicas = count_of(document_, replicas, scope_, "replicas", workload);
    }
    const auto take = [&](const Value* name, bool is_draft) {
      const auto text = scalar_text(name);
      const PlanDocument* model = text ? find_object(reading_, "OpenModel", *text) : nullptr;
      if (model == nullptr) {
        if (text && !is_draft) {
          workload.unresolved.push_back(
              {"model", "OpenModel " + *text, document_.document.span(*name)});
        }
        return;
      }
      const Value* spec = reach(model->document.root, {"spec"});
      auto id = word_of(*model, reach(spec, {"source", "modelHub", "modelID"}), scope_);
      if (!id) id = word_of(*model, reach(spec, {"source", "uri"}), scope_);
      if (is_draft) {
        workload.draft_model = id;
        return;
      }
      workload.model = id;
      read_flavor(*model, reach(spec, {"inferenceConfig", "flavors"}), workload);
    };
    take(single, false);
    if (claims != nullptr) {
      for (const Value& claim : claims->items)
        take(reach(&claim, {"name"}), is_text(reach(&claim, {"role"}), "draft"));
    }
    found_.push_back(std::move(workload));
  }

  void read_flavor(const PlanDocument& model, const Value* flavors, Workload& workload) {
    if (flavors == nullptr || flavors->items.empty()) return;
    const Value& flavor = flavors->items.front();
    const Value* limits = first_of(&flavor, {"limits", "requests"});
    if (limits != nullptr) {
      for (const document::Member& member : limits->members) {
        if (!is_device_resource(member.key)) continue;
        workload.devices = count_of(model, &member.value, scope_, "devices", workload);
        workload.asks_for_devices = true;
      }
    }
    const Value* selector = reach(&flavor, {"nodeSelector"});
    if (selector != nullptr) {
      for (const document::Member& member : selector->members) {
        if (auto word = word_of(model, &member.value, scope_)) {
          workload.selectors.push_back({member.key, *word});
        }
      }
    }
  }

  // The Master and Worker of one training job are one workload, and so are the Launcher and the
  // Worker of an MPI job, of which one has the command and the other the devices.
  void join_groups() {
    const bool is_job = kind_.find("PyTorchJob") != std::string::npos || kind_ == "MPIJob";
    if (!is_job || found_.size() < 2) return;
    const auto leads = [](const Workload& one) { return one.work != Work::unknown; };
    const auto first = std::find_if(found_.begin(), found_.end(), leads);
    const std::size_t lead =
        first == found_.end() ? 0 : static_cast<std::size_t>(first - found_.begin());
    Workload joined = found_[lead];
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i != lead) join(joined, found_[i]);
    }
    found_ = {std::move(joined)};
  }

  static void join(Workload& joined, const Workload& other) {
    if (!joined.devices) {
      joined.devices = other.devices;
      joined.devices_per_node = other.devices_per_node;
      joined.nodes = other.nodes;
      joined.selectors.insert(joined.selectors.end(), other.selectors.begin(),
                              other.selectors.end());
      joined.asks_for_devices = joined.asks_for_devices || other.asks_for_devices;
      return;
    }
    if (other.devices) joined.devices->value += other.devices->value;
    if (joined.nodes && other.nodes) joined.nodes->value += other.nodes->value;
  }

  const Reading& reading_;
  const PlanDocument& document_;
  Scope scope_;
  std::string kind_;
  std::string shown_;
  std::vector<Workload> found_;
};

}  // namespace

bool takes_kubernetes(const PlanDocument& document) {
  return reach(document.document.root, {"apiVersion"}) != nullptr &&
         reach(document.document.root, {"kind"}) != nullptr && !takes_helm_values(document);
}

std::vector<Workload> read_kubernetes(const Reading& reading, const PlanDocument& document) {
  return ObjectReader(reading, document).read();
}

}  // namespace ullage::plan

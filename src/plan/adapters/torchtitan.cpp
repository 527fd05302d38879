// torchtitan job files (TOML).
#include "base/spelling.hpp"
#include "plan/adapters/adapters.hpp"
#include "plan/adapters/training.hpp"

namespace ullage::plan {

using document::Value;

bool takes_torchtitan(const PlanDocument& document) {
  const Value& root = document.document.root;
  const bool has_tables = reach(root, {"training"}) != nullptr && reach(root, {"model"}) != nullptr;
  return has_tables &&
         (reach(root, {"parallelism"}) != nullptr ||
          reach(root, {"activation_checkpoint"}) != nullptr ||
          reach(root, {"model", "flavor"}) != nullptr) &&
         document.file->format == FileFormat::toml;
}

std::vector<Workload> read_torchtitan(const Reading& reading, const PlanDocument& document) {
  TrainingFile file(reading, document, "torchtitan", Dialect::trainer);
  file.take({"training", "seq_len"}, Knob::sequence);
  file.take({"training", "batch_size"}, Knob::microbatch);  // before local_batch_size
  file.take({"training", "local_batch_size"}, Knob::microbatch);
  file.take({"training", "global_batch_size"}, Knob::global_batch);
  file.take({"optimizer", "name"}, Knob::optimizer);
  for (const char* table : {"experimental", "training", "parallelism"}) {
    file.take({table, "tensor_parallel_degree"}, Knob::tp);
    file.take({table, "pipeline_parallel_degree"}, Knob::pp);
    file.take({table, "context_parallel_degree"}, Knob::cp);
    file.take({table, "expert_parallel_degree"}, Knob::ep);
    file.take({table, "expert_tensor_parallel_degree"}, Knob::etp);
  }
  Workload& workload = file.settle_in();
  if (auto mode = file.word(file.at({"activation_checkpoint", "mode"}))) {
    const auto option = file.word(file.at({"activation_checkpoint", "selective_ac_option"}));
    const bool is_op = mode->text == "selective" && (!option || option->text == "op");
    workload.recompute = Word{is_op ? "op-selective" : mode->text, mode->where};
  }
  // flavor names the size within the family; the folder of assets the checkpoint.
  const auto name = file.word(file.at({"model", "name"}));
  const auto flavor = file.word(file.at({"model", "flavor"}));
  if (name) {
    const std::string text = name->text + (flavor ? "-" + flavor->text : std::string());
    workload.model = Word{text, name->where};
  }
  const auto shard = file.word(file.at({"parallelism", "data_parallel_shard_degree"}));
  const auto replicate =
      file.count(file.at({"parallelism", "data_parallel_replicate_degree"}), "dp");
  // Sharding is on unless the degree is 1; -1 takes what the world has left.
  const bool shards_rest = !shard || shard->text == "-1";
  workload.shards_rest = shards_rest;
  if (shards_rest) {
    workload.zero = Number{exact::Rational{3}, shard ? shard->where : workload.where};
  } else if (const auto degree = exact::Rational::parse(shard->text)) {
    const exact::Rational copies = replicate ? replicate->value : exact::Rational{1};
    workload.dp = Number{*degree * copies, shard->where};
    workload.dp_shard = Number{*degree, shard->where};
    const int stage = *degree > exact::Rational{1} ? 3 : 0;
    workload.zero = Number{exact::Rational{stage}, shard->where};
  }
  workload.host_optimizer = file.is_on({"training", "enable_cpu_offload"});
  workload.host_parameters = workload.host_optimizer;
  return {std::move(workload)};
}

}  // namespace ullage::plan

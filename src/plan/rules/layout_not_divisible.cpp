// Rule layout-not-divisible.
#include <algorithm>

#include "memory/shards.hpp"
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

using exact::Rational;

bool divides(const Rational& number, const Rational& by) {
  return by.sign() <= 0 || (number / by).is_whole();
}

std::optional<Rational> dimension(const Subject& subject, const char* name) {
  const auto& dimensions = subject.workload.dimensions;
  const auto known = dimensions.find(name);
  if (known == dimensions.end()) return std::nullopt;
  return known->second.value;
}

// A number of the architecture, wherever its tensors name it.
std::optional<Rational> extent(const Subject& subject,
                               std::initializer_list<std::string_view> names) {
  if (!subject.model || !subject.model->inventory) return std::nullopt;
  for (const std::string_view name : names) {
    for (const model::TensorGroup& group : subject.model->inventory->tensors) {
      for (const model::Axis& axis : group.shape) {
        for (const model::Extent& part : axis) {
          if (part.name == name) return part.value;
        }
      }
      for (const model::Extent& part : group.repeat) {
        if (part.name == name) return part.value;
      }
    }
  }
  return std::nullopt;
}

std::optional<Rational> layers_of_model(const Subject& subject) {
  if (const auto stated = dimension(subject, "num_layers")) return stated;
  if (!subject.model || !subject.model->inventory) return std::nullopt;
  const std::int64_t layers = memory::layers_of(*subject.model->inventory);
  if (layers <= 0) return std::nullopt;
  return Rational{layers};
}

const std::string& trainer_of(const Workload& workload) {
  return workload.trainer.empty() ? workload.kind : workload.trainer;
}

base::Span place_of(const Subject& subject, const std::optional<Number>& degree) {
  return degree ? degree->where : subject.workload.where;
}

void check_heads(Subject& subject) {
  auto heads = dimension(subject, "num_attention_heads");
  if (!heads) heads = extent(subject, {"num_attention_heads", "n_head", "num_heads"});
  if (!heads || divides(*heads, subject.ranks.tp)) return;
  const auto& engine = subject.workload.engine;
  const bool pads = subject.place.is_neuron || (engine && engine->text == "neuronx");
  subject.note("layout-not-divisible", pads ? Severity::note : Severity::error,
               heads->to_string() + " attention heads do not divide by tensor parallel " +
                   subject.ranks.tp.to_string() + (pads ? ": Neuron pads them" : ""),
               place_of(subject, subject.workload.tp));
}

void check_layers(Subject& subject) {
  const auto layers = layers_of_model(subject);
  if (!layers || subject.workload.uneven_pipeline) return;
  const Rational chunks =
      subject.workload.virtual_pipeline && subject.workload.virtual_pipeline->value.sign() > 0
          ? subject.workload.virtual_pipeline->value
          : Rational{1};
  const Rational stages = subject.ranks.pp * chunks;
  if (divides(*layers, stages)) return;
  // NxD Training and torchtitan partition by themselves, as engines do.
  const std::string& trainer = trainer_of(subject.workload);
  const bool trains = subject.is_training() && trainer != "nxd-training" && trainer != "torchtitan";
  subject.note("layout-not-divisible", trains ? Severity::error : Severity::warning,
               layers->to_string() + " layers do not divide by " + stages.to_string() +
                   (trains ? " pipeline stages" : " pipeline stages: the stages differ in size"),
               place_of(subject, subject.workload.pp));
}

void check_experts(Subject& subject) {
  auto experts = dimension(subject, "num_experts");
  if (!experts && subject.model && subject.model->inventory) {
    for (const model::TensorGroup& group : subject.model->inventory->tensors) {
      if (group.experts) experts = group.experts->value;
    }
  }
  if (!experts || divides(*experts, subject.ranks.ep)) return;
  const bool trains = subject.is_training();
  subject.note("layout-not-divisible", trains ? Severity::error : Severity::warning,
               experts->to_string() + " experts do not divide by expert parallel " +
                   subject.ranks.ep.to_string(),
               place_of(subject, subject.workload.ep ? subject.workload.ep : subject.workload.tp));
}

// Megatron builds expert groups of expert-tensor × expert × pipeline ranks; the tensor degree
// stands in for an expert-tensor degree that is not given (megatron/core/parallel_state.py).
void check_expert_groups(Subject& subject) {
  const Workload& workload = subject.workload;
  const std::string& trainer = trainer_of(workload);
  const bool is_megatron = trainer == "megatron" || trainer == "nemo" || trainer == "llamafactory";
  if (!is_megatron || !workload.ep || !subject.ranks.given) return;
  const Rational etp =
      workload.expert_tensor_parallel && workload.expert_tensor_parallel->value.sign() > 0
          ? workload.expert_tensor_parallel->value
          : subject.ranks.tp;
  const Rational group = etp * subject.ranks.ep * subject.ranks.pp;
  if (divides(*subject.ranks.given, group)) return;
  subject.note("layout-not-divisible", Severity::error,
               subject.ranks.given->to_string() +
                   " ranks do not divide by expert-tensor × expert × "
                   "pipeline parallel, " +
                   group.to_string(),
               workload.ep->where);
}

void check_world(Subject& subject) {
  const Workload& workload = subject.workload;
  if (!subject.is_training() || workload.dp || !subject.ranks.given) return;
  const Rational model_ranks = subject.ranks.tp * subject.ranks.pp * subject.ranks.cp;
  if (*subject.ranks.given < model_ranks || divides(*subject.ranks.given, model_ranks)) return;
  subject.note("layout-not-divisible", Severity::error,
               subject.ranks.given->to_string() +
                   " ranks do not divide by tensor × pipeline × "
                   "context parallel, " +
                   model_ranks.to_string(),
               workload.tp ? workload.tp->where : workload.where);
}

// A file that is not given may hold other degrees.
bool is_part_of_a_file(const Workload& workload) {
  return std::any_of(
      workload.unresolved.begin(), workload.unresolved.end(),
      [](const Unresolved& open) { return open.what == "the rest of the configuration"; });
}

void apply(Subject& subject) {
  if (is_part_of_a_file(subject.workload)) return;
  check_heads(subject);
  check_layers(subject);
  check_experts(subject);
  check_expert_groups(subject);
  check_world(subject);
}

}  // namespace

const PlanRule kLayoutNotDivisible{
    .id = "layout-not-divisible",
    .level = Severity::error,
    .help =
        "heads, experts or layers do not divide by their degree: the program "
        "refuses it, or ranks differ",
    .formula =
        "attention heads ÷ tp, layers ÷ (pp × virtual stages), experts ÷ ep are "
        "whole; Megatron: world ÷ (expert tensor × ep × pp)",
    .citation =
        "vLLM: vllm/config/model.py verify_with_parallel_config; Megatron-LM: "
        "megatron/training/arguments.py; uneven pipeline stages are a warning for "
        "vLLM, SGLang and TensorRT-LLM, which split them",
    .remedy = "choose a degree that divides; uneven pipeline stages need a layer split",
    .apply = apply};

}  // namespace ullage::plan

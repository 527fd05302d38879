// Rule kv-single-sequence.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  const ServingNeed& serving = subject.serving;
  if (subject.overdrawn || !serving.one || !serving.cache_one || !subject.budget) return;
  if (!subject.graph.known(serving.one->id()) || !subject.graph.known(subject.budget->id())) return;
  exact::Rational need = subject.graph.value(*serving.one);
  exact::Rational have = subject.graph.value(*subject.budget);
  if (serving.cache_budget && subject.graph.known(serving.cache_budget->id())) {
    need = subject.graph.value(*serving.cache_one);
    have = subject.graph.value(*serving.cache_budget);
  }
  if (need <= have) return;
  subject.overdrawn = true;
  const std::string length = serving.context ? serving.context->to_string() : "?";
  subject.note("kv-single-sequence", Severity::error,
               "one sequence of " + length + " tokens makes it " + size_text(need) +
                   " on the fullest rank, there are " + size_text(have),
               subject.workload.context ? subject.workload.context->where : subject.workload.where);
}

}  // namespace

const PlanRule kKvSingleSequence{
    .id = "kv-single-sequence",
    .level = Severity::error,
    .help =
        "one sequence of the declared length does not fit beside the weights: the "
        "engine refuses to start, or the request",
    .formula =
        "weights + cache of one sequence ≤ budget of a rank; TensorRT-LLM: cache ≤ "
        "fraction × (memory − weights)",
    .citation = "vLLM: vllm/v1/core/kv_cache_utils.py check_enough_kv_cache_memory",
    .remedy = "a shorter length, an 8-bit cache, or more devices",
    .apply = apply};

}  // namespace ullage::plan

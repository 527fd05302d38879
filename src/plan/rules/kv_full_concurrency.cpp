// Rule kv-full-concurrency.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  const ServingNeed& serving = subject.serving;
  if (subject.overdrawn || !serving.full || !subject.budget) return;
  if (!subject.graph.known(serving.full->id()) || !subject.graph.known(subject.budget->id()))
    return;
  exact::Rational need = subject.graph.value(*serving.full);
  exact::Rational have = subject.graph.value(*subject.budget);
  if (serving.cache_budget && serving.cache_full &&
      subject.graph.known(serving.cache_budget->id())) {
    need = subject.graph.value(*serving.cache_full);
    have = subject.graph.value(*serving.cache_budget);
  }
  if (need <= have) return;
  const std::string text = subject.workload.concurrency->value.to_string() + " sequences of " +
                           (serving.context ? serving.context->to_string() : "?") +
                           " tokens make it " + size_text(need) +
                           " on the fullest rank, there are " + size_text(have);
  if (serving.static_cache) {
    subject.overdrawn = true;
    subject.note("kv-full-concurrency", Severity::error,
                 text + "; this cache is allocated at the start",
                 subject.workload.concurrency->where);
  } else {
    subject.note("kv-full-concurrency", Severity::warning, text + ": the engine queues",
                 subject.workload.concurrency->where);
  }
}

}  // namespace

const PlanRule kKvFullConcurrency{
    .id = "kv-full-concurrency",
    .level = Severity::warning,
    .help =
        "not every declared sequence fits at its full length at once: the engine "
        "queues; a static cache does not start",
    .formula =
        "weights + cache of concurrency × length ≤ budget of a rank; an error where "
        "the cache is allocated at the start",
    .citation =
        "vLLM and SGLang preempt and queue; NxD Inference allocates batch × length "
        "when it loads",
    .remedy = "fewer sequences, a shorter length, an 8-bit cache; or accept queueing",
    .apply = apply};

}  // namespace ullage::plan

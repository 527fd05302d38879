// Rule kv-heads-replicated.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void apply(Subject& subject) {
  if (!subject.model || !subject.model->inventory || subject.is_training()) return;
  exact::Rational heads;
  for (const model::CacheGroup& group : subject.model->inventory->caches) {
    if (group.kind == model::CacheKind::recurrent) continue;
    for (const model::CachePart& part : group.per_token) {
      if (part.divided) heads = exact::max(heads, part.divided->value);
    }
  }
  if (heads.sign() <= 0 || subject.ranks.tp <= heads) return;
  subject.note("kv-heads-replicated", Severity::note,
               heads.to_string() + " KV heads over tensor parallel " +
                   subject.ranks.tp.to_string() + ": the cache is held " +
                   (subject.ranks.tp / heads).ceil().to_string() + " times, which is counted",
               subject.workload.tp ? subject.workload.tp->where : subject.workload.where);
}

}  // namespace

const PlanRule kKvHeadsReplicated{
    .id = "kv-heads-replicated",
    .level = Severity::note,
    .help =
        "tensor parallel exceeds the KV heads: each rank keeps a whole head, so the "
        "cache is held several times",
    .formula = "copies = tensor parallel ÷ KV heads",
    .citation =
        "vLLM: get_num_kv_heads keeps at least one head a rank; Neuron: "
        "GQA.REPLICATE_TO_TP_DEGREE",
    .remedy = "a smaller tensor degree, or data parallel attention",
    .apply = apply};

}  // namespace ullage::plan

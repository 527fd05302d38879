// Rule stale-source.
#include "base/date.hpp"
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

void check_age(Subject& subject, const std::string& what, std::string_view checked,
               const base::Span& where) {
  const auto day = base::day_number(checked);
  if (!day) return;
  const std::int64_t age = subject.choice.today - *day;
  if (age <= *subject.choice.max_age) return;
  subject.note("stale-source", Severity::warning,
               what + " was checked on " + std::string(checked) + ", " + std::to_string(age) +
                   " days ago; --max-age is " + std::to_string(*subject.choice.max_age),
               where);
}

void apply(Subject& subject) {
  if (!subject.choice.max_age) return;
  if (subject.place.chip != nullptr) {
    const catalog::FigureFact* capacity = subject.place.chip->figure("memory_capacity");
    if (capacity != nullptr && capacity->known()) {
      check_age(
          subject,
          "the memory of " + subject.place.chip->id + " (" + capacity->claims.front().source + ")",
          capacity->claims.front().checked, subject.place.stated.where);
    }
  }
  if (!subject.workload.native) return;
  for (const PlanClaim& claim : subject.workload.native->claims) {
    check_age(subject, "the claim on " + claim.figure.text + " (" + claim.title + ")",
              claim.checked.text, claim.checked.where);
  }
}

}  // namespace

const PlanRule kStaleSource{
    .id = "stale-source",
    .level = Severity::warning,
    .help =
        "a source that decides the verdict was read longer ago than --max-age "
        "allows",
    .formula =
        "today − checked ≤ --max-age, for the capacity of the device and for claims "
        "of the plan",
    .citation = "",
    .remedy = "read the source again and date the claim; update the catalogue",
    .apply = apply};

}  // namespace ullage::plan

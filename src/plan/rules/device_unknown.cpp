// Rule device-unknown.
#include <algorithm>

#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

// Devices of the catalogue whose memory holds that much, smallest first.
std::string candidates(Subject& subject, const exact::Rational& bytes) {
  std::vector<std::pair<exact::Rational, std::string>> fitting;
  for (const catalog::Listing& listing : subject.catalogue.listings()) {
    const bool is_chip = listing.kind == catalog::EntryKind::chip && listing.current &&
                         listing.status == "documented" && !listing.memory.empty();
    if (!is_chip) continue;
    const auto memory = units::parse_written(listing.memory);
    if (memory && memory->value() >= bytes) {
      fitting.emplace_back(memory->value(), std::string(listing.id));
    }
  }
  std::sort(fitting.begin(), fitting.end());
  std::string text;
  for (std::size_t i = 0; i < fitting.size() && i < 5; ++i)
    text += (i == 0 ? "" : ", ") + fitting[i].second;
  if (fitting.size() > 5) text += " and " + std::to_string(fitting.size() - 5) + " more";
  return text;
}

void apply(Subject& subject) {
  const Place& place = subject.place;
  if (place.chip != nullptr || place.capacity) return;
  std::string why = place.unknown.empty() ? "the file names no device" : place.unknown;
  subject.open.push_back(why);
  std::string text = why;
  const auto need = subject.is_training() ? subject.training.floor : subject.serving.one;
  if (need && subject.graph.known(need->id())) {
    const exact::Rational bytes = subject.graph.value(*need);
    const exact::Rational share = exact::Rational{9} / exact::Rational{10};
    text += "; each rank needs at least " + size_text(bytes) + ", so a device of at least " +
            size_text(bytes / share) + " where 0.9 of it may be used";
    const std::string known = candidates(subject, bytes / share);
    text += known.empty() ? ", which no device of the catalogue has" : ": " + known;
  }
  subject.note("device-unknown", Severity::warning, text + "; name one with --on DEVICE",
               place.unknown_where.file.empty() ? subject.workload.where : place.unknown_where);
}

}  // namespace

const PlanRule kDeviceUnknown{
    .id = "device-unknown",
    .level = Severity::warning,
    .help =
        "the file does not say on which device it runs: no verdict, but what a "
        "device would need",
    .formula = "required memory of one rank × ranks of a device ÷ share that may be used",
    .citation = "",
    .remedy = "--on DEVICE, a node selector, or a label that the catalogue knows",
    .apply = apply};

}  // namespace ullage::plan

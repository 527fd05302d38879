// Compares claims at the precision of the coarser statement.
#include "plan/rules/claims.hpp"

namespace ullage::plan {
namespace {

using exact::Rational;

// One step of the last digit of `989.4`, in the unit of the number.
Rational last_place(std::string_view written) {
  const std::size_t end = written.find_first_not_of("0123456789.");
  const std::string_view digits = written.substr(0, end);
  const std::size_t point = digits.find('.');
  const int decimals =
      point == std::string_view::npos ? 0 : static_cast<int>(digits.size() - point - 1);
  return exact::power_of_ten(-decimals);
}

bool agree(const Rational& a, const Rational& a_step, const Rational& b, const Rational& b_step) {
  const Rational step = exact::max(a_step, b_step);
  const Rational difference = a - b;
  return exact::max(difference, -difference) * Rational{2} <= step;
}

bool states(const catalog::FigureFact* fact, const Rational& value, const Rational& step,
            std::string& shown) {
  if (fact == nullptr || !fact->known()) return false;
  for (const provenance::Claim& claim : fact->claims) {
    shown += (shown.empty() ? "" : ", ") + claim.written + " (" + claim.source + ")";
  }
  for (const provenance::Claim& claim : fact->claims) {
    if (agree(value, step, claim.quantity.value, claim.last_place)) return true;
  }
  return false;
}

}  // namespace

ClaimCheck compare_claim(Subject& subject, const PlanClaim& claim) {
  const catalog::Entry* entry = subject.place.chip;
  if (!claim.of.empty()) {
    const auto found = subject.catalogue.hardware(claim.of);
    entry = found ? *found : nullptr;
  }
  if (entry == nullptr) return {ClaimVerdict::unknown, "the device is not known"};
  const auto written = units::parse_written(claim.value.text);
  if (!written) return {ClaimVerdict::unknown, written.error().message};
  const Rational value = written->value();
  const Rational step = last_place(claim.value.text) * written->scale;
  std::string name = claim.figure.text;
  std::string shown;
  const bool is_rate = name.starts_with("dense_") || name.starts_with("sparse_");
  if (is_rate && !claim.mode.empty()) name = claim.mode + name.substr(name.find('_'));
  const catalog::FigureFact* fact = entry->figure(name);
  if (fact == nullptr || !fact->known()) {
    return {ClaimVerdict::unknown, entry->id + " states no " + name};
  }
  if (states(fact, value, step, shown)) return {ClaimVerdict::agrees, shown};
  const std::string text =
      claim.figure.text + " is claimed as " + claim.value.text + "; " + entry->id + " has " + shown;
  if (is_rate && name.starts_with("dense_")) {
    std::string sparse_shown;
    const std::string sparse = "sparse" + name.substr(name.find('_'));
    if (states(entry->figure(sparse), value, step, sparse_shown)) {
      return {ClaimVerdict::sparse_as_dense,
              text + " dense; " + claim.value.text + " is its rate with sparsity, " + sparse_shown};
    }
  }
  return {ClaimVerdict::differs, text};
}

}  // namespace ullage::plan

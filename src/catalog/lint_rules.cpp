// The table of rules.
#include <algorithm>

#include "catalog/lint.hpp"

namespace ullage::catalog {

using base::Severity;

const std::vector<base::Rule>& lint_rules() {
  static const std::vector<base::Rule> rules{
      {"syntax", Severity::error, "the file is no YAML of the strict subset, or a number is none"},
      {"duplicate-key", Severity::error, "one key, or one spelling of a format, stands twice"},
      {"missing-key", Severity::error, "a key that is needed is absent"},
      {"unknown-key", Severity::error, "a key or a figure that the schema does not know"},
      {"wrong-type", Severity::error, "a list where a text is needed and the like"},
      {"out-of-range", Severity::error, "a value that is not one of the allowed ones"},
      {"unit", Severity::error, "a unit that is unclear, unknown or of another quantity"},
      {"unsourced", Severity::error,
       "a claim, fact or statement without source or locator, or a source without address or date"},
      {"conflict", Severity::error, "claims that disagree without one pin, or with several"},
      {"reference", Severity::error, "a source, chip or storage format that does not exist"},
      {"duplicate-entry", Severity::error, "two files hold the same version of one entry"},
      {"duplicate-source", Severity::error, "two sources have the same id"},
      {"name-clash", Severity::error,
       "two entries have the same id or alias, so that neither is found by it"},
      {"sparse-equals-dense", Severity::error,
       "a rate with sparsity is the dense one: one of the two stands in the wrong row"},
      {"sparse-ratio", Severity::error,
       "a rate with sparsity is outside what the sparsity patterns give over the dense one"},
      {"sparse-below-pattern", Severity::warning,
       "a rate with sparsity is less than the one pattern gives, and no note says why"},
      {"stored-bits", Severity::error,
       "stored_bits of a format are not its bits, scales and zero points by group"},
      {"printed-differs", Severity::warning,
       "the number of a claim is not among those that its source prints, and nothing derives it"},
      {"aggregate", Severity::warning,
       "a total differs from the sum of its parts beyond its printed digits; a note where the "
       "entry says why"},
      {"partition-exceeds-chip", Severity::error,
       "the partitions that a chip takes at once have more memory or cores than the chip"},
      {"not-a-count", Severity::error, "a figure that counts is not a whole number above zero"},
      {"zero-figure", Severity::error, "a size, rate or power is zero"},
      {"rate-order", Severity::warning,
       "a dense rate of a wider format is above that of a narrower one"},
      {"stale-source", Severity::warning, "a source was last read longer ago than --max-age"},
      {"future-date", Severity::warning, "a source was read, or a version reviewed, after today"},
      {"unknown-group", Severity::note,
       "a statement applies to a family or device that no entry has"},
      {"file-name", Severity::note, "the file is not called after its entry"},
      {"unused-source", Severity::note, "no entry or format rests on the source"},
      {"card-count", Severity::error,
       "a total of a card is not what its own shape gives, for no known cause, and the card keeps "
       "no conflict"},
      {"card-incomplete", Severity::note, "a model card leaves out what planning needs"},
  };
  return rules;
}

const base::Rule& lint_rule(std::string_view id) {
  const auto& rules = lint_rules();
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const base::Rule& rule) { return rule.id == id; });
  base::require(found != rules.end(), "a finding of no rule: " + std::string(id));
  return *found;
}

base::Finding finding(std::string_view rule, std::string message, base::Span span,
                      std::string hint) {
  return {.rule = std::string(rule),
          .level = lint_rule(rule).level,
          .message = std::move(message),
          .span = std::move(span),
          .hint = std::move(hint)};
}

}  // namespace ullage::catalog

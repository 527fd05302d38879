// What one entry must keep within itself.
#include <algorithm>
#include <array>
#include <optional>

#include "base/spelling.hpp"
#include "catalog/figure_names.hpp"
#include "catalog/lint.hpp"
#include "catalog/load_figures.hpp"
#include "catalog/printed_numbers.hpp"

namespace ullage::catalog {
namespace {

using exact::Rational;
using provenance::Claim;

void lint_printed(const FigureList& figures, std::vector<base::Finding>& findings) {
  for (const FigureFact& fact : figures) {
    for (const Claim& claim : fact.claims) {
      if (claim.printed.empty() || !claim.derivation.empty()) continue;
      const auto written = units::parse_written(claim.written);
      if (!written) continue;
      const auto printed = units::parse_written(claim.printed);
      if (printed && printed->dimension == written->dimension && !printed->unit.empty()) {
        if (printed->value() == written->value()) continue;
      } else {
        const PrintedNumbers numbers(claim.printed);
        if (numbers.empty() || numbers.hold(*written)) continue;
      }
      findings.push_back(finding("printed-differs",
                                 fact.name + ": value " + claim.written + ", but printed is " +
                                     base::printable(claim.printed),
                                 claim.span,
                                 "the value as the source prints it, or `derivation:`"));
    }
  }
}

void lint_counts(const FigureList& figures, std::vector<base::Finding>& findings) {
  for (const FigureFact& fact : figures) {
    for (const Claim& claim : fact.claims) {
      const Rational& value = claim.quantity.value;
      // An empty or unreadable value, or one of another quantity, is a fault of its own.
      const auto written = units::parse_written(claim.written);
      if (!written.ok()) continue;
      if (!is_count(fact)) {
        if (!written->number.is_zero()) continue;
        findings.push_back(finding("zero-figure", fact.name + " is " + claim.written, claim.span,
                                   "a size, rate or power above zero; `unknown:` with `status: "
                                   "unsupported` where the device does not have it"));
        continue;
      }
      if (value.is_whole() && value.sign() > 0) continue;
      findings.push_back(finding("not-a-count", fact.name + " is " + claim.written, claim.span,
                                 "a whole number above zero, or `unknown:` with a reason"));
    }
  }
}

// A dense rate of a wider format above that of a narrower one: mostly a prefix that is wrong.
void lint_rate_order(const Entry& entry, std::vector<base::Finding>& findings) {
  struct Rate {
    const FigureFact* fact;
    int bits;
  };
  constexpr std::array<std::pair<std::string_view, int>, 7> kWidths{{{"dense_fp64", 64},
                                                                     {"dense_fp32", 32},
                                                                     {"dense_tf32", 19},
                                                                     {"dense_bf16", 16},
                                                                     {"dense_fp16", 16},
                                                                     {"dense_fp8", 8},
                                                                     {"dense_fp4", 4}}};
  std::vector<Rate> rates;
  for (const auto& [name, bits] : kWidths) {
    const FigureFact* fact = entry.figure(name);
    if (fact != nullptr && fact->known() && fact->claims.front().quantity.value.sign() > 0) {
      rates.push_back({fact, bits});
    }
  }
  for (std::size_t at = 1; at < rates.size(); ++at) {
    const Claim& narrow = rates[at].fact->claims.front();
    const Claim& wide = rates[at - 1].fact->claims.front();
    const Rational slack = (narrow.last_place + wide.last_place) / Rational(2);
    if (rates[at].bits == rates[at - 1].bits ||
        wide.quantity.value <= narrow.quantity.value + slack) {
      continue;
    }
    findings.push_back(finding("rate-order",
                               rates[at - 1].fact->name + " is " + wide.written + ", more than " +
                                   rates[at].fact->name + " with " + narrow.written,
                               wide.span, "is the prefix of one of the two right?"));
  }
}

void lint_figures(const FigureList& figures, std::vector<base::Finding>& findings) {
  lint_printed(figures, findings);
  lint_counts(figures, findings);
}

void lint_card(const LintedEntry& linted, const StorageFormats& formats,
               std::vector<base::Finding>& findings) {
  const Entry& entry = linted.entry;
  if (entry.kind != EntryKind::model) return;
  std::string lacks;
  const auto need = [&lacks](bool present, std::string_view what) {
    if (!present) lacks += (lacks.empty() ? "" : ", ") + std::string(what);
  };
  need(entry.attribute("licence") != nullptr, "attributes.licence");
  need(entry.attribute("weights_format") != nullptr, "attributes.weights_format");
  const bool own_shape = entry.variant_of.empty();
  need(!own_shape || entry.figure("parameters") != nullptr, "figures.parameters");
  need(!own_shape || entry.figure("context_length") != nullptr, "figures.context_length");
  if (!lacks.empty()) {
    findings.push_back(finding("card-incomplete", entry.id + " does not say " + lacks,
                               {linted.document->file, 1, 1},
                               "`unknown:` with a reason says that it was looked for"));
  }
  const TextFact* format = entry.attribute("weights_format");
  if (format == nullptr || format->value.empty() || formats.find(format->value)) return;
  const document::Value& attributes = *linted.document->root.find("attributes");
  findings.push_back(finding(
      "reference",
      "attributes.weights_format: no storage format is called " + base::printable(format->value),
      linted.document->span(*attributes.find("weights_format")),
      "`ullage list formats` shows them"));
}

std::optional<Rational> bits_of(const document::Value& format, std::string_view key) {
  const document::Value* value = format.find(key);
  if (value == nullptr) return std::nullopt;
  auto bits = Rational::parse_fraction(value->text);
  if (!bits) return std::nullopt;
  return std::move(*bits);
}

}  // namespace

void lint_entry(const LintedEntry& linted, const StorageFormats& formats,
                std::vector<base::Finding>& findings) {
  lint_figures(linted.entry.figures, findings);
  lint_rate_order(linted.entry, findings);
  for (const Entry& partition : linted.entry.partitions)
    lint_figures(partition.figures, findings);
  for (const Software& software : linted.entry.software)
    lint_figures(software.figures, findings);
  lint_card(linted, formats, findings);
}

void lint_formats(const document::Document& document, std::vector<base::Finding>& findings) {
  const document::Value* list = document.root.find("formats");
  if (list == nullptr) return;
  for (const document::Member& member : list->members) {
    const auto bits = bits_of(member.value, "bits");
    const auto stored = bits_of(member.value, "stored_bits");
    if (!bits || !stored) continue;
    const Rational group = bits_of(member.value, "group").value_or(Rational(1));
    const Rational beside = bits_of(member.value, "scale_bits").value_or(Rational(0)) +
                            bits_of(member.value, "zero_point_bits").value_or(Rational(0));
    if (group.sign() <= 0) continue;
    const Rational computed = *bits + beside / group;
    if (computed == *stored) continue;
    findings.push_back(finding("stored-bits",
                               "formats." + member.key + ".stored_bits is " + stored->to_string() +
                                   ", but its parts give " + computed.to_string(),
                               document.span(*member.value.find("stored_bits")),
                               "bits + (scale_bits + zero_point_bits) / group"));
    // The keys cannot say scales of scales; a note can.
    if (member.value.find("note") != nullptr) findings.back().level = base::Severity::note;
  }
}

}  // namespace ullage::catalog

// What one entry must keep within itself.
#include <algorithm>
#include <optional>

#include "catalog/figure_names.hpp"
#include "catalog/lint.hpp"

namespace ullage::catalog {
namespace {

using exact::Rational;
using provenance::Claim;

base::Span span_of_figure(const LintedEntry& linted, const FigureFact& fact) {
  const document::Value* figures = linted.document->root.find("figures");
  if (figures == nullptr) return fact.span;
  for (const document::Member& member : figures->members) {
    if (member.key == fact.name) return linted.document->span(member);
  }
  return fact.span;
}

// What the patterns allow over the dense rate: `4:16` keeps 4 of 16 values and so gives up to 4
// times. Several patterns give anything up to the best one.
struct Sparsity {
  Rational most{2};
  bool several = false;
  std::string text = "2:4";
};

// The patterns of the attribute, `2:4` where it is silent: the one that every vendor means which
// does not say otherwise. Nothing where it is not a list of N:M.
std::optional<Sparsity> sparsity_of(const Entry& entry) {
  const TextFact* fact = entry.attribute("sparsity_patterns");
  if (fact == nullptr || fact->value.empty()) return Sparsity{};
  Sparsity sparsity{.most = Rational(0), .several = false, .text = fact->value};
  std::string_view rest = fact->value;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view pattern = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    sparsity.several = sparsity.several || !rest.empty();
    while (pattern.starts_with(' '))
      pattern.remove_prefix(1);
    const std::size_t colon = std::min(pattern.find(':'), pattern.size());
    const auto kept = Rational::parse(pattern.substr(0, colon));
    const auto of = Rational::parse(pattern.substr(std::min(colon + 1, pattern.size())));
    if (!kept || !of || kept->sign() <= 0 || *of < *kept) return std::nullopt;
    sparsity.most = exact::max(sparsity.most, *of / *kept);
  }
  return sparsity;
}

bool explained(const FigureFact& fact) {
  return !fact.note.empty() || !fact.claims.front().note.empty();
}

std::string times(const Rational& ratio) {
  std::string text = ratio.to_decimal(3, exact::Rounding::nearest);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + "×";
}

void lint_rates(const LintedEntry& linted, std::vector<base::Finding>& findings) {
  const auto sparsity = sparsity_of(linted.entry);
  if (!sparsity) {
    findings.push_back(finding(
        "out-of-range", "attributes.sparsity_patterns is no list of patterns",
        linted.document->span(*linted.document->root.find("attributes")->find("sparsity_patterns")),
        "N:M, N:M …, of every M values N are kept"));
    return;
  }
  for (const FigureFact& fact : linted.entry.figures) {
    if (!fact.name.starts_with("sparse_") || !fact.known()) continue;
    const FigureFact* dense = linted.entry.figure("dense_" + fact.name.substr(7));
    if (dense == nullptr || !dense->known()) continue;
    const Claim& with = fact.claims.front();
    const Claim& without = dense->claims.front();
    if (without.quantity.value.is_zero()) continue;
    const Rational ratio = with.quantity.value / without.quantity.value;
    const std::string both = with.written + " is " + times(ratio) + " the dense " + without.written;
    const base::Span span = span_of_figure(linted, fact);
    if (ratio == Rational(1)) {
      findings.push_back(finding("sparse-equals-dense", fact.name + ": " + both, span,
                                 "a rate that the source does not mark as sparse is dense"));
      continue;
    }
    // Vendors cut as well as round: one unit of the last digit on either side is allowed.
    const Rational highest =
        sparsity->most * (without.quantity.value + without.last_place) + with.last_place;
    const Rational lowest =
        sparsity->most * (without.quantity.value - without.last_place) - with.last_place;
    const std::string allowed =
        sparsity->text + " gives " + (sparsity->several ? "up to " : "") + times(sparsity->most);
    if (with.quantity.value > highest || ratio < Rational(1)) {
      findings.push_back(finding("sparse-ratio", fact.name + ": " + both, span, allowed));
    } else if (!sparsity->several && with.quantity.value < lowest && !explained(fact) &&
               !explained(*dense)) {
      findings.push_back(finding("sparse-below-pattern", fact.name + ": " + both, span,
                                 allowed + "; a note may say why the device does not reach it"));
    }
  }
}

// The numbers of a text, without separators between thousands: `1,287 FP8 TFLOPS` has 1287 and 8.
std::vector<Rational> numbers_in(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::vector<Rational> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    std::string digits;
    bool point = false;
    while (at < text.size()) {
      const bool more = at + 1 < text.size() && is_digit(text[at + 1]);
      if (is_digit(text[at])) {
        digits += text[at];
      } else if (text[at] == '.' && more && !point) {
        digits += '.';
        point = true;
      } else if (text[at] != ',' || !more) {
        break;
      }
      ++at;
    }
    if (auto number = Rational::parse(digits)) numbers.push_back(std::move(*number));
  }
  return numbers;
}

void lint_printed(const LintedEntry& linted, std::vector<base::Finding>& findings) {
  for (const FigureFact& fact : linted.entry.figures) {
    for (const Claim& claim : fact.claims) {
      if (claim.printed.empty() || !claim.derivation.empty()) continue;
      const auto written = units::parse_written(claim.written);
      if (!written) continue;
      if (const auto printed = units::parse_written(claim.printed);
          printed && printed->dimension == written->dimension) {
        if (printed->value() == written->value()) continue;
      } else {
        const std::vector<Rational> numbers = numbers_in(claim.printed);
        const bool found =
            std::find(numbers.begin(), numbers.end(), written->number) != numbers.end();
        if (numbers.empty() || found) continue;
      }
      findings.push_back(finding("printed-differs",
                                 fact.name + ": value " + claim.written + ", but printed is " +
                                     base::printable(claim.printed),
                                 claim.span,
                                 "the value as the source prints it, or `derivation:`"));
    }
  }
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
  need(entry.figure("parameters") != nullptr, "figures.parameters");
  need(entry.figure("context_length") != nullptr, "figures.context_length");
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
  lint_rates(linted, findings);
  lint_printed(linted, findings);
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
  }
}

}  // namespace ullage::catalog

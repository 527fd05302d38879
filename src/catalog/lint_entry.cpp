// What one entry must keep within itself.
#include <algorithm>
#include <array>
#include <optional>

#include "base/spelling.hpp"
#include "catalog/lint.hpp"

namespace ullage::catalog {
namespace {

using exact::Rational;
using provenance::Claim;

// Numbers as sources write them in words and digits.
struct PrintedNumbers {
  std::vector<Rational> numbers;

  explicit PrintedNumbers(std::string_view text) {
    constexpr std::array<std::string_view, 13> kWords{"zero", "one",    "two",   "three", "four",
                                                      "five", "six",    "seven", "eight", "nine",
                                                      "ten",  "eleven", "twelve"};
    const std::string lower = base::lower(text);
    for (std::size_t at = 0; at < lower.size();) {
      if (is_digit(lower[at])) {
        at = take_number(lower, at);
        continue;
      }
      std::size_t end = at;
      while (end < lower.size() && lower[end] >= 'a' && lower[end] <= 'z')
        ++end;
      const std::string_view word = std::string_view(lower).substr(at, end - at);
      const auto* const found = std::find(kWords.begin(), kWords.end(), word);
      if (found != kWords.end()) numbers.emplace_back(found - kWords.begin());
      at = std::max(end, at + 1);
    }
  }

  // Whether the text holds the number: as it is, with another prefix of thousands, as base units,
  // in units of 1,024 (`128K` tokens), or as the product or quotient that it spells out (`2x2x1`,
  // `2500 / 2`).
  bool hold(const Rational& number, const Rational& base_units) const {
    std::vector<Rational> candidates = numbers;
    Rational product(1);
    for (const Rational& factor : numbers)
      product *= factor;
    candidates.push_back(product);
    if (numbers.size() == 2 && !numbers[1].is_zero()) candidates.push_back(numbers[0] / numbers[1]);
    return std::any_of(candidates.begin(), candidates.end(), [&](const Rational& candidate) {
      if (candidate == base_units || candidate * Rational(1024) == number) return true;
      for (int exponent = -12; exponent <= 12; exponent += 3) {
        if (candidate * exact::power_of_ten(exponent) == number) return true;
      }
      return false;
    });
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  // Reads the number at `at` and returns the place behind it. A comma before three digits sets
  // thousands apart, before any other number of digits it is a decimal comma.
  std::size_t take_number(std::string_view text, std::size_t at) {
    if (text.substr(at).starts_with("0x")) return take_hexadecimal(text, at + 2);
    std::string digits;
    bool point = false;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      std::size_t following = at + 1;
      while (following < text.size() && is_digit(text[following]))
        ++following;
      const std::size_t run = following - at - 1;
      if (is_digit(c)) {
        digits += c;
      } else if (c == ',' && run == 3 && !point) {
        continue;
      } else if ((c == '.' || c == ',') && run > 0 && !point) {
        digits += '.';
        point = true;
      } else if (c == 'e' && run > 0 && digits.find('e') == std::string::npos) {
        digits += 'e';
        point = true;
      } else {
        break;
      }
    }
    if (auto number = Rational::parse(digits)) numbers.push_back(std::move(*number));
    return at;
  }

  std::size_t take_hexadecimal(std::string_view text, std::size_t at) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    Rational value;
    for (; at < text.size(); ++at) {
      const std::size_t digit = kDigits.find(text[at]);
      if (digit == std::string_view::npos) break;
      value = value * Rational(16) + Rational(digit);
    }
    numbers.push_back(value);
    return at;
  }
};

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
        if (numbers.numbers.empty() || numbers.hold(written->number, written->value())) continue;
      }
      findings.push_back(finding("printed-differs",
                                 fact.name + ": value " + claim.written + ", but printed is " +
                                     base::printable(claim.printed),
                                 claim.span,
                                 "the value as the source prints it, or `derivation:`"));
    }
  }
}

// A number of things: dimensionless, and no share of something.
bool is_count(const FigureFact& fact) {
  return fact.unit.dimension == units::kNumber && !fact.name.ends_with("_share") &&
         !fact.name.ends_with("_utilization");
}

void lint_counts(const FigureList& figures, std::vector<base::Finding>& findings) {
  for (const FigureFact& fact : figures) {
    if (!is_count(fact)) continue;
    for (const Claim& claim : fact.claims) {
      const Rational& value = claim.quantity.value;
      // An empty or unreadable value is a fault of its own.
      if (!units::parse_written(claim.written).ok()) continue;
      if (value.is_whole() && value.sign() > 0) continue;
      findings.push_back(finding("not-a-count", fact.name + " is " + claim.written, claim.span,
                                 "a whole number above zero, or `unknown:` with a reason"));
    }
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

// Sizes, counts and shares as flags and plans write them: stricter than a data file, because nobody
// sees what a guess would have been.
#include <string>

#include "units/quantity.hpp"
#include "units/readings.hpp"

namespace ullage::units {

namespace {

base::Diagnostic fault(base::Code code, std::string_view text, std::string_view complaint,
                       std::string hint) {
  base::Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = "`" + base::printable(text, 60) + "` " + std::string(complaint);
  diagnostic.hint = std::move(hint);
  return diagnostic;
}

// What a unit other than bytes measures, in words.
std::string other_measure(const Written& written) {
  if (written.dimension == kNumber) return "is a count, not a size in bytes";
  if (written.dimension == kBytes) return "is in bits, not in bytes";
  return "is in " + symbol_of(written.dimension) + ", not a size in bytes";
}

}  // namespace

base::Result<exact::Rational> parse_size(std::string_view text) {
  const std::string_view whole = trim(text);
  ULLAGE_TRY(const Written written, parse_written(whole));
  if (written.unit.empty()) {
    base::Diagnostic diagnostic =
        unclear(whole, whole, written.number, {"GB", "GiB"}, "has no unit");
    diagnostic.hint += ", or " + base::printable(whole, 60) + "B if bytes are meant";
    return diagnostic;
  }
  if (written.dimension != kBytes || !written.unit.ends_with('B')) {
    return fault(base::Code::unit, whole, other_measure(written),
                 "write a size in bytes, such as 96GB or 96GiB");
  }
  if (written.number.sign() < 0) {
    return fault(base::Code::out_of_range, whole, "is negative", "a size is zero or more");
  }
  return written.value();
}

base::Result<exact::Rational> parse_count(std::string_view text) {
  const std::string_view whole = trim(text);
  exact::Rational multiple = 1;
  std::string_view digits = whole;
  if (whole.ends_with('k') || whole.ends_with('K')) multiple = 1024;
  if (whole.ends_with('m') || whole.ends_with('M')) multiple = 1024 * 1024;
  if (multiple != exact::Rational(1)) digits.remove_suffix(1);
  const base::Result<exact::Rational> number = exact::Rational::parse(digits);
  if (!number.ok()) {
    if (number.error().code == base::Code::out_of_range) return number.error();
    return fault(base::Code::syntax, whole, "is not a count",
                 "write a whole number; 8k is 8192 and 1m is 1048576");
  }
  const exact::Rational count = *number * multiple;
  if (count.sign() < 0) {
    return fault(base::Code::out_of_range, whole, "is negative", "a count is zero or more");
  }
  if (!count.is_whole()) {
    return fault(base::Code::out_of_range, whole, "is not a whole number",
                 "write a whole number; 8k is 8192 and 1m is 1048576");
  }
  return count;
}

base::Result<exact::Rational> parse_percent(std::string_view text) {
  const std::string_view whole = trim(text);
  std::string_view digits = whole;
  const bool sign = digits.ends_with('%');
  if (sign) digits = trim(digits.substr(0, digits.size() - 1));
  const base::Result<exact::Rational> number = exact::Rational::parse(digits);
  if (!number.ok()) {
    if (number.error().code == base::Code::out_of_range) return number.error();
    return fault(base::Code::syntax, whole, "is not a percentage", "write a number such as 15%");
  }
  if (number->sign() < 0 || *number > exact::Rational(100)) {
    return fault(base::Code::out_of_range, whole, "is not between 0% and 100%",
                 "write a percentage such as 15%");
  }
  if (!sign && number->sign() > 0 && *number < exact::Rational(1)) {
    const std::string as_share =
        base::printable((*number * exact::Rational(100)).to_significant(4096), 60) + "%";
    const std::string as_percent = base::printable(digits, 60) + "%";
    return fault(base::Code::unit, whole, "could be " + as_share + " or " + as_percent,
                 "write " + as_share + " or " + as_percent);
  }
  return *number / exact::Rational(100);
}

}  // namespace ullage::units

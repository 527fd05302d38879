// Reads each kind of flag value through the unit grammar.
#include "cli/values.hpp"

#include <algorithm>

#include "units/quantity.hpp"

namespace ullage::cli {
namespace {

using base::Code;
using base::Diagnostic;
using exact::Rational;
using plan::GivenNumber;

std::string typed(const std::string& flag, const std::string& text) {
  return flag + " " + base::printable(text);
}

Diagnostic wrong(const std::string& flag, const std::string& text, std::string why,
                 std::string hint) {
  return {.code = Code::usage,
          .message = typed(flag, text) + ": " + std::move(why),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

// The grammar's own diagnostic with the flag in front of it.
Diagnostic named(const std::string& flag, const std::string& text, Diagnostic fault) {
  fault.message = typed(flag, text) + ": " + fault.message;
  return fault;
}

template <class Parse>
base::Result<std::optional<GivenNumber>> parsed(const std::string& flag,
                                                const std::optional<std::string>& text,
                                                Parse parse) {
  if (!text) return std::optional<GivenNumber>();
  base::Result<Rational> value = parse(*text);
  if (!value) return named(flag, *text, std::move(value).error());
  return std::optional(GivenNumber{std::move(*value), typed(flag, *text)});
}

}  // namespace

base::Result<std::optional<GivenNumber>> size_flag(const std::string& flag,
                                                   const std::optional<std::string>& text) {
  return parsed(flag, text, units::parse_size);
}

base::Result<std::optional<GivenNumber>> percent_flag(const std::string& flag,
                                                      const std::optional<std::string>& text) {
  ULLAGE_TRY(auto share, parsed(flag, text, units::parse_percent));
  if (share && share->value >= Rational(1)) {
    return wrong(flag, *text, "nothing would be left of the capacity", "a share below 100%");
  }
  return share;
}

base::Result<std::optional<GivenNumber>> count_flag(const std::string& flag,
                                                    const std::optional<std::string>& text) {
  ULLAGE_TRY(auto count, parsed(flag, text, units::parse_count));
  if (count && count->value.sign() <= 0) {
    return wrong(flag, *text, "must be at least 1", "a whole number");
  }
  return count;
}

base::Result<std::vector<GivenNumber>> count_list_flag(const std::string& flag,
                                                       const std::optional<std::string>& text) {
  std::vector<GivenNumber> numbers;
  if (!text) return numbers;
  for (std::size_t start = 0; start <= text->size();) {
    const std::size_t end = std::min(text->find(',', start), text->size());
    const std::optional<std::string> part = text->substr(start, end - start);
    ULLAGE_TRY(const auto number, count_flag(flag, part));
    numbers.push_back({number->value, typed(flag, *text)});
    start = end + 1;
  }
  return numbers;
}

base::Result<std::optional<GivenNumber>> price_flag(const std::string& flag,
                                                    const std::optional<std::string>& text) {
  ULLAGE_TRY(auto price, parsed(flag, text, Rational::parse));
  if (!price) return price;
  if (price->value.sign() < 0) return wrong(flag, *text, "a price is not negative", "USD an hour");
  price->value = price->value / Rational(3600);  // USD/h to USD/s
  return price;
}

base::Result<std::optional<GivenNumber>> token_rate_flag(const std::string& flag,
                                                         const std::optional<std::string>& text) {
  ULLAGE_TRY(auto rate, parsed(flag, text, Rational::parse));
  if (rate && rate->value.sign() <= 0) {
    return wrong(flag, *text, "must be above 0", "tokens a second");
  }
  return rate;
}

base::Result<plan::CapacityChoice> capacity_flag(const std::optional<std::string>& text) {
  plan::CapacityChoice choice;
  if (!text || *text == "nominal") return choice;
  if (*text == "visible") {
    choice.basis = plan::CapacityBasis::visible;
    return choice;
  }
  if (text->find_first_of("0123456789") == std::string::npos) {
    return wrong("--capacity", *text, "is no capacity", "nominal, visible or a size such as 96GiB");
  }
  ULLAGE_TRY(const auto size, size_flag("--capacity", text));
  if (size->value.sign() <= 0) {
    return wrong("--capacity", *text, "a device has some memory", "nominal, visible or a size");
  }
  choice.basis = plan::CapacityBasis::given;
  choice.size = size->value;
  choice.where = size->where;
  return choice;
}

base::Result<memory::WeightChoice> weight_flags(const std::optional<std::string>& weights,
                                                const std::optional<std::string>& bits) {
  if (weights && bits) {
    return wrong("--bits", *bits, "--weights " + base::printable(*weights) + " is given too",
                 "one of them says how wide a parameter is");
  }
  memory::WeightChoice choice;
  choice.format = weights;
  ULLAGE_TRY(const auto width, parsed("--bits", bits, Rational::parse));
  if (!width) return choice;
  if (width->value < Rational(1) / Rational(100) || width->value > Rational(128)) {
    return wrong("--bits", *bits, "must be from 0.01 to 128", "16, 8, 4, 4.25 …");
  }
  choice.bits = width->value;
  return choice;
}

}  // namespace ullage::cli

// The numbers of a text as people print them: digits, words, units beside them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "units/quantity.hpp"

namespace ullage::catalog {

class PrintedNumbers {
 public:
  explicit PrintedNumbers(std::string_view text);

  bool empty() const { return numbers_.empty(); }

  // Whether the text holds the number: with its unit where one of the same quantity stands beside
  // it (`30.3 teraFLOPS`, `64 GB per second`); else as it is, with another prefix of thousands, as
  // base units, in units of 1,024 (`128K` tokens), or as the product or quotient that the text
  // spells out (`2x2x1`, `2500 / 2`).
  bool hold(const units::Written& written) const;

  // Whether the text names the value: one of its numbers, with any unit of the same quantity, else
  // with any prefix of thousands. No products.
  bool name(const units::Written& written) const;

 private:
  struct Number {
    exact::Rational value;
    std::optional<units::Written> unit;  // one of it, where a known unit follows
  };

  bool matches(const Number& number, const units::Written& written) const;
  std::size_t take_number(std::string_view text, std::string_view lower, std::size_t at);
  std::size_t take_hexadecimal(std::string_view text, std::size_t at);

  std::vector<Number> numbers_;
};

}  // namespace ullage::catalog

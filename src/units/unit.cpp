// Units in words and symbols.
#include "units/unit.hpp"

#include <array>

namespace ullage::units {

namespace {

struct Factor {
  std::string_view symbol;
  int exponent;
};

// In the order in which a symbol names them: `FLOP/B`, `token/s`, `USD/token`.
std::array<Factor, 7> factors_of(Dimension dimension) {
  return {{{"FLOP", dimension.flop},
           {"OP", dimension.op},
           {"USD", dimension.dollar},
           {"B", dimension.byte},
           {"token", dimension.token},
           {"W", dimension.watt},
           {"s", dimension.second}}};
}

// The factors of one sign, `sign` 1 for those above the stroke and -1 for those below it.
std::string product_of(const std::array<Factor, 7>& factors, int sign, int& count) {
  std::string text;
  for (const Factor& factor : factors) {
    const int exponent = factor.exponent * sign;
    if (exponent <= 0) continue;
    if (!text.empty()) text += "·";
    text += factor.symbol;
    if (exponent > 1) text += "^" + std::to_string(exponent);
    ++count;
  }
  return text;
}

}  // namespace

std::string symbol_of(Dimension dimension) {
  const std::array<Factor, 7> factors = factors_of(dimension);
  int above_count = 0;
  int below_count = 0;
  std::string above = product_of(factors, 1, above_count);
  const std::string below = product_of(factors, -1, below_count);
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + "/" + (below_count > 1 ? "(" + below + ")" : below);
}

std::string describe(const Unit& unit) {
  std::string text;
  if (unit.direction == Direction::one_way) text += "one-way ";
  if (unit.direction == Direction::both_ways) text += "both-way ";
  if (unit.kind != Kind::plain) text += std::string(name_of(unit.kind)) + " ";
  text += unit.dimension == kNumber ? "number" : symbol_of(unit.dimension);
  if (unit.scope == Scope::logical_core) {
    text += " per logical core";
  } else if (unit.scope != Scope::none) {
    text += " per " + std::string(name_of(unit.scope));
  }
  if (unit.direction == Direction::not_stated) text += " (direction not stated)";
  return text;
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::plain:
      return "plain";
    case Kind::dense:
      return "dense";
    case Kind::sparse:
      return "sparse";
    case Kind::nominal:
      return "nominal";
    case Kind::visible:
      return "visible";
    case Kind::memory:
      return "memory";
    case Kind::scale_up:
      return "scale-up";
    case Kind::scale_out:
      return "scale-out";
    case Kind::host:
      return "host";
    case Kind::dma:
      return "dma";
  }
  return "unknown";
}

std::string_view name_of(Direction direction) {
  switch (direction) {
    case Direction::none:
      return "none";
    case Direction::one_way:
      return "one-way";
    case Direction::both_ways:
      return "both-ways";
    case Direction::not_stated:
      return "not-stated";
  }
  return "unknown";
}

std::string_view name_of(Scope scope) {
  switch (scope) {
    case Scope::none:
      return "none";
    case Scope::link:
      return "link";
    case Scope::stack:
      return "stack";
    case Scope::core:
      return "core";
    case Scope::logical_core:
      return "logical-core";
    case Scope::partition:
      return "partition";
    case Scope::chip:
      return "chip";
    case Scope::instance:
      return "instance";
    case Scope::system:
      return "system";
  }
  return "unknown";
}

}  // namespace ullage::units

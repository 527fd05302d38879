// `--where`: a condition on the results of a row.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exact/rational.hpp"

namespace ullage::batch {

// What a row says under a name: a number, a text, that nobody knows it, or nothing.
struct Operand {
  enum class Kind : std::uint8_t { absent, unknown, number, text };
  Kind kind = Kind::absent;
  exact::Rational number;
  std::string text;
};
using Lookup = std::function<Operand(std::string_view name)>;

// `verdict == fits and (devices_min <= 8 or headroom_per_device > 10GB)`: comparisons `== != < <= >
// >=` of a name with a number, a size, a count (`8k`) or a word, joined by `and`, `or`, `not` and
// parentheses. A comparison with what is unknown or absent is neither true nor false, and `not` of
// it neither; `NAME == unknown` and `NAME != unknown` ask for it.
class Expression {
 public:
  // Error usage that names the place, counted in characters from 1.
  static base::Result<Expression> parse(std::string_view text);

  // Whether the condition holds for certain.
  bool holds(const Lookup& row) const;
  // The names that it asks for.
  std::vector<std::string> names() const;

  struct Node;

 private:
  explicit Expression(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace ullage::batch

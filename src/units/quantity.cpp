// Arithmetic of quantities that refuses unlike ones, naming both sides and what sets them apart.
#include "units/quantity.hpp"

#include <utility>
#include <vector>

namespace ullage::units {

namespace {

// `kind: dense and sparse` for each respect in which the units differ.
std::string differences(const Unit& a, const Unit& b) {
  std::vector<std::string> parts;
  auto note = [&parts](std::string_view respect, std::string_view left, std::string_view right) {
    if (left == right) return;
    parts.push_back(std::string(respect) + " (" + std::string(left) + " and " + std::string(right) +
                    ")");
  };
  note("dimension", symbol_of(a.dimension), symbol_of(b.dimension));
  note("kind", name_of(a.kind), name_of(b.kind));
  note("direction", name_of(a.direction), name_of(b.direction));
  note("scope", name_of(a.scope), name_of(b.scope));
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

// `first` and `second` in the order of the sentence: `cannot subtract second from first`.
base::Diagnostic unlike(std::string_view verb, const Unit& first, std::string_view joint,
                        const Unit& second) {
  base::Diagnostic fault;
  fault.code = base::Code::kind_mismatch;
  fault.message = "cannot " + std::string(verb) + " " + describe(first) + " " + std::string(joint) +
                  " " + describe(second);
  fault.hint = "they differ in " + differences(first, second);
  return fault;
}

}  // namespace

base::Result<Quantity> add(const Quantity& a, const Quantity& b) {
  if (a.unit != b.unit) return unlike("add", a.unit, "and", b.unit);
  return Quantity{.value = a.value + b.value, .unit = a.unit};
}

base::Result<Quantity> subtract(const Quantity& a, const Quantity& b) {
  if (a.unit != b.unit) return unlike("subtract", b.unit, "from", a.unit);
  return Quantity{.value = a.value - b.value, .unit = a.unit};
}

base::Result<exact::Rational> ratio(const Quantity& a, const Quantity& b) {
  if (a.unit != b.unit) return unlike("divide", a.unit, "by", b.unit);
  return exact::Rational::ratio(a.value, b.value);
}

}  // namespace ullage::units

// Shares of the capacity, in marks; what is left over by rounding goes to the free part.
#include "cli/memory_bar.hpp"

#include <optional>
#include <vector>

#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

using exact::Rational;
using report::Role;
using report::Text;

constexpr std::int64_t kMarks = 60;

std::optional<Rational> value_of(const provenance::Answer& answer, const provenance::Row& row,
                                 std::string_view name) {
  for (const provenance::NamedFigure& result : row.results) {
    if (result.name == name && answer.graph.known(result.figure))
      return answer.graph.value(result.figure);
  }
  return std::nullopt;
}

struct Part {
  const char* name;
  const char* mark;
  Rational bytes;
};

std::string size_text(const Rational& bytes) {
  return (bytes / exact::power_of_ten(9)).to_decimal(2, exact::Rounding::nearest) + " GB";
}

}  // namespace

std::vector<report::Block> memory_bar(const provenance::Answer& answer,
                                      const provenance::Row& row) {
  const auto get = [&](std::string_view name) { return value_of(answer, row, name); };
  const auto capacity = get("device_capacity");
  const auto budget = get("device_budget");
  auto weights = get("weights_per_device");
  if (!weights) weights = get("weights_loaded_per_device");
  const auto ranks = get("ranks_per_chip");
  if (!capacity || !budget || !weights) return {};
  const Rational whole = ranks ? *capacity / *ranks : *capacity;
  const Rational cache = get("kv_total_per_device").value_or(Rational());
  const Rational state = get("state_total_per_device").value_or(Rational());
  const Rational needed = get("required_memory_per_device").value_or(*weights + cache + state);
  const Rational beside = needed - *weights - cache - state;
  const Rational free = *budget - needed;
  if (whole.sign() <= 0) return {};
  // What is over the budget makes the bar longer than the device.
  const Rational length = max(whole, needed);
  const std::vector<Part> parts{
      {"weights", "█", *weights}, {"cache", "▓", cache},
      {"state", "▒", state},      {"overheads", "+", beside},
      {"free", "·", free},        {"kept free", "-", whole - max(*budget, needed)}};
  Text bar;
  Text legend;
  for (const Part& part : parts) {
    if (part.bytes.sign() <= 0) continue;
    const Rational share = part.bytes * Rational(kMarks) / length;
    const std::int64_t marks = (share + Rational(1) / Rational(2)).floor().to_int64().value_or(0);
    std::string text;
    for (std::int64_t i = 0; i < marks; ++i)
      text += part.mark;
    bar.add(std::move(text), Role::emphasis);
    if (!legend.empty()) legend.add("  ");
    legend.add(std::string(part.mark) + " " + part.name + " " + size_text(part.bytes), Role::dim);
  }
  if (free.sign() < 0) {
    legend.add(" — over the budget by " + size_text(-free), Role::bad);
  }
  return {report::Paragraph{std::move(bar)}, report::Paragraph{std::move(legend)}};
}

}  // namespace ullage::cli

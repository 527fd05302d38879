// Decides support by version, picks lists by setting.
#include "catalog/software.hpp"

#include <algorithm>
#include <charconv>

namespace ullage::catalog {
namespace {

// The number at the start of the text, which is cut off with the dot behind it.
std::int64_t take_part(std::string_view& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) number = 0;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  const std::size_t dot = text.find('.');
  text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  return number;
}

}  // namespace

const std::vector<SoftwareFactName>& software_list_names() {
  static const std::vector<SoftwareFactName> names{
      {"tensor_parallel_degrees", "degrees of tensor parallelism that the stack accepts"},
      {"validated_tensor_parallel_degrees", "degrees that a recipe was validated with"},
      {"weight_formats", "formats of weights that it runs"},
      {"kv_formats", "formats of KV-cache elements"},
      {"logical_core_settings", "values of LNC that it accepts"},
      {"collective_sizes", "numbers of cores that collectives run on"},
      {"chip_counts", "numbers of chips of one machine that may be asked for"},
  };
  return names;
}

int compare_versions(std::string_view a, std::string_view b) {
  for (std::string_view* text : {&a, &b}) {
    if (text->starts_with('v')) text->remove_prefix(1);
  }
  while (!a.empty() || !b.empty()) {
    const std::int64_t left = take_part(a);
    const std::int64_t right = take_part(b);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

Support support_of(const Software& software, std::string_view version) {
  if (software.support.value.empty()) return Support::unknown;
  if (software.support.value == "unsupported") return Support::unsupported;
  if (!software.until.empty() &&
      (version.empty() || compare_versions(version, software.until) > 0)) {
    return Support::unsupported;
  }
  if (!software.from.empty() && !version.empty() && compare_versions(version, software.from) < 0) {
    return Support::unsupported;
  }
  return Support::supported;
}

const ListFact* list_of(const Software& software, std::string_view name, std::string_view setting,
                        std::string_view value) {
  const ListFact* general = nullptr;
  for (const ListFact& fact : software.lists) {
    if (fact.name != name) continue;
    const auto named = fact.when.find(std::string(setting));
    if (named == fact.when.end()) {
      if (general == nullptr && (fact.when.empty() || setting.empty())) general = &fact;
    } else if (named->second == value) {
      return &fact;
    }
  }
  return general;
}

std::vector<std::int64_t> numbers_of(const ListFact& fact) {
  std::vector<std::int64_t> numbers;
  for (const std::string& value : fact.values) {
    std::int64_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    if (error == std::errc() && rest == end) numbers.push_back(number);
  }
  return numbers;
}

const FigureFact* figure_of(const Software& software, std::string_view name) {
  return software.figures.find(name);
}

std::vector<const Software*> stacks_of(const std::vector<Software>& software,
                                       std::string_view engine) {
  std::vector<const Software*> stacks;
  for (const Software& stack : software) {
    if (stack.engine == engine) stacks.push_back(&stack);
  }
  return stacks;
}

}  // namespace ullage::catalog

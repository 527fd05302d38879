// Keys are `architecture.key`; figures cite the byte at which the key stands.
#include "import/gguf_metadata.hpp"

#include <map>

namespace ullage::import {
namespace {

using base::Code;
using model::Extent;

constexpr std::int64_t kLargest = std::int64_t{1} << 40;

}  // namespace

GgufMetadata::GgufMetadata(const GgufFile& file, provenance::Graph& graph)
    : file_(file), graph_(graph) {
  const auto found = file.metadata.find("general.architecture");
  if (found != file.metadata.end()) architecture_ = found->second.text;
}

const GgufValue* GgufMetadata::find(std::string_view key) const {
  const auto found = file_.metadata.find(architecture_ + "." + std::string(key));
  return found == file_.metadata.end() ? nullptr : &found->second;
}

base::Diagnostic GgufMetadata::fault(Code code, std::string_view key, std::string message) const {
  const GgufValue* value = find(key);
  return {.code = code,
          .message = (value != nullptr ? "byte " + std::to_string(value->offset) + ": " : "") +
                     base::printable(architecture_) + "." + std::string(key) + " " +
                     std::move(message),
          .span = {file_.paths.front(), 0, 0},
          .hint = {},
          .notes = {}};
}

base::Result<std::optional<Extent>> GgufMetadata::extent(std::string_view key,
                                                         const GgufValue& value,
                                                         std::int64_t number, std::string locator) {
  if (number == 0) return std::optional<Extent>();
  if (number < 0 || number > kLargest) {
    return fault(Code::out_of_range, key, "is " + std::to_string(number) + ", which no model has");
  }
  std::string name(key.substr(key.rfind('.') + 1));
  const provenance::FigureId figure =
      graph_.given(name, {exact::Rational(number), {}}, {file_.where(value), std::move(locator)});
  return std::optional(Extent{std::move(name), exact::Rational(number), figure});
}

base::Result<std::optional<Extent>> GgufMetadata::count(std::string_view key) {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::optional<Extent>();
  if (value->kind != GgufValue::Kind::number) {
    return fault(Code::wrong_type, key, "must be one whole number");
  }
  return extent(key, *value, value->number, "key " + architecture_ + "." + std::string(key));
}

base::Result<std::vector<std::optional<Extent>>> GgufMetadata::per_layer(std::string_view key,
                                                                         std::size_t layers) {
  std::vector<std::optional<Extent>> result(layers);
  const GgufValue* value = find(key);
  if (value == nullptr) return result;
  if (value->kind != GgufValue::Kind::numbers) {
    ULLAGE_TRY(const auto one, count(key));
    result.assign(layers, one);
    return result;
  }
  if (value->numbers.size() < layers) {
    return fault(Code::out_of_range, key,
                 "has " + std::to_string(value->numbers.size()) + " entries for " +
                     std::to_string(layers) + " layers");
  }
  // Equal entries share the figure of the first.
  std::map<std::int64_t, std::optional<Extent>> known;
  for (std::size_t i = 0; i < layers; ++i) {
    const std::int64_t number = value->numbers[i];
    if (!known.contains(number)) {
      ULLAGE_TRY(known[number], extent(key, *value, number,
                                       "key " + architecture_ + "." + std::string(key) + "[" +
                                           std::to_string(i) + "]"));
    }
    result[i] = known[number];
  }
  return result;
}

Extent GgufMetadata::derived(std::string name, exact::Rational value, std::string formula,
                             std::vector<provenance::FigureId> inputs) {
  const provenance::FigureId figure =
      graph_.derived(name, {}, std::move(formula), {}, std::move(inputs), value);
  return {std::move(name), std::move(value), figure};
}

Extent GgufMetadata::counted(std::string name, std::size_t number, std::string what) {
  const exact::Rational value(number);
  const provenance::FigureId figure =
      graph_.given(name, {value, {}}, {file_.paths.front(), std::move(what)});
  return {std::move(name), value, figure};
}

}  // namespace ullage::import

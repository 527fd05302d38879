// Formats with parameters behind their name: `gptq:bits=3,group=row`.
#include <algorithm>

#include "base/spelling.hpp"
#include "catalog/storage_format.hpp"

namespace ullage::catalog {
namespace {

using base::Diagnostic;
using exact::Rational;

Diagnostic usage(const StorageFormat& format, std::string_view parameter, std::string why,
                 std::string hint) {
  return {.code = base::Code::usage,
          .message = "weight format " + format.name + ": " + base::printable(parameter) + " " +
                     std::move(why),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

std::optional<std::int64_t> whole(std::string_view text, std::int64_t most) {
  const auto value = Rational::parse(text);
  if (!value) return std::nullopt;
  const auto number = value->to_int64();
  if (!number || *number < 1 || *number > most) return std::nullopt;
  return number;
}

std::optional<bool> truth(std::string_view text) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  return std::nullopt;
}

constexpr std::int64_t kMostGroup = 1'000'000;

bool set_group(StorageFormat& format, std::string_view value) {
  if (value == "row" || value == "-1") {
    format.row_groups = true;
    return true;
  }
  const auto number = whole(value, kMostGroup);
  if (!number) return false;
  format.group = static_cast<std::uint64_t>(*number);
  format.grouped = true;
  return true;
}

// `128x128`.
bool set_block(StorageFormat& format, std::string_view value) {
  const auto cut = value.find('x');
  if (cut == std::string_view::npos) return false;
  const auto rows = whole(value.substr(0, cut), kMostGroup);
  const auto columns = whole(value.substr(cut + 1), kMostGroup);
  if (!rows || !columns) return false;
  format.block_rows = *rows;
  format.block_columns = *columns;
  return true;
}

bool set_bits(StorageFormat& format, std::string_view value) {
  const auto bits = whole(value, 16);
  if (!bits) return false;
  if (format.bits && format.zero_point_bits == *format.bits) format.zero_point_bits = *bits;
  format.bits = Rational(*bits);
  return true;
}

bool set(StorageFormat& format, std::string_view key, std::string_view value) {
  if (key == "bits") return set_bits(format, value);
  if (key == "group") return set_group(format, value);
  if (key == "block") return set_block(format, value);
  const auto flag = truth(value);
  if (!flag) return false;
  if (key == "zero_points") format.zero_point_bits = *flag ? *format.bits : Rational();
  if (key == "act_order") format.column_bits = *flag ? Rational(32) : Rational();
  return true;
}

// Bits of an element with its share of what stands beside groups; nothing where rows differ.
std::optional<Rational> stored_bits(const StorageFormat& format) {
  if (!format.bits || format.row_groups) return std::nullopt;
  const Rational beside = format.scale_bits + format.zero_point_bits;
  if (format.block_rows > 0) {
    return *format.bits + beside / Rational(format.block_rows * format.block_columns);
  }
  if (!format.grouped) return std::nullopt;
  return *format.bits + beside / Rational(static_cast<std::int64_t>(format.group));
}

bool same_layout(const StorageFormat& a, const StorageFormat& b) {
  return a.bits == b.bits && a.group == b.group && a.grouped == b.grouped &&
         a.row_groups == b.row_groups && a.block_rows == b.block_rows &&
         a.block_columns == b.block_columns && a.zero_point_bits == b.zero_point_bits &&
         a.column_bits == b.column_bits;
}

}  // namespace

base::Result<const StorageFormat*> StorageFormats::variant(const StorageFormat& format,
                                                           std::string_view parameters) const {
  auto made = std::make_unique<StorageFormat>(format);
  std::string name = format.name;
  for (std::size_t start = 0; start <= parameters.size();) {
    const std::size_t end = std::min(parameters.find(',', start), parameters.size());
    const std::string_view part = parameters.substr(start, end - start);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals < part.size() ? part.substr(equals + 1) : "";
    if (std::find(format.takes.begin(), format.takes.end(), key) == format.takes.end()) {
      std::string known;
      for (const std::string& parameter : format.takes)
        known += (known.empty() ? "" : ", ") + parameter;
      return usage(format, part, "is no parameter of it",
                   known.empty() ? "it takes none" : "it takes " + known);
    }
    const StorageFormat before = *made;
    if (!set(*made, key, value)) {
      return usage(format, part, "cannot be", "bits=4, group=128, group=row, block=128x128 …");
    }
    if (!same_layout(before, *made)) {
      name += (name == format.name ? ":" : ",") + std::string(part);
    }
    start = end + 1;
  }
  if (name == format.name) return &format;
  made->name = name;
  made->stored_bits = stored_bits(*made);
  return variants_.emplace(std::move(name), std::move(made)).first->second.get();
}

}  // namespace ullage::catalog

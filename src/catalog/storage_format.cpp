// Reads the table of storage formats (docs/data-format.md, Storage formats).
#include "catalog/storage_format.hpp"

#include "base/spelling.hpp"
#include "catalog/fields.hpp"
#include "catalog/names.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Value;

std::optional<exact::Rational> load_bits(Fields& fields, std::string_view key) {
  const std::string text = fields.optional_text(key);
  if (text.empty()) return std::nullopt;
  auto bits = exact::Rational::parse_fraction(text);
  if (bits && bits->sign() > 0) return std::move(*bits);
  fields.fault(Code::out_of_range, fields.path_of(key) + " is no positive number of bits",
               fields.find(key), "a number or a fraction, `17/4`");
  return std::nullopt;
}

std::uint64_t load_group(Fields& fields) {
  const Value* group = fields.find("group");
  if (group == nullptr) return 1;
  const auto number =
      document::as_integer(fields.document(), *group, fields.path_of("group"), 1, 1'000'000);
  if (number) return static_cast<std::uint64_t>(*number);
  fields.faults().push_back(number.error());
  return 1;
}

}  // namespace

// Numbers of `enum ggml_type` to names of the table.
void StorageFormats::load_ggml_types(Fields file) {
  const Value* section = file.find("ggml_types");
  if (section == nullptr) return;
  Fields fields(file.document(), *section, "ggml_types", file.faults());
  fields.allow_only({"source", "locator", "formats"});
  fields.required_text("source");
  fields.required_text("locator");
  const Value* list = fields.find("formats");
  if (list == nullptr) return;
  for (const document::Member& member : list->members) {
    const auto number = exact::Rational::parse(member.key);
    const auto format = by_spelling_.find(fold(member.value.text));
    const bool valid =
        number && number->is_whole() && number->sign() >= 0 && *number < exact::Rational(1'000'000);
    if (!valid || format == by_spelling_.end()) {
      fields.fault(Code::reference,
                   "ggml_types: " + base::printable(member.key) +
                       " is no number, or no format is called " +
                       base::printable(member.value.text),
                   &member.value);
      continue;
    }
    by_ggml_type_[static_cast<std::uint32_t>(std::stoul(member.key))] = format->second;
  }
}

base::Result<StorageFormats> StorageFormats::load(const document::Document& document) {
  std::vector<base::Diagnostic> faults;
  StorageFormats table;
  Fields file(document, document.root, "", faults);
  file.allow_only({"schema", "formats", "ggml_types"});
  const Value* list = file.find("formats");
  if (list == nullptr || list->type != document::Type::object) {
    file.fault(Code::missing_key, "formats is missing", list, "a mapping of names to formats");
    return faults.front();
  }
  for (const document::Member& member : list->members) {
    Fields fields(document, member.value, "formats." + member.key, faults);
    fields.allow_only({"spellings", "bits", "stored_bits", "mix", "class", "group", "scale_bits",
                       "zero_point_bits", "tensor_scale_bits", "head_bits", "source", "locator",
                       "note"});
    StorageFormat format;
    format.name = member.key;
    format.line = member.line;
    format.spellings = fields.text_list("spellings");
    format.bits = load_bits(fields, "bits");
    format.stored_bits = load_bits(fields, "stored_bits");
    format.group = load_group(fields);
    format.head_bits = load_bits(fields, "head_bits");
    format.mix = fields.optional_text("mix");
    format.source = fields.required_text("source");
    format.locator = fields.required_text("locator");
    format.note = fields.optional_text("note");
    if (!format.bits && format.mix.empty()) {
      fields.fault(Code::missing_key, fields.path_of("bits") + " is missing", nullptr,
                   "bits of one element, or `mix:` with the reason why there is no single width");
    }
    std::vector<std::string> names = format.spellings;
    names.push_back(format.name);
    for (const std::string& name : names) {
      if (!table.by_spelling_.emplace(fold(name), table.formats_.size()).second) {
        fields.fault(Code::duplicate_key, "two formats are spelled " + base::printable(name));
      }
    }
    table.formats_.push_back(std::move(format));
  }
  table.load_ggml_types(file);
  if (!faults.empty()) return faults.front();
  return table;
}

const StorageFormat* StorageFormats::of_ggml_type(std::uint32_t number) const {
  const auto found = by_ggml_type_.find(number);
  return found == by_ggml_type_.end() ? nullptr : &formats_[found->second];
}

base::Result<const StorageFormat*> StorageFormats::find(std::string_view name) const {
  if (const auto found = by_spelling_.find(fold(name)); found != by_spelling_.end()) {
    return &formats_[found->second];
  }
  std::vector<std::string_view> names;
  for (const StorageFormat& format : formats_)
    names.push_back(format.name);
  return base::Diagnostic{.code = Code::unknown_name,
                          .message = "unknown weight format " + base::printable(name),
                          .span = {},
                          .hint = base::did_you_mean(base::nearest(name, names, 4)),
                          .notes = {}};
}

}  // namespace ullage::catalog

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

}  // namespace

base::Result<StorageFormats> StorageFormats::load(const document::Document& document) {
  std::vector<base::Diagnostic> faults;
  StorageFormats table;
  Fields file(document, document.root, "", faults);
  file.allow_only({"schema", "formats"});
  const Value* list = file.find("formats");
  if (list == nullptr || list->type != document::Type::object) {
    file.fault(Code::missing_key, "formats is missing", list, "a mapping of names to formats");
    return faults.front();
  }
  for (const document::Member& member : list->members) {
    Fields fields(document, member.value, "formats." + member.key, faults);
    fields.allow_only({"spellings", "bits", "stored_bits", "mix", "class", "group", "scale_bits",
                       "zero_point_bits", "tensor_scale_bits", "source", "locator", "note"});
    StorageFormat format;
    format.name = member.key;
    format.line = member.line;
    format.spellings = fields.text_list("spellings");
    format.bits = load_bits(fields, "bits");
    format.stored_bits = load_bits(fields, "stored_bits");
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
  if (!faults.empty()) return faults.front();
  return table;
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

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

exact::Rational load_beside(Fields& fields, std::string_view key) {
  return load_bits(fields, key).value_or(exact::Rational());
}

std::int64_t load_count(Fields& fields, std::string_view key) {
  const Value* value = fields.find(key);
  if (value == nullptr) return 0;
  const auto number =
      document::as_integer(fields.document(), *value, fields.path_of(key), 1, 1'000'000);
  if (number) return *number;
  fields.faults().push_back(number.error());
  return 0;
}

bool load_flag(Fields& fields, std::string_view key) {
  const Value* value = fields.find(key);
  if (value == nullptr) return false;
  const auto flag = document::as_boolean(fields.document(), *value, fields.path_of(key));
  if (flag) return *flag;
  fields.faults().push_back(flag.error());
  return false;
}

Packing load_packing(Fields& fields) {
  const std::string text = fields.optional_text("packed");
  if (text == "inputs") return Packing::inputs;
  if (text == "outputs") return Packing::outputs;
  if (!text.empty()) {
    fields.fault(Code::out_of_range, fields.path_of("packed") + " is " + base::printable(text),
                 fields.find("packed"), "inputs or outputs");
  }
  return Packing::none;
}

std::optional<FileMix> load_file(Fields& parent) {
  const Value* value = parent.find("file");
  if (value == nullptr) return std::nullopt;
  Fields fields(parent.document(), *value, parent.path_of("file"), parent.faults());
  fields.allow_only({"base", "bumps"});
  FileMix mix{fields.required_text("base"), {}};
  const Value* list = fields.find("bumps");
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    Fields rule(parent.document(), list->items[i],
                fields.path_of("bumps[" + std::to_string(i) + "]"), parent.faults());
    rule.allow_only({"tensors", "layers", "experts", "heads_a_kv_head", "size", "to"});
    mix.bumps.push_back({rule.required_text("tensors"), rule.optional_text("layers"),
                         load_count(rule, "experts"), load_count(rule, "heads_a_kv_head"),
                         rule.optional_text("size"), rule.required_text("to")});
  }
  return mix;
}

// What a matrix stores beside its codes.
void load_layout(Fields& fields, StorageFormat& format) {
  format.grouped = fields.has("group");
  format.scale_bits = load_beside(fields, "scale_bits");
  format.zero_point_bits = load_beside(fields, "zero_point_bits");
  format.row_bits = load_beside(fields, "row_bits");
  format.column_bits = load_beside(fields, "column_bits");
  format.tensor_bits = load_beside(fields, "tensor_scale_bits");
  format.outer_bits = load_beside(fields, "outer_bits");
  format.outer_group = load_count(fields, "outer_group");
  format.word_bits = load_count(fields, "word_bits");
  format.flat = load_flag(fields, "flat");
  format.fills_rows = load_flag(fields, "fills_rows");
  format.packing = load_packing(fields);
  format.record = fields.optional_text("record");
  format.falls_to = fields.optional_text("falls_to");
  format.convention = fields.optional_text("convention");
  format.takes = fields.text_list("takes");
  format.file = load_file(fields);
  const Value* block = fields.find("block");
  if (block == nullptr) return;
  if (block->type != document::Type::array || block->items.size() != 2) {
    fields.fault(Code::wrong_type, fields.path_of("block") + " must be [rows, columns]", block);
    return;
  }
  const auto rows = exact::Rational::parse(block->items[0].text);
  const auto columns = exact::Rational::parse(block->items[1].text);
  format.block_rows = rows ? rows->to_int64().value_or(0) : 0;
  format.block_columns = columns ? columns->to_int64().value_or(0) : 0;
  if (format.block_rows < 1 || format.block_columns < 1) {
    fields.fault(Code::out_of_range, fields.path_of("block") + " is no pair of counts", block);
  }
}

StorageFormat load_format(const document::Document& document, const document::Member& member,
                          std::vector<base::Diagnostic>& faults) {
  Fields fields(document, member.value, "formats." + member.key, faults);
  fields.allow_only({"spellings",
                     "bits",
                     "stored_bits",
                     "mix",
                     "class",
                     "group",
                     "scale_bits",
                     "zero_point_bits",
                     "tensor_scale_bits",
                     "head_bits",
                     "source",
                     "locator",
                     "note",
                     "block",
                     "flat",
                     "fills_rows",
                     "row_bits",
                     "column_bits",
                     "outer_bits",
                     "outer_group",
                     "packed",
                     "word_bits",
                     "record",
                     "falls_to",
                     "convention",
                     "file",
                     "takes"});
  StorageFormat format;
  format.name = member.key;
  format.line = member.line;
  format.spellings = fields.text_list("spellings");
  format.bits = load_bits(fields, "bits");
  format.stored_bits = load_bits(fields, "stored_bits");
  format.group = load_group(fields);
  format.head_bits = load_bits(fields, "head_bits");
  load_layout(fields, format);
  format.mix = fields.optional_text("mix");
  format.source = fields.required_text("source");
  format.locator = fields.required_text("locator");
  format.note = fields.optional_text("note");
  if (!format.bits && format.mix.empty()) {
    fields.fault(Code::missing_key, fields.path_of("bits") + " is missing", nullptr,
                 "bits of one element, or `mix:` with the reason why there is no single width");
  }
  return format;
}

}  // namespace

std::map<std::uint32_t, std::size_t> StorageFormats::load_ggml_types(Fields& file) const {
  std::map<std::uint32_t, std::size_t> types;
  const Value* section = file.find("ggml_types");
  if (section == nullptr) return types;
  Fields fields(file.document(), *section, "ggml_types", file.faults());
  fields.allow_only({"source", "locator", "formats"});
  fields.required_text("source");
  fields.required_text("locator");
  const Value* list = fields.find("formats");
  if (list == nullptr) return types;
  for (const document::Member& member : list->members) {
    const auto number = exact::Rational::parse(member.key);
    const auto format = index_of(fold(member.value.text));
    const bool valid =
        number && number->is_whole() && number->sign() >= 0 && *number < exact::Rational(1'000'000);
    if (!valid || !format) {
      fields.fault(Code::reference,
                   "ggml_types: " + base::printable(member.key) +
                       " is no number, or no format is called " +
                       base::printable(member.value.text),
                   &member.value);
      continue;
    }
    types[static_cast<std::uint32_t>(*number->to_int64())] = *format;
  }
  return types;
}

StorageFormats::Rest StorageFormats::load_rest(Fields& file) const {
  Rest rest{.rules = {}, .by_ggml_type = load_ggml_types(file)};
  rest.rules = QuantizationRules::load(file);
  return rest;
}

base::Result<StorageFormats> StorageFormats::load(const document::Document& document) {
  std::vector<base::Diagnostic> faults;
  StorageFormats table;
  Fields file(document, document.root, "", faults);
  file.allow_only({"schema", "formats", "ggml_types", "conventions", "sections", "cache_scales"});
  const Value* list = file.find("formats");
  if (list == nullptr || list->type != document::Type::object) {
    file.fault(Code::missing_key, "formats is missing", list, "a mapping of names to formats");
    return faults.front();
  }
  for (const document::Member& member : list->members) {
    StorageFormat format = load_format(document, member, faults);
    std::vector<std::string> names = format.spellings;
    names.push_back(format.name);
    for (const std::string& name : names) {
      if (!table.by_spelling_.emplace(fold(name), table.formats_.size()).second) {
        file.fault(Code::duplicate_key, "two formats are spelled " + base::printable(name),
                   &member.value);
      }
    }
    table.formats_.push_back(std::make_unique<StorageFormat>(std::move(format)));
  }
  table.rest_ = table.load_rest(file);
  table.check_references(file);
  if (!faults.empty()) return faults.front();
  return table;
}

StorageFormats StorageFormats::on_demand(FormatParts parts) {
  StorageFormats table;
  table.formats_.resize(parts.names.size());
  table.parts_ = std::move(parts);
  return table;
}

std::optional<std::size_t> StorageFormats::index_of(std::string_view folded) const {
  if (parts_) return parts_->index_of(folded);
  const auto found = by_spelling_.find(folded);
  return found == by_spelling_.end() ? std::nullopt : std::optional(found->second);
}

const StorageFormat& StorageFormats::at(std::size_t index) const {
  if (!formats_[index]) {
    const document::Document document = parts_->format(index);
    const Value& formats = *document.root.find("formats");
    std::vector<base::Diagnostic> faults;
    formats_[index] =
        std::make_unique<StorageFormat>(load_format(document, formats.members.front(), faults));
    base::require(faults.empty(), "an embedded storage format cannot be loaded");
  }
  return *formats_[index];
}

const StorageFormats::Rest& StorageFormats::rest() const {
  if (!rest_) {
    const document::Document document = parts_->rest();
    std::vector<base::Diagnostic> faults;
    Fields file(document, document.root, "", faults);
    rest_ = load_rest(file);
    base::require(faults.empty(), "the embedded rules of storage formats cannot be loaded");
  }
  return *rest_;
}

std::vector<const StorageFormat*> StorageFormats::all() const {
  std::vector<const StorageFormat*> formats;
  for (std::size_t i = 0; i < formats_.size(); ++i)
    formats.push_back(&at(i));
  return formats;
}

const StorageFormat* StorageFormats::of_ggml_type(std::uint32_t number) const {
  const auto found = rest().by_ggml_type.find(number);
  return found == rest().by_ggml_type.end() ? nullptr : &at(found->second);
}

// Every name of a format or convention inside the table.
void StorageFormats::check_references(Fields& file) const {
  const auto check = [&](const std::string& name, const std::string& where) {
    if (name.empty() || index_of(fold(name))) return;
    file.fault(Code::reference, where + ": no format is called " + base::printable(name));
  };
  for (const std::unique_ptr<StorageFormat>& read : formats_) {
    const StorageFormat& format = *read;
    check(format.falls_to, "formats." + format.name + ".falls_to");
    if (!format.convention.empty() && rules().convention(format.convention) == nullptr) {
      file.fault(Code::reference, "formats." + format.name +
                                      ".convention: no convention is called " +
                                      base::printable(format.convention));
    }
    if (!format.file) continue;
    check(format.file->base, "formats." + format.name + ".file.base");
    for (const Bump& bump : format.file->bumps)
      check(bump.to, "formats." + format.name + ".file.bumps");
  }
  for (const SectionRule& rule : rules().sections)
    check(rule.format, "sections");
  for (const Convention& convention : rules().conventions)
    check(convention.keeps_in, "conventions." + convention.name + ".keeps_in");
}

base::Result<const StorageFormat*> StorageFormats::find(std::string_view name) const {
  if (const auto made = variants_.find(name); made != variants_.end()) return made->second.get();
  if (const auto colon = name.find(':'); colon != std::string_view::npos) {
    ULLAGE_TRY(const StorageFormat* format, find(name.substr(0, colon)));
    return variant(*format, name.substr(colon + 1));
  }
  if (const auto index = index_of(fold(name))) return &at(*index);
  std::vector<std::string_view> names;
  for (const StorageFormat* format : all())
    names.push_back(format->name);
  return base::Diagnostic{.code = Code::unknown_name,
                          .message = "unknown weight format " + base::printable(name),
                          .span = {},
                          .hint = base::did_you_mean(base::nearest(name, names, 4)),
                          .notes = {}};
}

}  // namespace ullage::catalog

// Reads and applies the tables (docs/data-format.md, Quantised checkpoints).
#include "catalog/quantization_rules.hpp"

#include <algorithm>

#include "catalog/fields.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Type;
using document::Value;

std::string text_of(const Value& value) {
  if (value.type == Type::boolean) return value.boolean ? "true" : "false";
  return value.text;
}

std::vector<Condition> load_conditions(Fields& fields) {
  std::vector<Condition> conditions;
  const Value* when = fields.find("when");
  if (when == nullptr || when->type != Type::object) {
    fields.fault(Code::missing_key, fields.path_of("when") + " is missing", when,
                 "a mapping of keys to values, `present` or `absent`");
    return conditions;
  }
  for (const document::Member& member : when->members) {
    Condition condition{member.key, {}};
    if (member.value.type == Type::array) {
      for (const Value& item : member.value.items)
        condition.values.push_back(text_of(item));
    } else {
      condition.values.push_back(text_of(member.value));
    }
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

// Calls `read` for each entry of a list of mappings.
template <class Read>
void each(Fields& file, const char* key, const Read& read) {
  const Value* list = file.find(key);
  if (list == nullptr) return;
  if (list->type != Type::array) {
    file.fault(Code::wrong_type, std::string(key) + " must be a list", list);
    return;
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    Fields fields(file.document(), list->items[i], std::string(key) + "[" + std::to_string(i) + "]",
                  file.faults());
    read(fields);
  }
}

void load_conventions(Fields& file, QuantizationRules& rules) {
  const Value* list = file.find("conventions");
  if (list == nullptr) return;
  for (const document::Member& member : list->members) {
    Fields fields(file.document(), member.value, "conventions." + member.key, file.faults());
    fields.allow_only({"keeps", "keeps_in", "note", "source", "locator"});
    rules.conventions.push_back({member.key, fields.text_list("keeps"),
                                 fields.optional_text("keeps_in"), fields.optional_text("note"),
                                 fields.required_text("source"), fields.required_text("locator")});
  }
}

void load_section(Fields& fields, QuantizationRules& rules) {
  fields.allow_only(
      {"when", "format", "set", "skips", "needs_skips", "convention", "source", "locator"});
  SectionRule rule;
  rule.when = load_conditions(fields);
  rule.format = fields.required_text("format");
  if (const Value* set = fields.find("set"); set != nullptr) {
    for (const document::Member& member : set->members)
      rule.set.emplace_back(member.key, text_of(member.value));
  }
  rule.skips = fields.text_list("skips");
  const Value* needs = fields.find("needs_skips");
  rule.needs_skips = needs != nullptr && needs->boolean;
  rule.convention = fields.required_text("convention");
  rule.source = fields.required_text("source");
  rule.locator = fields.required_text("locator");
  if (!rule.convention.empty() && rules.convention(rule.convention) == nullptr) {
    fields.fault(Code::reference, "no convention is called " + base::printable(rule.convention),
                 fields.find("convention"), "one of conventions:");
  }
  rules.sections.push_back(std::move(rule));
}

void load_cache_scales(Fields& fields, QuantizationRules& rules) {
  fields.allow_only({"when", "bits", "source", "locator"});
  CacheScales scales;
  scales.when = load_conditions(fields);
  auto bits = exact::Rational::parse(fields.required_text("bits"));
  if (bits && bits->sign() > 0) {
    scales.bits = std::move(*bits);
  } else {
    fields.fault(Code::out_of_range, fields.path_of("bits") + " is no positive number of bits",
                 fields.find("bits"));
  }
  scales.source = fields.required_text("source");
  scales.locator = fields.required_text("locator");
  rules.cache_scales.push_back(std::move(scales));
}

}  // namespace

bool Convention::keeps_class(std::string_view class_name) const {
  return std::find(keeps.begin(), keeps.end(), class_name) != keeps.end();
}

bool Condition::holds(const SectionKeys& keys) const {
  const auto found = keys.find(key);
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    if (value == "absent") return found == keys.end();
    if (value == "present") return found != keys.end();
    return found != keys.end() && found->second == value;
  });
}

bool SectionRule::holds(const SectionKeys& keys) const {
  return std::all_of(when.begin(), when.end(),
                     [&](const Condition& condition) { return condition.holds(keys); });
}

std::string SectionRule::format_name(const SectionKeys& keys) const {
  std::string name = format;
  bool first = true;
  for (const auto& [parameter, text] : set) {
    std::string value = text;
    if (text.starts_with('$')) {
      const auto found = keys.find(std::string_view(text).substr(1));
      if (found == keys.end()) continue;
      value = found->second;
    }
    name += (first ? ":" : ",") + parameter + "=" + value;
    first = false;
  }
  return name;
}

QuantizationRules QuantizationRules::load(Fields& file) {
  QuantizationRules rules;
  load_conventions(file, rules);
  each(file, "sections", [&](Fields& fields) { load_section(fields, rules); });
  each(file, "cache_scales", [&](Fields& fields) { load_cache_scales(fields, rules); });
  return rules;
}

const Convention* QuantizationRules::convention(std::string_view name) const {
  for (const Convention& convention : conventions) {
    if (convention.name == name) return &convention;
  }
  return nullptr;
}

const SectionRule* QuantizationRules::section(const SectionKeys& keys) const {
  for (const SectionRule& rule : sections) {
    if (rule.holds(keys)) return &rule;
  }
  return nullptr;
}

}  // namespace ullage::catalog

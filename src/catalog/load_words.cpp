// Reads them, each with its source.
#include "catalog/load_words.hpp"

#include <array>

#include "base/spelling.hpp"
#include "catalog/figure_names.hpp"
#include "catalog/load_figures.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Value;

Comparison load_comparison(Fields fields) {
  Comparison comparison;
  fields.allow_only({"with", "figure", "against", "factor"});
  comparison.with = fields.required_text("with");
  comparison.figure = fields.optional_text("figure");
  comparison.against = fields.optional_text("against");
  if (comparison.against.empty()) comparison.against = comparison.figure;
  for (const std::string_view key : {"figure", "against"}) {
    const std::string name = fields.has(key) ? fields.optional_text(key) : std::string();
    if (name.empty() || find_hardware_figure(name) != nullptr) continue;
    fields.fault(Code::unknown_key, "unknown figure " + base::printable(name), fields.find(key),
                 "`ullage help figures` lists them");
  }
  comparison.factor = fields.required_text("factor");
  if (comparison.factor.empty()) return comparison;
  const auto factor = exact::Rational::parse(comparison.factor);
  if (!factor || factor->sign() <= 0) {
    fields.fault(Code::out_of_range,
                 "factor " + base::printable(comparison.factor) + " is no number above zero",
                 fields.find("factor"), "as the source prints it: 6.7");
    return comparison;
  }
  comparison.value = *factor;
  comparison.last_place = last_place_of(comparison.factor);
  return comparison;
}

Statement load_statement(Fields fields, const SourceLookup& source) {
  Statement statement;
  fields.allow_only(
      {"text", "source", "locator", "date", "applies_to", "sets", "compares", "note"});
  statement.text = fields.required_text("text");
  const std::vector<std::string> sources = load_source_ids(fields, source);
  if (!sources.empty()) statement.source = sources.front();
  statement.locator = fields.required_text("locator", Code::unsourced);
  statement.date = fields.optional_text("date");
  statement.note = fields.optional_text("note");
  statement.applies_to = fields.text_list("applies_to");
  if (const Value* sets = fields.find("sets")) {
    Fields pairs(fields.document(), *sets, fields.path_of("sets"), fields.faults());
    for (const document::Member& member : sets->members) {
      statement.sets[member.key] = pairs.required_text(member.key);
    }
  }
  if (const Value* compares = fields.find("compares")) {
    const std::string path = fields.path_of("compares");
    const bool several = compares->type == document::Type::array;
    const std::vector<Value> one = several ? std::vector<Value>() : std::vector<Value>{*compares};
    for (const Value& item : several ? compares->items : one) {
      statement.compares.push_back(
          load_comparison(Fields(fields.document(), item, path, fields.faults())));
    }
  }
  return statement;
}

}  // namespace

TextFact load_text_fact(Fields fields, std::string name, const SourceLookup& source,
                        std::span<const std::string_view> further) {
  TextFact fact;
  fact.name = std::move(name);
  constexpr std::array<std::string_view, 7> kOwn{"value",  "unknown", "status", "printed",
                                                 "source", "locator", "note"};
  if (further.empty()) {
    fields.allow_only(kOwn);
  } else {
    std::vector<std::string_view> keys(kOwn.begin(), kOwn.end());
    keys.insert(keys.end(), further.begin(), further.end());
    fields.allow_only(keys);
  }
  fact.note = fields.optional_text("note");
  if (fields.has("unknown")) {
    fact.unknown = fields.required_text("unknown");
    return fact;
  }
  fact.value = fields.required_text("value");
  fact.printed = fields.optional_text("printed");
  std::vector<std::string> sources = load_source_ids(fields, source);
  if (!sources.empty()) {
    fact.source = sources.front();
    fact.also.assign(sources.begin() + 1, sources.end());
  }
  fact.locator = fields.required_text("locator", Code::unsourced);
  return fact;
}

std::vector<TextFact> load_attributes(Fields& fields, const SourceLookup& source) {
  std::vector<TextFact> facts;
  const Value* attributes = fields.find("attributes");
  if (attributes == nullptr) return facts;
  const std::string path = fields.path_of("attributes");
  if (Fields list(fields.document(), *attributes, path, fields.faults()); list.valid()) {
    for (const document::Member& member : attributes->members) {
      facts.push_back(load_text_fact(
          Fields(fields.document(), member.value, path + "." + member.key, fields.faults()),
          member.key, source));
    }
  }
  return facts;
}

std::vector<Statement> load_statements(Fields& fields, const SourceLookup& source) {
  std::vector<Statement> list;
  const Value* statements = fields.find("statements");
  if (statements == nullptr) return list;
  const std::string path = fields.path_of("statements");
  if (statements->type != document::Type::array) {
    fields.fault(Code::wrong_type, path + " must be a list", statements);
  }
  for (const Value& item : statements->items) {
    list.push_back(load_statement(Fields(fields.document(), item, path, fields.faults()), source));
  }
  return list;
}

}  // namespace ullage::catalog

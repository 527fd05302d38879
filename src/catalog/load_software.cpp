// What software does on a chip: one mapping a stack.
#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "catalog/fields.hpp"
#include "catalog/load_figures.hpp"
#include "catalog/load_parts.hpp"
#include "catalog/load_words.hpp"
#include "catalog/software.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Value;
using provenance::Relation;

Relation relation_of(Fields& fields) {
  const std::string text = fields.optional_text("relation");
  if (text.empty()) return Relation::pinned;
  for (const auto relation :
       {Relation::other_page, Relation::older_version, Relation::different_scope,
        Relation::recomputed, Relation::secondary_source}) {
    if (text == provenance::name_of(relation)) return relation;
  }
  fields.fault(Code::out_of_range, "unknown relation " + base::printable(text),
               fields.find("relation"),
               "other-page, older-version, different-scope, recomputed or secondary-source");
  return Relation::other_page;
}

ListFact load_list(Fields fields, const std::string& name, const SourceLookup& source) {
  ListFact fact;
  fact.name = name;
  fields.allow_only(
      {"values", "unknown", "status", "when", "printed", "source", "locator", "relation", "note"});
  fact.note = fields.optional_text("note");
  if (const Value* when = fields.find("when")) {
    Fields pairs(fields.document(), *when, fields.path_of("when"), fields.faults());
    for (const document::Member& member : when->members)
      fact.when[member.key] = pairs.required_text(member.key);
  }
  if (fields.has("unknown")) {
    fact.unknown = fields.required_text("unknown");
    return fact;
  }
  fact.values = fields.text_list("values");
  if (fact.values.empty() && fields.valid()) {
    fields.fault(Code::missing_key, fields.path_of("values") + " is missing or empty", nullptr,
                 "the values, or `unknown:` with what was looked at");
  }
  fact.printed = fields.required_text("printed");
  const std::vector<std::string> sources = load_source_ids(fields, source);
  if (!sources.empty()) {
    fact.source = sources.front();
    fact.also.assign(sources.begin() + 1, sources.end());
  }
  fact.locator = fields.required_text("locator", Code::unsourced);
  fact.relation = relation_of(fields);
  return fact;
}

void load_lists(Fields& fields, const SourceLookup& source, Software& software) {
  const Value* lists = fields.find("lists");
  if (lists == nullptr) return;
  Fields names(fields.document(), *lists, fields.path_of("lists"), fields.faults());
  for (const document::Member& member : lists->members) {
    const auto& known = software_list_names();
    const bool found = std::any_of(known.begin(), known.end(), [&](const SoftwareFactName& row) {
      return row.name == member.key;
    });
    if (!found) {
      std::vector<std::string_view> candidates;
      for (const SoftwareFactName& row : known)
        candidates.push_back(row.name);
      fields.faults().push_back(
          {.code = Code::unknown_key,
           .severity = base::Severity::error,
           .message = "unknown list " + base::printable(member.key),
           .span = fields.document().span(member),
           .hint = base::did_you_mean(base::nearest(member.key, candidates, 3)),
           .notes = {}});
      continue;
    }
    const std::string path = names.path_of(member.key);
    if (member.value.type != document::Type::array) {
      software.lists.push_back(load_list(
          Fields(fields.document(), member.value, path, fields.faults()), member.key, source));
      continue;
    }
    for (const Value& item : member.value.items) {
      software.lists.push_back(
          load_list(Fields(fields.document(), item, path, fields.faults()), member.key, source));
    }
  }
}

void load_support(Fields& fields, const SourceLookup& source, Software& software) {
  const Value* found = fields.find("support");
  if (found == nullptr) {
    fields.fault(Code::missing_key, fields.path_of("support") +
                                        " is missing: whether the stack "
                                        "runs on the chip");
    return;
  }
  constexpr std::array<std::string_view, 3> kVersions{"from", "until", "counts"};
  Fields support(fields.document(), *found, fields.path_of("support"), fields.faults());
  software.support = load_text_fact(support, "support", source, kVersions);
  software.from = support.optional_text("from");
  software.until = support.optional_text("until");
  software.counts = support.optional_text("counts");
  const std::string& value = software.support.value;
  if (!value.empty() && value != "supported" && value != "unsupported") {
    fields.fault(Code::out_of_range, "unknown support " + base::printable(value), found,
                 "supported, unsupported, or `unknown:` with a reason");
  }
  const bool versions = !software.from.empty() || !software.until.empty();
  if (versions && software.counts.empty()) {
    support.fault(Code::missing_key,
                  support.path_of("counts") + " is missing: of what these are versions", nullptr,
                  "counts: Neuron SDK");
  }
}

}  // namespace

void load_software(const document::Document& document, const Value& software,
                   const SourceLookup& source, Entry& chip, std::vector<base::Diagnostic>& faults) {
  Fields list(document, software, std::string(kSoftware), faults);
  if (!list.valid()) return;
  for (const document::Member& member : software.members) {
    Fields fields(document, member.value, list.path_of(member.key), faults);
    fields.allow_only({"name", "engine", "support", "lists", "figures", "statements", "note"});
    Software& stack = chip.software.emplace_back();
    stack.id = member.key;
    stack.name = fields.required_text("name");
    stack.engine = fields.optional_text("engine");
    load_support(fields, source, stack);
    load_lists(fields, source, stack);
    if (const Value* figures = fields.find("figures")) {
      stack.figures = load_figures(document, *figures, fields.path_of("figures"),
                                   FigureTable::software, chip.kind, source, faults);
    }
    stack.statements = load_statements(fields, source);
  }
}

}  // namespace ullage::catalog

// Lays an answer out as JSON members.
#include "report/json.hpp"

#include <map>
#include <set>

#include "report/json_writer.hpp"
#include "report/reach.hpp"

namespace ullage::report {
namespace {

using provenance::Absence;
using provenance::Answer;
using provenance::Claim;
using provenance::FigureId;
using provenance::FigureKind;
using provenance::Node;
using Layout = JsonWriter::Layout;

// Names of figures in the text.
class FigureNames {
 public:
  explicit FigureNames(const Answer& answer) {
    order_ = reachable(answer.graph, figures_of(answer.rows));
    for (std::size_t at = 0; at < order_.size(); ++at) {
      names_.emplace(order_[at], "f" + std::to_string(at + 1));
    }
  }

  const std::vector<FigureId>& order() const { return order_; }
  const std::string& of(FigureId id) const { return names_.at(id); }

 private:
  std::vector<FigureId> order_;
  std::map<FigureId, std::string> names_;
};

// A bound of a range, and `NAME_exact` where digits do not hold it.
void write_bound(JsonWriter& json, const std::string& name, const exact::Rational& value) {
  json.member(name, value);
  if (!value.is_whole()) json.member(name + "_exact", value.to_string());
}

// `value`, and `exact` where digits do not hold it.
void write_value(JsonWriter& json, const exact::Rational& value) {
  json.member("value", value);
  if (!value.is_whole()) json.member("exact", value.to_string());
}

void write_value_of(JsonWriter& json, const Node& node) {
  if (node.value) {
    write_value(json, *node.value);
    if (node.range) {
      write_bound(json, "low", node.range->low());
      write_bound(json, "high", node.range->high());
    }
    return;
  }
  json.key("value");
  json.null();
  json.member("unknown", node.unknown);
  json.member("status", provenance::name_of(node.absence));
}

// What the unit's symbol does not tell: `"measure": {"kind": "dense", "scope": "chip"}`.
void write_measure(JsonWriter& json, const units::Unit& unit) {
  if (unit == units::Unit{.dimension = unit.dimension}) return;
  json.key("measure");
  json.begin_object(Layout::one_line);
  if (unit.kind != units::Kind::plain) json.member("kind", units::name_of(unit.kind));
  if (unit.direction != units::Direction::none) {
    json.member("direction", units::name_of(unit.direction));
  }
  if (unit.scope != units::Scope::none) json.member("scope", units::name_of(unit.scope));
  json.end_object();
}

std::string_view level_name(base::Severity level) {
  return level == base::Severity::error     ? "error"
         : level == base::Severity::warning ? "warning"
                                            : "note";
}

// What a rule says, as the other notes with its place.
void write_finding(JsonWriter& json, const base::Finding& finding) {
  json.begin_object(Layout::one_line);
  json.member("code", finding.rule);
  json.member("level", level_name(finding.level));
  json.member("text", finding.message);
  json.member_unless_empty("file", finding.span.file);
  if (finding.span.line > 0) json.member("line", exact::Rational(finding.span.line));
  if (finding.span.column > 0) json.member("column", exact::Rational(finding.span.column));
  json.end_object();
}

void write_notes(JsonWriter& json, const std::vector<base::Finding>& findings,
                 const std::vector<base::Note>& notes) {
  json.key("notes");
  json.begin_array();
  for (const base::Finding& finding : findings)
    write_finding(json, finding);
  for (const base::Note& note : notes) {
    json.begin_object(Layout::one_line);
    json.member("code", note.code);
    json.member("level", level_name(note.level));
    json.member("text", note.text);
    json.member_unless_empty("source", note.source);
    json.member_unless_empty("locator", note.locator);
    json.end_object();
  }
  json.end_array();
}

// Facts in words: `"attributes": {"memory_type": {"value": "HBM3", "source": …, "locator": …}}`.
void write_attributes(JsonWriter& json, const std::vector<provenance::NamedText>& attributes) {
  if (attributes.empty()) return;
  json.key("attributes");
  json.begin_object();
  std::set<std::string_view> written;
  for (const provenance::NamedText& fact : attributes) {
    base::require(written.insert(fact.name).second, "a fact named twice: " + fact.name);
    json.key(fact.name);
    json.begin_object(Layout::one_line);
    json.member_or_null("value", fact.value);
    if (fact.value.empty()) json.member("unknown", fact.unknown);
    json.member_unless_empty("source", fact.source);
    json.member_unless_empty("locator", fact.locator);
    json.member_unless_empty("note", fact.note);
    json.end_object();
  }
  json.end_object();
}

// `"plan": {"tp": 8}` and `"plan_lines": {"tp": 12}`.
void write_plan(JsonWriter& json, const std::vector<provenance::PlanField>& plan) {
  if (plan.empty()) return;
  json.key("plan");
  json.begin_object();
  for (const provenance::PlanField& field : plan) {
    if (field.number) {
      json.member(field.name, *field.number);
    } else {
      json.member(field.name, field.text);
    }
  }
  json.end_object();
  json.key("plan_lines");
  json.begin_object(Layout::one_line);
  for (const provenance::PlanField& field : plan) {
    if (field.where.line > 0) json.member(field.name, exact::Rational(field.where.line));
  }
  json.end_object();
}

void write_row(JsonWriter& json, const Answer& answer, const provenance::Row& row,
               const FigureNames& names) {
  json.begin_object();
  json.member_unless_empty("model", row.model);
  json.member_unless_empty("device", row.device);
  json.member_unless_empty("verdict", row.verdict);
  write_plan(json, row.plan);
  json.key("results");
  json.begin_object();
  std::set<std::string_view> written;
  for (const provenance::NamedFigure& result : row.results) {
    base::require(written.insert(result.name).second, "a result named twice: " + result.name);
    const Node& node = answer.graph[result.figure];
    json.key(result.name);
    json.begin_object(Layout::one_line);
    write_value_of(json, node);
    json.member("unit", units::symbol_of(node.unit.dimension));
    json.member("figure", names.of(result.figure));
    json.end_object();
  }
  json.end_object();
  write_attributes(json, row.attributes);
  write_notes(json, row.findings, row.notes);
  json.end_object();
}

// Beside a derived figure no claim is pinned: its value is computed.
void write_claim(JsonWriter& json, const Claim& claim, bool is_published) {
  json.begin_object();
  write_value(json, claim.quantity.value);
  json.member("unit", units::symbol_of(claim.quantity.unit.dimension));
  write_measure(json, claim.quantity.unit);
  json.member_unless_empty("printed", claim.printed);
  json.member_or_null("source", claim.source);
  if (!claim.also.empty()) {
    json.key("also");
    json.begin_array(Layout::one_line);
    for (const std::string& source : claim.also)
      json.string(source);
    json.end_array();
  }
  json.member_or_null("locator", claim.locator);
  json.member("tier", provenance::name_of(claim.tier));
  json.member_unless_empty("checked", claim.checked);
  if (is_published || claim.relation != provenance::Relation::pinned) {
    json.member("relation", provenance::name_of(claim.relation));
  }
  json.member_unless_empty("pinned", claim.pinned);
  json.member_unless_empty("derivation", claim.derivation);
  json.member_unless_empty("note", claim.note);
  json.end_object();
}

void write_claims(JsonWriter& json, const std::vector<Claim>& claims, bool is_published) {
  if (claims.empty()) return;
  if (is_published) json.member_unless_empty("printed", claims.front().printed);
  json.key("claims");
  json.begin_array();
  for (const Claim& claim : claims)
    write_claim(json, claim, is_published);
  json.end_array();
}

void write_figure(JsonWriter& json, const Node& node, provenance::Tier tier,
                  const FigureNames& names) {
  json.begin_object();
  json.member("name", node.name);
  write_value_of(json, node);
  json.member("unit", units::symbol_of(node.unit.dimension));
  write_measure(json, node.unit);
  json.member("kind", provenance::name_of(node.kind));
  if (tier != provenance::Tier::primary) json.member("tier", provenance::name_of(tier));
  json.member_or_null("formula", node.formula);
  json.member_unless_empty("citation", node.citation);
  json.key("inputs");
  json.begin_array(Layout::one_line);
  for (FigureId input : node.inputs)
    json.string(names.of(input));
  json.end_array();
  const bool is_published = node.kind == FigureKind::published;
  const bool is_claimed = is_published && !node.claims.empty();
  json.member_or_null("source", is_claimed ? node.claims.front().source : std::string());
  json.member_or_null("locator", is_claimed ? node.claims.front().locator : node.locator);
  write_claims(json, node.claims, is_published);
  json.member_unless_empty("where", node.where);
  json.member_unless_empty("note", node.note);
  json.end_object();
}

void write_source(JsonWriter& json, const provenance::Source& source) {
  json.begin_object();
  json.member("title", source.title);
  json.member("publisher", source.publisher);
  json.member("url", source.url);
  json.member("revision", source.revision);
  json.member("checked", source.checked);
  json.member("tier", provenance::name_of(source.tier));
  json.member_unless_empty("note", source.note);
  json.end_object();
}

void write_tool(JsonWriter& json, const ToolInfo& tool) {
  json.key("tool");
  json.begin_object(Layout::one_line);
  json.member("version", tool.version);
  json.key("catalogue");
  json.begin_object();
  json.member("version", tool.catalogue_version);
  json.member("digest", tool.catalogue_digest);
  json.end_object();
  json.end_object();
}

}  // namespace

std::string to_json(const Answer& answer, const ToolInfo& tool, const SourceLookup& sources) {
  const FigureNames names(answer);
  JsonWriter json;
  json.begin_object();
  json.member("schema", "ullage/result/1");
  write_tool(json, tool);
  json.member("command", answer.command);
  json.key("rows");
  json.begin_array();
  for (const provenance::Row& row : answer.rows)
    write_row(json, answer, row, names);
  json.end_array();
  json.key("figures");
  json.begin_object();
  for (FigureId id : names.order()) {
    json.key(names.of(id));
    const bool derived = answer.graph[id].kind == FigureKind::derived;
    write_figure(json, answer.graph[id],
                 derived ? weakest_tier(answer.graph, id) : provenance::Tier::primary, names);
  }
  json.end_object();
  json.key("sources");
  json.begin_object();
  for (std::string_view id : cited_sources(answer.graph, answer.rows)) {
    json.key(id);
    write_source(json, source_of(sources, id));
  }
  json.end_object();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace ullage::report

// One claim is a number in its printed unit, a source and a locator. Several are a conflict with
// one pin and its reason.
#include "catalog/load_figures.hpp"

#include <algorithm>
#include <optional>

#include "base/spelling.hpp"
#include "catalog/figure_names.hpp"

namespace ullage::catalog {
namespace {

using base::Code;
using document::Value;
using provenance::Claim;
using provenance::Relation;

std::optional<units::Direction> direction_named(std::string_view text) {
  for (const auto direction :
       {units::Direction::one_way, units::Direction::both_ways, units::Direction::not_stated}) {
    if (text == units::name_of(direction)) return direction;
  }
  return std::nullopt;
}

std::optional<Relation> relation_named(std::string_view text) {
  for (const auto relation :
       {Relation::other_page, Relation::older_version, Relation::different_scope,
        Relation::recomputed, Relation::secondary_source}) {
    if (text == provenance::name_of(relation)) return relation;
  }
  return std::nullopt;
}

units::Unit unit_for(const FigureName& name, EntryKind kind) {
  units::Unit unit{.dimension = name.dimension, .kind = name.kind, .scope = name.scope};
  if (unit.scope != units::Scope::chip) return unit;
  if (kind == EntryKind::instance) unit.scope = units::Scope::instance;
  if (kind == EntryKind::system) unit.scope = units::Scope::system;
  if (kind == EntryKind::partition) unit.scope = units::Scope::partition;
  if (name.name.ends_with("_per_chip")) unit.scope = units::Scope::chip;
  return unit;
}

void load_value(Fields& fields, const FigureName& name, Claim& claim) {
  claim.written = fields.required_text("value");
  if (claim.written.empty()) return;
  auto written = units::parse_written(claim.written);
  if (!written) {
    base::Diagnostic fault = std::move(written).error();
    fault.message = fields.path_of("value") + ": " + fault.message;
    fault.span = fields.document().span(*fields.find("value"));
    fields.faults().push_back(std::move(fault));
    return;
  }
  if (written->dimension != name.dimension) {
    fields.fault(Code::unit,
                 fields.path_of("value") + " is in " + units::symbol_of(written->dimension) +
                     ", but " + std::string(name.name) + " is in " +
                     units::symbol_of(name.dimension),
                 fields.find("value"));
    return;
  }
  if (written->number.sign() < 0) {
    fields.fault(Code::out_of_range, fields.path_of("value") + " is negative",
                 fields.find("value"));
  }
  claim.quantity.value = written->value();
  const std::string_view text = claim.written;
  const std::string_view number = text.substr(0, text.find_first_not_of("0123456789.+-eE"));
  // An exponent letter that belongs to the unit (`1 EFLOPS`) is cut off by the blank before it.
  claim.last_place = last_place_of(number) * written->scale;
}

Claim load_claim(Fields fields, const FigureName& name, EntryKind kind, const SourceLookup& source,
                 bool alone) {
  Claim claim;
  fields.allow_only({"value", "printed", "source", "locator", "tier", "checked", "relation",
                     "pinned", "derivation", "direction", "note"});
  claim.span = fields.span();
  claim.quantity.unit = unit_for(name, kind);
  load_value(fields, name, claim);
  claim.printed = fields.optional_text("printed");
  claim.derivation = fields.optional_text("derivation");
  claim.note = fields.optional_text("note");
  claim.pinned = fields.optional_text("pinned");
  if (claim.printed.empty() && claim.derivation.empty() && fields.valid()) {
    fields.fault(Code::missing_key, fields.path_of("printed") + " is missing", nullptr,
                 "what the source prints, or `derivation:` for a computed figure");
  }
  std::vector<std::string> ids = load_source_ids(fields, source);
  claim.locator = fields.required_text("locator", Code::unsourced);
  if (!ids.empty()) {
    claim.source = ids.front();
    claim.also.assign(ids.begin() + 1, ids.end());
    if (const provenance::Source* found = source(claim.source)) {
      claim.tier = found->tier;
      claim.checked = found->checked;
    }
  }
  if (const std::string tier = fields.optional_text("tier"); !tier.empty()) {
    claim.tier = tier == "primary"  ? provenance::Tier::primary
                 : tier == "quoted" ? provenance::Tier::quoted
                                    : provenance::Tier::secondary;
    if (tier != provenance::name_of(claim.tier)) {
      fields.fault(Code::out_of_range, "unknown tier " + base::printable(tier), fields.find("tier"),
                   "primary, quoted or secondary");
    }
  }
  if (const std::string checked = fields.optional_text("checked"); !checked.empty()) {
    claim.checked = checked;
    if (!is_date(checked)) {
      fields.fault(Code::out_of_range, "checked is no date", fields.find("checked"), "YYYY-MM-DD");
    }
  }
  if (name.directed) {
    const std::string text = fields.required_text("direction");
    const auto direction = direction_named(text);
    if (!text.empty() && !direction) {
      fields.fault(Code::out_of_range, "unknown direction " + base::printable(text),
                   fields.find("direction"), "one-way, both-ways or not-stated");
    }
    claim.quantity.unit.direction = direction.value_or(units::Direction::not_stated);
  } else if (fields.has("direction")) {
    fields.fault(Code::unknown_key, fields.path_of("direction") + " is only for link figures",
                 fields.find("direction"));
  }
  if (const std::string text = fields.optional_text("relation"); !text.empty()) {
    const auto relation = relation_named(text);
    if (!relation) {
      fields.fault(Code::out_of_range, "unknown relation " + base::printable(text),
                   fields.find("relation"),
                   "other-page, older-version, different-scope, recomputed or secondary-source");
    }
    claim.relation = relation.value_or(Relation::other_page);
  } else if (!alone && claim.pinned.empty() && fields.valid()) {
    fields.fault(
        Code::missing_key,
        fields.path_of("relation") + " is missing: how the claim relates to the pinned one",
        nullptr, "other-page, older-version, different-scope, recomputed or secondary-source");
  }
  return claim;
}

void load_claims(Fields& fields, const FigureName& name, EntryKind kind, const SourceLookup& source,
                 FigureFact& fact) {
  const Value& list = *fields.find("claims");
  fields.allow_only({"claims", "note"});
  if (list.type != document::Type::array || list.items.size() < 2) {
    fields.fault(Code::wrong_type, fields.path_of("claims") + " must be a list of two or more",
                 &list, "a single claim stands directly under the figure");
    return;
  }
  std::size_t pins = 0;
  for (const Value& item : list.items) {
    Claim claim =
        load_claim(Fields(fields.document(), item, fields.path_of("claims"), fields.faults()), name,
                   kind, source, false);
    const bool pin = !claim.pinned.empty();
    pins += pin ? 1 : 0;
    // The pinned claim comes first; the others keep their order.
    fact.claims.insert(pin ? fact.claims.begin() : fact.claims.end(), std::move(claim));
  }
  if (pins != 1) {
    fields.fault(Code::conflict,
                 fields.path_of("claims") + " has " + std::to_string(pins) + " pinned claims",
                 &list, "exactly one claim has `pinned:` with the reason");
  }
}

FigureFact load_named(Fields fields, const FigureName& name, EntryKind kind,
                      const SourceLookup& source) {
  FigureFact fact;
  fact.name = std::string(name.name);
  fact.span = fields.span();
  fact.unit = unit_for(name, kind);
  if (!fields.valid()) return fact;
  if (fields.has("unknown")) {
    fields.allow_only({"unknown", "status", "note"});
    fact.unknown = fields.required_text("unknown");
    const std::string status = fields.required_text("status");
    fact.absence = status == "unsupported" ? provenance::Absence::unsupported
                                           : provenance::Absence::unpublished;
    if (!status.empty() && status != provenance::name_of(fact.absence)) {
      fields.fault(Code::out_of_range, "unknown status " + base::printable(status),
                   fields.find("status"), "unpublished or unsupported");
    }
    fact.note = fields.optional_text("note");
    return fact;
  }
  if (fields.has("claims")) {
    load_claims(fields, name, kind, source, fact);
    fact.note = fields.optional_text("note");
  } else {
    fact.claims.push_back(load_claim(fields, name, kind, source, true));
  }
  if (!fact.claims.empty()) fact.unit = fact.claims.front().quantity.unit;
  return fact;
}

}  // namespace

exact::Rational last_place_of(std::string_view number) {
  int exponent = 0;
  if (const auto e = number.find_first_of("eE"); e != std::string_view::npos) {
    if (auto parsed = exact::Rational::parse(number.substr(e + 1))) {
      exponent = static_cast<int>(parsed->to_int64().value_or(0));
    }
    number = number.substr(0, e);
  }
  const auto point = number.find('.');
  const int digits =
      point == std::string_view::npos ? 0 : static_cast<int>(number.size() - point - 1);
  return exact::power_of_ten(exponent - digits);
}

bool is_count(const FigureFact& fact) {
  return fact.unit.dimension == units::kNumber && !fact.name.ends_with("_share") &&
         !fact.name.ends_with("_utilization");
}

std::vector<std::string> load_source_ids(Fields& fields, const SourceLookup& source) {
  std::vector<std::string> ids = fields.one_or_more_texts("source", Code::unsourced);
  for (const std::string& id : ids) {
    if (source(id) != nullptr) continue;
    fields.fault(Code::reference, "no source has the id " + base::printable(id),
                 fields.find("source"), "add it to sources.yaml");
  }
  return ids;
}

std::optional<FigureFact> load_figure(const document::Document& document,
                                      const document::Member& member, const std::string& path,
                                      FigureTable table, EntryKind kind, const SourceLookup& source,
                                      std::vector<base::Diagnostic>& faults) {
  const FigureName* name = table == FigureTable::hardware ? find_hardware_figure(member.key)
                           : table == FigureTable::model  ? find_model_figure(member.key)
                                                          : find_software_figure(member.key);
  if (name != nullptr) {
    return load_named(Fields(document, member.value, path + "." + member.key, faults), *name, kind,
                      source);
  }
  const std::vector<FigureName>& rows = table == FigureTable::hardware ? hardware_figure_names()
                                        : table == FigureTable::model  ? model_figure_names()
                                                                       : software_figure_names();
  std::vector<std::string_view> names;
  for (const FigureName& row : rows)
    names.push_back(row.name);
  faults.push_back({.code = Code::unknown_key,
                    .severity = base::Severity::error,
                    .message = "unknown figure " + base::printable(member.key),
                    .span = document.span(member),
                    .hint = base::did_you_mean(base::nearest(member.key, names, 3)),
                    .notes = {}});
  return std::nullopt;
}

FigureList load_figures(const document::Document& document, const Value& figures,
                        const std::string& path, FigureTable table, EntryKind kind,
                        const SourceLookup& source, std::vector<base::Diagnostic>& faults) {
  FigureList facts;
  Fields list(document, figures, path, faults);
  if (!list.valid()) return facts;
  for (const document::Member& member : figures.members) {
    if (auto fact = load_figure(document, member, path, table, kind, source, faults)) {
      facts.set(std::move(*fact));
    }
  }
  return facts;
}

}  // namespace ullage::catalog

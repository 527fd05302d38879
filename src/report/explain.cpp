// Walks from a figure down to what it rests on.
#include "report/explain.hpp"

#include <map>
#include <set>
#include <string>

#include "report/formula_text.hpp"
#include "report/value_text.hpp"

namespace ullage::report {
namespace {

using provenance::Claim;
using provenance::FigureId;
using provenance::FigureKind;
using provenance::Graph;
using provenance::NamedFigure;
using provenance::Node;
using provenance::Relation;
using provenance::Source;

std::string_view words_of(Relation relation) {
  switch (relation) {
    case Relation::pinned:
      return "pinned";
    case Relation::other_page:
      return "another page of the publisher";
    case Relation::older_version:
      return "an older version of the page";
    case Relation::different_scope:
      return "counts something else";
    case Relation::recomputed:
      return "computed from other published figures";
    case Relation::secondary_source:
      return "a third party";
  }
  return "";
}

// `87.61 GB (81.60 GiB), exactly 87,617,332,838.4 B`; the exact value only where it says more.
Text value_with_exact(const exact::Rational& value, const units::Unit& unit,
                      exact::Rounding rounding) {
  const std::string shown = value_text(value, unit, {.rounding = rounding});
  const std::string exactly = exact_text(value, unit);
  const bool marked =
      value_text(value, unit, {.rounding = rounding, .mark_rounded = true}) != shown;
  const bool is_bytes = unit.dimension == units::kBytes;
  Text text(shown, Role::emphasis);
  if (exactly != shown && (marked || is_bytes)) text.add(", exactly " + exactly);
  return text;
}

class Explainer {
 public:
  Explainer(const Graph& graph, const std::vector<NamedFigure>& figures,
            const SourceLookup& sources)
      : graph_(graph), sources_(sources) {
    for (const NamedFigure& figure : figures)
      result_names_.emplace(figure.figure, figure.name);
  }

  Section section(const NamedFigure& figure) {
    section_ = figure.name;
    items_.clear();
    add_figure(figure.figure, 0);
    return {Text(figure.name, Role::heading), {Bullets{std::move(items_)}}};
  }

 private:
  void add_figure(FigureId id, std::size_t depth) {
    const Node& node = graph_[id];
    const auto [earlier, is_new] = shown_in_.emplace(id, section_);
    Bullet item{headline(id, node, is_new), depth};
    if (!is_new) {
      const std::string where = earlier->second == section_ ? "" : earlier->second + " ";
      item.text.add(" [see " + where + "above]", Role::dim);
      items_.push_back(std::move(item));
      return;
    }
    item.text.add(" [" + origin(node) + "]", Role::dim);
    if (!node.value) item.details.push_back(Text("because ").add(node.unknown, Role::warning));
    add_formula(node, item.details);
    if (node.range) {
      item.details.push_back(Text("with other claims: " + range_text(*node.range, node.unit)));
    }
    const bool is_published = node.kind == FigureKind::published && !node.claims.empty();
    if (is_published) add_claim(node.claims.front(), item.details);
    if (!node.note.empty()) item.details.push_back(Text("note: " + node.note));
    const std::vector<FigureId> new_inputs = inputs_to_show(node, item.details);
    items_.push_back(std::move(item));
    for (std::size_t at = is_published ? 1 : 0; at < node.claims.size(); ++at)
      add_other_claim(node.claims[at], depth + 1);
    for (FigureId input : new_inputs)
      add_figure(input, depth + 1);
  }

  // The inputs that get items of their own. Parts that were shown before, such as the sizes of a
  // model, are gathered on one line of `details` instead; results are referred to by name.
  std::vector<FigureId> inputs_to_show(const Node& node, std::vector<Text>& details) const {
    std::vector<FigureId> to_show;
    std::string known;
    for (FigureId input : node.inputs) {
      const bool is_known = shown_in_.count(input) > 0 && result_names_.count(input) == 0;
      if (!is_known) {
        to_show.push_back(input);
        continue;
      }
      const Node& part = graph_[input];
      known += (known.empty() ? "from above: " : "; ") + part.name + " = " + figure_text(part);
    }
    if (!known.empty()) details.push_back(Text(std::move(known), Role::dim));
    return to_show;
  }

  Text headline(FigureId id, const Node& node, bool with_exact) const {
    Text text(node.name + " = ");
    if (!node.value) return text.add(figure_text(node), Role::warning);
    const auto named = result_names_.find(id);
    const exact::Rounding rounding =
        named == result_names_.end() ? exact::Rounding::nearest : rounding_for(named->second);
    if (with_exact) return text.append(value_with_exact(*node.value, node.unit, rounding));
    return text.add(value_text(*node.value, node.unit, {.rounding = rounding}), Role::emphasis);
  }

  static std::string origin(const Node& node) {
    std::string text;
    switch (node.kind) {
      case FigureKind::published:
        text = node.value ? "published" : std::string(provenance::name_of(node.absence));
        break;
      case FigureKind::given:
        text = "given: " + node.where;
        break;
      case FigureKind::assumed:
        text = "assumed: " + node.where;
        break;
      case FigureKind::derived:
        text = "derived";
        break;
    }
    if (node.kind == FigureKind::given && !node.locator.empty()) text += " (" + node.locator + ")";
    const bool says_more = node.unit != units::Unit{.dimension = node.unit.dimension};
    return says_more ? text + "; " + units::describe(node.unit) : text;
  }

  void add_formula(const Node& node, std::vector<Text>& details) const {
    if (node.formula.empty()) return;
    details.push_back(Text("= " + node.formula));
    const std::string numbers = with_numbers(graph_, node);
    if (!numbers.empty() && numbers != node.formula) details.push_back(Text("= " + numbers));
    if (!node.citation.empty()) details.push_back(Text("after " + node.citation, Role::dim));
  }

  // A claim that is not the figure's value: it disagrees with the pinned one, or it is printed
  // beside a derived figure.
  void add_other_claim(const Claim& claim, std::size_t depth) {
    const bool is_beside = claim.relation == Relation::pinned;
    Text text(is_beside ? "printed for the same: " : "another claim: ");
    const exact::Rounding rounding = exact::Rounding::nearest;
    text.append(value_with_exact(claim.quantity.value, claim.quantity.unit, rounding));
    if (!is_beside) text.add(" [" + std::string(words_of(claim.relation)) + "]", Role::warning);
    Bullet item{std::move(text), depth};
    add_claim(claim, item.details);
    items_.push_back(std::move(item));
  }

  void add_claim(const Claim& claim, std::vector<Text>& details) {
    std::string text;
    if (!claim.printed.empty()) text = "printed \"" + claim.printed + "\" in ";
    if (!claim.derivation.empty()) text += "computed as " + claim.derivation + " from ";
    add_source(text, claim.source, claim.locator, claim.tier, claim.checked, details);
    for (const std::string& id : claim.also)
      add_source("also printed in ", id, {}, claim.tier, {}, details);
    if (!claim.pinned.empty()) details.push_back(Text("pinned because: " + claim.pinned));
    if (!claim.note.empty()) details.push_back(Text("note: " + claim.note));
  }

  // Title and place; publisher, address, revision, day and tier where the source is new.
  void add_source(std::string text, const std::string& id, const std::string& locator,
                  provenance::Tier tier, const std::string& checked, std::vector<Text>& details) {
    const Source& source = source_of(sources_, id);
    const bool is_new = shown_sources_.insert(id).second;
    text += source.title;
    if (is_new && !source.publisher.empty()) text += ", " + source.publisher;
    if (!locator.empty()) text += ", " + locator;
    details.push_back(Text(std::move(text)));
    if (!is_new) return;
    std::string state;
    if (!source.revision.empty()) state += source.revision + "; ";
    const std::string& day = checked.empty() ? source.checked : checked;
    if (!day.empty()) state += "checked " + day + "; ";
    state += std::string(provenance::name_of(tier)) + " source";
    details.push_back(Text(std::move(state), Role::dim));
    if (!source.url.empty()) details.push_back(Text(source.url, Role::link));
    if (!source.note.empty()) details.push_back(Text("source note: " + source.note, Role::dim));
  }

  const Graph& graph_;
  const SourceLookup& sources_;
  std::map<FigureId, std::string> result_names_;
  std::map<FigureId, std::string> shown_in_;  // the section that shows the figure in full
  std::set<std::string> shown_sources_;
  std::string section_;
  std::vector<Bullet> items_;
};

}  // namespace

std::vector<Section> explain(const Graph& graph, const std::vector<NamedFigure>& figures,
                             const SourceLookup& sources) {
  Explainer explainer(graph, figures, sources);
  std::vector<Section> sections;
  for (const NamedFigure& figure : figures)
    sections.push_back(explainer.section(figure));
  return sections;
}

}  // namespace ullage::report

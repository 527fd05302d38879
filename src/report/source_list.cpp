// Numbers sources and lays out their list.
#include "report/source_list.hpp"

#include <algorithm>
#include <set>

namespace ullage::report {

using provenance::Claim;
using provenance::FigureId;
using provenance::Source;

namespace {

// `: config.json, key hidden_size; head_dim; L30`: what a place has in common with the one before
// it, up to its last word, is not written again.
std::string places_of(const std::vector<std::string>& locators) {
  std::string text;
  std::string_view before;
  for (const std::string& locator : locators) {
    const std::size_t last_word = locator.rfind(' ') + 1;
    const std::string_view beginning = std::string_view(locator).substr(0, last_word);
    // A bracket that opens in the beginning closes behind it: half of it is not left out.
    const bool whole = std::count(beginning.begin(), beginning.end(), '(') ==
                       std::count(beginning.begin(), beginning.end(), ')');
    const bool is_common = whole && !before.empty() && beginning == before;
    text += text.empty() ? ": " : "; ";
    text += is_common ? locator.substr(last_word) : locator;
    before = beginning;
  }
  return text;
}

}  // namespace

std::size_t SourceList::number_of(const Claim& claim) {
  const auto [place, is_new] = numbers_.emplace(claim.source, entries_.size() + 1);
  if (is_new) entries_.push_back({claim.source, {}});
  std::vector<std::string>& locators = entries_[place->second - 1].locators;
  const bool is_known =
      std::find(locators.begin(), locators.end(), claim.locator) != locators.end();
  if (!claim.locator.empty() && !is_known) locators.push_back(claim.locator);
  return place->second;
}

std::string SourceList::marks(FigureId figure) {
  std::set<std::size_t> numbers;
  for (FigureId id : reachable(graph_, {figure})) {
    const provenance::Node& node = graph_[id];
    const bool is_published = node.kind == provenance::FigureKind::published;
    if (is_published && !node.claims.empty()) numbers.insert(number_of(node.claims.front()));
  }
  std::string text;
  for (std::size_t number : numbers) {
    if (!text.empty()) text += ' ';
    text += "[" + std::to_string(number) + "]";
  }
  return text;
}

Section SourceList::legend() const {
  Table table{{{"", Align::right}, {""}}, {}};
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    const Source& source = source_of(sources_, entries_[at].id);
    Text text(source.title + ", " + source.publisher);
    text.add(places_of(entries_[at].locators));
    std::string state;
    if (!source.revision.empty()) state += source.revision + "; ";
    if (!source.checked.empty()) state += "checked " + source.checked + "; ";
    state += std::string(provenance::name_of(source.tier)) + " source";
    text.add(" (" + state + ")", Role::dim);
    table.rows.push_back({{Text("[" + std::to_string(at + 1) + "]"), std::move(text)}});
    if (source.url.empty()) continue;
    table.rows.push_back({{Text(), Text(source.url, Role::link)}});
  }
  return {Text("Sources", Role::heading), {std::move(table)}};
}

}  // namespace ullage::report

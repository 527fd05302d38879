// Columns and quoting of CSV.
#include "report/csv.hpp"

#include <algorithm>
#include <vector>

#include "report/characters.hpp"
#include "report/reach.hpp"
#include "report/value_text.hpp"

namespace ullage::report {
namespace {

using provenance::Answer;
using provenance::NamedFigure;
using provenance::NamedText;
using provenance::Row;

constexpr unsigned kSignificantDigits = 17;

void add_name(std::vector<std::string_view>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::vector<std::string_view> result_names(const Answer& answer) {
  std::vector<std::string_view> names;
  for (const Row& row : answer.rows) {
    for (const NamedFigure& result : row.results)
      add_name(names, result.name);
  }
  return names;
}

const provenance::Node* result_of(const provenance::Graph& graph, const Row& row,
                                  std::string_view name) {
  const auto result = std::find_if(row.results.begin(), row.results.end(),
                                   [&](const NamedFigure& named) { return named.name == name; });
  return result == row.results.end() ? nullptr : &graph[result->figure];
}

std::string number_cell(const exact::Rational& value) {
  const std::string decimal = finite_decimal(value);
  return decimal.empty() ? value.to_significant(kSignificantDigits) : decimal;
}

// The columns of one result: its value and, where some row has a range, both ends of it.
struct ResultColumns {
  std::string_view name;
  bool with_range = false;

  void add_header(std::vector<std::string>& header) const {
    header.emplace_back(name);
    if (!with_range) return;
    header.push_back(std::string(name) + "_low");
    header.push_back(std::string(name) + "_high");
  }

  void add_cells(const provenance::Graph& graph, const Row& row,
                 std::vector<std::string>& cells) const {
    const provenance::Node* node = result_of(graph, row, name);
    const bool known = node != nullptr && node->value;
    const std::string instead = node == nullptr ? "" : "unknown";
    cells.push_back(known ? number_cell(*node->value) : instead);
    if (!with_range) return;
    const bool ranged = known && node->range;
    cells.push_back(!known ? instead : number_cell(ranged ? node->range->low() : *node->value));
    cells.push_back(!known ? instead : number_cell(ranged ? node->range->high() : *node->value));
  }
};

std::vector<ResultColumns> columns_of(const Answer& answer) {
  std::vector<ResultColumns> columns;
  for (const std::string_view name : result_names(answer)) {
    const bool ranged = std::any_of(answer.rows.begin(), answer.rows.end(), [&](const Row& row) {
      const provenance::Node* node = result_of(answer.graph, row, name);
      return node != nullptr && node->range;
    });
    columns.push_back({name, ranged});
  }
  return columns;
}

std::vector<std::string_view> attribute_names(const Answer& answer) {
  std::vector<std::string_view> names;
  for (const Row& row : answer.rows) {
    for (const NamedText& fact : row.attributes)
      add_name(names, fact.name);
  }
  return names;
}

std::string attribute_cell(const Row& row, std::string_view name) {
  const auto fact = std::find_if(row.attributes.begin(), row.attributes.end(),
                                 [&](const NamedText& named) { return named.name == name; });
  if (fact == row.attributes.end()) return {};
  return fact->value.empty() ? "unknown" : fact->value;
}

std::string sources_of(const provenance::Graph& graph, const Row& row) {
  std::string text;
  for (std::string_view id : cited_sources(graph, {&row, 1})) {
    if (!text.empty()) text += ';';
    text += id;
  }
  return text;
}

// `memory_capacity;tdp`: the results that rest on a secondary source.
std::string secondary_of(const provenance::Graph& graph, const Row& row) {
  std::string text;
  for (const NamedFigure& result : row.results) {
    if (!graph.known(result.figure)) continue;
    if (weakest_tier(graph, result.figure) != provenance::Tier::secondary) continue;
    text += (text.empty() ? "" : ";") + result.name;
  }
  return text;
}

void add_line(std::string& text, const std::vector<std::string>& fields) {
  for (std::size_t at = 0; at < fields.size(); ++at) {
    if (at > 0) text += ',';
    text += csv_field(well_formed(fields[at]));
  }
  text += '\n';
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (char character : text) {
    if (character == '"') field += '"';
    field += character;
  }
  field += '"';
  return field;
}

std::string to_csv(const Answer& answer) {
  const std::vector<ResultColumns> results = columns_of(answer);
  const std::vector<std::string_view> facts = attribute_names(answer);
  std::vector<std::string> header{"model", "device", "verdict"};
  for (const ResultColumns& columns : results)
    columns.add_header(header);
  header.insert(header.end(), facts.begin(), facts.end());
  header.emplace_back("secondary");
  header.emplace_back("sources");
  std::string text;
  add_line(text, header);
  for (const Row& row : answer.rows) {
    std::vector<std::string> fields{row.model, row.device, row.verdict};
    for (const ResultColumns& columns : results)
      columns.add_cells(answer.graph, row, fields);
    for (std::string_view name : facts)
      fields.push_back(attribute_cell(row, name));
    fields.push_back(secondary_of(answer.graph, row));
    fields.push_back(sources_of(answer.graph, row));
    add_line(text, fields);
  }
  return text;
}

}  // namespace ullage::report

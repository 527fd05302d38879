// Lays tables out.
#include "cli/listing.hpp"

#include <algorithm>

#include "cli/result_head.hpp"
#include "report/csv.hpp"
#include "report/markdown.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

constexpr unsigned kSignificantDigits = 17;

report::Page page_of(const Listed& listed) {
  report::Table table;
  for (const ListedColumn& column : listed.columns) {
    std::string heading = column.key;
    std::replace(heading.begin(), heading.end(), '_', ' ');
    table.columns.push_back({report::Text(std::move(heading), report::Role::heading),
                             column.unit.empty() ? report::Align::left : report::Align::right});
  }
  for (const auto& row : listed.rows) {
    report::TableRow cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const report::Role role = i == 0           ? report::Role::emphasis
                                : row[i].unknown ? report::Role::warning
                                                 : report::Role::plain;
      report::Text text(row[i].text, role);
      if (!row[i].tier.empty()) text.add(" " + row[i].tier, report::Role::dim);
      cells.cells.push_back(std::move(text));
    }
    table.rows.push_back(std::move(cells));
  }
  report::Page page;
  if (!listed.head.title.empty() || !listed.head.blocks.empty()) {
    page.sections.push_back(listed.head);
  }
  page.sections.push_back({report::Text(), {std::move(table)}});
  return page;
}

bool is_labelled(const std::vector<Cell>& row) {
  return std::any_of(row.begin(), row.end(), [](const Cell& cell) { return !cell.tier.empty(); });
}

// `tdp=secondary`: the columns whose figures are not the publisher's own.
std::string tiers_of(const Listed& listed, const std::vector<Cell>& row) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].tier.empty()) continue;
    text += (text.empty() ? "" : ";") + listed.columns[i].key + "=" + row[i].tier;
  }
  return text;
}

std::string json_of(const Context& context, std::string_view command, const Listed& listed) {
  using Layout = report::JsonWriter::Layout;
  report::JsonWriter json;
  begin_result(json, context.catalogue, command);
  json.member("what", listed.what);
  if (listed.members) listed.members(json);
  json.key("units");
  json.begin_object(Layout::one_line);
  for (const ListedColumn& column : listed.columns)
    json.member_unless_empty(column.key, column.unit);
  json.end_object();
  json.key("rows");
  json.begin_array();
  for (const auto& row : listed.rows) {
    json.begin_object(Layout::one_line);
    for (std::size_t i = 0; i < row.size(); ++i) {
      json.key(listed.columns[i].key);
      if (row[i].number) {
        json.number(*row[i].number);
      } else if (row[i].unknown) {
        json.null();
      } else {
        json.string(row[i].text);
      }
    }
    if (is_labelled(row)) {
      json.key("tiers");
      json.begin_object(Layout::one_line);
      for (std::size_t i = 0; i < row.size(); ++i)
        json.member_unless_empty(listed.columns[i].key, row[i].tier);
      json.end_object();
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

std::string csv_cell(const Cell& cell) {
  if (!cell.number) return cell.text;
  const std::string decimal = report::finite_decimal(*cell.number);
  return decimal.empty() ? cell.number->to_significant(kSignificantDigits) : decimal;
}

std::string csv_of(const Listed& listed) {
  std::string text;
  for (std::size_t i = 0; i < listed.columns.size(); ++i)
    text += (i > 0 ? "," : "") + report::csv_field(listed.columns[i].key);
  const bool labelled = std::any_of(listed.rows.begin(), listed.rows.end(), is_labelled);
  text += labelled ? ",tiers\n" : "\n";
  for (const auto& row : listed.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i > 0 ? "," : "") + report::csv_field(csv_cell(row[i]));
    if (labelled) text += "," + report::csv_field(tiers_of(listed, row));
    text += "\n";
  }
  return text;
}

}  // namespace

Outcome render_listed(const Context& context, std::string_view command, const Listed& listed) {
  switch (context.common.format) {
    case Format::json:
      return {json_of(context, command, listed), {}, kAnswered};
    case Format::csv:
      return {csv_of(listed), {}, kAnswered};
    case Format::markdown:
      return {report::to_markdown(page_of(listed)), {}, kAnswered};
    default:
      return {report::to_text(page_of(listed), context.style), {}, kAnswered};
  }
}

}  // namespace ullage::cli

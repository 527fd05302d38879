// Plain tables of what the catalogue holds, in every format.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "report/json_writer.hpp"

namespace ullage::cli {

// Words, or the number of a figure in base units with its words; `unknown` is null in JSON.
struct Cell {
  Cell(std::string words) : text(std::move(words)) {}
  Cell(std::string_view words) : text(words) {}
  Cell(const char* words) : text(words) {}
  Cell(exact::Rational value, std::string words) : text(std::move(words)), number(value) {}
  static Cell unknown_figure() {
    Cell cell("unknown");
    cell.unknown = true;
    return cell;
  }

  std::string text;
  std::optional<exact::Rational> number;
  bool unknown = false;
  std::string tier = {};  // of the figure's source, where it is not primary: `secondary`
};

struct ListedColumn {
  ListedColumn(std::string name) : key(std::move(name)) {}
  ListedColumn(const char* name) : key(name) {}
  ListedColumn(std::string name, std::string symbol)
      : key(std::move(name)), unit(std::move(symbol)) {}

  std::string key;   // `dense_bf16`
  std::string unit;  // base unit of the numbers; empty for words
};

struct Listed {
  std::string what;  // `hardware`
  std::vector<ListedColumn> columns;
  std::vector<std::vector<Cell>> rows;
  report::Section head;                              // above the table of a page; may be empty
  std::function<void(report::JsonWriter&)> members;  // further members of the JSON object
};

// The table in the format asked for. JSON has one object a row under `rows`, with the units of
// columns of numbers under `units`.
Outcome render_listed(const Context& context, std::string_view command, const Listed& listed);

}  // namespace ullage::cli

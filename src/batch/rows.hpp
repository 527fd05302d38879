// Rows as text: which columns, in which format, and which of them are kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/expression.hpp"
#include "batch/fit_row.hpp"
#include "batch/kv_facts.hpp"
#include "batch/scenario.hpp"

namespace ullage::batch {

enum class RowFormat : std::uint8_t { csv, json };

struct Column {
  enum class Kind : std::uint8_t { result, line, device, verdict, error, sources, notes };
  std::string name;
  Kind kind = Kind::result;  // a result of that name, else the input under it
  std::optional<FitResult> fit = {};
};
Column column_of(std::string name);

// The columns of a row where none are asked for: those of the input, then what the command's
// answers are read for, `sources` and `error`.
std::vector<Column> default_columns(const std::vector<std::string>& input,
                                    std::string_view command);

// `--top N --by NAME`: the smallest first, or the largest with `:desc`.
struct Order {
  std::string name;
  bool descending = false;
  std::size_t most = 0;
};

struct RowSettings {
  RowFormat format = RowFormat::csv;
  bool json_input = false;
  std::vector<Column> columns;  // empty: everything that a row has, in JSON
  std::optional<Expression> where;
  std::optional<Order> order;

  // Whether the plain way gives all that these rows ask for: of a lump it gives every result, of a
  // workload those of FitResult.
  bool lump_is_plain() const;
  bool workload_is_plain() const;
  // Whether the number of sequences enters what these rows ask of `kv` as a factor only: not the
  // least memory and utilisation, which are rounded to blocks.
  bool sequences_are_a_factor() const;
  // Whether sources are shown.
  bool shows_sources() const;
};

// What the rows of a line rest on.
struct LineContext {
  std::string_view file;  // for messages
  std::uint64_t line = 0;
  const Record* record = nullptr;  // null where it could not be read
};

// A row that `--top` may keep.
struct RankedRow {
  exact::Rational key;
  std::uint64_t line = 0;
  std::string text;
};

class RowWriter {
 public:
  explicit RowWriter(const RowSettings& settings) : settings_(settings) {}

  // Append one row, unless the condition says otherwise, and give back whether they did. `sources`
  // are ids between semicolons.
  bool write(const LineContext& line, const FitRow& row, std::string_view sources,
             std::string& text);
  // `values` are those of `facts.results` for the row's sequences.
  bool write(const LineContext& line, const KvFacts& facts, const std::vector<Value>& values,
             std::string& text);
  bool write(const LineContext& line, const provenance::Answer& answer, const provenance::Row& row,
             std::string& text);
  // A row that says what is wrong with the line. It is always kept.
  void write_fault(const LineContext& line, const base::Diagnostic& fault, std::string& text);

  // The header line of CSV; nothing in JSON.
  std::string header() const;
  // What `--top` sorts the row by that was written last; nothing where it has no such number.
  const std::optional<exact::Rational>& key() const { return key_; }

 private:
  template <class Source>
  bool write_row(const LineContext& line, const Source& row, std::string& text);
  template <class Source>
  bool kept(const LineContext& line, const Source& row);
  template <class Source>
  void write_columns(const LineContext& line, const Source& row, std::string& text);
  template <class Source>
  void write_everything(const LineContext& line, const Source& row, std::string& text);

  void begin_member(std::string_view name, std::string& text);
  void append_text(std::string_view value, std::string& text) const;
  void append_field(const Field& field, std::string& text) const;
  void append_sources(std::string_view ids, std::string& text) const;

  const RowSettings& settings_;
  std::optional<exact::Rational> key_;
  bool first_ = true;  // member of the object that is being written
};

// One line of text: `file:line:column: error[code]: message (hint)`.
std::string fault_text(const LineContext& line, const base::Diagnostic& fault);

}  // namespace ullage::batch

// One template writes rows of both ways; only where a cell comes from differs.
#include "batch/rows.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "report/characters.hpp"
#include "report/csv.hpp"
#include "report/json_writer.hpp"
#include "report/reach.hpp"

namespace ullage::batch {
namespace {

using provenance::Answer;
using provenance::NamedFigure;
using provenance::Node;
using provenance::Row;
using Kind = Column::Kind;

constexpr std::string_view kFitColumns[] = {
    "device",          "verdict",       "devices_min",        "devices",
    "required_memory", "weights_floor", "weights_payload",    "working_memory",
    "device_capacity", "device_budget", "headroom_per_device"};
constexpr std::string_view kKvColumns[] = {"kv_per_token",
                                           "kv_per_sequence",
                                           "kv_per_sequence_per_device",
                                           "kv_total",
                                           "kv_total_per_device",
                                           "state_total",
                                           "kv_memory",
                                           "blocks",
                                           "max_tokens",
                                           "max_concurrency",
                                           "max_context"};
constexpr std::string_view kTrainColumns[] = {"device",
                                              "verdict",
                                              "parameters",
                                              "model_states_per_device",
                                              "activations_floor_per_device",
                                              "activations_upper_per_device",
                                              "total_floor_per_device",
                                              "total_upper_per_device",
                                              "devices_min"};
constexpr std::string_view kFlopsColumns[] = {"flops_forward_per_token", "flops_training_per_token",
                                              "flops_hardware_per_token",
                                              "attention_flops_per_token"};
constexpr std::string_view kWeightsColumns[] = {"parameters",         "active_parameters",
                                                "bits_per_parameter", "weights_floor",
                                                "weights_payload",    "weights_per_device"};

std::span<const std::string_view> columns_for(std::string_view command) {
  if (command == "kv") return kKvColumns;
  if (command == "train") return kTrainColumns;
  if (command == "flops") return kFlopsColumns;
  if (command == "weights") return kWeightsColumns;
  return kFitColumns;
}

// The place of a name that is no column.
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// A cell of a row of results.
struct Cell {
  Value::State state = Value::State::absent;
  const Number* number = nullptr;          // of the plain way
  const exact::Rational* exact = nullptr;  // of the other
};

void append_number(const Cell& cell, std::string& text) {
  if (cell.exact != nullptr) {
    text += number_text(*cell.exact);
  } else if (!cell.number->append(text)) {
    text += number_text(cell.number->rational());
  }
}

exact::Rational rational_of(const Cell& cell) {
  return cell.exact != nullptr ? *cell.exact : cell.number->rational();
}

// Where cells come from: facts in plain numbers.
struct PlainSource {
  const FitRow& row;
  std::string_view ids;

  std::string_view device() const { return row.device; }
  std::string_view verdict() const { return row.verdict; }
  std::string_view sources() const { return ids; }
  std::string notes() const { return {}; }
  Cell cell(const Column& column, std::size_t) const {
    return column.fit ? cell_of(row[*column.fit]) : Cell{};
  }
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < kFitResults; ++i) {
      visit(name_of(static_cast<FitResult>(i)), cell_of(row.results[i]));
    }
  }

 private:
  static Cell cell_of(const Value& value) { return {value.state, &value.number, nullptr}; }
};

// Or results of one sequence, scaled.
struct ListedSource {
  const KvFacts& facts;
  const std::vector<Value>& values;

  std::string_view device() const { return {}; }
  std::string_view verdict() const { return {}; }
  std::string_view sources() const { return facts.sources; }
  std::string notes() const { return {}; }
  Cell cell(const Column& column, std::size_t place) const {
    std::size_t at = 0;
    if (place < facts.columns.size()) {
      at = facts.columns[place];
    } else {
      while (at < values.size() && facts.results[at].name != column.name)
        ++at;
    }
    return at < values.size() ? cell_of(values[at]) : Cell{};
  }
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      visit(std::string_view(facts.results[i].name), cell_of(values[i]));
  }

 private:
  static Cell cell_of(const Value& value) { return {value.state, &value.number, nullptr}; }
};

// Or figures of an answer.
struct AnswerSource {
  const Answer& answer;
  const Row& row;
  std::string ids;

  std::string_view device() const { return row.device; }
  std::string_view verdict() const { return row.verdict; }
  std::string_view sources() const { return ids; }
  // Codes of what is more than a remark, each once.
  std::string notes() const {
    std::vector<std::string_view> codes;
    for (const base::Note& note : row.notes) {
      const bool seen = std::find(codes.begin(), codes.end(), note.code) != codes.end();
      if (note.level != base::Severity::note && !seen) codes.push_back(note.code);
    }
    std::string text;
    for (const std::string_view code : codes)
      text += (text.empty() ? "" : ";") + std::string(code);
    return text;
  }
  Cell cell(const Column& column, std::size_t) const {
    for (const NamedFigure& result : row.results) {
      if (result.name == column.name) return cell_of(answer.graph[result.figure]);
    }
    return {};
  }
  template <class Visit>
  void each(Visit visit) const {
    for (const NamedFigure& result : row.results)
      visit(std::string_view(result.name), cell_of(answer.graph[result.figure]));
  }

 private:
  static Cell cell_of(const Node& node) {
    if (!node.value) return {Value::State::unknown, nullptr, nullptr};
    return {Value::State::known, nullptr, &*node.value};
  }
};

// Whether a row of `fit` may hold a result of that name that is none of FitResult.
bool is_further_result(std::string_view name) {
  constexpr std::array<std::string_view, 18> kBeginnings{
      "kv_",      "state_",   "max_",   "block",    "pool_",        "lora_",
      "weights_", "overhead", "ranks_", "decode_",  "prefill_",     "cost",
      "measured", "disk_",    "host_",  "handover", "utilization_", "required_memory_"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// Whether a result of `kv` is the same for any number of sequences, or that of one times their
// number. Names in one word are none of its results but those named here.
bool is_scaled_or_fixed(std::string_view name) {
  constexpr std::array<std::string_view, 9> kBeginnings{
      "kv_per_", "kv_floor_",  "kv_full_", "kv_total",       "state_",
      "block",   "pool_bytes", "max_",     "weights_loaded_"};
  constexpr std::array<std::string_view, 5> kNames{"kv_bits", "kv_memory", "lora_adapters",
                                                   "device_capacity", "device_budget"};
  return name.find('_') == std::string_view::npos ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

bool has(const std::vector<Column>& columns, Kind kind) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return column.kind == kind; });
}

}  // namespace

Column column_of(std::string name) {
  constexpr std::array<std::pair<std::string_view, Kind>, 6> kKinds{{{"line", Kind::line},
                                                                     {"device", Kind::device},
                                                                     {"verdict", Kind::verdict},
                                                                     {"error", Kind::error},
                                                                     {"sources", Kind::sources},
                                                                     {"notes", Kind::notes}}};
  Column column;
  column.name = std::move(name);
  for (const auto& [word, kind] : kKinds) {
    if (word == column.name) column.kind = kind;
  }
  for (std::size_t i = 0; i < kFitResults; ++i) {
    const auto result = static_cast<FitResult>(i);
    if (name_of(result) == column.name) column.fit = result;
  }
  return column;
}

std::vector<Column> default_columns(const std::vector<std::string>& input,
                                    std::string_view command) {
  std::vector<Column> columns;
  const auto add = [&](std::string_view name) {
    const bool known = std::any_of(columns.begin(), columns.end(),
                                   [&](const Column& column) { return column.name == name; });
    if (!known) columns.push_back(column_of(std::string(name)));
  };
  for (const std::string& name : input)
    add(name);
  for (const std::string_view name : columns_for(command))
    add(name);
  add("sources");
  add("error");
  return columns;
}

bool RowSettings::lump_is_plain() const {
  return !has(columns, Kind::notes);
}

bool RowSettings::workload_is_plain() const {
  if (columns.empty() || !lump_is_plain()) return false;
  std::vector<Column> asked = columns;
  if (where) {
    for (std::string& name : where->names())
      asked.push_back(column_of(std::move(name)));
  }
  if (order) asked.push_back(column_of(order->name));
  return std::none_of(asked.begin(), asked.end(), [](const Column& column) {
    return column.kind == Kind::result && !column.fit && is_further_result(column.name);
  });
}

bool RowSettings::sequences_are_a_factor() const {
  if (columns.empty()) return false;
  std::vector<Column> asked = columns;
  if (where) {
    for (std::string& name : where->names())
      asked.push_back(column_of(std::move(name)));
  }
  if (order) asked.push_back(column_of(order->name));
  return std::all_of(asked.begin(), asked.end(), [](const Column& column) {
    return column.kind != Kind::result || is_scaled_or_fixed(column.name);
  });
}

bool RowSettings::shows_sources() const {
  return columns.empty() || has(columns, Kind::sources);
}

std::string fault_text(const LineContext& line, const base::Diagnostic& fault) {
  std::string text = std::string(line.file) + ":" + std::to_string(line.line) + ":" +
                     std::to_string(std::max(1U, fault.span.column)) + ": error[" +
                     std::string(name_of(fault.code)) + "]: " + fault.message;
  if (!fault.hint.empty()) text += " (" + fault.hint + ")";
  return report::one_line(text);
}

void RowWriter::begin_member(std::string_view name, std::string& text) {
  if (!first_) text += ',';
  first_ = false;
  text += report::quoted(name);
  text += ':';
}

void RowWriter::append_text(std::string_view value, std::string& text) const {
  if (settings_.format == RowFormat::json) {
    text += report::quoted(value);
  } else if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
    text += value;
  } else {
    text += report::csv_field(value);
  }
}

// What the line says, as it said it.
void RowWriter::append_field(const Field& field, std::string& text) const {
  if (field.type == FieldType::nothing) {
    if (settings_.format == RowFormat::json) text += "null";
    return;
  }
  if (settings_.format == RowFormat::json) {
    if (settings_.json_input) {
      text += field.raw;
    } else {
      text += report::quoted(field.text);
    }
    return;
  }
  if (!settings_.json_input) {
    text += field.raw;
  } else {
    append_text(field.type == FieldType::nested ? field.raw : field.text, text);
  }
}

void RowWriter::append_sources(std::string_view ids, std::string& text) const {
  if (settings_.format == RowFormat::csv) {
    text += ids;
    return;
  }
  text += '[';
  for (std::size_t start = 0; start < ids.size();) {
    const std::size_t end = std::min(ids.find(';', start), ids.size());
    if (start > 0) text += ',';
    text += report::quoted(ids.substr(start, end - start));
    start = end + 1;
  }
  text += ']';
}

template <class Source>
bool RowWriter::kept(const LineContext& line, const Source& row) {
  const Lookup lookup = [&](std::string_view name) {
    const Column column = column_of(std::string(name));
    if (column.kind == Kind::device) {
      return Operand{Operand::Kind::text, {}, std::string(row.device())};
    }
    if (column.kind == Kind::verdict) {
      return Operand{Operand::Kind::text, {}, std::string(row.verdict())};
    }
    const Cell cell = row.cell(column, kNowhere);
    if (cell.state == Value::State::known) {
      return Operand{Operand::Kind::number, rational_of(cell), {}};
    }
    if (cell.state == Value::State::unknown) return Operand{Operand::Kind::unknown, {}, {}};
    const Field* const field = line.record->find(name);
    if (field == nullptr || field->type == FieldType::nothing) return Operand{};
    return Operand{Operand::Kind::text, {}, std::string(field->text)};
  };
  if (settings_.where && !settings_.where->holds(lookup)) return false;
  key_.reset();
  if (settings_.order) {
    Operand key = lookup(settings_.order->name);
    if (key.kind == Operand::Kind::number) key_ = std::move(key.number);
  }
  return true;
}

template <class Source>
void RowWriter::write_columns(const LineContext& line, const Source& row, std::string& text) {
  const bool json = settings_.format == RowFormat::json;
  bool first = true;
  first_ = true;
  if (json) text += '{';
  for (std::size_t place = 0; place < settings_.columns.size(); ++place) {
    const Column& column = settings_.columns[place];
    if (json) {
      begin_member(column.name, text);
    } else if (!first) {
      text += ',';
    }
    first = false;
    switch (column.kind) {
      case Kind::line:
        text += std::to_string(line.line);
        continue;
      case Kind::device:
        append_text(row.device(), text);
        continue;
      case Kind::verdict:
        append_text(row.verdict(), text);
        continue;
      case Kind::sources:
        append_sources(row.sources(), text);
        continue;
      case Kind::notes:
        append_text(row.notes(), text);
        continue;
      case Kind::error:
        if (json) text += "null";
        continue;
      case Kind::result:
        break;
    }
    const Cell cell = row.cell(column, place);
    if (cell.state == Value::State::known) {
      append_number(cell, text);
    } else if (cell.state == Value::State::unknown) {
      text += json ? "null" : "unknown";
    } else if (const Field* const field = line.record->find(column.name)) {
      append_field(*field, text);
    } else if (json) {
      text += "null";
    }
  }
  text += json ? "}\n" : "\n";
}

// Everything: the line's own keys, then the answer's.
template <class Source>
void RowWriter::write_everything(const LineContext& line, const Source& row, std::string& text) {
  first_ = true;
  text += '{';
  for (const Field& field : line.record->fields) {
    const Column column = column_of(std::string(field.key));
    const bool own = column.kind == Kind::result || column.kind == Kind::notes;
    if (!own || row.cell(column, kNowhere).state != Value::State::absent) continue;
    begin_member(field.key, text);
    append_field(field, text);
  }
  if (!row.device().empty()) {
    begin_member("device", text);
    append_text(row.device(), text);
  }
  if (!row.verdict().empty()) {
    begin_member("verdict", text);
    append_text(row.verdict(), text);
  }
  row.each([&](std::string_view name, const Cell& cell) {
    if (cell.state == Value::State::absent) return;
    begin_member(name, text);
    if (cell.state == Value::State::known) {
      append_number(cell, text);
    } else {
      text += "null";
    }
  });
  begin_member("sources", text);
  append_sources(row.sources(), text);
  text += "}\n";
}

template <class Source>
bool RowWriter::write_row(const LineContext& line, const Source& row, std::string& text) {
  if ((settings_.where || settings_.order) && !kept(line, row)) return false;
  if (settings_.columns.empty()) {
    write_everything(line, row, text);
  } else {
    write_columns(line, row, text);
  }
  return true;
}

bool RowWriter::write(const LineContext& line, const FitRow& row, std::string_view sources,
                      std::string& text) {
  return write_row(line, PlainSource{row, sources}, text);
}

bool RowWriter::write(const LineContext& line, const KvFacts& facts,
                      const std::vector<Value>& values, std::string& text) {
  return write_row(line, ListedSource{facts, values}, text);
}

bool RowWriter::write(const LineContext& line, const Answer& answer, const Row& row,
                      std::string& text) {
  std::string ids;
  if (settings_.shows_sources()) {
    for (const std::string_view id : report::cited_sources(answer.graph, {&row, 1}))
      ids += (ids.empty() ? "" : ";") + std::string(id);
  }
  return write_row(line, AnswerSource{answer, row, std::move(ids)}, text);
}

void RowWriter::write_fault(const LineContext& line, const base::Diagnostic& fault,
                            std::string& text) {
  const std::string error = fault_text(line, fault);
  const bool json = settings_.format == RowFormat::json;
  key_.reset();
  if (!json) {
    bool first = true;
    for (const Column& column : settings_.columns) {
      if (!first) text += ',';
      first = false;
      if (column.kind == Kind::error) {
        append_text(error, text);
      } else if (column.kind == Kind::line) {
        text += std::to_string(line.line);
      } else if (line.record != nullptr) {
        if (const Field* const field = line.record->find(column.name)) append_field(*field, text);
      }
    }
    text += '\n';
    return;
  }
  first_ = true;
  text += '{';
  constexpr std::array<std::string_view, 4> kOwn{"line", "column", "code", "error"};
  for (std::size_t i = 0; line.record != nullptr && i < line.record->fields.size(); ++i) {
    const Field& field = line.record->fields[i];
    if (std::find(kOwn.begin(), kOwn.end(), field.key) != kOwn.end()) continue;
    begin_member(field.key, text);
    append_field(field, text);
  }
  begin_member("line", text);
  text += std::to_string(line.line);
  begin_member("column", text);
  text += std::to_string(std::max(1U, fault.span.column));
  begin_member("code", text);
  append_text(name_of(fault.code), text);
  begin_member("error", text);
  append_text(error, text);
  text += "}\n";
}

std::string RowWriter::header() const {
  if (settings_.format == RowFormat::json) return {};
  std::string text;
  for (const Column& column : settings_.columns) {
    if (!text.empty()) text += ',';
    text += report::csv_field(report::well_formed(column.name));
  }
  return text + "\n";
}

}  // namespace ullage::batch

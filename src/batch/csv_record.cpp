// Splits a line at commas.
#include "base/utf8.hpp"
#include "batch/record.hpp"

namespace ullage::batch {
namespace {

using base::Code;

// One field and where the next begins.
struct Cell {
  std::string_view text;
  std::string_view raw;
  std::size_t end = 0;  // of the comma behind it, or the line's end
};

// A quoted field whose quotes are doubled inside becomes a text of its own.
base::Result<Cell> quoted_cell(std::string_view line, std::size_t start,
                               std::deque<std::string>& owned) {
  std::string text;
  bool doubled = false;
  std::size_t from = start + 1;
  while (true) {
    const std::size_t quote = line.find('"', from);
    if (quote == std::string_view::npos) {
      return fault_in_line(line, start, Code::syntax, "a quoted field is not closed on its line",
                           "one scenario a line: a field holds no line break");
    }
    if (quote + 1 < line.size() && line[quote + 1] == '"') {
      text.append(line.substr(from, quote + 1 - from));
      doubled = true;
      from = quote + 2;
      continue;
    }
    const std::size_t end = quote + 1;
    if (end < line.size() && line[end] != ',') {
      return fault_in_line(line, end, Code::syntax,
                           "a quoted field goes on behind its closing quote",
                           "double the quotes inside it");
    }
    Cell cell{line.substr(from, quote - from), line.substr(start, end - start), end};
    if (doubled) {
      text.append(cell.text);
      cell.text = owned.emplace_back(std::move(text));
    }
    return cell;
  }
}

base::Result<Cell> cell_at(std::string_view line, std::size_t start,
                           std::deque<std::string>& owned) {
  if (start < line.size() && line[start] == '"') return quoted_cell(line, start, owned);
  const std::size_t comma = line.find(',', start);
  const std::size_t end = comma == std::string_view::npos ? line.size() : comma;
  const std::string_view text = line.substr(start, end - start);
  return Cell{text, text, end};
}

// Bytes that are no UTF-8 would come out again in every format.
base::Result<void> check_text(std::string_view line) {
  unsigned high = 0;
  for (const char c : line)
    high |= static_cast<unsigned char>(c);
  if (high < 0x80) return {};
  for (std::size_t at = 0; at < line.size();) {
    if (static_cast<unsigned char>(line[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = base::utf8_character(line, at).length;
    if (length == 0)
      return fault_in_line(line, at, Code::syntax, "bytes that are no UTF-8 text", {});
    at += length;
  }
  return {};
}

}  // namespace

base::Diagnostic fault_in_line(std::string_view line, std::size_t offset, Code code,
                               std::string message, std::string hint) {
  return {.code = code,
          .message = std::move(message),
          .span = {"", 1, column_at(line, offset)},
          .hint = std::move(hint),
          .notes = {}};
}

std::uint32_t column_at(std::string_view line, std::size_t offset) {
  std::uint32_t column = 1;
  for (std::size_t i = 0; i < offset && i < line.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U;
    column += continues ? 0U : 1U;
  }
  return column;
}

base::Result<std::vector<std::string>> read_csv_header(std::string_view line) {
  std::vector<std::string> names;
  std::deque<std::string> owned;
  for (std::size_t start = 0;;) {
    ULLAGE_TRY(const Cell cell, cell_at(line, start, owned));
    if (cell.text.empty()) {
      return fault_in_line(line, start, Code::missing_key, "a column without a name",
                           "the first line names the columns: model,on,context …");
    }
    for (const std::string& known : names) {
      if (known == cell.text) {
        return fault_in_line(line, start, Code::duplicate_key,
                             "the column " + base::printable(cell.text) + " stands twice", {});
      }
    }
    names.emplace_back(cell.text);
    if (cell.end >= line.size()) return names;
    start = cell.end + 1;
  }
}

base::Result<void> read_csv_record(std::string_view line, const std::vector<std::string>& header,
                                   Record& record) {
  record.clear();
  ULLAGE_CHECK(check_text(line));
  const auto miscounted = [&](std::size_t offset, const std::string& found) {
    return fault_in_line(
        line, offset, Code::wrong_type,
        found + " fields, where the first line names " + std::to_string(header.size()), {});
  };
  for (std::size_t start = 0;;) {
    ULLAGE_TRY(const Cell cell, cell_at(line, start, record.owned));
    const std::size_t at = record.fields.size();
    if (at == header.size()) {
      return miscounted(start, "more than " + std::to_string(at));
    }
    Field& field = record.fields.emplace_back();
    field.key = header[at];
    field.text = cell.text;
    field.raw = cell.raw;
    field.type = cell.text.empty() ? FieldType::nothing : FieldType::text;
    field.offset = static_cast<std::uint32_t>(start);
    field.key_offset = field.offset;
    if (cell.end >= line.size()) break;
    start = cell.end + 1;
  }
  if (record.fields.size() < header.size()) {
    return miscounted(line.size(), std::to_string(record.fields.size()));
  }
  return {};
}

}  // namespace ullage::batch

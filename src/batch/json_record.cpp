// Reads one JSON object through the cursor that tells places.
#include "batch/record.hpp"
#include "document/json_cursor.hpp"

namespace ullage::batch {
namespace {

using base::Code;
using document::JsonCursor;
using document::JsonToken;

class Reader {
 public:
  Reader(std::string_view line, Record& record) : line_(line), cursor_(line, ""), record_(record) {}

  base::Result<void> read() {
    ULLAGE_TRY(const JsonToken first, cursor_.next());
    if (first != JsonToken::object) {
      return fault_in_line(line_, cursor_.offset(), Code::wrong_type, "a line is one object",
                           R"({"model": "llama-3.1-8b", "on": "trainium2"})");
    }
    while (true) {
      ULLAGE_TRY(const JsonToken token, cursor_.next());
      if (token == JsonToken::object_end) break;
      ULLAGE_CHECK(member());
    }
    ULLAGE_TRY(const JsonToken last, cursor_.next());
    if (last != JsonToken::end) {
      return fault_in_line(line_, cursor_.offset(), Code::syntax, "something behind the object",
                           "one scenario a line");
    }
    return {};
  }

 private:
  // The characters of the current token for as long as the record lives.
  std::string_view kept() {
    if (cursor_.text_is_borrowed()) return cursor_.text();
    return record_.owned.emplace_back(cursor_.text());
  }

  base::Result<void> member() {
    Field field;
    field.key = kept();
    const std::size_t key_offset = cursor_.offset();
    ULLAGE_TRY(const JsonToken token, cursor_.next());
    const std::size_t start = cursor_.offset();
    ULLAGE_CHECK(value(token, field));
    if (field.raw.empty()) field.raw = line_.substr(start, end_ - start);
    field.key_offset = static_cast<std::uint32_t>(key_offset);
    field.offset = static_cast<std::uint32_t>(start);
    if (const Field* const known = record_.find(field.key)) {
      if (known->type == field.type && known->text == field.text && known->raw == field.raw) {
        return {};
      }
      return fault_in_line(
          line_, key_offset, Code::duplicate_key,
          "the key " + base::printable(field.key) + " stands twice with different values", {});
    }
    record_.fields.push_back(field);
    return {};
  }

  base::Result<void> value(JsonToken token, Field& field) {
    const std::size_t start = cursor_.offset();
    switch (token) {
      case JsonToken::string:
        field.type = FieldType::text;
        field.text = kept();
        // A borrowed string stands between its quotes; another is written anew.
        if (cursor_.text_is_borrowed()) {
          end_ = start + field.text.size() + 2;
        } else {
          end_ = closing_quote(start);
        }
        return {};
      case JsonToken::number:
        field.type = FieldType::number;
        field.text = kept();
        end_ = start + field.text.size();
        return {};
      case JsonToken::boolean:
        field.type = FieldType::boolean;
        field.truth = cursor_.truth();
        field.text = field.truth ? "true" : "false";
        end_ = start + field.text.size();
        return {};
      case JsonToken::null:
        field.type = FieldType::nothing;
        end_ = start + 4;
        return {};
      case JsonToken::array:
        return list(start, field);
      default:
        field.type = FieldType::nested;
        ULLAGE_CHECK(cursor_.skip(token));
        end_ = closing_bracket(start);
        return {};
    }
  }

  // `["a", "b"]` is `a,b`; what holds anything but strings and numbers only passes through.
  base::Result<void> list(std::size_t start, Field& field) {
    field.type = FieldType::list;
    std::string items;
    while (true) {
      ULLAGE_TRY(const JsonToken token, cursor_.next());
      if (token == JsonToken::array_end) break;
      if (token == JsonToken::string || token == JsonToken::number) {
        if (!items.empty()) items += ',';
        items += cursor_.text();
      } else {
        field.type = FieldType::nested;
        ULLAGE_CHECK(cursor_.skip(token));
      }
    }
    end_ = closing_bracket(start);
    field.text = record_.owned.emplace_back(std::move(items));
    return {};
  }

  std::size_t closing_quote(std::size_t start) const {
    std::size_t at = start + 1;
    while (line_[at] != '"')
      at += line_[at] == '\\' ? 2U : 1U;
    return at + 1;
  }

  // The cursor stands behind the container, which was well formed.
  std::size_t closing_bracket(std::size_t start) const {
    std::size_t depth = 0;
    for (std::size_t at = start; at < line_.size(); ++at) {
      if (line_[at] == '"') {
        at = closing_quote(at) - 1;
      } else if (line_[at] == '{' || line_[at] == '[') {
        ++depth;
      } else if ((line_[at] == '}' || line_[at] == ']') && --depth == 0) {
        return at + 1;
      }
    }
    return line_.size();
  }

  std::string_view line_;
  JsonCursor cursor_;
  Record& record_;
  std::size_t end_ = 0;  // behind the value that was read last
};

}  // namespace

base::Result<void> read_json_record(std::string_view line, Record& record) {
  record.clear();
  return Reader(line, record).read();
}

}  // namespace ullage::batch

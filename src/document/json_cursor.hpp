// JSON token by token, without a tree: for texts of many megabytes of which a reader keeps little,
// such as the headers of checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "document/json_fault.hpp"

namespace ullage::document {

enum class JsonToken : std::uint8_t {
  object,
  object_end,
  array,
  array_end,
  key,
  string,
  number,
  boolean,
  null,
  end  // of the text
};

// Walks a text by the grammar of RFC 8259: what read_json accepts, except NaN and Infinity and a
// byte order mark. Keys that repeat are the caller's to find. The text must outlive the cursor.
class JsonCursor {
 public:
  JsonCursor(std::string_view text, std::string file, std::size_t depth = 64);

  // The next token. Errors are those of read_json: `syntax` at line and column of the offending
  // character. Nothing may be asked of the cursor after one.
  base::Result<JsonToken> next();

  // Of a key or string: its characters, decoded; of a number: its text as written. They hold until
  // the next token; `text_is_borrowed` says that they are part of the text itself and hold longer.
  std::string_view text() const { return token_text_; }
  bool text_is_borrowed() const { return borrowed_; }
  // Of a boolean.
  bool truth() const { return truth_; }
  // The first byte of the token in the text.
  std::size_t offset() const { return start_; }

  // Passes over the value whose first token was just read: the rest of an object or array.
  base::Result<void> skip(JsonToken first);

 private:
  base::Result<JsonToken> value(std::size_t at);
  base::Result<JsonToken> word(std::size_t at);
  base::Result<JsonToken> close(std::size_t at);
  JsonToken took(JsonToken token, std::size_t start, std::size_t end);
  bool read_string(std::size_t at);
  bool read_escapes(std::size_t at);
  base::Diagnostic fault() const;

  std::string_view text_;
  std::string file_;
  std::size_t depth_;
  std::vector<char> open_;  // '{' or '[' of each container that is open
  JsonSpot spot_ = JsonSpot::start;
  std::size_t end_ = 0;  // behind the last good token
  std::size_t start_ = 0;
  std::string_view token_text_;
  std::string buffer_;  // of a string with escapes
  bool borrowed_ = true;
  bool truth_ = false;
};

}  // namespace ullage::document

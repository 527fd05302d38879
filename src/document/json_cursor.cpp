// A scanner over the bytes; what it refuses is explained by json_fault, like every fault of JSON.
#include "document/json_cursor.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "document/places.hpp"

namespace ullage::document {
namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return at;
}

// Behind the number that starts at `at`; `at` itself where none does.
std::size_t number_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && text[end] == '-') ++end;
  std::size_t whole = skip_digits(text, end);
  if (whole == end) return at;
  if (text[end] == '0') whole = end + 1;  // what follows it is then refused
  end = whole;
  if (end < text.size() && text[end] == '.') {
    const std::size_t digits = skip_digits(text, end + 1);
    if (digits == end + 1) return at;
    end = digits;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t digits = end + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    const std::size_t behind = skip_digits(text, digits);
    if (behind == digits) return at;
    end = behind;
  }
  return end;
}

// The 16 bits of the four hexadecimal digits at `at`, or more than 16 bits hold.
std::uint32_t unit_at(std::string_view text, std::size_t at) {
  constexpr std::uint32_t kNone = 0x10000;
  if (text.size() < at + 4) return kNone;
  std::uint32_t unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char digit = text[i];
    const auto lower = static_cast<char>(digit | 0x20);
    if (is_digit(digit)) {
      unit = unit * 16 + static_cast<std::uint32_t>(digit - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return kNone;
    }
  }
  return unit;
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0u | (point >> 6));
    put(0x80u | (point & 0x3Fu));
  } else if (point < 0x10000) {
    put(0xE0u | (point >> 12));
    put(0x80u | ((point >> 6) & 0x3Fu));
    put(0x80u | (point & 0x3Fu));
  } else {
    put(0xF0u | (point >> 18));
    put(0x80u | ((point >> 12) & 0x3Fu));
    put(0x80u | ((point >> 6) & 0x3Fu));
    put(0x80u | (point & 0x3Fu));
  }
}

// Whether a byte of a string stands for itself: printable ASCII but for the quote and the
// backslash.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t i = 0x20; i < 0x80; ++i)
    plain[i] = i != '"' && i != '\\';
  return plain;
}();

}  // namespace

JsonCursor::JsonCursor(std::string_view text, std::string file, std::size_t depth)
    : text_(text), file_(std::move(file)), depth_(depth) {}

base::Diagnostic JsonCursor::fault() const {
  return explain_json_fault(text_, file_, spot_, end_);
}

JsonToken JsonCursor::took(JsonToken token, std::size_t start, std::size_t end) {
  start_ = start;
  end_ = end;
  const bool opens = token == JsonToken::object || token == JsonToken::array;
  if (token == JsonToken::key) {
    spot_ = JsonSpot::key;
  } else if (opens) {
    spot_ = token == JsonToken::object ? JsonSpot::object_opened : JsonSpot::array_opened;
  } else if (open_.empty()) {
    spot_ = JsonSpot::whole;
  } else {
    spot_ = open_.back() == '{' ? JsonSpot::object_value : JsonSpot::array_value;
  }
  return token;
}

base::Result<JsonToken> JsonCursor::close(std::size_t at) {
  const bool object = open_.back() == '{';
  open_.pop_back();
  return took(object ? JsonToken::object_end : JsonToken::array_end, at, at + 1);
}

base::Result<JsonToken> JsonCursor::next() {
  std::size_t at = skip_json_space(text_, end_);
  const auto stands = [&](char letter) { return at < text_.size() && text_[at] == letter; };
  bool wants_key = false;
  switch (spot_) {
    case JsonSpot::whole:
      if (at != text_.size()) return fault();
      return took(JsonToken::end, at, at);
    case JsonSpot::object_opened:
      if (stands('}')) return close(at);
      wants_key = true;
      break;
    case JsonSpot::array_opened:
      if (stands(']')) return close(at);
      break;
    case JsonSpot::object_value:
    case JsonSpot::array_value: {
      const bool object = spot_ == JsonSpot::object_value;
      if (stands(object ? '}' : ']')) return close(at);
      if (!stands(',')) return fault();
      at = skip_json_space(text_, at + 1);
      wants_key = object;
      break;
    }
    case JsonSpot::key:
      if (!stands(':')) return fault();
      at = skip_json_space(text_, at + 1);
      break;
    case JsonSpot::start:
      break;
  }
  if (!wants_key) return value(at);
  if (!stands('"') || !read_string(at)) return fault();
  return took(JsonToken::key, at, end_);
}

base::Result<JsonToken> JsonCursor::value(std::size_t at) {
  if (at >= text_.size()) return fault();
  const char first = text_[at];
  if (first == '"') {
    if (!read_string(at)) return fault();
    return took(JsonToken::string, at, end_);
  }
  if (first == '{' || first == '[') {
    if (open_.size() >= depth_) {
      const Place place = Places(text_).at(at);
      return base::Diagnostic{.code = base::Code::syntax,
                              .message = "more than " + std::to_string(depth_) +
                                         " arrays and objects are nested in each other here",
                              .span = {file_, place.line, place.column},
                              .hint = "check that this is the intended file",
                              .notes = {}};
    }
    open_.push_back(first);
    return took(first == '{' ? JsonToken::object : JsonToken::array, at, at + 1);
  }
  return word(at);
}

base::Result<JsonToken> JsonCursor::word(std::size_t at) {
  const std::size_t end = number_end(text_, at);
  if (end != at) {
    token_text_ = text_.substr(at, end - at);
    borrowed_ = true;
    return took(JsonToken::number, at, end);
  }
  const std::string_view rest = text_.substr(at);
  for (const bool truth : {true, false}) {
    const std::string_view name = truth ? "true" : "false";
    if (!rest.starts_with(name)) continue;
    truth_ = truth;
    return took(JsonToken::boolean, at, at + name.size());
  }
  if (rest.starts_with("null")) return took(JsonToken::null, at, at + 4);
  return fault();
}

// Reads the string that opens at `at`: its characters, and `end_` behind it. False where it is
// none; `end_` is then untouched.
bool JsonCursor::read_string(std::size_t at) {
  std::size_t byte = at + 1;
  while (byte < text_.size()) {
    while (byte < text_.size() && kPlain[static_cast<std::uint8_t>(text_[byte])])
      ++byte;
    if (byte == text_.size()) return false;
    const char letter = text_[byte];
    if (letter == '"') {
      token_text_ = text_.substr(at + 1, byte - at - 1);
      borrowed_ = true;
      end_ = byte + 1;
      return true;
    }
    if (letter == '\\') return read_escapes(at);
    const std::size_t length = base::utf8_character(text_, byte).length;
    if (static_cast<std::uint8_t>(letter) < 0x20 || length == 0) return false;
    byte += length;
  }
  return false;
}

// The same for a string with escapes: its characters stand in a buffer.
bool JsonCursor::read_escapes(std::size_t at) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  buffer_.clear();
  std::size_t byte = at + 1;
  while (byte < text_.size() && text_[byte] != '"') {
    const char letter = text_[byte];
    if (letter != '\\') {
      const std::size_t length = base::utf8_character(text_, byte).length;
      if (static_cast<std::uint8_t>(letter) < 0x20 || length == 0) return false;
      buffer_ += text_.substr(byte, length);
      byte += length;
      continue;
    }
    if (byte + 1 >= text_.size()) return false;
    const auto plain = kLetters.find(text_[byte + 1]);
    if (plain != std::string_view::npos) {
      buffer_ += kMeanings[plain];
      byte += 2;
      continue;
    }
    if (text_[byte + 1] != 'u') return false;
    std::uint32_t point = unit_at(text_, byte + 2);
    byte += 6;
    if (point > 0xFFFF || (point >= 0xDC00 && point <= 0xDFFF)) return false;
    if (point >= 0xD800 && point <= 0xDBFF) {
      if (!text_.substr(std::min(byte, text_.size())).starts_with("\\u")) return false;
      const std::uint32_t low = unit_at(text_, byte + 2);
      if (low < 0xDC00 || low > 0xDFFF) return false;
      point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
      byte += 6;
    }
    append_utf8(buffer_, point);
  }
  if (byte >= text_.size()) return false;
  token_text_ = buffer_;
  borrowed_ = false;
  end_ = byte + 1;
  return true;
}

base::Result<void> JsonCursor::skip(JsonToken first) {
  if (first != JsonToken::object && first != JsonToken::array) return {};
  const std::size_t outside = open_.size() - 1;
  while (open_.size() > outside) {
    ULLAGE_CHECK(next());
  }
  return {};
}

}  // namespace ullage::document

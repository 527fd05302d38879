// Writes JSON text: the same calls give the same bytes, and what comes out is always valid.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exact/rational.hpp"

namespace ullage::report {

// One value, written from the outside in. Containers are laid out on lines of their own with two
// spaces of indentation (`Layout::lines`) or on one line (`Layout::one_line`, which holds for
// everything inside). Defect where the calls do not make one JSON value.
class JsonWriter {
 public:
  enum class Layout : std::uint8_t { lines, one_line };

  void begin_object(Layout layout = Layout::lines);
  void end_object();
  void begin_array(Layout layout = Layout::lines);
  void end_array();

  // The key of the next value. Keys of one object must differ; the caller sees to that.
  void key(std::string_view name);

  // Quotes, backslashes and control characters are escaped, other UTF-8 is kept; each byte that is
  // no UTF-8 becomes U+FFFD.
  void string(std::string_view text);
  void boolean(bool value);
  void null();
  // A whole number with all its digits, anything else with 17 significant ones.
  void number(const exact::Rational& value);

  // Shorthands for members.
  void member(std::string_view name, std::string_view text);
  void member(std::string_view name, const char* text) { member(name, std::string_view(text)); }
  void member(std::string_view name, const exact::Rational& value);
  void member(std::string_view name, std::same_as<bool> auto value) {
    key(name);
    boolean(value);
  }
  // Nothing is written where the text is empty.
  void member_unless_empty(std::string_view name, std::string_view text);
  // `null` where the text is empty.
  void member_or_null(std::string_view name, std::string_view text);

  // The text with a final newline.
  std::string finish() &&;

 private:
  struct Level {
    char closing;
    bool one_line;
    bool empty = true;
  };

  void before_value();
  void separate(Level& level);
  void begin(char opening, char closing, Layout layout);
  void end(char closing);
  void new_line();

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

// The text as a JSON string with its quotes, as JsonWriter::string writes it.
std::string quoted(std::string_view text);

}  // namespace ullage::report

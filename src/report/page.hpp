// A small tree of what a page says, without how it looks: one tree, one renderer a format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ullage::report {

// What a stretch of text is, from which a renderer takes its look.
enum class Role : std::uint8_t {
  plain,
  heading,
  dim,       // beside the point: units, places, kinds
  good,      // it fits
  bad,       // it does not
  warning,   // it is not known, or disputed
  emphasis,  // the figure asked for
  link,      // the text is an address
  code,      // the text is to be typed: a flag, a command
};

struct Run {
  std::string text;
  Role role = Role::plain;
};

// Text of one or several roles. Line breaks in it count as spaces: the renderer breaks lines.
class Text {
 public:
  Text() = default;
  Text(std::string text, Role role = Role::plain) { add(std::move(text), role); }
  Text(const char* text, Role role = Role::plain) { add(text, role); }

  Text& add(std::string text, Role role = Role::plain) {
    if (!text.empty()) runs_.push_back({std::move(text), role});
    return *this;
  }
  Text& append(const Text& text) {
    runs_.insert(runs_.end(), text.runs_.begin(), text.runs_.end());
    return *this;
  }
  // Not for temporaries: a loop over their runs would outlive them.
  const std::vector<Run>& runs() const& { return runs_; }
  void runs() && = delete;
  bool empty() const { return runs_.empty(); }

 private:
  std::vector<Run> runs_;
};

struct Paragraph {
  Text text;
};

enum class Align : std::uint8_t { left, right };

struct Column {
  Text heading;
  Align align = Align::left;
  // Whether a table that is wider than the terminal may go on below from here, with the columns
  // before the first such one repeated.
  bool breaks = false;
};

// Rows may be shorter than the columns; longer ones are a Defect. Without any heading no heading
// line is shown.
struct TableRow {
  std::vector<Text> cells;
  bool rule_above = false;  // sets a total off from its parts
};
struct Table {
  std::vector<Column> columns;
  std::vector<TableRow> rows;
};

// An item, its place in the outline (0 outermost), and lines of their own that belong to it.
struct Bullet {
  Text text;
  std::size_t depth = 0;
  std::vector<Text> details = {};
};
struct Bullets {
  std::vector<Bullet> items;
};

using Block = std::variant<Paragraph, Table, Bullets>;

struct Section {
  Text title;  // may be empty
  std::vector<Block> blocks;
};

struct Page {
  std::vector<Section> sections;
};

}  // namespace ullage::report

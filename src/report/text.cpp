// Lays a page out in columns and lines.
#include "report/text.hpp"

#include <algorithm>

#include "base/result.hpp"
#include "report/wrap.hpp"

namespace ullage::report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kColumnGap = 2;
// A last column narrower than this is not wrapped any more: reading would suffer more than the
// look.
constexpr std::size_t kNarrowestColumn = 24;

std::string_view colour_of(Role role) {
  switch (role) {
    case Role::plain:
      return "";
    case Role::heading:
    case Role::emphasis:
      return "\x1b[1m";
    case Role::dim:
      return "\x1b[2m";
    case Role::good:
      return "\x1b[32m";
    case Role::bad:
      return "\x1b[31m";
    case Role::warning:
      return "\x1b[33m";
    case Role::link:
      return "\x1b[4m";
    case Role::code:
      return "\x1b[36m";
  }
  return "";
}

class TextRenderer {
 public:
  explicit TextRenderer(const TextStyle& style) : style_(style) {}

  std::string take() && { return std::move(text_); }

  void section(const Section& section) {
    if (!text_.empty()) text_ += '\n';
    const bool is_titled = !section.title.empty();
    if (is_titled) lines(section.title, 0, 0);
    const std::size_t indent = is_titled ? kIndent : 0;
    for (std::size_t at = 0; at < section.blocks.size(); ++at) {
      if (at > 0) text_ += '\n';
      std::visit([&](const auto& block) { this->block(block, indent); }, section.blocks[at]);
    }
  }

 private:
  void block(const Paragraph& paragraph, std::size_t indent) {
    lines(paragraph.text, indent, indent);
  }

  void block(const Bullets& bullets, std::size_t indent) {
    for (const Bullet& bullet : bullets.items) {
      const std::size_t at = indent + kIndent * bullet.depth;
      lines(bullet.text, at, at + kIndent, "- ");
      for (const Text& detail : bullet.details)
        lines(detail, at + kIndent, at + 2 * kIndent);
    }
  }

  void block(const Table& table, std::size_t indent) {
    const std::vector<std::size_t> widths = column_widths(table, indent);
    if (style_.breaks_tables && style_.width > 0 && indent + total(widths) > style_.width) {
      const std::vector<Table> parts = broken(table, widths, indent);
      if (parts.size() > 1) {
        for (std::size_t at = 0; at < parts.size(); ++at) {
          if (at > 0) text_ += '\n';
          whole(parts[at], column_widths(parts[at], indent), indent);
        }
        return;
      }
    }
    whole(table, widths, indent);
  }

  static std::size_t total(const std::vector<std::size_t>& widths) {
    std::size_t sum = widths.empty() ? 0 : kColumnGap * (widths.size() - 1);
    for (const std::size_t width : widths)
      sum += width;
    return sum;
  }

  // The table as several ones, each with the columns before the first break and as many groups of
  // columns as the line takes, at least one.
  std::vector<Table> broken(const Table& table, const std::vector<std::size_t>& widths,
                            std::size_t indent) const {
    std::vector<std::size_t> starts;
    for (std::size_t at = 1; at < table.columns.size(); ++at) {
      if (table.columns[at].breaks) starts.push_back(at);
    }
    std::vector<Table> parts;
    if (starts.empty()) return parts;
    starts.push_back(table.columns.size());
    const auto width_of = [&](std::size_t from, std::size_t to) {
      std::size_t sum = 0;
      for (; from < to; ++from)
        sum += widths[from] + kColumnGap;
      return sum;
    };
    const std::size_t fixed = indent + width_of(0, starts.front());
    for (std::size_t group = 0; group + 1 < starts.size();) {
      std::size_t next = group + 1;
      while (next + 1 < starts.size() &&
             fixed + width_of(starts[group], starts[next + 1]) <= style_.width + kColumnGap) {
        ++next;
      }
      parts.push_back(columns_of(table, starts.front(), starts[group], starts[next]));
      group = next;
    }
    return parts;
  }

  static Table columns_of(const Table& table, std::size_t fixed, std::size_t from, std::size_t to) {
    Table part;
    const auto take = [&](const auto& source, auto& target) {
      for (std::size_t at = 0; at < std::min(to, source.size()); ++at) {
        if (at < fixed || at >= from) target.push_back(source[at]);
      }
    };
    take(table.columns, part.columns);
    for (const TableRow& row : table.rows) {
      TableRow& cut = part.rows.emplace_back();
      cut.rule_above = row.rule_above;
      take(row.cells, cut.cells);
    }
    return part;
  }

  void whole(const Table& table, const std::vector<std::size_t>& widths, std::size_t indent) {
    std::vector<Text> headings;
    bool has_heading = false;
    for (const Column& column : table.columns) {
      headings.push_back(column.heading);
      has_heading = has_heading || !column.heading.empty();
    }
    if (has_heading) {
      row(table, headings, widths, indent);
      rule(widths, indent);
    }
    for (const TableRow& table_row : table.rows) {
      if (table_row.rule_above) rule(widths, indent);
      row(table, table_row.cells, widths, indent);
    }
  }

  std::size_t room(std::size_t indent) const {
    return style_.width == 0 ? 0 : std::max(style_.width, indent + kNarrowestColumn) - indent;
  }

  // Widths of the widest cells; a last column that would go beyond the line gets what is left.
  std::vector<std::size_t> column_widths(const Table& table, std::size_t indent) const {
    std::vector<std::size_t> widths(table.columns.size());
    const auto widen = [&](const std::vector<Text>& cells) {
      base::require(cells.size() <= widths.size(), "a table row with more cells than columns");
      for (std::size_t at = 0; at < cells.size(); ++at)
        widths[at] = std::max(widths[at], one_line_width(cells[at]));
    };
    for (std::size_t at = 0; at < widths.size(); ++at)
      widths[at] = one_line_width(table.columns[at].heading);
    for (const TableRow& table_row : table.rows)
      widen(table_row.cells);
    if (widths.empty() || style_.width == 0 || table.columns.back().align == Align::right) {
      return widths;
    }
    std::size_t used = indent;
    for (std::size_t at = 0; at + 1 < widths.size(); ++at)
      used += widths[at] + kColumnGap;
    const std::size_t left = style_.width > used ? style_.width - used : 0;
    widths.back() = std::min(widths.back(), std::max(left, kNarrowestColumn));
    return widths;
  }

  void rule(const std::vector<std::size_t>& widths, std::size_t indent) {
    std::size_t width = widths.empty() ? 0 : kColumnGap * (widths.size() - 1);
    for (std::size_t column : widths)
      width += column;
    std::string dashes;
    for (std::size_t at = 0; at < width; ++at)
      dashes += "─";
    text_.append(indent, ' ');
    put({dashes, Role::dim});
    end_line();
  }

  void row(const Table& table, const std::vector<Text>& cells,
           const std::vector<std::size_t>& widths, std::size_t indent) {
    std::vector<std::vector<StyledLine>> wrapped;
    wrapped.reserve(cells.size());
    std::size_t height = 1;
    for (std::size_t at = 0; at < cells.size(); ++at) {
      const bool is_last = at + 1 == widths.size();
      wrapped.push_back(wrap(cells[at], is_last ? widths[at] : 0));
      height = std::max(height, wrapped.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      text_.append(indent, ' ');
      for (std::size_t at = 0; at < wrapped.size(); ++at) {
        if (at > 0) text_.append(kColumnGap, ' ');
        const StyledLine* content = line < wrapped[at].size() ? &wrapped[at][line] : nullptr;
        const std::size_t used = content == nullptr ? 0 : content->width;
        const std::size_t padding = widths[at] - std::min(widths[at], used);
        if (table.columns[at].align == Align::right) text_.append(padding, ' ');
        if (content != nullptr) put(*content);
        if (table.columns[at].align == Align::left) text_.append(padding, ' ');
      }
      end_line();
    }
  }

  // Wrapped lines, the first after `first_indent` and `mark`, the others after `next_indent`.
  void lines(const Text& text, std::size_t first_indent, std::size_t next_indent,
             std::string_view mark = "") {
    bool is_first = true;
    for (const StyledLine& line : wrap(text, room(next_indent))) {
      text_.append(is_first ? first_indent : next_indent, ' ');
      if (is_first) text_ += mark;
      put(line);
      end_line();
      is_first = false;
    }
  }

  void put(const StyledLine& line) {
    for (const Run& run : line.runs)
      put(run);
  }

  void put(const Run& run) {
    const std::string_view colour = style_.colour ? colour_of(run.role) : "";
    text_ += colour;
    text_ += run.text;
    if (!colour.empty()) text_ += "\x1b[0m";
  }

  void end_line() {
    while (text_.ends_with(' '))
      text_.pop_back();
    text_ += '\n';
  }

  TextStyle style_;
  std::string text_;
};

}  // namespace

std::string to_text(const Page& page, const TextStyle& style) {
  TextRenderer renderer(style);
  for (const Section& section : page.sections)
    renderer.section(section);
  return std::move(renderer).take();
}

}  // namespace ullage::report

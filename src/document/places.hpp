// From byte offsets of a text to the line and column that an editor shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ullage::document {

// Counted from 1; columns count bytes.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// Answers offsets in rising order in one pass over the text; an earlier offset starts afresh. A
// byte order mark takes no column.
class Places {
 public:
  explicit Places(std::string_view text);

  // The place of the byte at `offset`; the end of the text is a place too, and every offset beyond
  // it means the end.
  Place at(std::size_t offset);

 private:
  void rewind();
  void start_line(std::size_t at);

  std::string_view text_;
  std::size_t first_;  // behind the byte order mark
  // The line found last: its start, its line break or the end of the text, its number.
  std::size_t line_start_ = 0;
  std::size_t line_end_ = 0;
  std::uint32_t line_ = 1;
};

// The line that holds the byte at `offset`, without its line break.
std::string_view line_around(std::string_view text, std::size_t offset);

// The number of bytes of a byte order mark at the start of `text`: 3 or 0.
std::size_t byte_order_mark(std::string_view text);

// Whether a line is one that a version control system leaves behind where a merge failed.
bool is_merge_conflict(std::string_view line);

}  // namespace ullage::document

// Lines and columns of a text.
#include "document/places.hpp"

#include <algorithm>

namespace ullage::document {

Places::Places(std::string_view text) : text_(text), first_(byte_order_mark(text)) {
  rewind();
}

void Places::rewind() {
  line_ = 1;
  start_line(first_);
}

// The end is kept, because a file may be one line of many megabytes.
void Places::start_line(std::size_t at) {
  line_start_ = at;
  line_end_ = std::min(text_.find('\n', at), text_.size());
}

Place Places::at(std::size_t offset) {
  offset = std::clamp(offset, first_, text_.size());
  if (offset < line_start_) rewind();
  while (offset > line_end_) {
    start_line(line_end_ + 1);
    ++line_;
  }
  return {line_, static_cast<std::uint32_t>(offset - line_start_ + 1)};
}

std::string_view line_around(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t start = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  start = start == std::string_view::npos ? 0 : start + 1;
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

bool is_merge_conflict(std::string_view line) {
  return line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") ||
         line.starts_with("||||||| ") || line == "=======";
}

}  // namespace ullage::document

// Searches forward.
#include "plan/files/locate.hpp"

#include <algorithm>

namespace ullage::plan {
namespace {

// How far behind the last token the next one may stand: a block of text, not another field.
constexpr std::size_t kReach = 1u << 16;

}  // namespace

ScalarPlaces::ScalarPlaces(const SourceText& source, std::uint32_t line, std::uint32_t column)
    : source_(source), line_(line), column_(column) {
  while (cursor_line_ < line) {
    const std::size_t end = source_.text.find('\n', line_start_);
    if (end == std::string_view::npos) break;
    line_start_ = end + 1;
    ++cursor_line_;
  }
  cursor_ = std::min(line_start_ + (column > 0 ? column - 1 : 0), source_.text.size());
}

base::Span ScalarPlaces::at(std::string_view token) {
  token = token.substr(0, token.find('\n'));
  if (token.empty() || cursor_ >= source_.text.size()) return start();
  const std::string_view reach = source_.text.substr(cursor_, kReach);
  const std::size_t found = reach.find(token);
  if (found == std::string_view::npos) return start();
  const std::size_t offset = cursor_ + found;
  // The line that holds the cursor is known; only what stands behind it can start another.
  const std::string_view passed = source_.text.substr(0, offset);
  for (std::size_t end = passed.find('\n', cursor_); end != std::string_view::npos;
       end = passed.find('\n', end + 1)) {
    line_start_ = end + 1;
    ++cursor_line_;
  }
  cursor_ = offset + token.size();
  return {std::string(source_.file), cursor_line_,
          static_cast<std::uint32_t>(offset - line_start_ + 1)};
}

}  // namespace ullage::plan

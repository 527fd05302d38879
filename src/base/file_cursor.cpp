// Keeps one piece of the file.
#include "base/file_cursor.hpp"

#include <algorithm>

namespace ullage::base {
namespace {

constexpr std::uint64_t kPiece = 256 * 1024;

}  // namespace

Result<void> FileCursor::fill(std::uint64_t count) {
  if (count > remaining()) {
    return Diagnostic{.code = Code::syntax,
                      .message = "the file ends too soon: " + std::to_string(count) +
                                 " bytes are needed at byte " + std::to_string(offset_) + ", " +
                                 std::to_string(remaining()) + " are left",
                      .span = {.file = path_},
                      .hint = "the file is cut short or damaged; fetch it again"};
  }
  const std::uint64_t start = offset_ - piece_offset_;
  if (offset_ >= piece_offset_ && start <= piece_.size() && piece_.size() - start >= count) {
    return {};
  }
  ULLAGE_TRY(piece_, files_.read_part(path_, offset_, std::max(count, kPiece)));
  piece_offset_ = offset_;
  if (piece_.size() >= count) return {};
  return Diagnostic{.code = Code::file_unreadable,
                    .message = "the file became shorter while it was read",
                    .span = {.file = path_},
                    .hint = "wait until whatever writes it has finished"};
}

Result<std::uint64_t> FileCursor::number(std::uint64_t bytes) {
  ULLAGE_CHECK(fill(bytes));
  const std::uint64_t start = offset_ - piece_offset_;
  std::uint64_t value = 0;
  for (std::uint64_t i = bytes; i > 0; --i)
    value = (value << 8) | static_cast<std::uint8_t>(piece_[start + i - 1]);
  offset_ += bytes;
  return value;
}

Result<std::uint8_t> FileCursor::u8() {
  ULLAGE_TRY(const std::uint64_t value, number(1));
  return static_cast<std::uint8_t>(value);
}

Result<std::uint16_t> FileCursor::u16() {
  ULLAGE_TRY(const std::uint64_t value, number(2));
  return static_cast<std::uint16_t>(value);
}

Result<std::uint32_t> FileCursor::u32() {
  ULLAGE_TRY(const std::uint64_t value, number(4));
  return static_cast<std::uint32_t>(value);
}

Result<std::uint64_t> FileCursor::u64() {
  return number(8);
}

Result<std::string> FileCursor::take(std::uint64_t count) {
  ULLAGE_CHECK(fill(count));
  const std::uint64_t start = offset_ - piece_offset_;
  offset_ += count;
  return piece_.substr(start, count);
}

Result<void> FileCursor::skip(std::uint64_t count) {
  if (count > remaining()) return fill(count);
  offset_ += count;
  return {};
}

}  // namespace ullage::base

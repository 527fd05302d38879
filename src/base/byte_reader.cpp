// Bounds-checked little-endian reads.
#include "base/byte_reader.hpp"

namespace ullage::base {
namespace {

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    value = (value << 8) | static_cast<std::uint8_t>(bytes[i - 1]);
  }
  return value;
}

}  // namespace

Diagnostic ByteReader::beyond(std::uint64_t wanted) const {
  return {.code = Code::syntax,
          .message = "the file ends too soon: " + std::to_string(wanted) +
                     " bytes are needed at byte " + std::to_string(offset_) + ", " +
                     std::to_string(remaining()) + " are left",
          .span = {.file = file_},
          .hint = "the file is cut short or damaged; fetch it again"};
}

Result<std::string_view> ByteReader::take(std::uint64_t count) {
  if (count > remaining()) return beyond(count);
  const std::string_view taken = bytes_.substr(offset_, count);
  offset_ += count;
  return taken;
}

Result<std::uint8_t> ByteReader::u8() {
  ULLAGE_TRY(const std::string_view bytes, take(1));
  return static_cast<std::uint8_t>(bytes[0]);
}

Result<std::uint32_t> ByteReader::u32() {
  ULLAGE_TRY(const std::string_view bytes, take(4));
  return static_cast<std::uint32_t>(little_endian(bytes));
}

Result<std::uint64_t> ByteReader::u64() {
  ULLAGE_TRY(const std::string_view bytes, take(8));
  return little_endian(bytes);
}

Result<std::uint64_t> ByteReader::varint() {
  constexpr std::uint64_t kLongest = 10;
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < kLongest; ++i) {
    if (i >= remaining()) return beyond(i + 1);
    const auto byte = static_cast<std::uint8_t>(bytes_[offset_ + i]);
    // The tenth byte has room for the 64th bit only.
    if (i == kLongest - 1 && byte > 1) break;
    value |= static_cast<std::uint64_t>(byte & 0x7Fu) << (7 * i);
    if ((byte & 0x80u) == 0) {
      offset_ += i + 1;
      return value;
    }
  }
  return Diagnostic{.code = Code::syntax,
                    .message = "the variable-length number at byte " + std::to_string(offset_) +
                               " does not fit in 64 bits",
                    .span = {.file = file_},
                    .hint = "the file is damaged; fetch it again"};
}

}  // namespace ullage::base

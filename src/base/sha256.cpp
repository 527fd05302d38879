// SHA-256 by libmd, and its spelling.
#include "base/sha256.hpp"

#include <sha2.h>

#include <array>
#include <cstdint>

namespace ullage::base {

std::string sha256(std::string_view bytes) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &context);

  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "sha256:";
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

}  // namespace ullage::base

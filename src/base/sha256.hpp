// SHA-256 of bytes, as the digests of catalogues, cards and lock files.
#pragma once

#include <string>
#include <string_view>

namespace ullage::base {

// `sha256:` and 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace ullage::base

// Which characters are a decimal number, as JSON (RFC 8259, section 6) defines it.
#pragma once

#include <cstddef>
#include <string_view>

namespace ullage::document {

// The number of bytes of the longest number that `text` starts with; 0 where it starts with none.
std::size_t number_length(std::string_view text);

}  // namespace ullage::document

// Why a text is not JSON, in the words of whoever has to repair it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace ullage::document {

// What the parser had read last when it stopped.
enum class JsonSpot : std::uint8_t {
  start,          // nothing
  object_opened,  // {
  array_opened,   // [
  key,            // a key, not yet its colon
  object_value,   // a value inside an object
  array_value,    // a value inside an array
  whole           // the value that is the whole text
};

// The fault behind the last good token, which ends at byte `offset`: a `syntax` diagnostic at the
// line and column of the offending character, or at the end of a text that stops too soon.
base::Diagnostic explain_json_fault(std::string_view text, const std::string& file, JsonSpot spot,
                                    std::size_t offset);

// The first byte at or behind `at` that is no JSON white space.
std::size_t skip_json_space(std::string_view text, std::size_t at);

}  // namespace ullage::document

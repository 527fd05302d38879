// The answer as CSV: one row a row, plain numbers in base units.
#pragma once

#include <string>

#include "provenance/answer.hpp"

namespace ullage::report {

// A header `model,device,verdict,NAME,…,sources`, NAME being every result name in the order of
// first appearance, then every fact in words likewise; then one line a row, each ended by a
// newline. Numbers are exact decimals without separators or units; a value whose decimals do not
// end has 17 significant digits. An unknown figure or fact is the word `unknown` (an empty cell
// would count as zero in a sheet); a result that a row does not have is an empty cell. A result
// that has a range in some row is followed by NAME_low and NAME_high. `sources`
// holds the ids of every source that the row rests on, sorted, joined by `;`. Quoting as in RFC
// 4180; bytes that are no UTF-8 become U+FFFD.
std::string to_csv(const provenance::Answer& answer);

// One field, quoted where it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace ullage::report

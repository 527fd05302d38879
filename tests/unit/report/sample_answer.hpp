// An invented answer that shows every kind of figure, for the tests of all renderers.
#pragma once

#include <map>
#include <string>

#include "provenance/answer.hpp"
#include "report/reach.hpp"

namespace ullage::report::sample {

exact::Rational number(std::string_view text);
provenance::Claim claim(std::string_view value, units::Unit unit, std::string printed,
                        std::string source, std::string locator);

// A text with everything that breaks a careless renderer: quotes, escapes, a line break, a stray
// byte, a direction override, markup.
inline const std::string kHostile = "a\"b\\c\n\x1b[31m\xff\xE2\x80\xAE|<b>*x*";

// Three invented sources: chip-page, guide-page, model-card.
const provenance::Source* source(std::string_view id);

// One row `example-320b` on `example-chip`: published, given, assumed, derived, disputed and
// unknown figures.
provenance::Answer answer();

}  // namespace ullage::report::sample

// Sources as citations for papers and pages.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "provenance/source.hpp"

namespace ullage::cli {

enum class CitationStyle : std::uint8_t { text, bibtex };

// `text` or `bibtex`. Error usage.
base::Result<CitationStyle> citation_style(const std::string& name);

// One citation a source, in their order, each with the day on which it was read.
std::string citations(CitationStyle style, const std::vector<const provenance::Source*>& sources);

}  // namespace ullage::cli

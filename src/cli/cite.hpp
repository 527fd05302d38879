// Sources as citations for papers and pages.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/command.hpp"
#include "provenance/source.hpp"

namespace ullage::cli {

enum class CitationStyle : std::uint8_t { text, bibtex };

// `text` or `bibtex`. Error usage for another one, and with an output format: citations are text.
base::Result<CitationStyle> citation_style(const std::string& name, Format format);

// One citation a source, in their order, each with the day on which it was read.
std::string citations(CitationStyle style, const std::vector<const provenance::Source*>& sources);

}  // namespace ullage::cli

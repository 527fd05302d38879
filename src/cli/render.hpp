// What the commands share in printing: format choice, notes, derivations, legends of sources.
#pragma once

#include <string>

#include "cli/commands.hpp"
#include "provenance/answer.hpp"
#include "report/page.hpp"
#include "report/reach.hpp"

namespace ullage::cli {

report::SourceLookup sources_of(catalog::Catalogue& catalogue);

// The answer in the format asked for; `page` is the text and Markdown form. With --explain the
// derivation of every result follows.
std::string render(const Context& context, const provenance::Answer& answer, report::Page page);

// Notes as bullets, each level in its colour; statements with their source. Empty with --quiet.
void add_notes(const Context& context, const provenance::Row& row, report::Page& page);

// What keeps an answer from being known, for standard error: the first unknown figure of each row
// that has no verdict of its own.
std::string unknown_remark(const provenance::Answer& answer);

}  // namespace ullage::cli

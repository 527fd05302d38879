// What the commands share in printing: format choice, tables of figures, notes, derivations.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "provenance/answer.hpp"
#include "report/page.hpp"
#include "report/source_list.hpp"

namespace ullage::cli {

report::SourceLookup sources_of(catalog::Catalogue& catalogue);

// A result's name as a person reads it: `weights_floor` is `weight floor`.
std::string label_of(std::string_view result_name);

// Where a figure comes from in a few words: the formula, the flag, the default, what the source
// prints.
std::string origin_of(const provenance::Node& node);

// Label, value, origin and source marks of each result, in their order.
report::Table figures_table(const provenance::Answer& answer,
                            const std::vector<provenance::NamedFigure>& results,
                            report::SourceList& sources);

// Notes as bullets under a heading; statements with their source. Nothing with --quiet.
void add_notes(const Context& context, const std::vector<base::Note>& notes, report::Page& page);

// Whether the answer will show how figures follow from one another: in JSON and with --explain.
bool shows_derivations(const CommonArguments& common);

// The answer in the format asked for; `page` is its text and Markdown form, to which the derivation
// of every result is added with --explain.
std::string render(const Context& context, const provenance::Answer& answer, report::Page page);

// What keeps an answer from being known, for standard error; empty where nothing does.
std::string unknown_remark(const provenance::Answer& answer);

}  // namespace ullage::cli

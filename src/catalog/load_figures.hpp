// Figures of an entry: claims with their units, pins and relations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/fields.hpp"
#include "catalog/load.hpp"

namespace ullage::catalog {

// Of what the figures are: which names there are, and the scope of each.
enum class FigureTable : std::uint8_t { hardware, model, software };

// Reads `figures:`; faults are collected. `path` names the mapping in them, `kind` is that of the
// entry.
FigureList load_figures(const document::Document& document, const document::Value& figures,
                        const std::string& path, FigureTable table, EntryKind kind,
                        const SourceLookup& source, std::vector<base::Diagnostic>& faults);

// Reads one member of it; nothing where no figure of the table has its name.
std::optional<FigureFact> load_figure(const document::Document& document,
                                      const document::Member& member, const std::string& path,
                                      FigureTable table, EntryKind kind, const SourceLookup& source,
                                      std::vector<base::Diagnostic>& faults);

// Whether the figure is a number of things: no quantity with a unit, and no share of something.
bool is_count(const FigureFact& fact);

// The key `source:` (one id or a list), each checked against the known sources.
std::vector<std::string> load_source_ids(Fields& fields, const SourceLookup& source);

// One step of the last digit written: `2.9` has 1/10, `1299` has 1, `2.563e3` has 1.
exact::Rational last_place_of(std::string_view number);

}  // namespace ullage::catalog

// Figures of an entry: claims with their units, pins and relations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/fields.hpp"
#include "catalog/load.hpp"

namespace ullage::catalog {

// Reads `figures:` into `entry.figures`; faults are collected.
void load_figures(const document::Document& document, const document::Value& figures,
                  const SourceLookup& source, Entry& entry, std::vector<base::Diagnostic>& faults);

// Reads one member of `figures:`; nothing where no figure has its name. Faults are collected.
std::optional<FigureFact> load_figure(const document::Document& document,
                                      const document::Member& member, EntryKind kind,
                                      const SourceLookup& source,
                                      std::vector<base::Diagnostic>& faults);

// The key `source:` (one id or a list), each checked against the known sources.
std::vector<std::string> load_source_ids(Fields& fields, const SourceLookup& source);

// One step of the last digit written: `2.9` has 1/10, `1299` has 1, `2.563e3` has 1.
exact::Rational last_place_of(std::string_view number);

}  // namespace ullage::catalog

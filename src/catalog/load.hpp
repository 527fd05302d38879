// A document to an entry: the schema of docs/data-format.md, enforced with a position for each
// fault.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "catalog/entry.hpp"

namespace ullage::catalog {

// Whether an entry stands alone, or a file of the user's adds figures to one that exists: then only
// `schema`, `id` and `version` are needed beside what it adds. Of an embedded entry the figures are
// read apart; the build has checked that those which it must have are there.
enum class Completeness : std::uint8_t { whole, addition, without_figures };

// Finds a source by id; nullptr where there is none.
using SourceLookup = std::function<const provenance::Source*(std::string_view)>;

// Reads a hardware entry or a model card (its `schema:` says which). Collects every fault in file
// order into `faults` and returns nothing if there was one. Whether the chip that an instance names
// exists is for lint: one entry is read without the others.
std::optional<Entry> load_entry(const document::Document& document, const SourceLookup& source,
                                std::vector<base::Diagnostic>& faults,
                                Completeness completeness = Completeness::whole);

// As load_entry, but returns what could be read of an entry with faults too, for checks that want
// to say everything at once; a claim that could not be read has the value 0. Nothing where not even
// the schema and kind are known.
std::optional<Entry> read_entry(const document::Document& document, const SourceLookup& source,
                                std::vector<base::Diagnostic>& faults, Completeness completeness);

// The `schema:` of a document, empty where there is none.
std::string schema_of(const document::Document& document);

// Reads a sources file, likewise.
std::optional<std::vector<provenance::Source>> load_sources(const document::Document& document,
                                                            std::vector<base::Diagnostic>& faults);

// Reads one source, the form in which the catalogue embeds them.
std::optional<provenance::Source> load_source(const document::Document& document,
                                              const document::Member& member,
                                              std::vector<base::Diagnostic>& faults);

// Whether text is a date, YYYY-MM-DD.
bool is_date(std::string_view text);

}  // namespace ullage::catalog

// Adding a user's claims to an entry of the catalogue.
#pragma once

#include <string>
#include <vector>

#include "base/file_system.hpp"
#include "catalog/catalogue.hpp"

namespace ullage::catalog {

// `entry` with what `addition` says on top, figure by figure: the addition's pinned (or only) claim
// is used, every claim that was there is kept. Appends one sentence a figure to `changes`.
Entry with_addition(const Entry& entry, const Entry& addition, std::vector<std::string>& changes);

// Whether what the addition says of partitions can be added: one that `entry` does not have needs
// what a partition needs. Error missing_key naming the file.
base::Result<void> check_addition(const Entry& entry, const Entry& addition,
                                  const std::string& file);

// Whether a file only adds to an entry that is among the listings: it says neither vendor nor
// status.
bool is_addition(const document::Document& document, const std::vector<Listing>& listings);

// Whether the kind and name that an addition repeats are the entry's. Error conflict at their
// place.
base::Result<void> check_repeated(const document::Document& document, const Entry& entry);

// Whether what `key` of an instance or system names (`chip`, `instance`) is one; `part` is what the
// name was resolved to. Error reference at its place: nothing, or an entry of another kind.
base::Result<void> check_part(const document::Document& document, std::string_view key,
                              const base::Result<const Entry*>& part);

struct OverlayFile {
  std::string path;
  std::string text;
};

// The YAML files below a folder, in path order. Errors: file_unreadable; a folder without YAML
// files is an error too, since it is never what the user meant.
base::Result<std::vector<OverlayFile>> read_overlay(const base::FileSystem& files,
                                                    const std::string& folder);

}  // namespace ullage::catalog

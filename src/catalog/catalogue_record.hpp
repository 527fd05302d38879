// What the catalogue keeps of one entry; for the files that implement Catalogue.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "catalog/catalogue.hpp"

namespace ullage::catalog {

struct Catalogue::Record {
  std::unique_ptr<Entry> entry;             // once it is loaded; small until then
  const EmbeddedEntry* embedded = nullptr;  // where it comes from
  std::string raw;                          // of an overlay's file
  bool has_partitions = false;              // whether `entry` has them already
  bool has_software = false;

  class Folder;  // catalogue_overlay.cpp: a folder of the user's, with the access of a member
};

// What the build embedded; Defect where it is damaged.
document::Value decoded(std::string_view compact, const std::string& file);

}  // namespace ullage::catalog

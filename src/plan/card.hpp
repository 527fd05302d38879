// A model card made from files: every figure cites the file, the place in it and its digest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/note.hpp"
#include "document/value.hpp"
#include "import/open.hpp"

namespace ullage::plan {

struct CardRequest {
  std::string model;
  std::optional<std::string> assume;  // --assume FAMILY
  // What no file says; where it is left out, the reviewer finds the name of the folder, and
  // `not known`.
  std::optional<std::string> id;
  std::optional<std::string> name;
  std::optional<std::string> vendor;
  std::optional<std::string> url;
  std::string today;  // YYYY-MM-DD: the day on which the files were read
};

struct Card {
  document::Value card;  // of schema ullage/model/1
  std::vector<base::Note> notes;
};

// The card of a configuration, a checkpoint or both. Counts are those of `weights`; numbers of the
// shape are the file's own, with their key and line; the architecture holds what the family read.
// What no file states is unknown with that reason. The card is read back and counted before it is
// returned. Errors: usage where MODEL is a card or a literal; every fault of its files.
base::Result<Card> card_of(const CardRequest& request, catalog::Catalogue& catalogue,
                           const base::FileSystem& files);

}  // namespace ullage::plan

// A model as the rest of the program sees it, however it was named: an inventory where its shape is
// known, else the totals that somebody states.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/note.hpp"
#include "base/result.hpp"
#include "catalog/entry.hpp"
#include "model/inventory.hpp"

namespace ullage::model {

struct StoragePlan;

// What a checkpoint's own headers list in one storage format.
struct StoredPart {
  std::string format;  // `bf16`; `padding` for what lies between tensors
  provenance::FigureId bytes;
};

// A file of which the first bytes were read.
struct ReadFile {
  std::string path;
  std::uint64_t bytes = 0;
};

// What a quantisation section says of the tensors: a plan that `store` follows, or null and why
// not.
struct StoredAs {
  std::shared_ptr<const StoragePlan> plan;
  std::string unknown;
};

struct Model {
  std::string name;        // as answers show it: card id, path, literal
  std::string model_type;  // of a config; empty for literals and cards without a shape
  std::optional<Inventory> inventory;

  // Totals as a card or a literal states them; nothing where nobody does.
  std::optional<provenance::FigureId> stated_parameters;
  std::optional<provenance::FigureId> stated_parameters_stored;
  std::optional<provenance::FigureId> stated_active_parameters;
  std::optional<provenance::FigureId> stated_checkpoint_bytes;
  // The bytes of a checkpoint whose headers were read, by format; they sum to
  // `stated_checkpoint_bytes`.
  std::vector<StoredPart> stored_parts;
  // Parameters × the bits of the format that each is stored in ÷ 8, where a checkpoint without a
  // configuration stores them in several.
  std::optional<provenance::FigureId> floor_by_format;

  // The storage format in which the model is published (`bf16`, `fp8-block`), and why it is not
  // known where it is empty. `uniform` says that every tensor is stored in it, so that bytes follow
  // from it.
  std::string native_format;
  std::string native_format_where;
  std::string native_format_unknown;
  bool uniform = false;
  // How a quantised checkpoint stores each tensor; empty where no section says so. Called only
  // where bytes are asked for: to read a card's section costs as much as to count its tensors.
  std::function<base::Result<StoredAs>()> stored_as;
  // The format of what a quantised form of the model leaves alone, as its configuration spells it.
  std::string plain_format = "bf16";

  // What the model was read from, where that is files of the user's: the configuration with its
  // digest and the part of it that its family read, and the headers of a checkpoint or its index.
  std::string config_file;
  std::string config_digest;
  std::shared_ptr<const catalog::Architecture> config;
  std::vector<ReadFile> headers;
  std::optional<ReadFile> index;
  // Structured sparsity of the weights as the configuration states it (`2:4`); empty where it
  // states none.
  std::string sparsity;

  // The card, for its statements; null for configs and literals. Entries of the catalogue are not
  // owned.
  std::shared_ptr<const catalog::Entry> card;
  std::vector<base::Note> notes;
};

}  // namespace ullage::model

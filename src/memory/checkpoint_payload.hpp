// Bytes of a checkpoint, tensor by tensor: codes, scales, and what is kept in a wider format.
#pragma once

#include <optional>
#include <string>

#include "catalog/catalogue.hpp"
#include "model/model.hpp"

namespace ullage::memory {

// An inventory of which every group names its format, and where that is from.
struct StoredForm {
  model::Inventory inventory;
  std::string note;  // what stays in another format than the one asked for, and by what rule
  std::optional<base::Note> unmatched;  // what a list of the checkpoint leaves out in vain
};

// The form of `model` in its own format, where its tensors' formats are known; in another one by
// the convention of that format or the rule of its files. Nothing, with the reason in `unknown`,
// where nobody says which tensors stay wider. Error unknown_name for a format that the table lacks.
base::Result<std::optional<StoredForm>> stored_form(provenance::Graph& graph,
                                                    const model::Model& model,
                                                    const catalog::StorageFormat& format,
                                                    bool is_native, catalog::Catalogue& catalogue,
                                                    std::string& unknown);

// The bytes that a checkpoint of that form stores, as the sum over its groups; nothing, with the
// reason in `unknown`, where a format does not say how it stores a shape. Exact: blocks and words
// that a shape does not fill are stored whole.
base::Result<std::optional<provenance::Figure<units::Bytes>>> checkpoint_payload(
    provenance::Graph& graph, const model::Inventory& stored, const std::string& kept_dtype,
    catalog::Catalogue& catalogue, std::string& unknown);

}  // namespace ullage::memory

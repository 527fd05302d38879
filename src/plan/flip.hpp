// Whether other claims than the pinned ones would change what an answer says.
#pragma once

#include <optional>

#include "base/note.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

// The note `conflict` for a row of `fit` whose verdict another claim would flip, or whose lower
// bound it would change; nothing where the verdict is the same for all of them. It names the
// figures in dispute with their claims. Needs a graph that carries ranges.
std::optional<base::Note> flip_note(const provenance::Graph& graph, const provenance::Row& row);

}  // namespace ullage::plan

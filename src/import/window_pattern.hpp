// Which layers keep a window of the last tokens and which keep all: every spelling of the pattern
// ends as two counts.
#pragma once

#include <optional>

#include "import/blocks.hpp"
#include "import/layer_pattern.hpp"

namespace ullage::import {

struct WindowLayers {
  std::optional<model::Extent> full;
  std::optional<model::Extent> windowed;  // or chunked
  std::optional<model::Extent> window;    // tokens that they keep
};

// From layer_types, else from sliding_window_pattern (a number n: each n-th layer is full; a text
// such as LLLG, repeated), else each `period`-th layer is full by default of the family. A layer
// without a window anywhere (`window_key` absent or null) is full. Errors: out_of_range for a word
// that is no such kind or a period of 0.
base::Result<WindowLayers> read_window_layers(ConfigReader& config, const model::Extent& layers,
                                              std::int64_t period,
                                              std::string_view window_key = "sliding_window");

// The caches of both kinds of layers; `kind` of those with a window.
void add_window_caches(model::Inventory& inventory, const WindowLayers& layers,
                       const AttentionShape& attention,
                       model::CacheKind kind = model::CacheKind::window);

}  // namespace ullage::import

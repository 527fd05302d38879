// Which layers keep a window of the last tokens and which keep all: every spelling of the pattern
// ends as two counts.
#pragma once

#include <optional>

#include "import/dense.hpp"
#include "import/layer_pattern.hpp"

namespace ullage::import {

struct WindowLayers {
  std::optional<model::Extent> full;
  std::optional<model::Extent> windowed;  // or chunked
  std::optional<model::Extent> window;    // tokens that they keep
};

// From layer_types, else from sliding_window_pattern (a number n: each n-th layer is full; a text
// such as LLLG, repeated), else each `period`-th layer is full by default of the family (0: none
// is). A layer without a window anywhere (`window_key` absent or null) is full. Errors:
// out_of_range for a word that is no such kind or a period of 0.
base::Result<WindowLayers> read_window_layers(ConfigReader& config, const model::Extent& layers,
                                              std::int64_t period,
                                              std::string_view window_key = "sliding_window");

// The caches of both kinds of layers; `kind` of those with a window.
void add_window_caches(model::Inventory& inventory, const WindowLayers& layers,
                       const AttentionShape& attention,
                       model::CacheKind kind = model::CacheKind::window);

// Every tensor of the description, and caches by read_window_layers.
base::Result<model::Inventory> list_windowed(ConfigReader& config, const DenseShape& shape,
                                             std::int64_t period);

// Layers by whether they keep a window and whether they keep anything: the last
// num_kv_shared_layers read the keys and values of an earlier layer of their kind.
struct SharingLayers {
  WindowLayers own;
  std::optional<model::Extent> sharing_full;
  std::optional<model::Extent> sharing_windowed;
  std::optional<model::Extent> sharing;  // both together
};

// read_window_layers with num_kv_shared_layers. `last_is_full` makes the last layer full whatever
// the list says, as the class does. Errors: out_of_range where more layers share than there are.
base::Result<SharingLayers> read_sharing_layers(ConfigReader& config, const model::Extent& layers,
                                                std::int64_t period, bool last_is_full);

}  // namespace ullage::import

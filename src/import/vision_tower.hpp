// Vision towers of multimodal mixtures: patch embedding, transformer blocks, and the merger into
// the language model.
#pragma once

#include <optional>

#include "import/config_reader.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

// The tower of Qwen3-VL and Qwen3.5 (vision_config): learned positions, blocks with biases, a
// merger of spatial_merge_size² patches, and one more merger for each of deepstack_visual_indexes.
base::Result<void> add_qwen_vision(ConfigReader& vision, model::Inventory& inventory);

// MoonViT of Kimi-K2.5 and K3 (keys vt_*): learned positions in two dimensions, and a merger. K3's
// has RMS norms, no biases, heads wider than the tower and a norm behind the merger. Error
// unsupported_architecture for another kind of norm, MLP or projector.
// Kimi-VL's file spells the keys plainly and leaves out the text's width, which `text` gives.
base::Result<void> add_moon_vision(ConfigReader& vision, model::Inventory& inventory,
                                   const std::optional<model::Extent>& text = {});

// The tower of GLM-5.3-Flash: gated MLPs and head norms with biases throughout, a convolution that
// merges spatial_merge_size² patches, and a gated merger of projection_intermediate_size.
base::Result<void> add_glm_vision(ConfigReader& vision, model::Inventory& inventory);

// The tower of MiniMax-M3: patches of several frames, rotary positions, no norm at the end, a
// projector to the width `text` and an MLP that merges spatial_merge_size² of its outputs. `outer`
// is the configuration around it.
base::Result<void> add_minimax_vision(ConfigReader& outer, ConfigReader& vision,
                                      model::Inventory& inventory, const model::Extent& text);

// The tower of Step-3.7: learned and rotary positions, a scale a channel behind attention and MLP,
// two convolutions that halve each side and double the channels, one matrix to the width `text`.
base::Result<void> add_step_vision(ConfigReader& outer, ConfigReader& vision,
                                   model::Inventory& inventory, const model::Extent& text);

}  // namespace ullage::import

// Vision towers of multimodal mixtures: patch embedding, transformer blocks, and the merger into
// the language model.
#pragma once

#include "import/config_reader.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

// The tower of Qwen3-VL and Qwen3.5 (vision_config): learned positions, blocks with biases, a
// merger of spatial_merge_size² patches, and one more merger for each of deepstack_visual_indexes.
base::Result<void> add_qwen_vision(ConfigReader& vision, model::Inventory& inventory);

// MoonViT of Kimi-K2.5 (keys vt_*): learned positions in two dimensions, and a merger.
base::Result<void> add_moon_vision(ConfigReader& vision, model::Inventory& inventory);

// The tower of GLM-5.3-Flash: gated MLPs and head norms with biases throughout, a convolution that
// merges spatial_merge_size² patches, and a gated merger of projection_intermediate_size.
base::Result<void> add_glm_vision(ConfigReader& vision, model::Inventory& inventory);

}  // namespace ullage::import

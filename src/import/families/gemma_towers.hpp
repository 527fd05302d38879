// The encoders of images and sound that Gemma 3n and Gemma 4 carry.
#pragma once

#include "import/config_reader.hpp"
#include "model/inventory.hpp"

namespace ullage::import {

// Gemma 4's image encoder (vision_config) and the projection to the text's width. Bounds of clipped
// matrices are stored and not counted.
base::Result<void> add_gemma4_vision(ConfigReader& vision, model::Inventory& inventory,
                                     const model::Extent& hidden);
// Gemma 4's sound encoder (audio_config) and its projections.
base::Result<void> add_gemma4_audio(ConfigReader& audio, model::Inventory& inventory,
                                    const model::Extent& hidden);

// Gemma 3n's image encoder, which timm defines by name, and its embedder. Error
// unsupported_architecture for another name.
base::Result<void> add_gemma3n_vision(ConfigReader& vision, model::Inventory& inventory,
                                      const model::Extent& hidden);
// Gemma 3n's sound encoder (audio_config) and its embedder.
base::Result<void> add_gemma3n_audio(ConfigReader& audio, model::Inventory& inventory,
                                     const model::Extent& hidden);

}  // namespace ullage::import

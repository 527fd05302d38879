// Hyper-connections: a residual of several streams, of which each part of a layer reads, and writes
// and mixes, by learned weights.
#pragma once

#include "import/config_reader.hpp"
#include "import/tensor_list.hpp"

namespace ullage::import {

// Around attention and MLP of each layer: a map of all streams to what is read, written and mixed.
void add_hyper_connections(ConfigReader& config, TensorList& layers, const model::Extent& hidden,
                           const model::Extent& streams);
// What reads one state out of the streams behind the last layer (DeepSeek-V4).
void add_stream_head(ConfigReader& config, TensorList& whole, const model::Extent& hidden,
                     const model::Extent& streams);

}  // namespace ullage::import

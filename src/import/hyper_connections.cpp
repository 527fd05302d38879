// Tensors as transformers defines them in models/deepseek_v4 and models/glm5_next.
#include "import/hyper_connections.hpp"

namespace ullage::import {

using model::Component;
using model::Extent;

void add_hyper_connections(ConfigReader& config, TensorList& layers, const Extent& hidden,
                           const Extent& streams) {
  const Extent mixes =
      config.derived("mixing weights", (exact::Rational(2) + streams.value) * streams.value,
                     "(2 + hc_mult) × hc_mult", {streams.figure});
  const Extent three =
      config.derived("scales", 3, "of reading, writing and mixing", {streams.figure});
  for (const char* part : {"attn", "ffn"}) {
    const std::string name = "hc_" + std::string(part);
    layers.add(name + "_fn", Component::attention, {{mixes}, {streams, hidden}});
    layers.add(name + "_base", Component::attention, {{mixes}}).kept = "fp32";
    layers.add(name + "_scale", Component::attention, {{three}}).kept = "fp32";
  }
}

void add_stream_head(ConfigReader& config, TensorList& whole, const Extent& hidden,
                     const Extent& streams) {
  const Extent one = config.derived("scale", 1, "of reading", {streams.figure});
  whole.add("hc_head_fn", Component::attention, {{streams}, {streams, hidden}}).kept = "fp32";
  whole.add("hc_head_base", Component::attention, {{streams}}).kept = "fp32";
  whole.add("hc_head_scale", Component::attention, {{one}}).kept = "fp32";
}

}  // namespace ullage::import

// FLOPs of training and inference, and what they mean on devices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compute/flops.hpp"
#include "plan/fit.hpp"

namespace ullage::plan {

struct FlopsRequest {
  std::string model;
  std::optional<std::string> assume;  // --assume FAMILY
  std::string rules = "ideal";
  std::optional<GivenNumber> sequence;  // nothing: 4,096 tokens, assumed
  std::optional<bool> causal;           // nothing: no, and said
  compute::Repeat recompute = compute::Repeat::none;
  std::optional<GivenNumber> batch;  // sequences of one step
  std::optional<GivenNumber> lora_rank;
  std::vector<std::string> lora_targets;

  std::optional<std::string> on;         // a device whose peak counts
  std::optional<GivenNumber> devices;    // nothing: 1, assumed
  std::optional<std::string> precision;  // of the peak; nothing: bf16, assumed
  std::optional<GivenNumber> mfu;        // share of the peak; nothing: all of it, a bound
  std::optional<GivenNumber> measured;   // tokens/s of all devices together
  std::optional<GivenNumber> tokens;     // of the whole training
  bool sparse = false;                   // --sparse: the with-sparsity peak
};

// One row. With `on`: tokens a second and times at a share of the dense peak, or the utilisation of
// a measured rate under each convention. Errors: usage; kind_mismatch where a sparse peak is asked
// for and nothing says that the model is structurally sparse; unsupported_architecture and
// unknown_figure where the model does not tell.
base::Result<provenance::Answer> flops(const FlopsRequest& request, catalog::Catalogue& catalogue,
                                       const base::FileSystem& files);

}  // namespace ullage::plan

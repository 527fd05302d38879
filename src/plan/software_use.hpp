// What sources say that a software stack does not do on a device: the facts behind the rule
// `software-unsupported`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/note.hpp"
#include "catalog/catalogue.hpp"

namespace ullage::plan {

// How somebody means to use an engine; what is empty is not asked.
struct SoftwareUse {
  std::string engine = {};         // neuronx, vllm …
  std::string version = {};        // in the versions that the stack's support is stated in
  std::string weight_format = {};  // a storage format: `bf16`, `fp8-block`
  std::string kv_format = {};
  std::optional<std::int64_t> tensor_parallel = {};
  std::optional<std::int64_t> logical_core = {};  // LNC
};

// One note `software-unsupported`, level error, for each part of the use that a source rules out on
// the device: a stack that does not run there in that version, a degree, format or setting that is
// not among those that it lists. Silence of the sources rules nothing out. Where several stacks
// are that engine, one that rules nothing out decides.
std::vector<base::Note> ruled_out(catalog::Catalogue& catalogue, const catalog::Entry& device,
                                  const SoftwareUse& use);

}  // namespace ullage::plan

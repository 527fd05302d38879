// KV cache and recurrent state of a model: memory for a workload, and what a memory holds.
#pragma once

#include <optional>
#include <string>

#include "import/open.hpp"
#include "plan/devices.hpp"
#include "plan/serve.hpp"

namespace ullage::plan {

struct KvRequest {
  std::string model;
  std::optional<std::string> assume;  // --assume FAMILY
  memory::WeightChoice weights;       // what --capacity is left with
  ServeChoice serve;
  std::optional<GivenNumber> kv_memory;    // bytes of one device
  std::optional<GivenNumber> capacity;     // bytes of one device
  std::optional<GivenNumber> utilization;  // share
};

// One row with the figures of `serving_results`. With a capacity, `device_capacity`,
// `weights_loaded_per_device`, with a context `required_memory_per_device`, and `kv_memory` =
// capacity × utilisation − loaded weights − each overhead, from which the figures of the supply
// follow. No verdict: `fit` gives one.
base::Result<provenance::Answer> kv(const KvRequest& request, catalog::Catalogue& catalogue,
                                    const base::FileSystem& files);

// The two halves of `kv`, for those who ask many questions about one model: what does not depend on
// the workload, and a row.
struct KvModel {
  model::Model model;
  memory::Weights weights;
  std::optional<model::Model> draft;
};
base::Result<KvModel> open_kv_model(provenance::Graph& graph, const KvRequest& request,
                                    catalog::Catalogue& catalogue, const base::FileSystem& files);
base::Result<provenance::Row> kv_row(provenance::Graph& graph, const KvModel& opened,
                                     const KvRequest& request, catalog::Catalogue& catalogue);

}  // namespace ullage::plan

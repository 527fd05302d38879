// Names the figures of memory/weights.
#include "plan/weights.hpp"

#include <algorithm>

#include "engine/loaded.hpp"
#include "memory/device_weights.hpp"

namespace ullage::plan {

base::Result<provenance::Answer> weights(const WeightsRequest& request,
                                         catalog::Catalogue& catalogue,
                                         const base::FileSystem& files) {
  provenance::Answer answer;
  answer.command = "weights";
  provenance::Graph& graph = answer.graph;
  import::OpenContext context{catalogue, files, graph, request.assume};
  ULLAGE_TRY(const model::Model model, import::open_model(context, request.model));
  ULLAGE_TRY(const memory::Weights weights,
             memory::weigh(graph, model, request.weights, catalogue));
  provenance::Row row;
  row.model = model.name;
  const auto add = [&row](std::string name, provenance::FigureId id) {
    row.results.push_back({std::move(name), id});
  };
  add("parameters", weights.parameters.id());
  for (const memory::ComponentCount& part : weights.components) {
    add("parameters_" + std::string(name_of(part.component)), part.parameters.id());
  }
  if (weights.parameters_stored) add("parameters_stored", weights.parameters_stored->id());
  if (weights.active_parameters) add("active_parameters", weights.active_parameters->id());
  add("bits_per_parameter", weights.bits.id());
  add("weights_floor", weights.floor.id());
  add("weights_payload", weights.payload.id());
  if (weights.payload.id() == model.stated_checkpoint_bytes) {
    for (const model::StoredPart& part : model.stored_parts) {
      std::string name = "weights_payload_" + part.format;
      std::replace(name.begin(), name.end(), '-', '_');
      add(std::move(name), part.bytes);
    }
  }
  std::vector<base::Note> layout_notes;
  if (request.layout.given()) {
    ULLAGE_TRY(const memory::Layout layout, layout_of(graph, request.layout));
    ULLAGE_TRY(memory::DeviceWeights device,
               memory::device_weights(graph, model, weights, layout, catalogue));
    add("weights_per_device", device.bytes.id());
    for (const memory::ComponentBytes& part : device.components) {
      add("weights_per_device_" + std::string(name_of(part.component)), part.bytes.id());
    }
    layout_notes = std::move(device.notes);
  }
  if (request.engine) {
    ULLAGE_TRY(const engine::EngineChoice engine, engine::find_engine(*request.engine));
    ULLAGE_TRY(const memory::Layout layout, layout_of(graph, request.layout));
    ULLAGE_TRY(const engine::LoadedWeights loaded,
               engine::loaded_weights(graph, model, weights, layout, engine, engine::Drafting::no,
                                      catalogue));
    add("weights_loaded_per_device", loaded.per_device.id());
    if (loaded.host) add("weights_loaded_host", loaded.host->id());
    const auto left_out =
        std::find_if(loaded.notes.begin(), loaded.notes.end(),
                     [](const base::Note& note) { return note.code == "mtp-not-loaded"; });
    if (left_out != loaded.notes.end()) layout_notes.push_back(*left_out);
  }
  row.notes = model.notes;
  row.notes.insert(row.notes.end(), weights.notes.begin(), weights.notes.end());
  row.notes.insert(row.notes.end(), layout_notes.begin(), layout_notes.end());
  for (const std::string& change : catalogue.overlay_changes()) {
    row.notes.push_back({"overlay", base::Severity::warning, change});
  }
  answer.rows.push_back(std::move(row));
  return answer;
}

}  // namespace ullage::plan

// Opens the model, works out the memory, asks plan/serve.
#include "plan/kv.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using provenance::Graph;
using units::Bytes;
using units::Capacity;
using units::Share;

base::Result<void> check_request(const KvRequest& request) {
  const auto wrong = [](std::string message, std::string hint) {
    return Diagnostic{.code = Code::usage,
                      .message = std::move(message),
                      .span = {},
                      .hint = std::move(hint),
                      .notes = {}};
  };
  if (request.kv_memory && request.capacity) {
    return wrong("--kv-memory and --capacity are both given",
                 "--kv-memory is what --capacity leaves for the cache: give one of them");
  }
  if (!request.capacity && (request.utilization || !request.serve.overheads.empty())) {
    return wrong(
        request.utilization ? "--utilization needs --capacity" : "--overhead needs --capacity",
        "--capacity SIZE is the memory of one device");
  }
  if (!request.capacity && request.serve.weights_on_host) {
    return wrong("--weights-on-host needs --capacity",
                 "--capacity SIZE is the memory of the device that they leave");
  }
  return {};
}

}  // namespace

base::Result<KvModel> open_kv_model(Graph& graph, const KvRequest& request,
                                    catalog::Catalogue& catalogue, const base::FileSystem& files) {
  import::OpenContext context{catalogue, files, graph, request.assume};
  ULLAGE_TRY(model::Model model, import::open_model(context, request.model));
  ULLAGE_TRY(memory::Weights weights, memory::weigh(graph, model, request.weights, catalogue));
  ULLAGE_TRY(std::optional<model::Model> draft, open_draft(request.serve, context));
  return KvModel{std::move(model), std::move(weights), std::move(draft)};
}

base::Result<provenance::Row> kv_row(Graph& graph, const KvModel& opened, const KvRequest& request,
                                     catalog::Catalogue& catalogue) {
  ULLAGE_CHECK(check_request(request));
  ServeMemory memory;
  if (request.kv_memory) {
    memory.kv_memory = graph.given<Bytes>("memory for the cache", request.kv_memory->value,
                                          {request.kv_memory->where, ""});
  }
  if (request.capacity) {
    memory.capacity = graph.given<Capacity>("device capacity", request.capacity->value,
                                            {request.capacity->where, ""});
  }
  if (request.utilization) {
    memory.share = graph.given<Share>("utilisation", request.utilization->value,
                                      {request.utilization->where, ""});
  }
  const memory::Weights* const used = request.capacity ? &opened.weights : nullptr;
  ServeChoice choice = request.serve;
  if (opened.draft) choice.draft_model = &*opened.draft;
  ULLAGE_TRY(const Serving serving,
             serve(graph, opened.model, used, choice, memory, nullptr, catalogue));
  provenance::Row row;
  row.model = opened.model.name;
  row.results = serving_results(serving);
  if (serving.budget_per_device) {
    row.results.push_back({"device_capacity", memory.capacity->id()});
    if (serving.required_per_device) {
      row.results.push_back({"required_memory_per_device", serving.required_per_device->id()});
    }
    row.results.push_back({"device_budget", serving.budget_per_device->id()});
    row.results.push_back({"weights_loaded_per_device", serving.weights_per_device->id()});
    if (serving.weights_host) {
      row.results.push_back({"weights_loaded_host", serving.weights_host->id()});
    }
  }
  row.notes = opened.model.notes;
  row.notes.insert(row.notes.end(), serving.notes.begin(), serving.notes.end());
  for (const std::string& change : catalogue.overlay_changes())
    row.notes.push_back({"overlay", base::Severity::warning, change});
  return row;
}

base::Result<provenance::Answer> kv(const KvRequest& request, catalog::Catalogue& catalogue,
                                    const base::FileSystem& files) {
  ULLAGE_CHECK(check_request(request));
  provenance::Answer answer;
  answer.command = "kv";
  ULLAGE_TRY(const KvModel opened, open_kv_model(answer.graph, request, catalogue, files));
  ULLAGE_TRY(provenance::Row row, kv_row(answer.graph, opened, request, catalogue));
  answer.rows.push_back(std::move(row));
  return answer;
}

}  // namespace ullage::plan

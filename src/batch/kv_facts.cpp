// Asks the function behind `kv` for one sequence.
#include "batch/kv_facts.hpp"

#include <algorithm>

#include "report/reach.hpp"

namespace ullage::batch {
namespace {

constexpr std::size_t kOpened = 8;
// Figures that questions leave in a model's graph before it is opened anew.
constexpr std::size_t kFigures = 20000;

Scaling scaling_of(const std::string& name) {
  if (name.starts_with("kv_total_per_device") || name == "state_total_per_device") {
    return Scaling::of_copy;
  }
  return name == "kv_total" || name == "state_total" ? Scaling::sequences : Scaling::fixed;
}

}  // namespace

OpenedModels::Opened& OpenedModels::opened(const std::string& key, const plan::KvRequest& request) {
  for (auto model = models_.begin(); model != models_.end(); ++model) {
    if ((*model)->key != key) continue;
    std::unique_ptr<Opened> found = std::move(*model);
    models_.erase(model);
    const bool grown = found->graph.size() > found->size + kFigures;
    if (grown) break;
    models_.push_front(std::move(found));
    return *models_.front();
  }
  if (models_.size() == kOpened) models_.pop_back();
  auto made = std::make_unique<Opened>();
  made->key = key;
  auto model = plan::open_kv_model(made->graph, request, catalogue_, files_);
  if (model) made->model = std::move(*model);
  made->size = made->graph.size();
  models_.push_front(std::move(made));
  return *models_.front();
}

KvFacts OpenedModels::kv_facts(const std::string& key, const plan::KvRequest& request) {
  KvFacts facts;
  Opened& opened = this->opened(key, request);
  if (!opened.model) return facts;
  const auto row = plan::kv_row(opened.graph, *opened.model, request, catalogue_);
  if (!row) return facts;
  facts.covered = true;
  for (const provenance::NamedFigure& result : row->results) {
    NamedValue named{result.name, {Value::State::unknown, {}}, scaling_of(result.name)};
    if (opened.graph.known(result.figure)) {
      const auto number = Number::of(opened.graph.value(result.figure));
      facts.covered = facts.covered && number.has_value();
      named.value = Value::of(number.value_or(Number()));
    }
    facts.results.push_back(std::move(named));
  }
  for (const std::string_view id : report::cited_sources(opened.graph, {&*row, 1}))
    facts.sources += (facts.sources.empty() ? "" : ";") + std::string(id);
  return facts;
}

}  // namespace ullage::batch

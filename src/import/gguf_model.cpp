// Puts together what the table and the metadata say.
#include "import/gguf_model.hpp"

#include "import/gguf_caches.hpp"
#include "import/header_inventory.hpp"
#include "import/layer_pattern.hpp"
#include "import/open_checkpoint.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;
using exact::Rational;
using model::Extent;
using model::Model;

constexpr std::int64_t kMostLayers = 100'000;

// The layers of the main model; prediction modules stand behind them in the table.
base::Result<std::optional<Extent>> read_layers(GgufMetadata& metadata, HeaderReading& how) {
  ULLAGE_TRY(auto blocks, metadata.count("block_count"));
  if (!blocks) return std::optional<Extent>();
  ULLAGE_TRY(const auto modules, metadata.count("nextn_predict_layers"));
  const bool possible =
      blocks->value <= Rational(kMostLayers) && (!modules || modules->value < blocks->value);
  if (!possible) {
    return metadata.fault(
        Code::out_of_range, "block_count",
        "is " + blocks->value.to_string() + ", too many layers or fewer than prediction modules");
  }
  if (!modules) {
    blocks->layers = every_layer(blocks->value);
    return blocks;
  }
  const std::int64_t last = *blocks->value.to_int64();
  const std::int64_t first = last - *modules->value.to_int64();
  for (std::int64_t layer = first; layer < last; ++layer)
    how.prediction_layers.insert(static_cast<std::uint64_t>(layer));
  Extent layers = metadata.derived("layers", Rational(first), "block_count − nextn_predict_layers",
                                   {blocks->figure, modules->figure});
  layers.layers = every_layer(layers.value);
  return std::optional(std::move(layers));
}

}  // namespace

base::Result<Model> open_gguf(OpenContext& context, std::string name,
                              const std::vector<std::string>& paths) {
  ULLAGE_TRY(const GgufFile file, read_gguf(context.files, paths, context.catalogue.formats()));
  GgufMetadata metadata(file, context.graph);
  if (metadata.architecture().empty()) {
    return Diagnostic{.code = Code::missing_key,
                      .message = "the file does not name its general.architecture",
                      .span = {paths.front(), 0, 0},
                      .hint = "it is no model that llama.cpp would load",
                      .notes = {}};
  }
  HeaderReading how;
  how.read_name = read_gguf_name;
  ULLAGE_TRY(const auto layers, read_layers(metadata, how));
  ULLAGE_TRY(how.chosen, metadata.count("expert_used_count"));
  const std::vector<ReadGroup> groups = read_groups(file.tensors, how);
  const HeaderSums sums = sums_of(groups, how);
  const std::string where = name_files(paths);
  Model model;
  model.name = std::move(name);
  model.inventory = list_tensors(context.graph, groups, how);
  if (model.inventory->tensors.empty()) {
    return Diagnostic{.code = Code::missing_key,
                      .message = "the file lists no weights",
                      .span = {paths.front(), 0, 0},
                      .hint = "a vocabulary or an adapter is no model",
                      .notes = {}};
  }
  set_stored_parts(context.graph, sums, where, Rational(file.padding), model);
  set_native_format(context.graph, groups, sums, how, where, model);
  note_beside(sums, where, model);
  for (std::size_t i = 0; i < paths.size(); ++i)
    model.headers.push_back({paths[i], file.header_bytes[i]});
  if (!layers) return model;
  model.inventory->main_layers = *layers->value.to_int64();
  ULLAGE_TRY(model.inventory->trained_length, metadata.count("context_length"));
  ULLAGE_CHECK(add_gguf_caches(metadata, file.tensors, *layers, *model.inventory, model.notes));
  return model;
}

}  // namespace ullage::import

// Finds the headers, and explains where they and the shape of a configuration differ.
#include "import/open_checkpoint.hpp"

#include <algorithm>

#include "import/checkpoint_index.hpp"
#include "import/header_inventory.hpp"
#include "import/safetensors.hpp"
#include "import/shards.hpp"

namespace ullage::import {
namespace {

using base::Severity;
using exact::Rational;
using model::Component;
using model::Model;
using model::TensorGroup;

constexpr std::string_view kEnding = ".safetensors";

base::Result<StoredTensors> read_headers(OpenContext& context,
                                         const std::vector<std::string>& paths, Model& model) {
  StoredTensors tensors;
  for (const std::string& path : paths) {
    ULLAGE_TRY(const std::uint64_t bytes,
               read_safetensors(context.files, path, context.catalogue.formats(), tensors));
    model.headers.push_back({path, bytes});
  }
  return tensors;
}

// Which files to read beside a configuration, and why some are not.
struct Found {
  std::optional<CheckpointIndex> index;
  std::vector<std::string> files;
  std::vector<base::Note> notes;
};

void note_incomplete(std::size_t there, std::size_t all, Found& found) {
  found.files.clear();
  found.notes.push_back({"checkpoint-incomplete", Severity::warning,
                         "only " + std::to_string(there) + " of " + std::to_string(all) +
                             " shards lie beside the configuration: no header is read"});
}

base::Result<Found> find_beside(OpenContext& context, const std::string& folder) {
  Found found;
  ULLAGE_TRY(found.index, read_checkpoint_index(context.files, folder, context.graph));
  if (found.index && !found.index->shards.empty()) {
    const auto& shards = found.index->shards;
    for (const std::string& shard : shards) {
      const std::string path = base::join(folder, shard);
      if (shard.ends_with(kEnding) && context.files.kind_of(path) != base::PathKind::missing) {
        found.files.push_back(path);
      }
    }
    if (!found.files.empty() && found.files.size() != shards.size()) {
      note_incomplete(found.files.size(), shards.size(), found);
    }
    return found;
  }
  ULLAGE_TRY(FolderCheckpoint checkpoint, find_checkpoint(context.files, folder, kEnding));
  found.files = std::move(checkpoint.files);
  if (!checkpoint.missing.empty()) {
    const std::size_t there = found.files.size();
    note_incomplete(there, there + checkpoint.missing.size(), found);
  }
  if (!checkpoint.rivals.empty()) {
    std::string names;
    for (const std::string& rival : checkpoint.rivals)
      names += (names.empty() ? "" : ", ") + base::printable(rival);
    found.notes.push_back({"several-checkpoints", Severity::warning,
                           "which of " + names +
                               " is the model's is not said: no header is read; "
                               "name one as MODEL"});
  }
  return found;
}

// What a family's rule says about MTP layers and towers gives way to names of stored tensors.
void follow_names(const CheckpointNames& names, const std::string& file, Model& model) {
  if (!names.names_tensors) return;
  auto& inventory = *model.inventory;
  auto& tensors = inventory.tensors;
  const auto drop = [&](Component component, const std::string& code, const std::string& what) {
    const auto before = tensors.size();
    std::erase_if(tensors, [&](const TensorGroup& t) {
      // What stands in place of a head over the vocabulary has names of its own.
      const bool other = component == Component::head && !t.name.starts_with("lm_head.");
      return t.component == component && !other;
    });
    if (tensors.size() == before) return;
    model.notes.push_back(
        {code, Severity::note,
         what + " is not counted: the checkpoint names no tensor of it (" + file + ")"});
  };
  // Modules stand under names of their own or behind the model's last layer.
  const bool module = names.stores_module || names.last_layer >= inventory.main_layers;
  if (inventory.main_layers > 0 && !module) {
    drop(Component::mtp, "mtp-absent", "multi-token prediction");
    inventory.draft_caches.clear();
  }
  if (!names.stores_vision) drop(Component::vision, "vision-absent", "the vision tower");
  for (TensorGroup& t : tensors) {
    if (t.component == Component::mtp && !t.counted) t.stored = names.stores_module_copies;
  }
  if (names.stores_table && !names.stores_output) drop(Component::head, "head-absent", "the head");
  const auto is = [](Component component) {
    return [component](const TensorGroup& t) { return t.component == component; };
  };
  if (!names.stores_head || std::any_of(tensors.begin(), tensors.end(), is(Component::head))) {
    return;
  }
  const auto table = std::find_if(tensors.begin(), tensors.end(), is(Component::embedding));
  if (table == tensors.end()) return;
  TensorGroup copy = *table;
  copy.name = "lm_head.weight";
  copy.component = Component::head;
  copy.counted = false;
  tensors.push_back(std::move(copy));
  model.notes.push_back(
      {"stored-twice", Severity::note,
       "the head is tied to the input table and the checkpoint stores it again (" + file + ")"});
}

Rational elements_of(const TensorGroup& group) {
  Rational product = 1;
  for (const model::Extent& extent : group.repeat)
    product *= extent.value;
  for (const model::Axis& axis : group.shape) {
    for (const model::Extent& extent : axis)
      product *= extent.value;
  }
  return product;
}

std::string counted(const Rational& number, const char* one, const char* many) {
  return number.to_string() + " " + (number == Rational(1) ? one : many);
}

// Shape against headers, part by part.
void compare(const HeaderSums& sums, const std::string& where, Model& model) {
  if (!sums.unknown_packing.empty()) {
    model.notes.push_back({"checkpoint-not-compared", Severity::note,
                           "how many weights an element of " + sums.unknown_packing +
                               " holds is not in its header, so that the number of parameters "
                               "cannot be compared (" +
                               where + ")"});
    return;
  }
  std::map<Component, Rational> shape;
  Rational in_shape;
  Rational in_headers = sums.copies;
  for (const TensorGroup& group : model.inventory->tensors) {
    if (!group.stored) continue;
    const Rational elements = elements_of(group);
    in_shape += elements;
    // The headers list a tied head as a head, copies of a prediction module apart.
    if (group.counted || group.component == Component::head) shape[group.component] += elements;
  }
  std::string parts;
  for (const auto& [component, elements] : sums.parameters) {
    in_headers += elements;
    shape[component] += Rational(0);
  }
  if (in_shape == in_headers) return;
  for (const auto& [component, elements] : shape) {
    const auto found = sums.parameters.find(component);
    const Rational stored = found == sums.parameters.end() ? Rational(0) : found->second;
    if (stored == elements) continue;
    parts += (parts.empty() ? "; " : ", ") + std::string(name_of(component)) + " " +
             elements.to_string() + " against " + stored.to_string();
  }
  model.notes.push_back({"conflict", Severity::warning,
                         "parameters as stored: the configuration gives " + in_shape.to_string() +
                             ", the headers list " + in_headers.to_string() + " (" + where + ")" +
                             parts});
}

// An index beside the headers says the same, or it is of another checkpoint.
void compare_index(const CheckpointIndex& index, const StoredTensors& tensors,
                   const provenance::Graph& graph, Model& model) {
  std::size_t lacking = 0;
  std::string_view first;
  for (const std::string_view name : index.tensors.names()) {
    if (tensors.names().contains(name)) continue;
    ++lacking;
    if (first.empty() || name < first) first = name;
  }
  if (lacking > 0) {
    model.notes.push_back({"conflict", Severity::warning,
                           index.file + " names " + std::to_string(lacking) +
                               " tensors that no header lists, such as " + base::printable(first)});
  }
  if (!index.total_size) return;
  const Rational& stated = graph.value(*index.total_size);
  if (stated == Rational(tensors.bytes())) return;
  model.notes.push_back({"conflict", Severity::warning,
                         "weights_payload: " + index.file + " states " + stated.to_string() +
                             " B, the headers list " + std::to_string(tensors.bytes()) +
                             " B; the headers are used"});
}

HeaderReading reading_for(const StoredTensors& tensors, std::int64_t main_layers) {
  HeaderReading how;
  how.prediction_layers = prediction_layers_of(tensors);
  if (main_layers <= 0) return how;
  for (const StoredGroup& group : tensors.groups()) {
    if (group.name.find("layers.*") == std::string::npos) continue;
    if (read_checkpoint_name(group.name).component == Component::vision) continue;
    for (const auto& [layer, count] : group.by_layer) {
      if (layer >= static_cast<std::uint64_t>(main_layers)) how.prediction_layers.insert(layer);
    }
  }
  return how;
}

}  // namespace

void note_beside(const HeaderSums& sums, const std::string& where, Model& model) {
  std::string text;
  if (sums.scales.tensors > 0) {
    text = counted(sums.scales.elements, "element", "elements") + " of scales and zero points (" +
           sums.scales.bytes.to_string() + " B)";
  }
  if (sums.buffers.tensors > 0) {
    text += (text.empty() ? "" : " and ") +
            counted(Rational(sums.buffers.tensors), "buffer", "buffers") +
            " such as rotary frequencies and masks (" + sums.buffers.bytes.to_string() + " B)";
  }
  if (text.empty()) return;
  model.notes.push_back({"stored-beside", Severity::note,
                         "beside the weights the checkpoint stores " + text +
                             ": bytes, not parameters (" + where + ")"});
}

std::string name_files(const std::vector<std::string>& paths) {
  if (paths.size() == 1) return paths.front();
  return paths.front() + " and " + std::to_string(paths.size() - 1) + " more";
}

base::Result<void> follow_checkpoint(OpenContext& context, const std::string& folder,
                                     const std::vector<std::string>& chosen, Model& model) {
  Found found;
  if (chosen.empty()) {
    ULLAGE_TRY(found, find_beside(context, folder));
  } else {
    found.files = chosen;
  }
  model.notes.insert(model.notes.end(), found.notes.begin(), found.notes.end());
  if (found.index) {
    ULLAGE_TRY(const std::uint64_t bytes, context.files.size_of(found.index->file));
    model.index = model::ReadFile{found.index->file, bytes};
  }
  if (found.files.empty()) {
    if (!found.index) return {};
    model.stated_checkpoint_bytes = found.index->total_size;
    follow_names(found.index->names, found.index->file, model);
    return {};
  }
  ULLAGE_TRY(const StoredTensors tensors, read_headers(context, found.files, model));
  const std::string where = name_files(found.files);
  follow_names(names_of(tensors), where, model);
  const HeaderReading how = reading_for(tensors, model.inventory->main_layers);
  const HeaderSums sums = sums_of(read_groups(tensors, how), how);
  set_stored_parts(context.graph, sums, where, 0, model);
  if (model.uniform) {
    const auto native = context.catalogue.formats().find(model.native_format);
    model.uniform = sums.uniform && native && sums.by_format.contains((*native)->name);
  }
  note_beside(sums, where, model);
  compare(sums, where, model);
  if (found.index) compare_index(*found.index, tensors, context.graph, model);
  return {};
}

base::Result<Model> open_safetensors(OpenContext& context, std::string name,
                                     const std::vector<std::string>& paths) {
  Model model;
  ULLAGE_TRY(const StoredTensors tensors, read_headers(context, paths, model));
  HeaderReading how;
  how.prediction_layers = prediction_layers_of(tensors);
  const std::vector<ReadGroup> groups = read_groups(tensors, how);
  const HeaderSums sums = sums_of(groups, how);
  const std::string where = name_files(paths);
  model.name = std::move(name);
  model.inventory = list_tensors(context.graph, groups, how);
  if (model.inventory->tensors.empty()) {
    return base::Diagnostic{.code = base::Code::missing_key,
                            .message = "the checkpoint lists no weights",
                            .span = {where, 0, 0},
                            .hint = {},
                            .notes = {}};
  }
  set_stored_parts(context.graph, sums, where, 0, model);
  set_native_format(context.graph, groups, sums, how, where, model);
  model.notes.push_back({"no-configuration", Severity::note,
                         "no config.json lies beside the checkpoint: parts are told by names, "
                         "caches and active experts are not known"});
  note_beside(sums, where, model);
  return model;
}

base::Result<Model> open_index(OpenContext& context, std::string name, const std::string& path) {
  ULLAGE_TRY(const CheckpointIndex index, read_index(context.files, path, context.graph));
  Model model;
  model.name = std::move(name);
  model.stated_parameters = context.graph.unknown(
      "parameters", {}, provenance::Absence::unpublished,
      "an index names tensors, not their shapes; the shards or a config.json would tell");
  model.stated_checkpoint_bytes = index.total_size;
  model.native_format_unknown = "an index does not name it";
  return model;
}

}  // namespace ullage::import

// Decides what MODEL is and opens it.
#include "import/open.hpp"

#include <algorithm>

#include "catalog/figures.hpp"
#include "catalog/load.hpp"
#include "document/read.hpp"
#include "import/checkpoint_index.hpp"
#include "import/config.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;
using base::PathKind;
using base::Severity;
using model::Model;

constexpr std::uint64_t kLargestConfig = 16u << 20;

bool looks_like_path(std::string_view name) {
  return name.starts_with('/') || name.starts_with("./") || name.starts_with("../") ||
         name.starts_with('~') || name.ends_with(".json") || name.ends_with(".yaml") ||
         name.ends_with(".gguf") || name.ends_with(".safetensors");
}

Model model_of_literal(const std::string& text, const Literal& literal, provenance::Graph& graph) {
  Model model;
  model.name = text;
  const provenance::Given given{"MODEL " + text, ""};
  model.stated_parameters = graph.given("parameters", {literal.total, {}}, given);
  if (literal.active) {
    model.stated_active_parameters = graph.given("active parameters", {*literal.active, {}}, given);
  }
  model.native_format_unknown = "a literal has none";
  return model;
}

// Totals, format and shape of a card.
base::Result<Model> model_of_card(OpenContext& context,
                                  std::shared_ptr<const catalog::Entry> card) {
  Model model;
  model.name = card->id;
  const auto stated = [&](const char* name) -> std::optional<provenance::FigureId> {
    const catalog::FigureFact* fact = card->figure(name);
    if (fact == nullptr) return std::nullopt;
    return catalog::bring(context.graph, *fact);
  };
  model.stated_parameters = stated("parameters");
  model.stated_parameters_stored = stated("parameters_stored");
  model.stated_active_parameters = stated("active_parameters");
  model.stated_checkpoint_bytes = stated("checkpoint_bytes");
  if (card->architecture) {
    const catalog::Architecture& architecture = *card->architecture;
    ConfigOrigin origin;
    origin.source = architecture.source;
    origin.locator = architecture.locator;
    if (const provenance::Source* source = context.catalogue.source(architecture.source)) {
      origin.tier = source->tier;
      origin.checked = source->checked;
    }
    ULLAGE_CHECK(read_config(architecture.config, context.graph, origin, std::nullopt, model));
  }
  if (const catalog::TextFact* format = card->attribute("weights_format")) {
    model.native_format = format->value;
    model.native_format_unknown = format->unknown;
    model.native_format_where = format->source + ", " + format->locator;
  } else if (model.native_format.empty()) {
    model.native_format_unknown = "the card states no weights_format";
  }
  if (card->overlaid) {
    model.notes.push_back({"overlay", Severity::note, card->id + " holds claims of --catalogue"});
  }
  model.card = std::move(card);
  return model;
}

// What a family's rule says about MTP layers and towers gives way to an index that names tensors.
void follow_index(const CheckpointIndex& index, Model& model) {
  if (!index.names_tensors) return;
  auto& inventory = *model.inventory;
  auto& tensors = inventory.tensors;
  const auto drop = [&](model::Component component, const std::string& code,
                        const std::string& what) {
    const auto before = tensors.size();
    std::erase_if(tensors, [&](const model::TensorGroup& t) { return t.component == component; });
    if (tensors.size() == before) return;
    model.notes.push_back(
        {code, Severity::note,
         what + " is not counted: the index names no tensor of it (" + index.file + ")"});
  };
  // Modules stand under names of their own or behind the model's last layer.
  const bool module = index.stores_module || index.last_layer >= inventory.main_layers;
  if (inventory.main_layers > 0 && !module) {
    drop(model::Component::mtp, "mtp-absent", "multi-token prediction");
    inventory.draft_caches.clear();
  }
  if (!index.stores_vision) drop(model::Component::vision, "vision-absent", "the vision tower");
  for (model::TensorGroup& t : tensors) {
    if (t.component == model::Component::mtp && !t.counted) t.stored = index.stores_module_copies;
  }
}

base::Result<Model> model_of_config(OpenContext& context, std::string name, std::string_view text,
                                    const std::string& file, const std::string& folder) {
  ULLAGE_TRY(const document::Document document, document::read_json(text, file));
  Model model;
  model.name = std::move(name);
  ULLAGE_CHECK(read_config(document, context.graph, {}, context.assume, model));
  if (folder.empty()) return model;
  ULLAGE_TRY(const auto index, read_checkpoint_index(context.files, folder, context.graph));
  if (!index) return model;
  model.stated_checkpoint_bytes = index->total_size;
  follow_index(*index, model);
  const auto head = [](const model::TensorGroup& t) {
    return t.component == model::Component::head;
  };
  auto& tensors = model.inventory->tensors;
  if (index->stores_head && std::none_of(tensors.begin(), tensors.end(), head)) {
    const auto table = std::find_if(
        tensors.begin(), tensors.end(),
        [](const model::TensorGroup& t) { return t.component == model::Component::embedding; });
    model::TensorGroup copy = *table;
    copy.name = "lm_head.weight";
    copy.component = model::Component::head;
    copy.counted = false;
    tensors.push_back(std::move(copy));
    model.notes.push_back(
        {"stored-twice", Severity::note,
         "the head is tied to the input table and the checkpoint stores it again (" + index->file +
             ")"});
  }
  return model;
}

base::Result<Model> model_of_card_file(OpenContext& context, const std::string& path) {
  ULLAGE_TRY(const std::string text, context.files.read(path, kLargestConfig));
  ULLAGE_TRY(const document::Document document, document::read_yaml(text, path));
  std::vector<Diagnostic> faults;
  auto entry = catalog::load_entry(
      document, [&](std::string_view id) { return context.catalogue.source(id); }, faults);
  if (!entry) return faults.front();
  if (entry->kind != catalog::EntryKind::model) {
    return Diagnostic{.code = Code::usage,
                      .message = path + " is a hardware entry, but a model is needed",
                      .span = {path, 1, 1},
                      .hint = "a card has `schema: ullage/model/1`",
                      .notes = {}};
  }
  return model_of_card(context, std::make_shared<const catalog::Entry>(std::move(*entry)));
}

base::Result<Model> model_of_path(OpenContext& context, const std::string& path) {
  const PathKind kind = context.files.kind_of(path);
  if (kind == PathKind::folder) {
    const std::string file = base::join(path, "config.json");
    if (context.files.kind_of(file) == PathKind::missing) {
      return Diagnostic{
          .code = Code::file_unreadable,
          .message = "the folder holds no config.json",
          .span = {path, 0, 0},
          .hint = "MODEL is a card id, a literal such as 70B, or a path to a config.json",
          .notes = {}};
    }
    ULLAGE_TRY(const std::string text, context.files.read(file, kLargestConfig));
    return model_of_config(context, path, text, file, path);
  }
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return model_of_card_file(context, path);
  if (kind == PathKind::file && (path.ends_with(".gguf") || path.ends_with(".safetensors"))) {
    return Diagnostic{
        .code = Code::unsupported_architecture,
        .message = "tensor headers of .safetensors and .gguf files are not read by this version",
        .span = {path, 0, 0},
        .hint = "name the config.json beside it",
        .notes = {}};
  }
  ULLAGE_TRY(const std::string text, context.files.read(path, kLargestConfig));
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return model_of_config(context, path, text, path, folder);
}

}  // namespace

base::Result<Model> open_model(OpenContext& context, const std::string& name) {
  if (name == "-") {
    ULLAGE_TRY(const std::string text, context.files.read_standard_input(kLargestConfig));
    return model_of_config(context, name, text, "-", "");
  }
  const auto not_a_config = [&](std::string_view what) {
    return Diagnostic{.code = Code::usage,
                      .message = "--assume counts a configuration, but " + base::printable(name) +
                                 " is a " + std::string(what),
                      .span = {},
                      .hint = "leave it out, or name a config.json",
                      .notes = {}};
  };
  ULLAGE_TRY(const auto literal, parse_literal(name));
  if (literal && context.assume) return not_a_config("literal");
  if (literal) return model_of_literal(name, *literal, context.graph);
  const bool path_like = looks_like_path(name);
  if (path_like) return model_of_path(context, name);
  auto entry = context.catalogue.model(name);
  if (entry && context.assume) return not_a_config("card");
  if (entry) {
    // The catalogue owns its entries and outlives the model.
    std::shared_ptr<const catalog::Entry> card(std::shared_ptr<void>(), *entry);
    ULLAGE_TRY(Model model, model_of_card(context, std::move(card)));
    if (context.files.kind_of(name) != PathKind::missing) {
      model.notes.push_back(
          {"card-over-path", Severity::warning,
           "the card " + model.name + " is meant; ./" + name + " would be the path of that name"});
    }
    return model;
  }
  if (context.files.kind_of(name) != PathKind::missing) return model_of_path(context, name);
  return std::move(entry).error();
}

}  // namespace ullage::import

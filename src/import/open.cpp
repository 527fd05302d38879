// Decides what MODEL is and opens it.
#include "import/open.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "catalog/figures.hpp"
#include "catalog/load.hpp"
#include "document/read.hpp"
#include "import/config.hpp"
#include "import/gguf_model.hpp"
#include "import/open_card.hpp"
#include "import/open_checkpoint.hpp"
#include "import/quantization.hpp"
#include "import/shards.hpp"

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

// The model of a configuration; `folder` is where a checkpoint may lie beside it, empty for none,
// and `chosen` the files of it that the user named.
base::Result<Model> model_of_config(OpenContext& context, std::string name, std::string_view text,
                                    const std::string& file, const std::string& folder,
                                    const std::vector<std::string>& chosen = {}) {
  ULLAGE_TRY(const document::Document document, document::read_json(text, file));
  Model model;
  model.name = std::move(name);
  ULLAGE_CHECK(read_config(document, context.graph, {}, context.assume, model));
  model.config_file = file;
  model.config_digest = base::sha256(text);
  if (!folder.empty()) ULLAGE_CHECK(follow_checkpoint(context, folder, chosen, model));
  ULLAGE_CHECK(read_quantization(context, document, folder, model));
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
  ULLAGE_CHECK(context.catalogue.adopt(*entry));
  ULLAGE_CHECK(context.catalogue.complete_variant(*entry));
  return open_card(context, std::make_shared<const catalog::Entry>(std::move(*entry)));
}

// Where a folder's configuration stands: in config.json, else in params.json (the schema of
// Mistral's and Meta's own code), else in the only file called config….json, as copies of
// DeepSeek's and xAI's own schemas are. Nothing where there is none; several others are a fault
// that names them.
base::Result<std::optional<std::string>> find_config(const base::FileSystem& files,
                                                     const std::string& folder) {
  for (const char* name : {"config.json", "params.json"}) {
    std::string file = base::join(folder, name);
    if (files.kind_of(file) != PathKind::missing) return std::optional(std::move(file));
  }
  if (files.kind_of(folder) != PathKind::folder) return std::optional<std::string>();
  ULLAGE_TRY(const std::vector<std::string> names, files.list(folder));
  std::vector<std::string> others;
  for (const std::string& name : names) {
    const bool other = name.starts_with("config") && name.ends_with(".json") &&
                       name != "config_sentence_transformers.json";
    if (other) others.push_back(name);
  }
  if (others.empty()) return std::optional<std::string>();
  if (others.size() == 1) return std::optional(base::join(folder, others.front()));
  return Diagnostic{.code = Code::usage,
                    .message = "the folder holds several configurations and no config.json",
                    .span = {folder, 0, 0},
                    .hint = "name one: " + base::printable(base::join(folder, others[0])) + ", " +
                            base::printable(base::join(folder, others[1])),
                    .notes = {}};
}

// The configuration in a folder, or nothing.
base::Result<std::optional<Model>> model_of_config_in(OpenContext& context, const std::string& name,
                                                      const std::string& folder,
                                                      const std::vector<std::string>& chosen) {
  ULLAGE_TRY(const auto found, find_config(context.files, folder));
  if (!found) return std::optional<Model>();
  const std::string& file = *found;
  ULLAGE_TRY(const std::string text, context.files.read(file, kLargestConfig));
  ULLAGE_TRY(Model model, model_of_config(context, name, text, file, folder, chosen));
  return std::optional(std::move(model));
}

Diagnostic assumed_without_config(const std::string& name) {
  return Diagnostic{.code = Code::usage,
                    .message = "--assume counts a configuration, but beside " +
                               base::printable(name) + " lies none",
                    .span = {},
                    .hint = "leave it out, or put a config.json beside it",
                    .notes = {}};
}

base::Result<Model> model_of_safetensors(OpenContext& context, const std::string& name,
                                         const std::vector<std::string>& paths) {
  auto model = model_of_config_in(context, name, folder_of(paths.front()), paths);
  if (model && *model) return **std::move(model);
  // The headers alone still answer what a configuration of an unknown family cannot.
  const bool unknown = !model && model.error().code == Code::unsupported_architecture;
  if (!model && (!unknown || context.assume)) return std::move(model).error();
  if (context.assume) return assumed_without_config(name);
  ULLAGE_TRY(Model alone, open_safetensors(context, name, paths));
  if (unknown) {
    alone.notes.push_back({"configuration-unsupported", Severity::warning,
                           "the config.json beside it is not used: " + model.error().message});
  }
  return alone;
}

base::Result<Model> model_of_index(OpenContext& context, const std::string& path) {
  const std::string folder = folder_of(path);
  ULLAGE_TRY(auto model, model_of_config_in(context, path, folder, {}));
  if (model) return *std::move(model);
  if (context.assume) return assumed_without_config(path);
  return open_index(context, path, path);
}

// A folder without a config.json: its checkpoint alone.
base::Result<Model> model_of_checkpoint_in(OpenContext& context, const std::string& folder) {
  ULLAGE_TRY(FolderCheckpoint found, find_checkpoint(context.files, folder, ".safetensors"));
  const bool safetensors = !found.files.empty() || !found.missing.empty() || !found.rivals.empty();
  if (!safetensors) {
    ULLAGE_TRY(found, find_checkpoint(context.files, folder, ".gguf"));
  }
  if (!found.missing.empty()) ULLAGE_CHECK(shards_of(context.files, found.missing.front()));
  if (!found.files.empty()) {
    if (safetensors) return model_of_safetensors(context, folder, found.files);
    if (context.assume) return assumed_without_config(folder);
    return open_gguf(context, folder, found.files);
  }
  for (const char* name : {"model.safetensors.index.json", "pytorch_model.bin.index.json"}) {
    const std::string index = base::join(folder, name);
    if (context.files.kind_of(index) != PathKind::missing) return model_of_index(context, index);
  }
  return Diagnostic{.code = Code::file_unreadable,
                    .message = found.rivals.empty()
                                   ? "the folder holds no config.json and no checkpoint"
                                   : "the folder holds several checkpoints and no config.json",
                    .span = {folder, 0, 0},
                    .hint =
                        "MODEL is a card id, a literal such as 70B, or a path to a config.json, a "
                        ".safetensors or a .gguf",
                    .notes = {}};
}

base::Result<Model> model_of_path(OpenContext& context, const std::string& path) {
  const PathKind kind = context.files.kind_of(path);
  if (kind == PathKind::folder) {
    ULLAGE_TRY(auto model, model_of_config_in(context, path, path, {}));
    if (model) return *std::move(model);
    return model_of_checkpoint_in(context, path);
  }
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return model_of_card_file(context, path);
  if (path.ends_with(".safetensors")) {
    ULLAGE_TRY(const std::vector<std::string> paths, shards_of(context.files, path));
    return model_of_safetensors(context, path, paths);
  }
  if (path.ends_with(".gguf")) {
    if (context.assume) return assumed_without_config(path);
    ULLAGE_TRY(const std::vector<std::string> paths, shards_of(context.files, path));
    return open_gguf(context, path, paths);
  }
  if (path.ends_with(".index.json")) return model_of_index(context, path);
  ULLAGE_TRY(const std::string text, context.files.read(path, kLargestConfig));
  return model_of_config(context, path, text, path, folder_of(path));
}

}  // namespace

base::Result<Model> open_card(OpenContext& context, std::shared_ptr<const catalog::Entry> card) {
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
  const catalog::TextFact* const format = card->attribute("weights_format");
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
    if (format != nullptr) {
      defer_quantization(context, card, model);
    } else {
      ULLAGE_CHECK(read_quantization(context, architecture.config, {}, model));
    }
  }
  if (format != nullptr) {
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
    ULLAGE_TRY(Model model, open_card(context, std::move(card)));
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

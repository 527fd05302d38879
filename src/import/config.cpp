// Chooses the family and reads what is common to all: model_type and dtype.
#include "import/config.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "base/spelling.hpp"
#include "import/family.hpp"
#include "import/output_class.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using document::Document;
using document::Type;
using document::Value;

std::string supported_types() {
  std::string text;
  for (const Family& family : families()) {
    text += (text.empty() ? "" : ", ") + std::string(family.model_type);
  }
  return text;
}

base::Result<const Family*> choose_family(ConfigReader& config,
                                          const std::optional<std::string>& assume,
                                          model::Model& model) {
  ULLAGE_CHECK(document::expect(config.document(), config.document().root, Type::object,
                                "the configuration"));
  ULLAGE_TRY(const auto model_type, config.optional_text("model_type"));
  model.model_type = model_type.value_or("");
  if (assume) {
    const Family* family = find_family(*assume);
    if (family == nullptr) {
      std::vector<std::string_view> names;
      for (const Family& known : families())
        names.push_back(known.model_type);
      const std::vector<std::string> close = base::nearest(*assume, names, 1);
      return Diagnostic{.code = Code::unknown_name,
                        .message = "--assume: no family " + base::printable(*assume),
                        .span = {},
                        .hint = (close.empty() ? "" : "nearest: " + close.front() + "; ") +
                                "supported: " + supported_types(),
                        .notes = {}};
    }
    model.notes.push_back({"assumed-family", Severity::warning,
                           "model_type " + base::printable(model.model_type) + " is counted as " +
                               std::string(family->model_type) + " because --assume says so"});
    return family;
  }
  if (!model_type) {
    if (const Family* known = recognise(config.document().root)) {
      model.notes.push_back(
          {"recognised-schema", Severity::note,
           "the file has no model_type; its keys are those of " + std::string(known->what)});
      return known;
    }
    ULLAGE_TRY(const auto classes, config.texts("architectures"));
    if (const Family* known = family_of_classes(classes)) {
      model.notes.push_back({"recognised-class", Severity::note,
                             "the file has no model_type; its class " +
                                 base::printable(classes.front(), 60) + " is counted as " +
                                 std::string(known->model_type)});
      return known;
    }
    return config.fault(Code::missing_key, "model_type", "model_type is missing",
                        "it names the family; --assume FAMILY counts the file as one");
  }
  const Family* family = find_family(*model_type);
  if (family != nullptr) return family;
  ULLAGE_TRY(const auto classes, config.texts("architectures"));
  const Family* same_class = family_of_classes(classes);
  std::vector<std::string_view> names;
  for (const Family& known : families())
    names.push_back(known.model_type);
  const std::vector<std::string> close = base::nearest(*model_type, names, 2);
  std::string hint = close.empty() ? "" : "nearest: " + close.front() + "; ";
  if (is_refused(*model_type)) {
    hint = "it is known, but no published total was found to hold a count against; ";
  } else if (same_class != nullptr) {
    hint = "its class " + base::printable(classes.front(), 60) + " is that of " +
           std::string(same_class->model_type) + "; ";
  }
  return config.fault(
      Code::unsupported_architecture, "model_type",
      "model_type " + base::printable(*model_type) + " is not supported",
      hint + "supported: " + supported_types() + "; --assume FAMILY counts it as one of them");
}

// The dtype of an object's weights under either of its names, or nothing.
const Value* dtype_of(const Value& object) {
  for (const char* key : {"torch_dtype", "dtype"}) {
    const Value* value = object.find(key);
    if (value != nullptr && value->type != Type::null) return value;
  }
  return nullptr;
}

// Keys under which a configuration nests its text model.
constexpr std::array<const char*, 3> kTextKeys{"text_config", "llm_config", "language_config"};

// The text model inside a configuration, or nullptr.
const Value* text_of(const Value& root) {
  for (const char* key : kTextKeys) {
    const Value* text = root.find(key);
    if (text != nullptr && text->type == Type::object) return text;
  }
  return nullptr;
}

// At the root or, where the root is silent, under text_config.
base::Result<void> read_format(ConfigReader& config, model::Model& model) {
  const Document& document = config.document();
  config.find("text_config");
  const Value* text = text_of(document.root);
  const Value* section = config.find("quantization_config");
  if (section == nullptr && text != nullptr) section = text->find("quantization_config");
  if (section != nullptr && section->type != Type::null) {
    ULLAGE_CHECK(document::expect(document, *section, Type::object, "quantization_config"));
  }
  const Value* dtype = dtype_of(document.root);
  if (dtype == nullptr && text != nullptr) dtype = dtype_of(*text);
  if (dtype == nullptr) {
    model.native_format_unknown = "the configuration states no torch_dtype";
    return {};
  }
  ULLAGE_TRY(model.native_format, document::as_string(document, *dtype, "torch_dtype"));
  model.plain_format = model.native_format;
  model.native_format_where = document.file + ":" + std::to_string(dtype->line) + ":" +
                              std::to_string(dtype->column) + ", the dtype";
  model.uniform = true;
  return {};
}

// The number of decoder layers, at the root or in the text model; 0 where nobody says it.
std::int64_t decoder_layers(const Document& document) {
  for (const Value* object : {&document.root, text_of(document.root)}) {
    if (object == nullptr) continue;
    const Value* layers = object->find("num_hidden_layers");
    if (layers == nullptr) continue;
    const auto number = document::as_integer(document, *layers, "num_hidden_layers", 1, 100'000);
    return number.ok() ? *number : 0;
  }
  return 0;
}

// The length that the model was trained for, at the root or in its text model. No answer needs it,
// so that what is not a count there is passed over.
std::optional<model::Extent> trained_length(ConfigReader& config) {
  const auto stated = [](ConfigReader& object) -> std::optional<model::Extent> {
    for (const char* key : {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length",
                            "max_sequence_length", "n_ctx", "max_target_positions"}) {
      if (object.find(key) == nullptr) continue;
      if (auto length = object.optional_count(key); length.ok() && *length)
        return std::move(**length);
    }
    return std::nullopt;
  };
  const Value* text = text_of(config.document().root);
  for (const char* key : kTextKeys) {
    if (text == nullptr || config.document().root.find(key) != text) continue;
    if (auto nested = config.nested(key); nested.ok()) {
      if (auto length = stated(*nested)) return length;
    }
  }
  return stated(config);
}

// Keys that decide counts, bytes or limits and are read outside of the families.
const std::vector<std::string_view> kReadElsewhere{
    "model_type",        "torch_dtype",         "dtype",
    "num_hidden_layers", "quantization_config", "max_position_embeddings"};

// How many elements of a head rotary positions turn: qk_rope_head_dim, else the width of a key ×
// partial_rotary_factor. Nothing for families with other positions.
std::optional<model::Extent> rotary_width(ConfigReader& config, const model::Inventory& inventory) {
  const Document& document = config.document();
  const Value* text = text_of(document.root);
  const Value& object = text != nullptr ? *text : document.root;
  const auto caches_keys = [](const model::CacheGroup& group) {
    return !group.per_token.empty() && group.kind != model::CacheKind::index;
  };
  const auto group = std::find_if(inventory.caches.begin(), inventory.caches.end(), caches_keys);
  if (group == inventory.caches.end()) return std::nullopt;
  if (group->kind == model::CacheKind::latent) {
    const bool turned = group->per_token.size() > 1 && group->per_token[1].name == "rope";
    if (!turned) return std::nullopt;
    return group->per_token[1].elements.back();
  }
  // Families with learned, relative or biased positions.
  static constexpr std::array<std::string_view, 12> kOthers{
      "bert", "bloom",      "gpt2", "gpt_bigcode", "gpt_neo", "jamba",
      "mpt",  "nemotron_h", "opt",  "roberta",     "t5",      "whisper"};
  const Value* type = document.root.find("model_type");
  const bool other =
      type != nullptr && std::find(kOthers.begin(), kOthers.end(), type->text) != kOthers.end();
  if (other) return std::nullopt;
  const model::Extent& head = group->per_token.front().elements.back();
  for (const char* key : {"partial_rotary_factor", "rotary_pct"}) {
    const Value* share = object.find(key);
    if (share == nullptr || share->type != Type::number) continue;
    const auto factor = exact::Rational::parse(share->text);
    if (!factor) continue;
    return config.derived("rotary width", (head.value * *factor).floor(),
                          head.name + " × " + key + " of " + share->text, {head.figure});
  }
  return head;
}

}  // namespace

base::Result<void> read_config(const Document& document, provenance::Graph& graph,
                               const ConfigOrigin& origin, const std::optional<std::string>& assume,
                               model::Model& model) {
  ConfigReader config(document, graph, origin);
  ULLAGE_TRY(const Family* const family, choose_family(config, assume, model));
  if (const std::string_view total = rounded_total(family->model_type); !total.empty()) {
    model.notes.push_back({"rounded-total", Severity::note,
                           "no exact total is published for this family: its count follows from " +
                               std::string(family->citation) + " and agrees with " +
                               std::string(total) + " (docs/families.md)"});
  }
  ULLAGE_TRY(model.inventory, family->read(config));
  ULLAGE_CHECK(follow_class(config, *model.inventory));
  model.inventory->main_layers = decoder_layers(document);
  model.inventory->trained_length = trained_length(config);
  model.inventory->rotary_width = rotary_width(config, *model.inventory);
  ULLAGE_CHECK(read_format(config, model));
  model.notes.insert(model.notes.end(), config.notes().begin(), config.notes().end());
  // A card's shape was written for this importer and is reviewed; a file of the user's may say
  // more.
  if (origin.source.empty()) {
    if (auto unread = config.unread_keys()) model.notes.push_back(std::move(*unread));
    model.config = std::make_shared<const catalog::Architecture>(
        catalog::Architecture{config.part_read(kReadElsewhere), {}, {}});
  }
  return {};
}

}  // namespace ullage::import

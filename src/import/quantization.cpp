// Flattens a section into keys, finds its rule in the table, and stores the inventory by it.
#include "import/quantization.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "document/read.hpp"
#include "model/storage_plan.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using catalog::SectionKeys;
using document::Document;
using document::Type;
using document::Value;
using model::StoragePlan;

constexpr std::uint64_t kLargestFile = 64u << 20;
constexpr int kDeepest = 6;

// A section with the file that it stands in.
struct Section {
  const Document* document = nullptr;
  const Value* value = nullptr;
  std::string key;  // how it is called there

  std::string place() const {
    return document->file + ":" + std::to_string(value->line) + ":" +
           std::to_string(value->column) + ", " + key;
  }
};

std::string scalar(const Value& value) {
  return value.type == Type::boolean ? (value.boolean ? "true" : "false") : value.text;
}

// Numbers as `128x128`; nothing for an empty list.
std::string list_text(const Value& list) {
  std::string text;
  for (const Value& item : list.items) {
    if (item.type != Type::array && item.type != Type::object) {
      text += (text.empty() ? "" : "x") + scalar(item);
    }
  }
  return text;
}

// Every scalar below `object` by its dotted key. What describes groups and layers one by one is
// read on its own.
void flatten(const Value& object, const std::string& prefix, int depth, SectionKeys& keys) {
  for (const document::Member& member : object.members) {
    const std::string key = prefix + member.key;
    const Value& value = member.value;
    if (key == "config_groups" || key == "quantized_layers") continue;
    if (value.type == Type::object) {
      if (depth < kDeepest) flatten(value, key + ".", depth + 1, keys);
      if (!value.members.empty()) keys.emplace(key, "");
    } else if (value.type == Type::array) {
      if (!value.items.empty()) keys.emplace(key, list_text(value));
    } else if (value.type != Type::null) {
      keys.emplace(key, scalar(value));
    }
  }
}

// What one rule applies to.
struct Group {
  SectionKeys keys;
  std::optional<std::vector<std::string>> targets;  // nothing: every linear layer
};

base::Result<std::vector<std::string>> texts(const Document& document, const Value& list,
                                             const std::string& what) {
  ULLAGE_CHECK(document::expect(document, list, Type::array, what));
  std::vector<std::string> result;
  for (const Value& item : list.items) {
    ULLAGE_TRY(std::string text, document::as_string(document, item, what));
    result.push_back(std::move(text));
  }
  return result;
}

base::Result<std::vector<Group>> config_groups(const Section& section, const Value& groups,
                                               const SectionKeys& common) {
  ULLAGE_CHECK(
      document::expect(*section.document, groups, Type::object, section.key + ".config_groups"));
  std::vector<Group> result;
  for (const document::Member& member : groups.members) {
    const std::string what = "config_groups." + member.key;
    ULLAGE_CHECK(document::expect(*section.document, member.value, Type::object, what));
    SectionKeys own;
    flatten(member.value, "", 0, own);
    Group group{common, {}};
    for (auto& [key, text] : own) {
      const bool weights = key.starts_with("weights.");
      group.keys[weights ? key.substr(std::string_view("weights.").size()) : key] = text;
    }
    if (const Value* targets = member.value.find("targets"); targets != nullptr) {
      ULLAGE_TRY(auto names, texts(*section.document, *targets, what + ".targets"));
      const bool all = std::find(names.begin(), names.end(), "Linear") != names.end();
      if (!all) group.targets = std::move(names);
    }
    result.push_back(std::move(group));
  }
  return result;
}

// ModelOpt's mixed checkpoints name the layers one by one; equal ones make a group.
base::Result<std::vector<Group>> named_layers(const Section& section, const Value& layers,
                                              const SectionKeys& common) {
  ULLAGE_CHECK(
      document::expect(*section.document, layers, Type::object, section.key + ".quantized_layers"));
  std::vector<Group> result;
  for (const document::Member& member : layers.members) {
    ULLAGE_CHECK(document::expect(*section.document, member.value, Type::object,
                                  "quantized_layers." + base::printable(member.key)));
    SectionKeys keys = common;
    keys.erase("quant_algo");
    SectionKeys own;
    flatten(member.value, "", 0, own);
    for (auto& [key, text] : own)
      keys[key] = text;
    const auto same = std::find_if(result.begin(), result.end(),
                                   [&](const Group& group) { return group.keys == keys; });
    Group& group = same != result.end() ? *same : result.emplace_back(Group{std::move(keys), {{}}});
    group.targets->push_back(member.key);
  }
  return result;
}

base::Result<std::vector<Group>> groups_of(const Section& section) {
  SectionKeys common;
  flatten(*section.value, "", 0, common);
  if (const Value* layers = section.value->find("quantized_layers"); layers != nullptr) {
    return named_layers(section, *layers, common);
  }
  if (const Value* groups = section.value->find("config_groups"); groups != nullptr) {
    return config_groups(section, *groups, common);
  }
  return std::vector<Group>{Group{std::move(common), {}}};
}

std::string described(const SectionKeys& keys) {
  std::string text;
  for (const char* key : {"quant_method", "quant_algo", "format", "strategy", "num_bits",
                          "weight_block_size", "bnb_4bit_quant_type"}) {
    const auto found = keys.find(key);
    if (found == keys.end()) continue;
    text += (text.empty() ? "" : ", ") + std::string(key) + " " + base::printable(found->second);
  }
  return text.empty() ? "without quant_method" : "with " + text;
}

// A fault of a value that the section gives, at the section's place.
Diagnostic at(const Section& section, Diagnostic fault) {
  if (fault.span.file.empty()) fault.span = section.document->span(*section.value);
  return fault;
}

struct Reading {
  StoragePlan plan;
  std::string unknown;  // why there is none
};

base::Result<void> add_skips(const Section& section, const catalog::SectionRule& rule,
                             Reading& reading) {
  std::vector<std::string> entries;
  bool listed = false;
  for (const std::string& key : rule.skips) {
    const Value* list = section.value->find(key);
    if (list == nullptr || list->type == Type::null) continue;
    listed = true;
    ULLAGE_TRY(auto names, texts(*section.document, *list, section.key + "." + key));
    entries.insert(entries.end(), names.begin(), names.end());
  }
  if (rule.needs_skips && !listed) {
    reading.unknown =
        section.place() + " does not list which modules it leaves out (" + rule.skips.front() + ")";
    return {};
  }
  auto skips = model::ModuleList::parse(entries);
  if (!skips) return at(section, std::move(skips).error());
  reading.plan.skips = std::move(*skips);
  return {};
}

base::Result<void> add_assignment(const Section& section, const catalog::StorageFormats& formats,
                                  const catalog::SectionRule& rule, const Group& group,
                                  Reading& reading) {
  auto format = formats.find(rule.format_name(group.keys));
  if (!format) return at(section, std::move(format).error());
  StoragePlan::Assignment assignment{{}, (*format)->name};
  if (group.targets) {
    auto targets = model::ModuleList::parse(*group.targets);
    if (!targets) return at(section, std::move(targets).error());
    assignment.targets = std::move(*targets);
  }
  reading.plan.assignments.push_back(std::move(assignment));
  return {};
}

// What a section says of the cache: ModelOpt's kv_cache_quant_algo (`FP8`, `NVFP4`, `INT8`), and
// the arguments of compressed-tensors' kv_cache_scheme, which some write as a word.
std::string cache_format_of(const SectionKeys& keys) {
  const auto text = [&](std::string_view key) {
    const auto found = keys.find(key);
    return found == keys.end() ? std::string() : found->second;
  };
  std::string named = text("kv_cache_quant_algo");
  if (named.empty()) named = text("kv_cache_scheme");
  if (named == "FP8") return "fp8";
  if (named == "NVFP4") return "nvfp4";
  if (named == "INT8") return "int8";
  if (text("kv_cache_scheme.num_bits") == "8") {
    const std::string type = text("kv_cache_scheme.type");
    if (type == "float") return "fp8";
    if (type == "int") return "int8";
  }
  return {};
}

base::Result<Reading> read_section(const Section& section, const catalog::StorageFormats& formats) {
  Reading reading;
  ULLAGE_TRY(const std::vector<Group> groups, groups_of(section));
  const catalog::SectionRule* first = nullptr;
  for (const Group& group : groups) {
    const catalog::SectionRule* rule = formats.rules().section(group.keys);
    if (rule == nullptr) {
      reading.unknown =
          section.place() + " " + described(group.keys) + " is of no kind that is read";
      return reading;
    }
    if (first == nullptr) first = rule;
    ULLAGE_CHECK(add_assignment(section, formats, *rule, group, reading));
  }
  if (first == nullptr) {
    reading.unknown = section.place() + " names no group of layers";
    return reading;
  }
  ULLAGE_CHECK(add_skips(section, *first, reading));
  reading.plan.convention = *formats.rules().convention(first->convention);
  SectionKeys keys;
  flatten(*section.value, "", 0, keys);
  reading.plan.cache_format = cache_format_of(keys);
  for (const catalog::CacheScales& scales : formats.rules().cache_scales) {
    if (std::all_of(scales.when.begin(), scales.when.end(),
                    [&](const catalog::Condition& condition) { return condition.holds(keys); })) {
      reading.plan.cache_scale_bits = scales.bits;
    }
  }
  return reading;
}

base::Result<std::optional<Document>> read_beside(const OpenContext& context,
                                                  const std::string& folder, const char* name) {
  if (folder.empty()) return std::optional<Document>();
  const std::string path = base::join(folder, name);
  if (context.files.kind_of(path) == base::PathKind::missing) return std::optional<Document>();
  ULLAGE_TRY(const std::string text, context.files.read(path, kLargestFile));
  ULLAGE_TRY(Document document, document::read_json(text, path));
  ULLAGE_CHECK(document::expect(document, document.root, Type::object, name));
  return std::optional(std::move(document));
}

// quantization_config at the root or under text_config.
std::optional<Section> in_configuration(const Document& document) {
  const Value* text = document.root.find("text_config");
  for (const Value* object : {&document.root, text}) {
    if (object == nullptr || object->type != Type::object) continue;
    const Value* value = object->find("quantization_config");
    if (value != nullptr && value->type == Type::object) {
      return Section{&document, value, "key quantization_config"};
    }
  }
  return std::nullopt;
}

// What a section says at first sight: that the checkpoint is not of one format, and its sparsity.
void begin_section(const Section& section, model::Model& model) {
  model.uniform = false;
  model.native_format.clear();
  model.native_format_where = section.place();
  const Value* sparsity = section.value->find("sparsity_config");
  const Value* structure = sparsity != nullptr ? sparsity->find("sparsity_structure") : nullptr;
  if (structure != nullptr && structure->type == Type::string) model.sparsity = structure->text;
}

model::StoredAs stored_by(Reading reading, const Section& section, const std::string& kept_in) {
  if (!reading.unknown.empty()) return {.plan = nullptr, .unknown = std::move(reading.unknown)};
  reading.plan.kept_in = kept_in;
  reading.plan.where = section.place();
  return {.plan = std::make_shared<const StoragePlan>(std::move(reading.plan)), .unknown = {}};
}

}  // namespace

base::Result<void> read_quantization(OpenContext& context, const Document& document,
                                     const std::string& folder, model::Model& model) {
  if (!model.inventory) return {};
  ULLAGE_TRY(const auto modelopt, read_beside(context, folder, "hf_quant_config.json"));
  ULLAGE_TRY(const auto autogptq, read_beside(context, folder, "quantize_config.json"));
  std::optional<Section> section = in_configuration(document);
  if (modelopt) {
    if (const Value* value = modelopt->root.find("quantization"); value != nullptr) {
      ULLAGE_CHECK(document::expect(*modelopt, *value, Type::object, "quantization"));
      section = Section{&*modelopt, value, "key quantization"};
    }
  } else if (!section && autogptq) {
    section = Section{&*autogptq, &autogptq->root, "the file"};
  }
  if (!section) return {};
  begin_section(*section, model);
  ULLAGE_TRY(Reading reading, read_section(*section, context.catalogue.formats()));
  if (!reading.plan.assignments.empty()) {
    model.native_format = reading.plan.assignments.front().format;
  } else {
    model.native_format_unknown = reading.unknown;
  }
  model.stored_as = [stored = stored_by(std::move(reading), *section, model.plain_format)] {
    return base::Result<model::StoredAs>(stored);
  };
  return {};
}

void defer_quantization(OpenContext& context, const std::shared_ptr<const catalog::Entry>& card,
                        model::Model& model) {
  const std::optional<Section> section = in_configuration(card->architecture->config);
  if (!section) return;
  begin_section(*section, model);
  model.stored_as = [card, section = *section, kept_in = model.plain_format,
                     &catalogue = context.catalogue]() -> base::Result<model::StoredAs> {
    ULLAGE_TRY(Reading reading, read_section(section, catalogue.formats()));
    return stored_by(std::move(reading), section, kept_in);
  };
}

}  // namespace ullage::import

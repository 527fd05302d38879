// Turns keys into figures and remembers which were read.
#include "import/config_reader.hpp"

#include <algorithm>
#include <array>

namespace ullage::import {
namespace {

using base::Code;
using document::Type;
using document::Value;
using model::Extent;

// Far above any real model, far below where sums would need more than a person can read.
constexpr std::int64_t kLargestExtent = 1'000'000'000'000;

// Words in a key's name that speak of memory: layer patterns, windows, heads, experts, ranks,
// states, towers and adapters.
constexpr std::array<std::string_view, 25> kMemoryWords{"window",
                                                        "layer_types",
                                                        "layers",
                                                        "head",
                                                        "expert",
                                                        "rank",
                                                        "intermediate",
                                                        "pattern",
                                                        "mtp",
                                                        "nextn",
                                                        "vision",
                                                        "audio",
                                                        "adapter",
                                                        "lora",
                                                        "conv",
                                                        "share",
                                                        "index_topk",
                                                        "mamba",
                                                        "ssm",
                                                        "sparse_att",
                                                        "compress_ratio",
                                                        "attention_interval",
                                                        "attn_type_list",
                                                        "moe_layer",
                                                        "moe_num"};

// Keys with such words that change no stored tensor.
constexpr std::array<std::string_view, 15> kHarmless{"router_aux_loss_coef",
                                                     "output_router_logits",
                                                     "num_hidden_layers",
                                                     "pruned_heads",
                                                     "pretraining_tp",
                                                     "norm_topk_prob",
                                                     "router_jitter_noise",
                                                     "layer_norm_eps",
                                                     "_name_or_path",
                                                     "hidden_act",
                                                     "architectures",
                                                     "vision_feature_select_strategy",
                                                     "dense_attention_every_n_layers",
                                                     "blocksparse_homo_head_pattern",
                                                     "vision_feature_layer"};

// A window that is switched off, none of something, or a pattern of layers that all keep every
// token, changes nothing even where a family does not read it.
bool says_nothing(const Value& object, std::string_view key, const Value& value) {
  if (value.type == Type::null) return true;
  if (value.type == Type::boolean && !value.boolean) return true;
  if (value.type == Type::number && value.text == "0") return true;
  const bool list = value.type == Type::array || value.type == Type::object;
  if (list && value.items.empty() && value.members.empty()) return true;
  if (key == "layer_types" && value.type == Type::array) {
    return std::all_of(value.items.begin(), value.items.end(),
                       [](const Value& item) { return item.text == "full_attention"; });
  }
  const Value* used = object.find("use_sliding_window");
  const bool off = used != nullptr && used->type == Type::boolean && !used->boolean;
  return off && (key == "sliding_window" || key == "max_window_layers" ||
                 key == "use_sliding_window" || key == "layer_types");
}

}  // namespace

ConfigReader::ConfigReader(const document::Document& document, provenance::Graph& graph,
                           ConfigOrigin origin)
    : document_(document),
      graph_(graph),
      origin_(std::move(origin)),
      object_(&document.root),
      seen_(std::make_shared<Seen>()) {}

ConfigReader::ConfigReader(const ConfigReader& parent, std::string_view key, const Value& object)
    : document_(parent.document_),
      graph_(parent.graph_),
      origin_(parent.origin_),
      object_(&object),
      path_(parent.path_of(key) + "."),
      seen_(parent.seen_) {}

std::string ConfigReader::path_of(std::string_view key) const {
  return path_ + std::string(key);
}

void ConfigReader::spell(std::string_view key, std::vector<std::string> others) {
  spellings_[std::string(key)] = std::move(others);
}

void ConfigReader::class_default(std::string_view key, std::int64_t value, std::string class_name) {
  defaults_[std::string(key)] = {value, std::move(class_name)};
}

std::string_view ConfigReader::spelling(std::string_view key) const {
  const auto holds = [&](std::string_view name) {
    const Value* value = object_->find(name);
    return value != nullptr && value->type != Type::null;
  };
  const auto found = spellings_.find(key);
  if (holds(key) || found == spellings_.end()) return key;
  const auto other = std::find_if(found->second.begin(), found->second.end(), holds);
  return other == found->second.end() ? key : std::string_view(*other);
}

const Value* ConfigReader::find(std::string_view key) {
  const std::string_view spelt = spelling(key);
  seen_->paths.insert(path_of(spelt));
  const Value* value = object_->find(spelt);
  return value != nullptr && value->type != Type::null ? value : nullptr;
}

base::Result<ConfigReader> ConfigReader::nested(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) {
    return fault(Code::missing_key, key, path_of(key) + " is missing",
                 "this family cannot be counted without it");
  }
  ULLAGE_CHECK(document::expect(document_, *value, Type::object, path_of(key)));
  return ConfigReader(*this, key, *value);
}

base::Diagnostic ConfigReader::fault(Code code, std::string_view key, std::string message,
                                     std::string hint) const {
  const Value* value = object_->find(spelling(key));
  return {.code = code,
          .severity = base::Severity::error,
          .message = std::move(message),
          .span = document_.span(value != nullptr ? *value : *object_),
          .hint = std::move(hint),
          .notes = {}};
}

Extent ConfigReader::figure(std::string_view key, const Value& value, std::int64_t number) {
  const std::string name(key);
  const units::Quantity quantity{number, {}};
  const std::string place =
      document_.file + ":" + std::to_string(value.line) + ":" + std::to_string(value.column);
  if (origin_.source.empty()) {
    return {name, number, graph_.given(name, quantity, {place, "key " + path_of(spelling(key))})};
  }
  provenance::Claim claim;
  claim.quantity = quantity;
  claim.printed = value.text.empty() ? std::to_string(number) : value.text;
  claim.written = claim.printed;
  claim.last_place = 1;
  claim.source = origin_.source;
  claim.locator = origin_.locator + ", key " + path_of(spelling(key));
  claim.tier = origin_.tier;
  claim.checked = origin_.checked;
  claim.span = document_.span(value);
  return {name, number, graph_.published(name, {std::move(claim)})};
}

base::Result<Extent> ConfigReader::count(std::string_view key) {
  ULLAGE_TRY(auto found, optional_count(key));
  if (found) return *found;
  return fault(Code::missing_key, key, path_of(key) + " is missing",
               "this family cannot be counted without it");
}

base::Result<std::optional<Extent>> ConfigReader::optional_count(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) {
    const auto by_class = defaults_.find(key);
    if (by_class == defaults_.end()) return std::optional<Extent>();
    return std::optional(
        assumed(std::string(key), by_class->second.first, "default of " + by_class->second.second));
  }
  ULLAGE_TRY(const std::int64_t number,
             document::as_integer(document_, *value, key, 1, kLargestExtent));
  return std::optional(figure(key, *value, number));
}

base::Result<std::optional<std::int64_t>> ConfigReader::optional_number(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return std::optional<std::int64_t>();
  ULLAGE_TRY(const std::int64_t number,
             document::as_integer(document_, *value, key, 0, kLargestExtent));
  return std::optional(number);
}

base::Result<bool> ConfigReader::flag(std::string_view key, bool fallback) {
  const Value* value = find(key);
  if (value == nullptr) return fallback;
  return document::as_boolean(document_, *value, key);
}

base::Result<std::vector<std::int64_t>> ConfigReader::numbers(std::string_view key) {
  std::vector<std::int64_t> list;
  const Value* value = find(key);
  if (value == nullptr) return list;
  ULLAGE_CHECK(document::expect(document_, *value, Type::array, key));
  for (const Value& item : value->items) {
    ULLAGE_TRY(const std::int64_t number,
               document::as_integer(document_, item, key, 0, kLargestExtent));
    list.push_back(number);
  }
  return list;
}

base::Result<std::vector<std::string>> ConfigReader::texts(std::string_view key) {
  std::vector<std::string> list;
  const Value* value = find(key);
  if (value == nullptr) return list;
  ULLAGE_CHECK(document::expect(document_, *value, Type::array, key));
  for (const Value& item : value->items) {
    ULLAGE_TRY(std::string text, document::as_string(document_, item, key));
    list.push_back(std::move(text));
  }
  return list;
}

base::Result<std::optional<std::string>> ConfigReader::optional_text(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return std::optional<std::string>();
  ULLAGE_TRY(std::string text, document::as_string(document_, *value, key));
  return std::optional(std::move(text));
}

Extent ConfigReader::derived(std::string name, exact::Rational value, std::string formula,
                             std::vector<provenance::FigureId> inputs) {
  const provenance::FigureId id =
      graph_.derived(name, units::Count::kUnit, std::move(formula), {}, std::move(inputs), value);
  return {std::move(name), std::move(value), id};
}

base::Result<Extent> ConfigReader::quotient(std::string name, const Extent& a, const Extent& b) {
  const exact::Rational value = a.value / b.value;
  if (value.is_whole())
    return derived(std::move(name), value, a.name + " ÷ " + b.name, {a.figure, b.figure});
  return fault(Code::out_of_range, b.name,
               a.name + " " + a.value.to_string() + " is not divisible by " + b.name + " " +
                   b.value.to_string(),
               "a config with another " + name + " states it as " + name);
}

void ConfigReader::note(std::string code, std::string text) {
  seen_->notes.push_back({std::move(code), base::Severity::note, std::move(text)});
}

Extent ConfigReader::counted(std::string name, std::int64_t number, std::string_view key) {
  const Value* value = find(key);
  Extent extent = figure(key, value != nullptr ? *value : *object_, number);
  extent.name = std::move(name);
  return extent;
}

Extent ConfigReader::assumed(std::string name, exact::Rational value, std::string why) {
  const provenance::FigureId id = graph_.assumed(name, {value, {}}, std::move(why));
  return {std::move(name), std::move(value), id};
}

Value ConfigReader::part_of(const Value& object, const std::string& path,
                            const std::vector<std::string_view>& also) const {
  Value part = object;
  part.members.clear();
  for (const document::Member& member : object.members) {
    const std::string whole = path + member.key;
    const auto inside = seen_->paths.lower_bound(whole + ".");
    const bool opened = inside != seen_->paths.end() && inside->starts_with(whole + ".");
    if (opened && member.value.type == Type::object) {
      part.members.push_back(member);
      part.members.back().value = part_of(member.value, whole + ".", also);
    } else if (seen_->paths.contains(whole) ||
               std::find(also.begin(), also.end(), member.key) != also.end()) {
      part.members.push_back(member);
    }
  }
  return part;
}

document::Document ConfigReader::part_read(const std::vector<std::string_view>& also) const {
  return {document_.file, part_of(document_.root, "", also)};
}

void ConfigReader::collect_unread(const Value& object, const std::string& path,
                                  std::string& keys) const {
  for (const document::Member& member : object.members) {
    const std::string_view key = member.key;
    const std::string whole = path + member.key;
    // What is inside an object matters only where a family reads that object key by key.
    const bool opened =
        std::any_of(seen_->paths.begin(), seen_->paths.end(),
                    [&](const std::string& read) { return read.starts_with(whole + "."); });
    if (opened) {
      collect_unread(member.value, whole + ".", keys);
      continue;
    }
    const bool harmless = std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end();
    const bool speaks =
        std::any_of(kMemoryWords.begin(), kMemoryWords.end(),
                    [&](std::string_view w) { return key.find(w) != std::string_view::npos; });
    // Tokens, activations and kernels of what the words speak of.
    const bool aside = key.ends_with("_token_id") || key.ends_with("_token_index") ||
                       key.ends_with("_act") || key.ends_with("_kernels");
    if (!speaks || harmless || aside || seen_->paths.contains(whole) ||
        says_nothing(object, key, member.value))
      continue;
    keys += (keys.empty() ? "" : ", ") + base::printable(whole, 60) + " (line " +
            std::to_string(member.line) + ")";
  }
}

std::optional<base::Note> ConfigReader::unread_keys() const {
  std::string keys;
  collect_unread(document_.root, "", keys);
  if (keys.empty()) return std::nullopt;
  return base::Note{"unread-key", base::Severity::warning,
                    "keys that this family does not read and whose names speak of memory: " + keys};
}

}  // namespace ullage::import

// Reads `metadata.total_size` and looks for the head among the stored names.
#include "import/checkpoint_index.hpp"

#include <algorithm>
#include <array>

#include "document/read.hpp"

namespace ullage::import {
namespace {

constexpr std::array<std::string_view, 2> kNames{"model.safetensors.index.json",
                                                 "pytorch_model.bin.index.json"};
constexpr std::uint64_t kLargestIndex = 128u << 20;

// The N of `layers.N.` in a name; −1 where there is none.
std::int64_t layer_of(std::string_view name) {
  constexpr std::string_view kWord = "layers.";
  const auto start = name.find(kWord);
  if (start == std::string_view::npos) return -1;
  std::int64_t number = -1;
  for (const char c : name.substr(start + kWord.size())) {
    if (c < '0' || c > '9' || number > 1'000'000) break;
    number = (number < 0 ? 0 : number * 10) + (c - '0');
  }
  return number;
}

void read_names(const document::Value& map, CheckpointIndex& index) {
  index.names_tensors = !map.members.empty();
  for (const document::Member& member : map.members) {
    const std::string_view name = member.key;
    const auto has = [&](std::string_view part) {
      return name.find(part) != std::string_view::npos;
    };
    if (name == "lm_head.weight") index.stores_head = true;
    const bool vision = has("visual.") || has("vision") || has("img_") || has("mm_projector");
    if (vision) {
      index.stores_vision = true;
      continue;  // a tower numbers its layers too
    }
    index.last_layer = std::max(index.last_layer, layer_of(name));
    if (has("mtp")) index.stores_module = true;
    if (layer_of(name) >= 0 && (has("embed_tokens") || has("shared_head.head"))) {
      index.stores_module_copies = true;
    }
  }
}

}  // namespace

base::Result<std::optional<CheckpointIndex>> read_checkpoint_index(const base::FileSystem& files,
                                                                   const std::string& folder,
                                                                   provenance::Graph& graph) {
  for (const std::string_view name : kNames) {
    const std::string path = base::join(folder, name);
    if (files.kind_of(path) == base::PathKind::missing) continue;
    ULLAGE_TRY(const std::string text, files.read(path, kLargestIndex));
    ULLAGE_TRY(const document::Document document, document::read_json(text, path));
    ULLAGE_CHECK(document::expect(document, document.root, document::Type::object, "the index"));
    CheckpointIndex index;
    index.file = path;
    if (const document::Value* map = document.root.find("weight_map")) {
      ULLAGE_CHECK(document::expect(document, *map, document::Type::object, "weight_map"));
      read_names(*map, index);
    }
    const document::Value* metadata = document.root.find("metadata");
    const document::Value* size = metadata != nullptr ? metadata->find("total_size") : nullptr;
    // Some tools write 0 where they did not count: that states nothing.
    if (size != nullptr && size->text != "0") {
      ULLAGE_TRY(const exact::Rational bytes,
                 document::as_number(document, *size, "metadata.total_size"));
      if (bytes.sign() <= 0 || !bytes.is_whole()) {
        return base::Diagnostic{.code = base::Code::out_of_range,
                                .message = "metadata.total_size is no positive number of bytes",
                                .span = document.span(*size),
                                .hint = {},
                                .notes = {}};
      }
      index.total_size =
          graph.given("checkpoint bytes", {bytes, units::Bytes::kUnit},
                      {path + ":" + std::to_string(size->line) + ":" + std::to_string(size->column),
                       "key metadata.total_size"});
    }
    return std::optional(std::move(index));
  }
  return std::optional<CheckpointIndex>();
}

}  // namespace ullage::import

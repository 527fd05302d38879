// Reads `weight_map` and `metadata.total_size` token by token: an index names as many tensors as
// the headers do.
#include "import/checkpoint_index.hpp"

#include <algorithm>
#include <array>

#include "document/json_cursor.hpp"
#include "document/places.hpp"

namespace ullage::import {
namespace {

using base::Code;
using base::Diagnostic;
using document::JsonCursor;
using document::JsonToken;

constexpr std::array<std::string_view, 2> kNames{"model.safetensors.index.json",
                                                 "pytorch_model.bin.index.json"};
constexpr std::uint64_t kLargestIndex = 256u << 20;
constexpr std::size_t kMostTensors = 2'000'000;
constexpr std::size_t kMostShards = 100'000;

// The N of `layers.N.` in a name; −1 where there is none, the given last one where it is a star.
std::int64_t layer_of(std::string_view name, std::int64_t last) {
  constexpr std::string_view kWord = "layers.";
  const auto start = name.find(kWord);
  if (start == std::string_view::npos) return -1;
  if (name.substr(start + kWord.size()).starts_with('*')) return last;
  std::int64_t number = -1;
  for (const char c : name.substr(start + kWord.size())) {
    if (c < '0' || c > '9' || number > 1'000'000) break;
    number = (number < 0 ? 0 : number * 10) + (c - '0');
  }
  return number;
}

// Whether a shard's name stays in its folder.
bool stays_inside(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\0') != std::string_view::npos ||
      name.find('\\') != std::string_view::npos) {
    return false;
  }
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string_view part = name.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") return false;
    start = end + 1;
  }
  return true;
}

class IndexReader {
 public:
  IndexReader(std::string_view text, CheckpointIndex& index, provenance::Graph& graph)
      : text_(text), index_(index), graph_(graph), cursor_(text, index.file) {}

  base::Result<void> read() {
    ULLAGE_CHECK(want(JsonToken::object, "the index must be an object"));
    ULLAGE_CHECK(each_member([this](std::string_view key) { return read_member(key); }));
    ULLAGE_CHECK(cursor_.next());  // nothing but white space behind it
    return {};
  }

 private:
  template <class Read>
  base::Result<void> each_member(const Read& read) {
    for (;;) {
      ULLAGE_TRY(const JsonToken token, cursor_.next());
      if (token == JsonToken::object_end) return {};
      const std::string key(cursor_.text());
      key_at_ = cursor_.offset();
      ULLAGE_CHECK(read(key));
    }
  }

  Diagnostic fault(Code code, std::string message, std::size_t at, std::string hint = {}) const {
    const document::Place place = document::Places(text_).at(at);
    return {.code = code,
            .message = std::move(message),
            .span = {index_.file, place.line, place.column},
            .hint = std::move(hint),
            .notes = {}};
  }

  base::Result<void> want(JsonToken wanted, std::string message) {
    ULLAGE_TRY(const JsonToken token, cursor_.next());
    if (token == wanted) return {};
    return fault(Code::wrong_type, std::move(message), cursor_.offset());
  }

  base::Result<void> skip_value() {
    ULLAGE_TRY(const JsonToken token, cursor_.next());
    return cursor_.skip(token);
  }

  base::Result<void> read_member(std::string_view key) {
    if (key == "weight_map") {
      ULLAGE_CHECK(want(JsonToken::object, "weight_map must be an object"));
      return each_member([this](std::string_view name) { return read_tensor(name); });
    }
    if (key != "metadata") return skip_value();
    ULLAGE_TRY(const JsonToken token, cursor_.next());
    if (token != JsonToken::object) return cursor_.skip(token);
    return each_member([this](std::string_view name) -> base::Result<void> {
      return name == "total_size" ? read_total() : skip_value();
    });
  }

  base::Result<void> read_tensor(std::string_view name) {
    const std::size_t at = key_at_;
    ULLAGE_CHECK(want(JsonToken::string, base::printable(name) + ": the shard must be a text"));
    const std::string_view shard = cursor_.text();
    if (!stays_inside(shard)) {
      return fault(Code::out_of_range,
                   base::printable(name) + ": the shard " + base::printable(shard) +
                       " does not lie in the folder of the index",
                   cursor_.offset(), "a shard is named as a file beside the index");
    }
    if (index_.tensors.add(name).data() == nullptr) {
      return fault(Code::duplicate_key,
                   "weight_map names the tensor " + base::printable(name) + " twice", at);
    }
    if (last_shard_ != shard) {
      last_shard_ = shard;
      index_.shards.insert(last_shard_);
    }
    if (index_.tensors.size() > kMostTensors || index_.shards.size() > kMostShards) {
      return fault(Code::out_of_range,
                   "weight_map names more than " + std::to_string(kMostTensors) + " tensors or " +
                       std::to_string(kMostShards) + " shards",
                   at, "no published model has as many; check the file");
    }
    index_.names.see(name, -1);
    return {};
  }

  base::Result<void> read_total() {
    ULLAGE_TRY(const JsonToken token, cursor_.next());
    const std::size_t at = cursor_.offset();
    const auto bytes = exact::Rational::parse(token == JsonToken::number ? cursor_.text() : "-1");
    if (!bytes || bytes->sign() < 0 || !bytes->is_whole()) {
      return fault(Code::out_of_range, "metadata.total_size is no positive number of bytes", at);
    }
    // Some tools write 0 where they did not count: that states nothing.
    if (bytes->is_zero()) return {};
    const document::Place place = document::Places(text_).at(at);
    index_.total_size = graph_.given(
        "checkpoint bytes", {*bytes, units::Bytes::kUnit},
        {index_.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column),
         "key metadata.total_size"});
    return {};
  }

  std::string_view text_;
  CheckpointIndex& index_;
  provenance::Graph& graph_;
  JsonCursor cursor_;
  std::size_t key_at_ = 0;
  std::string last_shard_;
};

}  // namespace

void CheckpointNames::see(std::string_view name, std::int64_t last) {
  names_tensors = true;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (name == "lm_head.weight" || name.ends_with(".lm_head.weight")) stores_head = true;
  for (const char* part : {"head", "output", "embed_out", "ff_out", "score", "classifier"})
    if (has(part)) stores_output = true;
  const bool tower = has("visual.") || has("vision") || has("img_") || has("mm_projector") ||
                     has("sam_model") || has("qwen2_model") || has("audio_tower");
  if (tower) {
    stores_vision = true;
    return;  // a tower numbers its layers too
  }
  const std::int64_t layer = layer_of(name, last);
  last_layer = std::max(last_layer, layer);
  if (layer < 0 && (has("embed") || has("wte"))) stores_table = true;
  if (has("mtp")) stores_module = true;
  const bool copied = has("embed_tokens") || has("shared_head.head") || has("shared_head.output");
  if (layer >= 0 && copied) stores_module_copies = true;
}

CheckpointNames names_of(const StoredTensors& tensors) {
  CheckpointNames names;
  for (const StoredGroup& group : tensors.groups()) {
    const std::int64_t last = group.by_layer.empty()
                                  ? -1
                                  : static_cast<std::int64_t>(std::min<std::uint64_t>(
                                        group.by_layer.rbegin()->first, 1'000'000));
    names.see(group.name, last);
  }
  return names;
}

base::Result<CheckpointIndex> read_index(const base::FileSystem& files, const std::string& path,
                                         provenance::Graph& graph) {
  ULLAGE_TRY(const std::string text, files.read(path, kLargestIndex));
  CheckpointIndex index;
  index.file = path;
  IndexReader reader(text, index, graph);
  ULLAGE_CHECK(reader.read());
  return index;
}

base::Result<std::optional<CheckpointIndex>> read_checkpoint_index(const base::FileSystem& files,
                                                                   const std::string& folder,
                                                                   provenance::Graph& graph) {
  for (const std::string_view name : kNames) {
    const std::string path = base::join(folder, name);
    if (files.kind_of(path) == base::PathKind::missing) continue;
    ULLAGE_TRY(CheckpointIndex index, read_index(files, path, graph));
    return std::optional(std::move(index));
  }
  return std::optional<CheckpointIndex>();
}

}  // namespace ullage::import

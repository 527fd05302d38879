// Any bytes as the index of a checkpoint, beside a configuration and alone: read or refused with a
// reason, never a crash, and no shard outside of the folder is asked for.
#include <cstdint>
#include <string>

#include "catalog/catalogue.hpp"
#include "check.hpp"
#include "import/open.hpp"

namespace {

using namespace ullage;

constexpr const char* kConfig = R"({"model_type": "llama", "hidden_size": 8,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 12, "vocab_size": 20, "torch_dtype": "bfloat16",
    "tie_word_embeddings": true})";

void open(const base::MemoryFileSystem& files, const std::string& name) {
  static catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  provenance::Graph graph;
  import::OpenContext context{catalogue, files, graph, std::nullopt};
  const auto model = import::open_model(context, name);
  if (!model.ok()) test::demand_refusal(model.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  const std::string text(reinterpret_cast<const char*>(bytes), length);
  base::MemoryFileSystem files;
  files.files["alone/model.safetensors.index.json"] = text;
  files.files["both/model.safetensors.index.json"] = text;
  files.files["both/config.json"] = kConfig;
  open(files, "alone/model.safetensors.index.json");
  open(files, "both");
  return 0;
}

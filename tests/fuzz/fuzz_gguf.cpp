// Any bytes as a GGUF file: a model, or a refusal with a reason, never a crash; the bytes of its
// tensors lie in the file.
#include <cstdint>
#include <string>

#include "catalog/catalogue.hpp"
#include "check.hpp"
#include "import/gguf.hpp"
#include "import/gguf_model.hpp"

namespace {

using namespace ullage;

catalog::Catalogue& catalogue() {
  static catalog::Catalogue embedded{catalog::embedded_catalogue()};
  return embedded;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  base::MemoryFileSystem files;
  files.files["fuzz.gguf"] = std::string(reinterpret_cast<const char*>(bytes), length);
  const auto file = import::read_gguf(files, {"fuzz.gguf"}, catalogue().formats());
  if (!file.ok()) {
    test::demand_refusal(file.error());
    return 0;
  }
  test::demand(file->header_bytes.front() <= length, "a header longer than its file");
  test::demand(file->tensors.bytes() + file->padding <= length, "tensors larger than their file");
  provenance::Graph graph;
  import::OpenContext context{catalogue(), files, graph, std::nullopt};
  const auto model = import::open_gguf(context, "fuzz.gguf", {"fuzz.gguf"});
  if (!model.ok()) test::demand_refusal(model.error());
  return 0;
}

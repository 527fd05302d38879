// What the header of a large checkpoint costs: 120,000 tensors in 16 MB, read token by token, and
// the same text as a tree for comparison. The times are those of the processor: others may use the
// machine too.
#include <cstdio>
#include <ctime>
#include <string>

#include "catalog/catalogue.hpp"
#include "document/read.hpp"
#include "import/header_inventory.hpp"
#include "import/safetensors.hpp"

namespace {

using namespace ullage;

// Milliseconds of processor time of the fastest of five runs.
template <class Operation>
double milliseconds(const Operation& operation) {
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    const std::clock_t start = std::clock();
    operation();
    const double elapsed =
        1000 * static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
    if (run == 0 || elapsed < best) best = elapsed;
  }
  return best;
}

std::string header_json(int layers, int experts) {
  constexpr std::uint64_t kBytes = 2048 * 7168;
  std::string json = "{";
  std::uint64_t offset = 0;
  for (int layer = 0; layer < layers; ++layer) {
    for (int expert = 0; expert < experts; ++expert) {
      for (const char* name : {"gate_proj", "up_proj", "down_proj"}) {
        const bool down = name[0] == 'd';
        json +=
            (json.size() > 1 ? ",\"" : "\"") + std::string("model.layers.") +
            std::to_string(layer) + ".mlp.experts." + std::to_string(expert) + "." + name +
            ".weight\":{\"dtype\":\"F8_E4M3\",\"shape\":" + (down ? "[7168,2048]" : "[2048,7168]") +
            ",\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(offset + kBytes) +
            "]}";
        offset += kBytes;
      }
    }
  }
  return json + "}";
}

}  // namespace

int main() {
  const std::string json = header_json(61, 656);
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i)
    bytes += static_cast<char>((json.size() >> (8 * i)) & 0xFF);
  bytes += json;
  const std::uint64_t size = bytes.size() + 61ull * 656 * 3 * 2048 * 7168;
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  const catalog::StorageFormats& formats = catalogue.formats();
  std::uint64_t tensors = 0;
  const double header = milliseconds([&] {
    import::StoredTensors stored;
    if (!import::read_safetensors_header(bytes, size, "bench", formats, stored).ok()) return;
    import::HeaderReading how;
    import::sums_of(import::read_groups(stored, how), how);
    tensors = stored.tensors();
  });
  const double tree = milliseconds([&] {
    if (!document::read_json(json, "bench").ok()) tensors = 0;
  });
  std::printf("%llu tensors, %.1f MB of header\n", static_cast<unsigned long long>(tensors),
              static_cast<double>(json.size()) / 1e6);
  std::printf("%-32s %8.1f ms\n", "header to sums", header);
  std::printf("%-32s %8.1f ms\n", "the same text as a tree", tree);
  return tensors > 0 ? 0 : 1;
}

// Any bytes as a .safetensors file: read or refused with a reason, never a crash; what was read
// fits the file, and its sums agree with each other.
#include <cstdint>
#include <string_view>

#include "catalog/catalogue.hpp"
#include "check.hpp"
#include "import/header_inventory.hpp"
#include "import/safetensors.hpp"

namespace {

using namespace ullage;

const catalog::StorageFormats& formats() {
  static catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  return catalogue.formats();
}

void demand_sums(const import::StoredTensors& tensors) {
  import::HeaderReading how;
  how.prediction_layers = import::prediction_layers_of(tensors);
  const auto groups = import::read_groups(tensors, how);
  const import::HeaderSums sums = import::sums_of(groups, how);
  exact::Rational bytes;
  std::uint64_t count = 0;
  for (const auto& [format, sum] : sums.by_format) {
    bytes += sum.bytes;
    count += sum.tensors;
  }
  test::demand(bytes == exact::Rational(tensors.bytes()), "bytes by format are not the bytes");
  test::demand(count == tensors.tensors(), "a tensor of no format");
  provenance::Graph graph;
  import::list_tensors(graph, groups, how);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), length);
  import::StoredTensors tensors;
  const auto header =
      import::read_safetensors_header(text, length, "fuzz.safetensors", formats(), tensors);
  if (!header.ok()) {
    test::demand_refusal(header.error());
    return 0;
  }
  test::demand(*header + tensors.bytes() == length, "tensors that do not fill their file");
  demand_sums(tensors);
  return 0;
}

// Sums the bytes of each group of tensors.
#include "memory/checkpoint_payload.hpp"

namespace ullage::memory {
namespace {

using exact::Rational;
using model::TensorGroup;
using provenance::Figure;
using units::Bytes;
using units::Count;

constexpr std::int64_t kBlock = 128;     // rows and columns of an FP8 block
constexpr std::int64_t kMxGroup = 32;    // MXFP4 elements that share a scale
constexpr std::int64_t kScaleBytes = 4;  // of an FP8 block, an F32

Rational product(const model::Axis& axis) {
  Rational value = 1;
  for (const model::Extent& extent : axis)
    value *= extent.value;
  return value;
}

// The bytes of one group and how they follow from its elements.
struct Stored {
  Rational bytes;
  std::string formula;
};

// Codes of one byte and an F32 for each block of 128 × 128, also where it is not full.
std::optional<Stored> in_fp8_blocks(const TensorGroup& group, const Rational& elements) {
  if (group.shape.size() != 2) return std::nullopt;
  const Rational rows = (product(group.shape[0]) / Rational(kBlock)).ceil();
  const Rational columns = (product(group.shape[1]) / Rational(kBlock)).ceil();
  Rational tensors = 1;
  for (const model::Extent& extent : group.repeat)
    tensors *= extent.value;
  const Rational blocks = rows * columns * tensors;
  return Stored{elements + Rational(kScaleBytes) * blocks,
                "elements × 1 B + " + blocks.to_string() + " blocks of 128 × 128 × 4 B"};
}

// Half a byte an element and a byte for every 32, which must fill a row.
std::optional<Stored> in_mxfp4(const TensorGroup& group, const Rational& elements) {
  if (group.shape.size() != 2) return std::nullopt;
  if (!(product(group.shape[1]) / Rational(kMxGroup)).is_whole()) return std::nullopt;
  return Stored{elements / Rational(2) + elements / Rational(kMxGroup),
                "elements × (1/2 B + 1/32 B)"};
}

base::Result<std::optional<Stored>> stored(const TensorGroup& group, const Rational& elements,
                                           const catalog::StorageFormat& native,
                                           catalog::Catalogue& catalogue) {
  if (!group.kept.empty()) {
    ULLAGE_TRY(const catalog::StorageFormat* format, catalogue.formats().find(group.kept));
    if (!format->bits) return std::optional<Stored>();
    return std::optional(
        Stored{elements * *format->bits / Rational(8),
               "elements × " + format->bits->to_string() + " bits ÷ 8, kept in " + format->name});
  }
  if (native.name == "fp8-block") return in_fp8_blocks(group, elements);
  if (native.name == "mxfp4") return in_mxfp4(group, elements);
  return std::optional<Stored>();
}

}  // namespace

base::Result<std::optional<Figure<Bytes>>> checkpoint_payload(
    provenance::Graph& graph, const model::Inventory& inventory,
    const std::vector<Figure<Count>>& elements, const catalog::StorageFormat& native,
    catalog::Catalogue& catalogue) {
  if (!inventory.formats_known) return std::optional<Figure<Bytes>>();
  std::vector<Figure<Bytes>> parts;
  for (std::size_t i = 0; i < inventory.tensors.size(); ++i) {
    const TensorGroup& group = inventory.tensors[i];
    if (!group.stored) continue;
    const Figure<Count> count = elements[i];
    ULLAGE_TRY(const auto bytes, stored(group, graph.value(count), native, catalogue));
    if (!bytes) return std::optional<Figure<Bytes>>();
    parts.push_back(graph.derived<Bytes>(group.name + ", stored", bytes->formula, {}, {count.id()},
                                         bytes->bytes));
  }
  return std::optional(graph.sum("weight payload", parts));
}

}  // namespace ullage::memory

// Sums the bytes of each group of tensors.
#include "memory/checkpoint_payload.hpp"

#include "memory/tensor_bytes.hpp"

namespace ullage::memory {
namespace {

using exact::Rational;
using model::TensorGroup;
using provenance::Figure;
using units::Bytes;
using units::Count;

Rational product(const std::vector<model::Extent>& extents) {
  Rational value = 1;
  for (const model::Extent& extent : extents)
    value *= extent.value;
  return value;
}

std::string formula(const catalog::StorageFormat& format, bool kept) {
  const bool plain = format.stored_bits && *format.stored_bits == *format.bits;
  return "elements × " + format.bits->to_string() + " bits ÷ 8" +
         (plain ? "" : " and the scales beside them") + (kept ? ", kept in " : ", in ") +
         format.name;
}

}  // namespace

base::Result<const catalog::StorageFormat*> format_of(const TensorGroup& group,
                                                      const catalog::StorageFormat& native,
                                                      catalog::Catalogue& catalogue) {
  if (group.kept.empty()) return &native;
  return catalogue.formats().find(group.kept);
}

base::Result<std::optional<Figure<Bytes>>> checkpoint_payload(
    provenance::Graph& graph, const model::Inventory& inventory,
    const std::vector<Figure<Count>>& elements, const catalog::StorageFormat& native,
    catalog::Catalogue& catalogue) {
  if (!inventory.formats_known) return std::optional<Figure<Bytes>>();
  std::vector<Figure<Bytes>> parts;
  for (std::size_t i = 0; i < inventory.tensors.size(); ++i) {
    const TensorGroup& group = inventory.tensors[i];
    if (!group.stored) continue;
    ULLAGE_TRY(const catalog::StorageFormat* format, format_of(group, native, catalogue));
    std::vector<Rational> shape;
    for (const model::Axis& axis : group.shape)
      shape.push_back(product(axis));
    const auto bytes = tensor_bytes(*format, shape);
    if (!bytes) return std::optional<Figure<Bytes>>();
    parts.push_back(graph.derived<Bytes>(group.name + ", stored",
                                         formula(*format, !group.kept.empty()), {},
                                         {elements[i].id()}, *bytes * product(group.repeat)));
  }
  return std::optional(graph.sum("weight payload", parts));
}

}  // namespace ullage::memory

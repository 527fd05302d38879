// Codes, and what stands beside them.
#include "memory/tensor_bytes.hpp"

namespace ullage::memory {
namespace {

using exact::Rational;

constexpr std::int64_t kBlock = 128;     // rows and columns of an FP8 block
constexpr std::int64_t kMxGroup = 32;    // MXFP4 elements that share a scale
constexpr std::int64_t kScaleBytes = 4;  // of an FP8 block, an F32

}  // namespace

std::optional<Rational> tensor_bytes(const catalog::StorageFormat& format,
                                     const std::vector<Rational>& shape) {
  if (!format.bits) return std::nullopt;
  Rational elements = 1;
  for (const Rational& axis : shape)
    elements *= axis;
  const Rational codes = elements * *format.bits / Rational(8);
  if (format.stored_bits && *format.stored_bits == *format.bits) return codes;
  if (shape.size() != 2) return std::nullopt;
  if (format.name == "fp8-block") {
    const Rational blocks =
        (shape[0] / Rational(kBlock)).ceil() * (shape[1] / Rational(kBlock)).ceil();
    return codes + Rational(kScaleBytes) * blocks;
  }
  if (format.name == "mxfp4" && (shape[1] / Rational(kMxGroup)).is_whole()) {
    return codes + elements / Rational(kMxGroup);
  }
  return std::nullopt;
}

}  // namespace ullage::memory

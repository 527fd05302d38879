// Quantities as types, so that the compiler refuses to mix them: a formula over dense FLOP/s does
// not accept a sparse rate. Each tag says which run-time units it accepts and what it produces.
#pragma once

#include "units/unit.hpp"

namespace ullage::units {

template <Dimension D, Kind K = Kind::plain>
struct Measure {
  static constexpr Unit kUnit{.dimension = D, .kind = K};
  static constexpr bool accepts(const Unit& unit) { return unit.dimension == D && unit.kind == K; }
};

struct Count : Measure<kNumber> {};  // parameters, devices, layers, elements
struct Bits : Measure<kNumber> {};   // bits per element
struct Share : Measure<kNumber> {};  // 0 … 1
struct Bytes : Measure<kBytes> {};
struct Tokens : Measure<kTokens> {};
struct Flops : Measure<kFlops> {};
struct DenseRate : Measure<kFlopRate, Kind::dense> {};
struct SparseRate : Measure<kFlopRate, Kind::sparse> {};
struct MemoryBandwidth : Measure<kByteRate, Kind::memory> {};
struct DollarRate : Measure<kDollarRate> {};

// Memory of a device: nominal, visible, or a size that the user gives.
struct Capacity {
  static constexpr Unit kUnit{.dimension = kBytes};
  static constexpr bool accepts(const Unit& unit) {
    return unit.dimension == kBytes &&
           (unit.kind == Kind::nominal || unit.kind == Kind::visible || unit.kind == Kind::plain);
  }
};

}  // namespace ullage::units

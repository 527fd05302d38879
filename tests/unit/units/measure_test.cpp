// Measures accept the units that they stand for, and no others.
#include "units/measure.hpp"

#include <doctest/doctest.h>

namespace ullage::units {
namespace {

TEST_CASE("rates by kind") {
  CHECK(DenseRate::accepts({.dimension = kFlopRate, .kind = Kind::dense, .scope = Scope::chip}));
  CHECK_FALSE(DenseRate::accepts({.dimension = kFlopRate, .kind = Kind::sparse}));
  CHECK_FALSE(DenseRate::accepts({.dimension = kFlopRate}));
  CHECK_FALSE(DenseRate::accepts({.dimension = kOpRate, .kind = Kind::dense}));
  CHECK(SparseRate::accepts({.dimension = kFlopRate, .kind = Kind::sparse}));
  CHECK_FALSE(SparseRate::accepts({.dimension = kFlopRate, .kind = Kind::dense}));
  CHECK(MemoryBandwidth::accepts({.dimension = kByteRate, .kind = Kind::memory}));
  CHECK_FALSE(MemoryBandwidth::accepts({.dimension = kByteRate, .kind = Kind::scale_up}));
}

TEST_CASE("a capacity is nominal, visible or given, and bytes only") {
  CHECK(Capacity::accepts({.dimension = kBytes, .kind = Kind::nominal}));
  CHECK(Capacity::accepts({.dimension = kBytes, .kind = Kind::visible}));
  CHECK(Capacity::accepts({.dimension = kBytes}));
  CHECK_FALSE(Capacity::accepts({.dimension = kBytes, .kind = Kind::memory}));
  CHECK_FALSE(Capacity::accepts({.dimension = kByteRate, .kind = Kind::nominal}));
  CHECK_FALSE(Bytes::accepts({.dimension = kBytes, .kind = Kind::nominal}));
}

}  // namespace
}  // namespace ullage::units

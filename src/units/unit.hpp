// What a number measures: dimension, kind, direction and scope. Two figures mix only where all
// agree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ullage::units {

// Exponents of the base units. FLOP and OP are apart: an INT8 TOPS figure is no FLOP/s figure.
struct Dimension {
  std::int8_t byte = 0;
  std::int8_t flop = 0;
  std::int8_t op = 0;
  std::int8_t second = 0;
  std::int8_t token = 0;
  std::int8_t watt = 0;
  std::int8_t dollar = 0;

  constexpr bool operator==(const Dimension&) const = default;
};

constexpr Dimension operator*(Dimension a, Dimension b) {
  auto sum = [](std::int8_t x, std::int8_t y) { return static_cast<std::int8_t>(x + y); };
  return {sum(a.byte, b.byte),     sum(a.flop, b.flop),   sum(a.op, b.op),
          sum(a.second, b.second), sum(a.token, b.token), sum(a.watt, b.watt),
          sum(a.dollar, b.dollar)};
}
constexpr Dimension operator/(Dimension a, Dimension b) {
  auto less = [](std::int8_t x, std::int8_t y) { return static_cast<std::int8_t>(x - y); };
  return {less(a.byte, b.byte),     less(a.flop, b.flop),   less(a.op, b.op),
          less(a.second, b.second), less(a.token, b.token), less(a.watt, b.watt),
          less(a.dollar, b.dollar)};
}

// What kind of a quantity it is, where the dimension does not tell.
enum class Kind : std::uint8_t {
  plain,
  dense,      // FLOP/s or OP/s without sparsity
  sparse,     // FLOP/s or OP/s with structured sparsity
  nominal,    // capacity as the vendor prints it
  visible,    // capacity as the driver reports it
  memory,     // B/s of device memory
  scale_up,   // B/s of NVLink, NeuronLink, xGMI, ICI
  scale_out,  // B/s of EFA, InfiniBand, RoCE
  host,       // B/s of the attachment to the host (PCIe, C2C)
  dma,        // B/s of the DMA engines
};

// Which way a link figure counts.
enum class Direction : std::uint8_t { none, one_way, both_ways, not_stated };

// Of what one figure speaks.
enum class Scope : std::uint8_t {
  none,
  link,
  stack,
  core,
  logical_core,
  partition,
  chip,
  instance,
  system
};

struct Unit {
  Dimension dimension;
  Kind kind = Kind::plain;
  Direction direction = Direction::none;
  Scope scope = Scope::none;

  constexpr bool operator==(const Unit&) const = default;
};

inline constexpr Dimension kNumber{};
inline constexpr Dimension kBytes{.byte = 1};
inline constexpr Dimension kFlops{.flop = 1};
inline constexpr Dimension kFlopRate{.flop = 1, .second = -1};
inline constexpr Dimension kOpRate{.op = 1, .second = -1};
inline constexpr Dimension kByteRate{.byte = 1, .second = -1};
inline constexpr Dimension kTokens{.token = 1};
inline constexpr Dimension kTokenRate{.second = -1, .token = 1};
inline constexpr Dimension kSeconds{.second = 1};
inline constexpr Dimension kWatts{.watt = 1};
inline constexpr Dimension kDollarRate{.second = -1, .dollar = 1};

// The base unit as JSON prints it: `B`, `FLOP/s`, `OP/s`, `B/s`, `token`, `W`, `USD/s`, `1`.
std::string symbol_of(Dimension dimension);

// Words for messages: `dense FLOP/s per chip`, `both-way scale-up B/s`.
std::string describe(const Unit& unit);
std::string_view name_of(Kind kind);
std::string_view name_of(Direction direction);
std::string_view name_of(Scope scope);

}  // namespace ullage::units

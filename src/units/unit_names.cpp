// Which units ullage reads, how they may be spelled, and what each is worth in base units.
#include "units/unit_names.hpp"

#include <array>
#include <span>
#include <utility>

#include "units/quantity.hpp"

namespace ullage::units {

namespace {

struct Prefix {
  std::string_view text;
  std::int64_t factor;
};

constexpr std::array<Prefix, 8> kDecimal{{{"", 1},
                                          {"k", 1'000},
                                          {"K", 1'000},
                                          {"M", 1'000'000},
                                          {"G", 1'000'000'000},
                                          {"T", 1'000'000'000'000},
                                          {"P", 1'000'000'000'000'000},
                                          {"E", 1'000'000'000'000'000'000}}};
constexpr std::array<Prefix, 6> kBinary{{{"Ki", std::int64_t{1} << 10},
                                         {"Mi", std::int64_t{1} << 20},
                                         {"Gi", std::int64_t{1} << 30},
                                         {"Ti", std::int64_t{1} << 40},
                                         {"Pi", std::int64_t{1} << 50},
                                         {"Ei", std::int64_t{1} << 60}}};

// The prefix as the canonical spelling writes it.
std::string canonical_prefix(const Prefix& prefix) {
  return std::string(prefix.text == "K" ? "k" : prefix.text);
}

class Table {
 public:
  Table() { names_.reserve(kExpected); }

  void add(std::string spelling, std::string canonical, Dimension dimension, std::int64_t multiple,
           std::int64_t divisor = 1) {
    names_.push_back({std::move(spelling), std::move(canonical), dimension, multiple, divisor});
  }

  // The unit and its rate per second: `GB`, `GB/s`, `GB/sec`.
  void add_with_rate(const std::string& spelling, const std::string& canonical, Dimension dimension,
                     std::int64_t multiple, std::int64_t divisor = 1) {
    add(spelling, canonical, dimension, multiple, divisor);
    for (const std::string_view per : {"/s", "/sec"}) {
      add(spelling + std::string(per), canonical + "/s", dimension / kSeconds, multiple, divisor);
    }
  }

  std::vector<UnitName> take() { return std::move(names_); }

 private:
  static constexpr std::size_t kExpected = 192;  // only so that the table grows once
  std::vector<UnitName> names_;
};

void add_bytes(Table& table, std::span<const Prefix> prefixes) {
  for (const Prefix& prefix : prefixes) {
    const std::string spelling = std::string(prefix.text) + "B";
    const std::string canonical = canonical_prefix(prefix) + "B";
    table.add_with_rate(spelling, canonical, kBytes, prefix.factor);
    table.add(spelling + "ps", canonical + "/s", kByteRate, prefix.factor);
  }
}

void add_bits(Table& table) {
  for (const Prefix& prefix : kDecimal) {
    const std::string spelling = std::string(prefix.text) + "bit";
    const std::string canonical = canonical_prefix(prefix) + "bit";
    const std::int64_t divisor = prefix.factor % 8 == 0 ? 1 : 8;
    const std::int64_t multiple = divisor == 1 ? prefix.factor / 8 : prefix.factor;
    table.add_with_rate(spelling, canonical, kBytes, multiple, divisor);
    table.add(std::string(prefix.text) + "bps", canonical + "/s", kByteRate, multiple, divisor);
  }
  table.add("bits", "bit", kBytes, 1, 8);
}

void add_operations(Table& table) {
  for (const Prefix& prefix : kDecimal) {
    const std::string flop = std::string(prefix.text) + "FLOP";
    const std::string op = std::string(prefix.text) + "OP";
    const std::string flop_rate = canonical_prefix(prefix) + "FLOP/s";
    const std::string op_rate = canonical_prefix(prefix) + "OP/s";
    table.add_with_rate(flop, canonical_prefix(prefix) + "FLOP", kFlops, prefix.factor);
    table.add(flop + "S", flop_rate, kFlopRate, prefix.factor);
    table.add(op + "S", op_rate, kOpRate, prefix.factor);
    table.add(op + "/s", op_rate, kOpRate, prefix.factor);
    // `FLOPs` without a prefix is as often a plural as a rate: parse.cpp refuses it.
    if (prefix.text.empty()) continue;
    table.add(flop + "s", flop_rate, kFlopRate, prefix.factor);
    table.add(op + "s", op_rate, kOpRate, prefix.factor);
  }
}

void add_others(Table& table) {
  for (const std::string_view spelling : {"byte", "bytes", "Byte", "Bytes"}) {
    table.add_with_rate(std::string(spelling), "B", kBytes, 1);
  }
  table.add("W", "W", kWatts, 1);
  table.add("kW", "kW", kWatts, 1'000);
  table.add("MW", "MW", kWatts, 1'000'000);
  table.add_with_rate("token", "token", kTokens, 1);
  table.add_with_rate("tokens", "token", kTokens, 1);
  for (const std::string_view dollar : {"USD", "$"}) {
    for (const std::string_view hour : {"/h", "/hr", "/hour"}) {
      table.add(std::string(dollar) + std::string(hour), "USD/h", kDollarRate, 1, 3'600);
    }
    table.add(std::string(dollar) + "/s", "USD/s", kDollarRate, 1);
  }
  table.add("s", "s", kSeconds, 1);
  table.add("ms", "ms", kSeconds, 1, 1'000);
  table.add("us", "us", kSeconds, 1, 1'000'000);
}

// Nouns of things that are counted. All are plain numbers; the noun only says of what.
void add_counts(Table& table) {
  for (const std::string_view noun : {"core", "chip", "stack", "engine", "link", "vCPU", "port",
                                      "device", "instance", "parameter", "layer"}) {
    table.add(std::string(noun), std::string(noun), kNumber, 1);
    table.add(std::string(noun) + "s", std::string(noun), kNumber, 1);
  }
  table.add("x", "x", kNumber, 1);
}

std::vector<UnitName> build_names() {
  Table table;
  add_bytes(table, kDecimal);
  add_bytes(table, kBinary);
  add_bits(table);
  add_operations(table);
  add_others(table);
  add_counts(table);
  return table.take();
}

}  // namespace

const std::vector<UnitName>& unit_names() {
  static const std::vector<UnitName> names = build_names();
  return names;
}

const UnitName* find_unit(std::string_view spelling) {
  for (const UnitName& name : unit_names()) {
    if (name.spelling == spelling) return &name;
  }
  return nullptr;
}

std::vector<std::string> known_unit_names() {
  std::vector<std::string> spellings;
  for (const UnitName& name : unit_names())
    spellings.push_back(name.spelling);
  return spellings;
}

}  // namespace ullage::units

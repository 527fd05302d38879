// What exact arithmetic costs beside raw 128-bit integers. Read the ratios: the nanoseconds are
// those of a shared machine.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "exact/rational.hpp"

namespace {

using ullage::exact::Int128;
using ullage::exact::Rational;

constexpr std::size_t kInputs = 1024;
constexpr int kRounds = 400;

// Keeps a value alive, so that the compiler computes it.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// Nanoseconds of one call of `operation(index)`, the best of three runs.
template <class Operation>
double nanoseconds(const Operation& operation, int rounds = kRounds) {
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t index = 0; index < kInputs; ++index)
        operation(index);
    }
    const std::chrono::duration<double, std::nano> elapsed =
        std::chrono::steady_clock::now() - start;
    const double each = elapsed.count() / (static_cast<double>(rounds) * kInputs);
    if (run == 0 || each < best) best = each;
  }
  return best;
}

void print(const char* name, double time, double raw) {
  std::printf("%-44s %9.1f ns  %8.1f x\n", name, time, time / raw);
}

struct Inputs {
  std::vector<Int128> parameters;  // about 40 bits
  std::vector<Int128> bits;        // about 17
  std::vector<Int128> divisors;    // about 12
};

Inputs make_inputs() {
  std::mt19937_64 engine(1);
  Inputs inputs;
  for (std::size_t index = 0; index < kInputs; ++index) {
    inputs.parameters.push_back(static_cast<Int128>(engine() >> 24));
    inputs.bits.push_back(static_cast<Int128>(1 + (engine() >> 47)));
    inputs.divisors.push_back(static_cast<Int128>(1 + (engine() >> 52)));
  }
  return inputs;
}

std::vector<Rational> rationals(const std::vector<Int128>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

int main() {
  const Inputs inputs = make_inputs();
  const std::vector<Rational> parameters = rationals(inputs.parameters);
  const std::vector<Rational> bits = rationals(inputs.bits);
  const std::vector<Rational> divisors = rationals(inputs.divisors);
  std::vector<Rational> shares;
  std::vector<Rational> spilled;
  for (std::size_t index = 0; index < kInputs; ++index) {
    shares.push_back(bits[index] / divisors[index]);
    spilled.push_back(parameters[index] * ullage::exact::power_of_two(120));
  }

  const double raw = nanoseconds([&](std::size_t index) {
    keep(inputs.parameters[index] * inputs.bits[index] + inputs.divisors[index]);
  });
  print("raw __int128: multiply, add", raw, raw);
  print("raw __int128: multiply, add, divide", nanoseconds([&](std::size_t index) {
          keep((inputs.parameters[index] * inputs.bits[index] + inputs.bits[index]) /
               inputs.divisors[index]);
        }),
        raw);
  print("whole: multiply, add", nanoseconds([&](std::size_t index) {
          keep(parameters[index] * bits[index] + divisors[index]);
        }),
        raw);
  print("whole: compare",
        nanoseconds([&](std::size_t index) { keep(parameters[index] < bits[index]); }), raw);
  print("fraction: multiply",
        nanoseconds([&](std::size_t index) { keep(parameters[index] * shares[index]); }), raw);
  print("fraction: add",
        nanoseconds([&](std::size_t index) { keep(shares[index] + shares[kInputs - 1 - index]); }),
        raw);
  print("fraction: divide, multiply, add, floor", nanoseconds([&](std::size_t index) {
          const Rational part = parameters[index] / divisors[index] * bits[index];
          keep((part + shares[index] * shares[kInputs - 1 - index]).floor());
        }),
        raw);
  print(
      "spilled: multiply, add",
      nanoseconds([&](std::size_t index) { keep(spilled[index] * bits[index] + divisors[index]); },
                  kRounds / 20),
      raw);
  print(
      "to_significant(17) of a fraction",
      nanoseconds([&](std::size_t index) { keep(shares[index].to_significant(17)); }, kRounds / 20),
      raw);
  return 0;
}

// Any bytes as a compact tree: decoded or refused, never a crash; what was decoded is a tree that
// comes back from its own encoding.
#include <cstdint>
#include <string_view>

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  using namespace ullage;
  const auto value = document::decode({reinterpret_cast<const char*>(bytes), length}, "fuzz");
  if (value.ok()) {
    test::demand_round_trip(*value);
  } else {
    test::demand(!value.error().message.empty(), "a refusal without a message");
  }
  return 0;
}

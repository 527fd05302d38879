// Any bytes as TOML: read or refused at a place, never a crash; what was read survives the compact
// form.
#include <cstdint>
#include <string_view>

#include "check.hpp"
#include "document/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  using namespace ullage;
  const std::string_view text(reinterpret_cast<const char*>(bytes), length);
  const auto document = document::read_toml(text, "fuzz.toml", {.nodes = 10'000});
  if (document.ok()) {
    test::demand_round_trip(document->root);
  } else {
    test::demand_place(document.error(), text);
  }
  return 0;
}

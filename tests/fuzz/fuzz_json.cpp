// Any bytes as JSON: read or refused at a place, never a crash; what was read survives the compact
// form, and each of its strings and numbers stands where the tree says.
#include <cstdint>
#include <string_view>

#include "check.hpp"
#include "document/json_cursor.hpp"
#include "document/read.hpp"

namespace {

using namespace ullage;

void demand_typed_access(const document::Document& document, const document::Value& value) {
  const auto number = document::as_number(document, value, "value");
  const auto integer = document::as_integer(document, value, "value", -1000, 1000);
  test::demand(!integer.ok() || number.ok(), "an integer that is no number");
  for (const document::Value& item : value.items)
    demand_typed_access(document, item);
  for (const document::Member& member : value.members) {
    test::demand(value.find(member.key) == &member.value, "a key that stands twice");
    demand_typed_access(document, member.value);
  }
}

// The cursor accepts what the tree's reader accepts, but for NaN and Infinity, a byte order mark
// and repeated keys.
bool walks(std::string_view text) {
  document::JsonCursor cursor(text, "fuzz.json");
  for (;;) {
    const auto token = cursor.next();
    if (!token.ok()) {
      test::demand_place(token.error(), text);
      return false;
    }
    if (*token == document::JsonToken::end) return true;
  }
}

bool is_special(std::string_view text) {
  return text.find("NaN") != std::string_view::npos ||
         text.find("Infinity") != std::string_view::npos || text.starts_with("\xEF\xBB\xBF");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), length);
  const auto document = document::read_json(text, "fuzz.json", {.nodes = 10'000});
  const bool walked = walks(text);
  test::demand(!document.ok() || walked || is_special(text), "a cursor that refuses JSON");
  if (!document.ok()) {
    test::demand(!walked || document.error().code != base::Code::syntax ||
                     document.error().message.find("more than") != std::string::npos,
                 "a cursor that accepts what is no JSON");
    test::demand_place(document.error(), text);
    return 0;
  }
  test::demand_round_trip(document->root);
  demand_typed_access(*document, document->root);
  return 0;
}

// The compact form keeps everything, and damaged bytes are refused.
#include "document/compact.hpp"

#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"
#include "support/tree_text.hpp"

using namespace ullage::document;
using ullage::base::Code;
using ullage::test::tree_text;

namespace {

const std::string kExample =
    "id: trainium2\nfigures:\n  tdp: {unknown: not stated, value: ~}\n  chips:\n"
    "    value: 16\n    printed: \"16 chips\"\n    source: [a, b, a]\n    pinned: true\n"
    "    other: false\n    empty: []\n    none: {}\n    text: ''\n";

Value example() {
  return read_yaml(kExample, "a.yaml").value().root;
}

std::string round_trip(const Value& value) {
  const auto decoded = decode(encode(value), "a");
  return decoded.ok() ? tree_text(*decoded) : ullage::base::to_text(decoded.error());
}

std::string refusal(std::string_view bytes) {
  const auto decoded = decode(bytes, "embedded");
  REQUIRE_FALSE(decoded.ok());
  CHECK(decoded.error().code == Code::syntax);
  CHECK(decoded.error().span.file == "embedded");
  return decoded.error().message;
}

std::string bytes_of(std::initializer_list<int> numbers) {
  std::string bytes("UVT\x01", 4);
  for (const int number : numbers)
    bytes += static_cast<char>(number);
  return bytes;
}

}  // namespace

TEST_CASE("a tree comes back with every position") {
  const Value value = example();
  CHECK(round_trip(value) == tree_text(value));
  CHECK(same_content(decode(encode(value), "a").value(), value));
  CHECK(encode(decode(encode(value), "a").value()) == encode(value));
}

TEST_CASE("the extremes come back") {
  for (const std::string_view text :
       {"null", "true", "false", "0", "\"\"", "[]", "{}", "\"\\u0000\xff\"", "[[[[1e400]]]]"}) {
    const auto document = read_json(text, "a");
    if (document.ok()) CHECK(round_trip(document->root) == tree_text(document->root));
  }
  Value placed;
  placed.line = ~0u;
  placed.column = ~0u;
  CHECK(round_trip(placed) == tree_text(placed));
  Value text;
  text.type = Type::string;
  text.text = std::string("\0\xff\n", 3) + std::string(1000, 'x');
  CHECK(decode(encode(text), "a")->text == text.text);
}

TEST_CASE("the format is as described") {
  Value value = read_json("[\"a\",1,\"a\",null]", "a").value().root;
  CHECK(encode(value) == bytes_of({2, 1, 'a', 1, '1',  //
                                   5, 1, 1,   4,       //
                                   4, 1, 2,   0, 3,   1, 6, 1, 4, 1, 8, 0, 0, 1, 12}));
  value = read_json("{\"a\":true}", "a").value().root;
  CHECK(encode(value) == bytes_of({1, 1, 'a', 6, 1, 1, 1, 0, 1, 2, 2, 1, 6}));
}

TEST_CASE("each distinct string is stored once") {
  std::string text = "[";
  for (int i = 0; i < 100; ++i)
    text += "\"neuron-trainium2-guide\",";
  const std::string bytes = encode(read_json(text + "0]", "a").value().root);
  CHECK(bytes.size() < 100 * 6);
}

TEST_CASE("every cut and every changed byte is refused or is another tree") {
  const std::string whole = encode(example());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CHECK_FALSE(decode(whole.substr(0, length), "a").ok());
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF, 0x07}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const auto decoded = decode(damaged, "a");
      if (decoded.ok()) CHECK(round_trip(*decoded) == tree_text(*decoded));
    }
  }
  CHECK(refusal(whole + '\0').ends_with("bytes follow the tree"));
}

TEST_CASE("damage is named") {
  CHECK(refusal("").ends_with("it does not start as a compact tree of version 1"));
  CHECK(refusal(bytes_of({})).starts_with("damaged at byte 4: a number that is cut short"));
  CHECK(refusal(bytes_of({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2}))
            .starts_with("damaged at byte 4: a number that is cut short"));
  CHECK(refusal(bytes_of({1, 5, 'a'})).ends_with("a string longer than the bytes that are left"));
  CHECK(refusal("UVT\x02zzzz") ==
        "damaged at byte 0: it does not start as a compact tree of version 1");
  CHECK(refusal(bytes_of({0x7F})).ends_with("more strings than bytes"));
  CHECK(refusal(bytes_of({0, 7, 0, 0})).ends_with("a type that does not exist"));
  CHECK(refusal(bytes_of({0, 4, 0, 0, 0})).ends_with("a string that is not in the table"));
  CHECK(refusal(bytes_of({0, 5, 0, 0, 0x7F, 0, 0, 0})).ends_with("more values than bytes"));
  CHECK(refusal(bytes_of({0, 6, 0, 0, 2, 0, 0, 0, 0, 0, 0})).ends_with("more values than bytes"));
  CHECK(refusal(bytes_of({0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0}))
            .ends_with("a position beyond 2^32"));
  CHECK(refusal(bytes_of({0, 5, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1}))
            .ends_with("more values than bytes"));
}

TEST_CASE("promises of nested arrays do not add up beyond the bytes") {
  // Each array claims as many items as bytes could hold; together they would need far more.
  std::string bytes = bytes_of({0});
  for (int i = 0; i < 60; ++i)
    bytes += std::string("\x05\0\0\x7F", 4);
  bytes += std::string(400, '\0');
  CHECK(refusal(bytes).ends_with("more values than bytes"));
}

TEST_CASE("nesting is bounded on both sides") {
  std::string bytes = bytes_of({0});
  for (int i = 0; i < 100'000; ++i)
    bytes += std::string("\x05\0\0\x01", 4);
  CHECK(refusal(bytes).ends_with("containers nested too deep"));
  Value tower;
  for (int i = 0; i < 256; ++i) {
    Value outer;
    outer.type = Type::array;
    outer.items.push_back(std::move(tower));
    tower = std::move(outer);
  }
  CHECK(round_trip(tower) == tree_text(tower));
  Value higher;
  higher.type = Type::array;
  higher.items.push_back(tower);
  CHECK_THROWS_AS(encode(higher), ullage::base::Defect);
}

TEST_CASE("one string used without end is no memory bomb") {
  std::string bytes = bytes_of({1, 0x80, 0x80, 0x40});  // one string of 2^20 bytes
  bytes += std::string(1 << 20, 'x');
  bytes += std::string("\x05\0\0\xAC\x02", 5);  // 300 times
  for (int i = 0; i < 1000; ++i)
    bytes += std::string("\x04\0\0\0", 4);
  CHECK(refusal(bytes).ends_with("more text than a document may hold"));
}

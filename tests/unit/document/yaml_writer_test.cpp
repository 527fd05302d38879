// What is written is read back the same, and plain where plain is safe.
#include "document/yaml_writer.hpp"

#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"

using namespace ullage::document;

namespace {

// The YAML of a JSON text, which must read back as the same tree.
std::string yaml(const std::string& json) {
  const auto tree = read_json(json, "a.json");
  REQUIRE_MESSAGE(tree.ok(), ullage::base::to_text(tree.error()));
  const std::string text = write_yaml(tree->root);
  const auto again = read_yaml(text, "a.yaml");
  REQUIRE_MESSAGE(again.ok(), ullage::base::to_text(again.error()) << "\n" << text);
  CHECK_MESSAGE(same_content(tree->root, again->root), text);
  return text;
}

}  // namespace

TEST_CASE("mappings and lists stand as people write them") {
  CHECK(yaml(R"({"id": "a-b", "sizes": [1, 2.5, -3e4], "o": {"deep": {"x": true, "y": null}}})") ==
        "id: a-b\nsizes: [1, 2.5, -3e4]\no:\n  deep:\n    x: true\n    y: null\n");
  CHECK(yaml(R"({"list": [{"a": 1, "b": [2]}, [3, [4]]], "none": [], "nothing": {}})") ==
        "list:\n  -\n    a: 1\n    b: [2]\n  -\n    - 3\n    - [4]\nnone: []\nnothing: {}\n");
}

TEST_CASE("text that would read as something else is quoted") {
  CHECK(yaml(R"({"a": "12", "b": "true", "c": "", "d": "null", "e": " x", "f": "a: b"})") ==
        "a: \"12\"\nb: \"true\"\nc: \"\"\nd: \"null\"\ne: \" x\"\nf: \"a: b\"\n");
  CHECK(yaml(R"({"a": "x, y", "b": ["x, y", "- z"], "12": "2026-11-30"})") ==
        "a: x, y\nb: [\"x, y\", \"- z\"]\n\"12\": 2026-11-30\n");
  for (const char* text : {"#x",  "a #b", "~",    "*a",     "&a",    "!t", "|",    ">",       "%x",
                           "@x",  "`x",   "-",    "- a",    "?",     "a:", ":a",   "[x]",     "{x}",
                           "'x'", "<<",   "0x10", "1_000",  "yes",   "No", "NULL", "\\u0007", "\\n",
                           "\\t", "\\\"", "\\\\", "\u00e9", "a\\nb", "=",  "...",  "---"}) {
    yaml(std::string("{\"k\": \"") + text + "\", \"l\": [\"" + text + "\"]}");
    if (std::string(text) != "<<") yaml(std::string("{\"x") + text + "\": 1}");
  }
}

TEST_CASE("long lists are broken into lines") {
  std::string json = "{\"kinds\": [\"full_attention\"";
  for (int i = 0; i < 40; ++i)
    json += ", \"sliding_attention\"";
  const std::string text = yaml(json + "]}");
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    CHECK(end - start <= 100);
    start = end + 1;
  }
}

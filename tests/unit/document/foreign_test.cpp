// YAML as others write it, and TOML.
#include <doctest/doctest.h>

#include <string>

#include "document/read.hpp"
#include "support/tree_text.hpp"

using namespace ullage::document;

namespace {

std::string text(const Value& root, std::string_view key) {
  const Value* value = root.find(key);
  return value == nullptr ? "absent" : value->text;
}

}  // namespace

TEST_CASE("documents of one file keep their lines, and a fault costs its own only") {
  const auto documents =
      read_yaml_documents("a: 1\n---\nb: [\n---\n# only a comment\n---\nc: 3\n", "set.yaml");
  REQUIRE(documents.size() == 3);
  CHECK(text(documents[0]->root, "a") == "1");
  REQUIRE(!documents[1].ok());
  CHECK(documents[1].error().span.line >= 3);
  CHECK(documents[2]->root.find("c")->line == 7);
}

TEST_CASE("anchors are copied, merge keys merged, the mapping's own keys win") {
  const auto documents = read_yaml_documents(
      "base: &base {a: 1, b: 2}\none:\n  <<: *base\n  b: 3\ntwo: *base\n", "set.yaml");
  REQUIRE(documents.size() == 1);
  REQUIRE(documents[0].ok());
  const Value& root = documents[0]->root;
  CHECK(text(*root.find("one"), "a") == "1");
  CHECK(text(*root.find("one"), "b") == "3");
  CHECK(text(*root.find("two"), "b") == "2");
}

TEST_CASE("aliases in aliases end at the limit of values, not of memory") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; ++j)
      bomb += ", " + before;
    bomb += "]\n";
  }
  const auto documents = read_yaml_documents(bomb, "bomb.yaml", {.depth = 64, .nodes = 100'000});
  REQUIRE(documents.size() == 1);
  REQUIRE(!documents[0].ok());
  CHECK(documents[0].error().message.find("100000 values") != std::string::npos);
}

TEST_CASE("a bracket in the place of a key is its own text") {
  const auto documents = read_yaml_documents("token: {{TOKEN}}\nnext: 1\n", "secret.yaml");
  REQUIRE(documents.size() == 1);
  REQUIRE(documents[0].ok());
  const Value& token = *documents[0]->root.find("token");
  REQUIRE(token.members.size() == 1);
  CHECK(token.members[0].key == "{TOKEN}");
  CHECK(text(documents[0]->root, "next") == "1");
}

TEST_CASE("duplicate keys and conflict markers are refused in others' files too") {
  CHECK(read_yaml_documents("a: 1\na: 2\n", "a.yaml")[0].error().code ==
        ullage::base::Code::duplicate_key);
  CHECK(read_yaml_documents("a: 1\n<<<<<<< HEAD\n", "a.yaml")[0].error().span.line == 2);
}

TEST_CASE("TOML: tables, dotted keys, arrays of tables, numbers as written") {
  const auto document = read_toml(
      "top = 1_000 # thousand\n[model]\nname = 'llama3' # size\na.b = 2.2e-4\n"
      "list = [1,\n  2, # two\n]\n[[stage]]\nn = 1\n[[stage]]\nn = 2\n[stage.inner]\nx = true\n",
      "job.toml");
  REQUIRE(document.ok());
  const Value& root = document->root;
  CHECK(text(root, "top") == "1000");
  const Value& model = *root.find("model");
  CHECK(text(model, "name") == "llama3");
  CHECK(model.find("name")->line == 3);
  CHECK(text(*model.find("a"), "b") == "2.2e-4");
  CHECK(model.find("list")->items.size() == 2);
  CHECK(root.find("stage")->items.size() == 2);
  CHECK(root.find("stage")->items[1].find("inner")->find("x")->boolean);
}

TEST_CASE("TOML: faults stand at their place") {
  CHECK(read_toml("a = 1\na = 2\n", "a.toml").error().code == ullage::base::Code::duplicate_key);
  CHECK(read_toml("a = \"open\n", "a.toml").error().span.line == 1);
  CHECK(read_toml("a = [1, 2\n", "a.toml").error().code == ullage::base::Code::syntax);
  CHECK(read_toml("[t]\n[t]\n", "a.toml").error().code == ullage::base::Code::duplicate_key);
  CHECK(!read_toml("a = " + std::string(200, '['), "a.toml").ok());
}

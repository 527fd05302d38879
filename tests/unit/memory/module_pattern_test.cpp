// Lists of modules as quantisation sections write them.
#include "model/module_pattern.hpp"

#include <doctest/doctest.h>

namespace ullage {
namespace {

model::ModuleList list(const std::vector<std::string>& entries) {
  auto parsed = model::ModuleList::parse(entries);
  REQUIRE_MESSAGE(parsed.ok(), base::to_text(parsed.error()));
  return std::move(*parsed);
}

bool matches(std::string_view expression, std::string_view name) {
  const auto parsed = model::NameExpression::parse(expression);
  REQUIRE_MESSAGE(parsed.ok(), base::to_text(parsed.error()));
  return parsed->matches(name);
}

}  // namespace

TEST_CASE("a plain entry names a module, what is inside it, and the end of a name") {
  CHECK(list({"lm_head"}).names("lm_head"));
  CHECK(list({"model.layers.3.mlp.gate"}).names("layers.3.mlp.gate"));
  CHECK_FALSE(list({"model.layers.3.mlp.gate"}).names("layers.3.mlp.gate_proj"));
  CHECK_FALSE(list({"model.layers.3.mlp.gate"}).names("layers.30.mlp.gate"));
  CHECK(list({"gate"}).names("layers.3.mlp.gate"));
  CHECK(list({"model.language_model.layers.0.self_attn"}).names("layers.0.self_attn.q_proj"));
  CHECK_FALSE(list({}).names("lm_head"));
}

TEST_CASE("wildcards stand for any characters") {
  CHECK(list({"model.layers.*.self_attn"}).names("layers.12.self_attn.q_proj"));
  CHECK_FALSE(list({"model.layers.*.self_attn"}).names("layers.12.mlp.up_proj"));
  CHECK(list({"*.mlp.shared_expert.*"}).names("layers.1.mlp.shared_expert.up_proj"));
  CHECK(list({"model.layers.0.self_attn.indexer*"}).names("layers.0.self_attn.indexer.wk"));
  CHECK(list({"backbone.layers.4.mixer.in_proj", "*embed*"}).names("layers.4.mixer.in_proj"));
}

TEST_CASE("expressions begin at the first character") {
  CHECK(matches(".*mlp\\.(gate|up|gate_up|down)_proj.*", "model.layers.0.mlp.up_proj"));
  CHECK_FALSE(
      matches(".*mlp\\.(gate|up|gate_up|down)_proj.*", "model.layers.0.mlp.experts.0.up_proj"));
  CHECK(
      matches("model\\.layers\\.\\d+\\.self_attn\\..*_proj$", "model.layers.11.self_attn.q_proj"));
  CHECK_FALSE(matches("layers", "model.layers"));
  CHECK(matches("[a-c]+[^x]?", "abcq"));
  CHECK(matches("(?:a|b)*c", "ababc"));
  CHECK(list({"re:.*self_attn.*"}).names("layers.3.self_attn.kv_b_proj"));
  CHECK(list({"re:vision_model.*", "re:model\\.layers\\.0\\..*"}).names("layers.0.mlp.up_proj"));
}

TEST_CASE("hostile expressions are refused or end") {
  for (const char* text : {"(", ")", "a)", "*a", "[ab", "a\\", "(?=x)", "x{3}", "^*"}) {
    const auto parsed = model::NameExpression::parse(text);
    REQUIRE_FALSE_MESSAGE(parsed.ok(), text);
    CHECK(parsed.error().code == base::Code::syntax);
  }
  CHECK_FALSE(model::NameExpression::parse(std::string(5000, 'a')).ok());
  CHECK_FALSE(model::NameExpression::parse(std::string(500, '(')).ok());
  CHECK_FALSE(matches("(a*)*(a*)*(a*)*(a*)*b", std::string(200, 'a')));
}

TEST_CASE("entries that name nothing are told") {
  const model::ModuleList modules = list({"lm_head", "model.layers.9.nothing"});
  CHECK(modules.names("lm_head"));
  CHECK(modules.unused() == std::vector<std::string>{"layers.9.nothing"});
}

}  // namespace ullage

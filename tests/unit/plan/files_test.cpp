// What deployment files' languages mean: variables, shells, flags, waivers.
#include <doctest/doctest.h>

#include "plan/check/waivers.hpp"
#include "plan/files/launch.hpp"
#include "plan/files/settings.hpp"
#include "plan/files/shell.hpp"

using namespace ullage::plan;
using ullage::exact::Rational;

namespace {

// The words of every command that runs.
std::vector<std::vector<std::string>> commands(const std::string& script,
                                               const Variables& overrides = {}) {
  std::vector<std::vector<std::string>> found;
  Scope scope(overrides);
  ShellReader shell(scope, [&](const ShellCommand& command, const Scope&) {
    std::vector<std::string> words;
    for (const Word& word : command.words)
      words.push_back(word.resolved() ? word.text : "?" + word.missing.front());
    found.push_back(words);
  });
  ScalarPlaces places({"s.sh", script});
  shell.read(script, places);
  return found;
}

Workload workload_of(const std::string& command) {
  static const Variables none;
  Scope empty(none);
  ScalarPlaces places({"s.sh", command});
  const std::vector<Word> words = shell_words(command, places, empty);
  Workload workload;
  const auto launch = find_launch(words);
  if (launch) read_launch(*launch, settings_of(*launch), workload);
  return workload;
}

}  // namespace

TEST_CASE("shell variables: defaults, arithmetic, what nobody gives") {
  static const Variables none;
  Scope scope(none);
  scope.set("N", {"4"});
  CHECK(expand_shell({"${N:-1} ${M:-2} $((N * 2 + 1))"}, scope).text == "4 2 9");
  CHECK(expand_shell({"$M"}, scope).missing == std::vector<std::string>{"M"});
  CHECK(expand_kubernetes({"--model=$(N)/$$(N)"}, scope).text == "--model=4/$(N)");
  CHECK(!evaluate("1 / 0", scope));
  CHECK(*evaluate("(7 + 1) / 3 % 2", scope) == Rational{0});
}

TEST_CASE("shell scripts: continuations, arrays, branches, sh -c") {
  using Words = std::vector<std::vector<std::string>>;
  CHECK(commands("run a \\\n  b # c\nrun d") == Words{{"run", "a", "b"}, {"run", "d"}});
  CHECK(commands("A=(x \"y z\")\nrun \"${A[@]}\"") == Words{{"run", "x", "y z"}});
  CHECK(commands("X=1\nif [ $X -gt 0 ]; then run a; else run b; fi") == Words{{"run", "a"}});
  CHECK(commands("if [ $Y -gt 0 ]; then Z=1; run a; else Z=2; run b; fi; run $Z") ==
        Words{{"run", "a"}, {"run", "b"}, {"run", "?Z"}});
  CHECK(commands("bash -exc 'V=3; run $V'") == Words{{"run", "3"}});
  CHECK(commands("E=' --x'\nE+=' --y'\nrun $E 2>&1 | tee log") ==
        Words{{"run", "--x", "--y"}, {"tee", "log"}});
  CHECK(commands("run --tp 2 >log 2>errors") == Words{{"run", "--tp", "2"}});
  CHECK(commands("V=1; run $V", {{"V", {"9"}}}) == Words{{"run", "9"}});
}

TEST_CASE("hostile scripts end") {
  CHECK(commands("((((((((((((((((((((").empty());
  CHECK(commands("if if if if").size() < 5);
  CHECK(commands("cat <<END\nnever closed").size() == 1);
  CHECK(commands(std::string(100000, '$')).size() <= 1);
}

TEST_CASE("flags: suffixes, abbreviations, underscores, positional models") {
  const Workload vllm = workload_of(
      "vllm serve Qwen/Qwen3-8B --max-model-len 25.6k --max_num_seq=64 -tp 2 "
      "--kv-cache-dtype auto --quantization awq_marlin --dtype half");
  CHECK(vllm.model->text == "Qwen/Qwen3-8B");
  CHECK(vllm.context->value == Rational{25600});
  CHECK(vllm.concurrency->value == Rational{64});
  CHECK(vllm.tp->value == Rational{2});
  CHECK(!vllm.kv_dtype);
  CHECK(vllm.weights->text == "awq");
  CHECK(vllm.remarks.size() == 1);
  CHECK(workload_of("vllm serve m --max-model-len 32K").context->value == Rational{32768});
  CHECK(workload_of("python3 -m sglang.launch_server --model-path m --tp 8 --context-length 10")
            .tp->value == Rational{8});
  CHECK(!workload_of("python3 -m sglang_router.launch_router --prefill x").engine);
  CHECK(workload_of("llama-server -c 8192 -np 4 -m x.gguf").context->value == Rational{2048});
}

TEST_CASE("formats and optimizers have one name") {
  CHECK(weight_format("bfloat16") == "bf16");
  CHECK(weight_format("auto").empty());
  CHECK(weight_format("compressed-tensors").empty());
  CHECK(optimizer_name("adamw_torch_8bit") == "adamw-8bit");
  CHECK(optimizer_name("torch.optim.AdamW") == "adamw");
}

TEST_CASE("paths of waivers") {
  CHECK(matches_path("deploy/*.yaml", "deploy/a.yaml"));
  CHECK(!matches_path("deploy/*.yaml", "deploy/eu/a.yaml"));
  CHECK(matches_path("deploy/**/a.yaml", "./deploy/eu/west/a.yaml"));
  CHECK(matches_path("a.yaml", "deploy/eu/a.yaml"));
  CHECK(!matches_path("*b*", "deploy/a.yaml"));
}

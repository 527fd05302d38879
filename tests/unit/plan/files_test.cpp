// What deployment files' languages mean: variables, shells, flags, waivers.
#include <doctest/doctest.h>

#include "plan/adapters/launching.hpp"
#include "plan/check/waivers.hpp"
#include "plan/files/launch.hpp"
#include "plan/files/maxtext.hpp"
#include "plan/files/settings.hpp"
#include "plan/files/shell.hpp"
#include "plan/files/slurm.hpp"

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

TEST_CASE("a command that a variable holds splits although parts of it are missing") {
  using Words = std::vector<std::vector<std::string>>;
  CHECK(commands("H=$(hosts | head -n 1)\nC=\"run --at $H --n 2\"\n$C") ==
        Words{{"run", "--at", "?$(hosts | head -n 1)", "--n", "2"}});
  CHECK(commands("run $(NAME)") == Words{{"run", "?NAME"}});
  CHECK(commands("run $(NAME)", {{"NAME", {"9"}}}) == Words{{"run", "9"}});
}

TEST_CASE("scripts that nest without end are left") {
  std::string loops;
  for (int i = 0; i < 20000; ++i)
    loops += "for i in 1; do ";
  CHECK(commands(loops + "run").empty());
  std::string chain = "if x; then y\n";
  for (int i = 0; i < 20000; ++i)
    chain += "elif x; then y\n";
  CHECK(commands(chain).size() < 2000);
  std::string defaults = "run ";
  for (int i = 0; i < 20000; ++i)
    defaults += "${A:-";
  CHECK(commands(defaults).size() == 1);
}

TEST_CASE("sbatch options give nodes, devices and variables, up to the first command") {
  static const Variables none;
  const auto read = [](const std::string& script, Scope& scope) {
    return read_slurm(script, "s.sh", scope);
  };
  Scope scope(none);
  const SlurmRequest two = read(
      "#!/bin/bash\n#SBATCH --nodes=2 --gres=gpu:h100:8 # --nodes=9\n#SBATCH --ntasks-per-node 4\n"
      "run\n#SBATCH --nodes=7\n",
      scope);
  CHECK(two.nodes->value == Rational{2});
  CHECK(two.nodes->where.line == 2);
  CHECK(two.devices->value == Rational{16});
  CHECK(scope.find("SLURM_NNODES")->text == "2");
  CHECK(scope.find("SLURM_GPUS_ON_NODE")->text == "8");
  CHECK(scope.find("SLURM_NTASKS")->text == "8");
  Scope other(none);
  CHECK(read("#SBATCH -N4\n#SBATCH --gpus-per-node=a100:4\n", other).devices->value ==
        Rational{16});
  CHECK(read("#SBATCH -G 6\n", other).devices->value == Rational{6});
  CHECK(!read("#SBATCH --nodes=many --gres=shard:4\n", other).devices);
  CHECK(!read("#SBATCH --nodes\n#SBATCH\n", other).nodes);
}

TEST_CASE("the tag of an engine's own image is its version, that of others is not") {
  CHECK(version_of_image("vllm/vllm-openai:v0.9.1", "vllm") == "0.9.1");
  CHECK(version_of_image("docker.io/lmsysorg/sglang:v0.4.6.post1-cu124", "sglang") == "0.4.6");
  CHECK(version_of_image("nvcr.io/nvidia/tensorrt-llm/release:1.0.0rc4", "trtllm") == "1.0.0");
  CHECK(!version_of_image("vllm/vllm-openai:latest", "vllm"));
  CHECK(!version_of_image("vllm/vllm-openai", "vllm"));
  CHECK(!version_of_image("registry:5000/vllm/vllm-openai", "vllm"));
  CHECK(!version_of_image("vllm/vllm-openai:2025.05", "vllm"));
  CHECK(!version_of_image("nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.6.1", "vllm"));
  CHECK(!version_of_image("vllm/vllm-openai:v0.9.1", "sglang"));
}

TEST_CASE("the name of a DeepSpeed preset tells its stage") {
  CHECK(preset_stage("examples/deepspeed/ds_z3_offload_config.json") == 3);
  CHECK(preset_stage("zero2.json") == 2);
  CHECK(preset_stage("ds_z0_config.json") == 0);
  CHECK(preset_stage("configs/stage_1.json") == 1);
  CHECK(!preset_stage("zero/ds_config.json"));
  CHECK(!preset_stage("z9.json"));
}

TEST_CASE("MaxText shards what is left unless its keys say otherwise") {
  const auto layout = [](const std::vector<MaxTextKey>& keys) {
    Workload workload;
    read_maxtext_layout(keys, workload);
    return workload;
  };
  CHECK(layout({}).shards_rest);
  CHECK(!layout({}).zero);
  const Workload rest = layout({{"ici_fsdp_parallelism", {"-1"}}, {"mu_dtype", {"bfloat16"}}});
  CHECK(rest.zero->value == Rational{3});
  CHECK(rest.shards_rest);
  CHECK(rest.state_bytes.at("optimizer").value == Rational{6});
  const Workload given = layout({{"ici_fsdp_parallelism", {"16"}},
                                 {"ici_data_parallelism", {"2"}},
                                 {"decoder_layer_input", {"offload"}}});
  CHECK(given.dp->value == Rational{32});
  CHECK(given.dp_shard->value == Rational{16});
  CHECK(given.host_activations);
  CHECK(layout({{"ici_fsdp_parallelism", {"1"}}}).zero->value.is_zero());
}

TEST_CASE("trainers are known by their commands, routers hold no model") {
  CHECK(workload_of("axolotl train a.yml").trainer == "axolotl");
  CHECK(workload_of("llamafactory-cli train a.yaml").trainer == "llamafactory");
  CHECK(workload_of("tune run --nproc_per_node 4 full --config a").trainer == "torchtune");
  CHECK(workload_of("python3 -m MaxText.train c.yml model_name=x").trainer == "maxtext");
  CHECK(workload_of("python3 -m MaxText.maxengine_server c.yml").work == Work::unknown);
  CHECK(!workload_of("trtllm-serve disaggregated -c a.yaml").engine);
  CHECK(workload_of("text-generation-launcher --model-id a/b --num-shard 2").tp->value ==
        Rational{2});
  CHECK(workload_of("vllm serve a --max-model-len 1_000 --cpu-offload-gb 4").host_weights);
  CHECK(workload_of("vllm serve a --max-model-len 1_000").context->value == Rational{1000});
  CHECK(!workload_of("vllm serve a --cpu-offload-gb 0").host_weights);
}

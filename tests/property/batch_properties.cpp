// A batch answers what the single commands answer: the plain way, the exact way and the program's
// own words give the same figures to scenarios drawn at random.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "batch/run.hpp"
#include "cli/batch_commands.hpp"
#include "property/generate.hpp"
#include "report/csv.hpp"
#include "ullage/ullage.hpp"

using namespace ullage;

namespace {

using Scenario = std::vector<std::pair<std::string, std::string>>;

class TextParts final : public batch::Parts {
 public:
  explicit TextParts(std::string text) {
    batch::Part part;
    part.head =
        std::make_shared<batch::InputHead>(batch::InputHead{"test", batch::InputFormat::json, {}});
    part.text = std::move(text);
    part_ = std::move(part);
  }
  base::Result<std::optional<batch::Part>> next() override { return std::exchange(part_, {}); }
  base::Result<std::vector<std::string>> keys() override { return std::vector<std::string>(); }
  std::string command() const override { return {}; }
  batch::InputFormat format() const override { return batch::InputFormat::json; }
  std::optional<std::pair<std::uint64_t, std::uint64_t>> progress() const override { return {}; }
  bool cut() const override { return false; }

 private:
  std::optional<batch::Part> part_;
};

constexpr std::string_view kColumns =
    "device,verdict,parameters,active_parameters,bits_per_parameter,weights_floor,weights_payload,"
    "state_per_sequence,kv_per_sequence,kv_total,state_total,working_memory,required_memory,"
    "device_capacity,device_budget,devices_min,chips_min,chips,headroom_per_device";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> items;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    items.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return items;
}

std::string json_of(const std::vector<Scenario>& scenarios) {
  std::string text;
  for (const Scenario& scenario : scenarios) {
    std::string line;
    for (const auto& [key, value] : scenario)
      line += (line.empty() ? "{\"" : ", \"") + key + "\": \"" + value + "\"";
    text += line + "}\n";
  }
  return text;
}

constexpr std::string_view kKvColumns =
    "kv_bits,kv_per_token,kv_per_token_per_device,state_per_sequence,kv_per_sequence,"
    "kv_per_sequence_per_device,kv_floor_per_sequence,kv_total,kv_total_per_device,"
    "kv_total_per_device_window,state_total,state_total_per_device,kv_memory,block_tokens,"
    "block_bytes,blocks,pool_bytes,max_tokens,max_concurrency,max_context";

// Results to which the number of sequences is no factor.
constexpr std::string_view kKvLeast = "kv_total,kv_memory_min,required_memory_per_device,blocks";

// Lines that the plain way answered, of the last run.
std::uint64_t answered_plainly = 0;

std::string rows_of(const std::vector<Scenario>& scenarios, bool plain, bool sources,
                    std::string_view columns = kColumns) {
  static catalog::Catalogue catalogue(catalog::embedded_catalogue());
  const base::RealFileSystem files;
  const cli::CommonArguments common;
  const cli::Context context{catalogue, files, common, {}};
  TextParts parts(json_of(scenarios));
  batch::RunSettings settings;
  settings.plain = plain;
  settings.header = false;
  settings.rows.json_input = true;
  for (std::string& name : split(columns, ','))
    settings.rows.columns.push_back(batch::column_of(std::move(name)));
  if (sources) settings.rows.columns.push_back(batch::column_of("sources"));
  settings.rows.columns.push_back(batch::column_of("error"));
  settings.commands = [&context] { return cli::batch_commands(context); };
  std::string text;
  settings.sink = [&text](std::string_view rows) {
    text += rows;
    return true;
  };
  const auto result = batch::run(parts, settings);
  REQUIRE(result.ok());
  answered_plainly = result->plain;
  return text;
}

// One of the texts, or nothing where it is empty: the flag is then left out.
void draw(property::Generator& random, Scenario& scenario, const std::string& key,
          const std::vector<std::string>& texts) {
  const std::string& text = texts[random.below(texts.size())];
  if (!text.empty()) scenario.emplace_back(key, text);
}

// One scenario in six may hold what no answer can have.
Scenario draw_fit(property::Generator& random) {
  Scenario scenario;
  const bool faulty = random.one_in(6);
  const auto take = [&](const char* key, std::vector<std::string> texts,
                        const std::vector<std::string>& faults) {
    if (faulty) texts.insert(texts.end(), faults.begin(), faults.end());
    draw(random, scenario, key, texts);
  };
  take("model",
       {"llama-3.1-8b", "llama-3.1-70b", "Qwen/Qwen3-30B-A3B", "glm-5.3-flash", "gpt-oss-120b",
        "gemma-3-27b", "deepseek-v3", "mixtral-8x7b"},
       {"no-such-model", "0B", "70B:80B"});
  if (random.one_in(4)) {
    scenario.back().second = std::to_string(1 + random.below(900)) + (faulty ? "B:1B" : "B");
  }
  take("on",
       {"trainium2", "h100-sxm", "mi300x", "trn2.48xlarge", "aws-p5.48xlarge", "l40s",
        "h100-sxm-80gb:1g.10gb", "trainium2@2024-12-03", "trainium4"},
       {"trainium2,h100-sxm", "nowhere"});
  take(random.one_in(2) ? "weights" : "bits", {"8", "4.25", "16"}, {"bf16", "int4", "fp8", ""});
  if (scenario.back().first == "weights" && !faulty) {
    scenario.back().second = random.one_in(2) ? "bf16" : "fp8";
  }
  take("devices", {"", "", "1", "3", "7", "8", "1k", "64"}, {"0", "1.5"});
  take("reserve", {"", "", "", "10%", "7.5", "0%", "99%"}, {"0.15", "100%"});
  take("capacity", {"", "", "", "", "nominal", "visible", "96GiB"}, {"95", "0B"});
  if (random.one_in(2)) {
    take("context", {"1", "4096", "8k", "128k", std::to_string(1 + random.below(300000)), "1m"},
         {"x"});
    take("concurrency", {"", "1", "4", std::to_string(1 + random.below(500))}, {"-1"});
    take("kv_dtype", {"", "", "fp8", "bf16", "int8"}, {});
  } else {
    take("working-memory", {"", "", "32GB", "0GB", "17.3GiB", "12345B"}, {"1"});
  }
  if (random.one_in(12)) draw(random, scenario, "tp", {"1", "2", "8"});
  if (random.one_in(12)) draw(random, scenario, "engine", {"ideal", "vllm", "trtllm"});
  return scenario;
}

Scenario draw_kv(property::Generator& random) {
  Scenario scenario{{"command", "kv"}};
  draw(random, scenario, "model",
       {"llama-3.1-8b", "gemma-3-27b", "deepseek-v3", "gpt-oss-120b", "Qwen/Qwen3-30B-A3B"});
  draw(random, scenario, "engine",
       {"", "vllm@0.19", "vllm@0.6", "vllm@0.21", "sglang", "trtllm", "llamacpp", "neuronx"});
  draw(random, scenario, "context", {"", "1", "4096", "5000", "8k", "128k"});
  draw(random, scenario, "concurrency",
       {"", "1", "3", "16", std::to_string(1 + random.below(1000)), "0"});
  if (random.one_in(2)) {
    draw(random, scenario, "kv-memory", {"", "40GiB", "1GB", "123456789B"});
  } else {
    draw(random, scenario, "capacity", {"", "80GB", "192GiB"});
  }
  draw(random, scenario, "dp", {"", "", "", "2", "8"});
  draw(random, scenario, "tp", {"", "", "8"});
  draw(random, scenario, "kv-dtype", {"", "", "fp8"});
  return scenario;
}

std::string single_row(const Scenario& scenario) {
  std::string model;
  std::vector<std::string> words{"fit"};
  for (const auto& [key, value] : scenario) {
    if (key == "model") {
      model = value;
      continue;
    }
    words.push_back("--" + (key == "kv_dtype" ? std::string("kv-dtype") : key));
    words.back() += "=" + value;
  }
  words.push_back(model);
  words.insert(words.end(), {"-o", "csv"});
  const Reply reply = ask(words);
  if (reply.output.empty()) return {};
  const std::vector<std::string> lines = split(reply.output, '\n');
  const std::vector<std::string> header = split(lines[0], ',');
  std::string rows;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    std::map<std::string, std::string> cells;
    const std::vector<std::string> fields = split(lines[i], ',');
    for (std::size_t at = 0; at < header.size(); ++at)
      cells[header[at]] = fields[at];
    for (const std::string& name : split(std::string(kColumns) + ",sources", ','))
      rows += cells[name] + ",";
    rows += "\n";
  }
  return rows;
}

}  // namespace

TEST_CASE("the plain way gives the rows of the exact way") {
  property::Generator random(9);
  std::vector<Scenario> scenarios;
  for (int i = 0; i < 2500; ++i)
    scenarios.push_back(draw_fit(random));
  for (const bool sources : {true, false}) {
    const std::vector<std::string> plain = split(rows_of(scenarios, true, sources), '\n');
    CHECK(answered_plainly > 300);
    const std::vector<std::string> exact = split(rows_of(scenarios, false, sources), '\n');
    REQUIRE(plain.size() == exact.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
      CHECK(plain[i] == exact[i]);
  }
}

TEST_CASE("rows of kv are scaled as the exact way has them") {
  property::Generator random(11);
  std::vector<Scenario> scenarios;
  for (int i = 0; i < 600; ++i)
    scenarios.push_back(draw_kv(random));
  for (const std::string_view columns : {kKvColumns, kKvLeast}) {
    const std::vector<std::string> plain = split(rows_of(scenarios, true, true, columns), '\n');
    CHECK(answered_plainly > 300);
    const std::vector<std::string> exact = split(rows_of(scenarios, false, true, columns), '\n');
    REQUIRE(plain.size() == exact.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
      CHECK(plain[i] == exact[i]);
  }
}

TEST_CASE("a row is what the command prints") {
  property::Generator random(10);
  std::size_t answered = 0;
  for (int i = 0; i < 200; ++i) {
    const Scenario scenario = draw_fit(random);
    const std::string row = rows_of({scenario}, true, true);
    const std::string single = single_row(scenario);
    if (single.empty()) {
      CHECK(row.find("error[") != std::string::npos);
    } else {
      CHECK(row == single);
      ++answered;
    }
  }
  CHECK(answered > 100);
}

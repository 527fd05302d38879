// Order, faults, pieces and limits of a run, over commands that answer with the context they got.
#include "batch/run.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

#include "batch/bytes.hpp"
#include "catalog/embedded.hpp"

using namespace ullage;
using batch::RunResult;
using batch::RunSettings;

namespace {

// `kv` with the result `tokens`, its context; `boom` is a name that nobody knows.
class Echo final : public batch::Commands {
 public:
  Echo() : catalogue_(catalog::embedded_catalogue()) {}

  base::Result<std::vector<std::string>> flags_of(std::string_view) override {
    return std::vector<std::string>{"model", "context", "concurrency"};
  }
  base::Result<provenance::Answer> answer(std::string_view,
                                          const std::vector<batch::FlagWord>& flags) override {
    provenance::Answer answer;
    provenance::Row row;
    for (const batch::FlagWord& word : flags) {
      if (word.field->text == "boom") {
        return base::Diagnostic{.code = base::Code::unknown_name, .message = "unknown boom"};
      }
      if (word.flag != "context") continue;
      row.results.push_back(
          {"tokens", answer.graph.given("tokens", {*exact::Rational::parse(word.field->text), {}},
                                        {"a test", ""})});
    }
    answer.rows.push_back(std::move(row));
    return answer;
  }
  base::Result<plan::FitRequest> fit_request(const std::vector<batch::FlagWord>&) override {
    return base::Diagnostic{};
  }
  base::Result<plan::KvRequest> kv_request(const std::vector<batch::FlagWord>&) override {
    return base::Diagnostic{};
  }
  catalog::Catalogue& catalogue() override { return catalogue_; }
  const base::FileSystem& files() override { return files_; }

 private:
  catalog::Catalogue catalogue_;
  base::MemoryFileSystem files_;
};

// A file that is gone at the end of the test.
class TemporaryFile {
 public:
  TemporaryFile(std::string name, std::string_view text) : path(std::move(name)) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

struct Ran {
  RunResult result;
  std::string text;
};

struct Wanted {
  std::size_t threads = 1;
  batch::Shard shard = {};
  bool fail_fast = false;
  std::optional<std::uint64_t> limit = {};
  std::optional<batch::Order> order = {};
  std::optional<std::string> where = {};
};

Ran run(const std::string& path, const Wanted& wanted = {}) {
  const auto parts = batch::parts_of_files({path}, wanted.shard);
  REQUIRE(parts.ok());
  Ran ran;
  RunSettings settings;
  settings.threads = wanted.threads;
  settings.fail_fast = wanted.fail_fast;
  settings.limit = wanted.limit;
  settings.header = wanted.shard.number == 1;
  settings.rows.format = batch::RowFormat::csv;
  for (const char* name : {"line", "id", "tokens", "error"})
    settings.rows.columns.push_back(batch::column_of(name));
  settings.rows.order = wanted.order;
  if (wanted.where) {
    const auto expression = batch::Expression::parse(*wanted.where);
    REQUIRE(expression.ok());
    settings.rows.where = *expression;
  }
  settings.commands = [] { return std::make_unique<Echo>(); };
  settings.sink = [&](std::string_view text) {
    ran.text += text;
    return true;
  };
  const auto keys = (*parts)->keys();
  REQUIRE(keys.ok());
  settings.rows.json_input = (*parts)->format() == batch::InputFormat::json;
  auto result = batch::run(**parts, settings);
  REQUIRE(result.ok());
  ran.result = std::move(*result);
  return ran;
}

std::string many(int lines) {
  std::string text = "command,model,context,id\n";
  for (int i = 1; i <= lines; ++i)
    text += "kv,m," + std::to_string(i * 7 % 1000 + 1) + ",row " + std::to_string(i) + "\n";
  return text;
}

}  // namespace

TEST_CASE("rows come in the order of their lines, whatever the threads") {
  const TemporaryFile file("batch_run_order.csv", many(60000));
  const Ran one = run(file.path);
  CHECK(one.result.rows == 60000);
  CHECK(one.text.starts_with("line,id,tokens,error\n2,row 1,8,\n3,row 2,15,\n"));
  CHECK(run(file.path, {.threads = 4}).text == one.text);
}

TEST_CASE("pieces one behind the other are the whole") {
  const TemporaryFile file("batch_run_pieces.csv", many(5000) + "kv,boom,1,last");
  const Ran whole = run(file.path);
  CHECK(whole.result.cut);
  for (const std::uint64_t of : {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{17}}) {
    std::string together;
    for (std::uint64_t number = 1; number <= of; ++number)
      together += run(file.path, {.threads = 2, .shard = {number, of}}).text;
    CHECK(together == whole.text);
  }
}

TEST_CASE("a bad line is a row with its place, and the run goes on") {
  const TemporaryFile file("batch_run_faults.jsonl",
                           "{\"command\": \"kv\", \"model\": \"m\", \"context\": 3, \"id\": 1}\n"
                           "\n"
                           "{\"command\": \"kv\", \"model\": \"boom\", \"id\": 2}\n"
                           "{\"command\": \"kv\", \"model\": \n"
                           "{\"command\": \"kv\", \"model\": \"m\", \"contxt\": 3}\n"
                           "{\"command\": \"kv\", \"model\": \"m\", \"context\": 4}\n");
  const Ran ran = run(file.path);
  CHECK(ran.result.wrong == 3);
  CHECK(ran.result.lines == 5);
  CHECK(ran.text.find("\n3,2,,batch_run_faults.jsonl:3:28: error[unknown-name]") !=
        std::string::npos);
  CHECK(ran.text.find("\n4,,,batch_run_faults.jsonl:4:") != std::string::npos);
  CHECK(ran.text.find("jsonl:5:33: error[unknown-key]") != std::string::npos);
  CHECK(ran.text.ends_with("\n6,,4,\n"));
  const Ran fast = run(file.path, {.threads = 3, .fail_fast = true});
  CHECK(fast.result.wrong == 1);
  CHECK(ran.text.starts_with(fast.text));
}

TEST_CASE("a condition, an order and a limit choose rows") {
  const TemporaryFile file("batch_run_choice.csv", many(3000));
  const Ran top = run(file.path, {.threads = 2, .order = batch::Order{"tokens", false, 2}});
  CHECK(top.text == "line,id,tokens,error\n1001,row 1000,1,\n2001,row 2000,1,\n");
  const Ran largest =
      run(file.path, {.order = batch::Order{"tokens", true, 1}, .where = "id != \"row 857\""});
  CHECK(largest.text == "line,id,tokens,error\n1858,row 1857,1000,\n");
  CHECK(run(file.path, {.threads = 2, .limit = 3}).result.rows == 3);
}

TEST_CASE("an input that breaks off is a row behind its last line") {
  // `seq 3` packed by gzip, and cut in the middle.
  const std::string packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x33\xe4\x32\xe2\x32\xe6\x02\x00", 18);
  const TemporaryFile file("batch_run_cut.csv.gz", packed);
  const auto bytes = batch::open_bytes(file.path);
  REQUIRE(bytes.ok());
  std::string all;
  char buffer[64];
  bool failed = false;
  while (true) {
    const auto got = (*bytes)->read(buffer, sizeof buffer);
    failed = !got.ok();
    if (failed || *got == 0) break;
    all.append(buffer, *got);
  }
  CHECK(failed);
  const Ran ran = run(file.path);
  CHECK(ran.result.wrong >= 1);
  CHECK(ran.text.find("cut short") != std::string::npos);
}

TEST_CASE("a product counts with its last key fastest") {
  const batch::Matrix matrix{{"model", {"a", "b"}}, {"context", {"1", "2", "3"}}};
  CHECK(*batch::scenarios_of(matrix) == 6);
  batch::Record record;
  std::string text;
  for (std::uint64_t i = 0; i < 6; ++i) {
    batch::read_matrix_record(matrix, i, record);
    text += std::string(record.fields[0].text) + std::string(record.fields[1].text) + " ";
  }
  CHECK(text == "a1 a2 a3 b1 b2 b3 ");
  const std::vector<std::string> ten(10, "x");
  CHECK_FALSE(batch::scenarios_of(batch::Matrix(20, {"k", ten})).ok());
}

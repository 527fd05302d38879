// ullage batch: many scenarios, one a line.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "batch/bytes.hpp"
#include "cli/batch_commands.hpp"
#include "cli/batch_flags.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/output_file.hpp"

namespace ullage::cli {
namespace {

using base::Diagnostic;
using batch::RunResult;

constexpr std::uint64_t kMostThreads = 256;

Diagnostic usage(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

extern "C" void on_interrupt(int) {
  batch::interruption() = true;
}

// While it lives an interruption ends the run in order, and a reader that went away is an error of
// writing instead of the end of the process.
class Signals {
 public:
  Signals() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;  // no SA_RESTART: a read that waits is given up
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, &pipe_);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
    sigaction(SIGPIPE, &pipe_, nullptr);
  }

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
  struct sigaction pipe_ {};
};

// Lines a second, share and time left, on a terminal only.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressLine(bool shown) : shown_(shown) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() {
    if (written_) write_all(STDERR_FILENO, "\r\x1b[K");
  }

  void show(const batch::Progress& progress) {
    const auto now = Clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(250)) return;
    last_ = now;
    const auto milliseconds = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count());
    std::string text =
        "\r\x1b[K" + std::to_string(progress.lines) + " lines, " +
        std::to_string(progress.lines * 1000 / std::max<std::uint64_t>(1, milliseconds)) + "/s";
    if (progress.share && progress.share->first > 0 && progress.share->second > 0) {
      const auto [done, all] = *progress.share;
      const auto percent = static_cast<std::uint64_t>(static_cast<exact::Int128>(done) * 100 /
                                                      static_cast<exact::Int128>(all));
      const auto left = static_cast<std::uint64_t>(static_cast<exact::Int128>(milliseconds) *
                                                   static_cast<exact::Int128>(all - done) /
                                                   static_cast<exact::Int128>(done) / 1000);
      text += ", " + std::to_string(percent) + " %, " + std::to_string(left) + " s left";
    }
    write_all(STDERR_FILENO, text);
    written_ = true;
  }

 private:
  bool shown_;
  bool written_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

// Where rows go: a descriptor, or a text where the program may not write while it runs.
struct Destination {
  std::optional<OutputFile> file;
  bool streams = false;
  std::string collected;
  int error = 0;  // errno of a failed writing

  bool write(std::string_view text) {
    if (!file && !streams) {
      collected += text;
      return true;
    }
    if (write_all(file ? file->descriptor() : STDOUT_FILENO, text)) return true;
    error = errno;
    return false;
  }
};

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string remark_on(const RunResult& result, bool quiet) {
  std::vector<std::string> remarks;
  if (result.wrong > 0) {
    remarks.push_back(counted(result.wrong, "line is", "lines are") +
                      " wrong; the first: " + *result.first_fault);
  }
  if (result.unknown > 0) {
    const std::string first = result.wrong > 0 ? "" : "; the first: " + *result.first_fault;
    remarks.push_back(counted(result.unknown, "line has", "lines have") + " no known answer" +
                      first);
  }
  if (result.cut && !quiet) {
    remarks.emplace_back("the last line has no line break at its end: it may have been cut short");
  }
  if (!result.passed.empty() && !quiet) {
    std::string names;
    for (const std::string& name : result.passed)
      names += (names.empty() ? "" : ", ") + base::printable(name);
    remarks.push_back("passed through as columns, and no flags: " + names);
  }
  std::string text;
  for (const std::string& remark : remarks)
    text += (text.empty() ? "" : "\nullage: ") + remark;
  return text;
}

class BatchCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "batch",
            .summary = "one scenario a line in, one row a line out",
            .examples = std::string(kBatchExamples),
            .positionals = {{"FILE",
                             "scenarios as JSON lines or CSV, also .gz and .zst; - or nothing is "
                             "standard input",
                             &arguments_.inputs, false}},
            .flags = batch_flags(arguments_),
            .formats = {Format::json, Format::csv}};
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const auto matrix, batch_matrix(arguments_.matrix, context.catalogue));
    ULLAGE_CHECK(check(matrix != nullptr));
    ULLAGE_TRY(const batch::Shard shard, shard_flag(arguments_.shard));
    std::vector<std::string> inputs = arguments_.inputs;
    if (inputs.empty()) inputs.emplace_back("-");
    ULLAGE_TRY(const auto parts, matrix ? batch::parts_of_matrix(matrix, shard)
                                        : batch::parts_of_files(inputs, shard));
    ULLAGE_TRY(const auto line, whole_flag("--explain-line", arguments_.explain_line));
    if (line) return explain(context, *parts, matrix, *line);
    batch::RunSettings settings;
    ULLAGE_TRY(settings.rows, row_settings(arguments_, context.common.format, *parts));
    ULLAGE_CHECK(check_keys(context, *parts, matrix != nullptr));
    settings.matrix = matrix;
    settings.fail_fast = arguments_.fail_fast;
    settings.plain = !arguments_.reference;
    settings.header = shard.number == 1;
    ULLAGE_TRY(settings.limit, whole_flag("--limit", arguments_.limit));
    ULLAGE_TRY(const auto threads, whole_flag("--threads", arguments_.threads));
    settings.threads = static_cast<std::size_t>(std::min(
        kMostThreads, threads.value_or(std::max(1U, std::thread::hardware_concurrency()))));
    settings.commands = [&context] { return batch_commands(context); };
    return deliver(context, *parts, settings);
  }

 private:
  base::Result<void> check(bool product) const {
    if (product && !arguments_.inputs.empty()) {
      return usage("--matrix and " + base::printable(arguments_.inputs.front()) + " are both given",
                   "a product needs no file");
    }
    const bool stdin_is_terminal = isatty(STDIN_FILENO) == 1;
    if (!product && arguments_.inputs.empty() && stdin_is_terminal) {
      return usage("batch: no scenarios", "a FILE, - for standard input, or --matrix KEY=LIST");
    }
    if (arguments_.shard && (arguments_.top || arguments_.limit)) {
      return usage(std::string("--shard goes not with ") + (arguments_.top ? "--top" : "--limit"),
                   "what comes first of each piece is not what comes first of all");
    }
    if (arguments_.top && arguments_.limit) {
      return usage("--top and --limit are both given", "--top N gives at most N rows");
    }
    return {};
  }

  // A key that is wrong in every line is said once. Lines of JSON have each their own.
  static base::Result<void> check_keys(const Context& context, batch::Parts& parts, bool product) {
    if (parts.format() != batch::InputFormat::csv) return {};
    ULLAGE_TRY(const std::vector<std::string> names, parts.keys());
    if (std::find(names.begin(), names.end(), "command") != names.end()) return {};
    batch::Record record;
    for (const std::string& name : names) {
      batch::Field field;
      field.key = name;
      field.text = "?";
      field.type = batch::FieldType::text;
      record.fields.push_back(field);
    }
    const std::unique_ptr<batch::Commands> commands = batch_commands(context);
    batch::Keys keys(*commands);
    batch::Scenario scenario;
    auto read = keys.read({}, record, scenario);
    if (read.ok()) return {};
    Diagnostic fault = std::move(read).error();
    fault.span = {};
    if (product) fault.message = "--matrix: " + fault.message;
    return fault;
  }

  base::Result<Outcome> explain(const Context& context, batch::Parts& parts,
                                const std::shared_ptr<const batch::Matrix>& matrix,
                                std::uint64_t line) const {
    CommonArguments common = context.common;
    common.explain = true;
    const Context explained{context.catalogue, context.files, common, context.style};
    Outcome outcome;
    const std::unique_ptr<batch::Commands> commands = batch_commands(context);
    ULLAGE_CHECK(batch::visit_line(
        parts, matrix, line, *commands, [&](const batch::Scenario& scenario) -> base::Result<void> {
          ULLAGE_TRY(const auto command, command_of(scenario.command, scenario.flags));
          ULLAGE_TRY(outcome, command->run(explained));
          return {};
        }));
    return outcome;
  }

  static base::Result<Outcome> deliver(const Context& context, batch::Parts& parts,
                                       batch::RunSettings& settings) {
    Destination destination;
    destination.streams = context.streams;
    if (context.common.output_file) {
      ULLAGE_TRY(OutputFile file, OutputFile::beside(*context.common.output_file));
      destination.file.emplace(std::move(file));
    }
    settings.sink = [&](std::string_view text) { return destination.write(text); };
    ProgressLine progress(context.streams && !context.common.quiet && isatty(STDERR_FILENO) == 1);
    settings.progress = [&](const batch::Progress& now) { progress.show(now); };
    std::optional<Signals> signals;
    if (context.streams) signals.emplace();
    ULLAGE_TRY(const RunResult result, batch::run(parts, settings));
    if (context.streams && batch::interruption()) end_interrupted(destination, signals, result);
    return finish(context, destination, result);
  }

  // Whole rows were written, or no file at all; then the process ends as signals end it.
  static void end_interrupted(Destination& destination, std::optional<Signals>& signals,
                              const RunResult& result) {
    const bool to_file = destination.file.has_value();
    destination.file.reset();
    write_all(STDERR_FILENO, "ullage: interrupted after " + std::to_string(result.lines) +
                                 " lines" + (to_file ? "; no file was written\n" : "\n"));
    signals.reset();
    std::raise(SIGINT);
  }

  static base::Result<Outcome> finish(const Context& context, Destination& destination,
                                      const RunResult& result) {
    if (destination.error != 0 && destination.error != EPIPE) {
      errno = destination.error;
      if (destination.file) return destination.file->failed("cannot be written");
      return Diagnostic{.code = base::Code::file_unreadable,
                        .message = std::string("standard output cannot be written: ") +
                                   std::strerror(destination.error),
                        .span = {},
                        .hint = {},
                        .notes = {}};
    }
    Outcome outcome;
    if (destination.file) {
      ULLAGE_CHECK(destination.file->commit());
      outcome.delivered = true;
    }
    outcome.output = std::move(destination.collected);
    outcome.remark = remark_on(result, context.common.quiet);
    if (result.wrong > 0) {
      outcome.status = kWrongQuestion;
    } else if (result.unknown > 0) {
      outcome.status = kUnknownAnswer;
    }
    return outcome;
  }

  BatchArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> make_batch() {
  return std::make_unique<BatchCommand>();
}

}  // namespace ullage::cli

// ullage lock: writes down the figures that plans rest on.
#include "plan/check/lock.hpp"

#include "cli/check_output.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/result_head.hpp"
#include "cli/values.hpp"
#include "cli/version.hpp"
#include "report/json_writer.hpp"

namespace ullage::cli {
namespace {

void write_entry(report::JsonWriter& json, const char* name, const plan::LockedEntry& entry) {
  if (entry.id.empty()) return;
  json.key(name);
  json.begin_object(report::JsonWriter::Layout::one_line);
  json.member("id", entry.id);
  json.member("version", entry.version);
  json.member("digest", entry.digest);
  json.end_object();
}

std::string text_of(const std::vector<plan::LockedWorkload>& locked, const Context& context) {
  report::JsonWriter json;
  json.begin_object();
  json.member("schema", "ullage/lock/1");
  json.member("tool", kVersion);
  json.member("catalogue", context.catalogue.version());
  json.key("workloads");
  json.begin_array();
  for (const plan::LockedWorkload& one : locked) {
    json.begin_object();
    json.member("file", one.file);
    json.member_unless_empty("workload", one.workload);
    json.member_unless_empty("role", one.role);
    json.member_unless_empty("model", one.model);
    json.member_unless_empty("revision", one.revision);
    json.member("verdict", one.verdict);
    write_entry(json, "device", one.device);
    write_entry(json, "card", one.card);
    json.key("figures");
    json.begin_object();
    for (const auto& [name, value] : one.figures)
      json.member(name, value);
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

class LockCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "lock",
            .summary = "write down the figures that plans rest on, for check --locked",
            .examples = std::string(kLockExamples),
            .positionals = {{"PLAN", "files and folders of plans", &paths_}},
            .flags = {{"--on", "DEVICE", "the device, where the files leave it open", &on_},
                      {"--model", "MODEL", "the model, where the files leave it open", &model_},
                      {"--devices", "N", "how many devices one copy has", &devices_},
                      {"--set", "NAME=VALUE", "the value of a variable (repeatable)", &set_}},
            .formats = {Format::text, Format::json}};
  }

  base::Result<Outcome> run(const Context& context) override {
    plan::CheckRequest request;
    request.paths = paths_;
    request.choice.on = on_;
    request.choice.model = model_;
    ULLAGE_TRY(request.choice.devices, count_flag("--devices", devices_));
    ULLAGE_TRY(request.variables, set_flags(set_));
    ULLAGE_TRY(const plan::CheckResult result,
               plan::check(request, context.catalogue, context.files));
    if (!result.faults.empty()) return result.faults.front();
    const auto locked = plan::lock_of(result.answer, context.catalogue);
    Outcome outcome;
    outcome.output = text_of(locked, context);
    if (locked.empty()) {
      outcome.output.clear();
      outcome.remark = "no workload was found to lock";
      outcome.status = kUnknownAnswer;
      return outcome;
    }
    // JSON for a pipe; otherwise the file that `check --locked` reads.
    if (context.common.format == Format::json || context.common.output_file) return outcome;
    outcome.file = kLockFile;
    outcome.remark = std::string(kLockFile) + ": " + std::to_string(locked.size()) +
                     (locked.size() == 1 ? " workload locked" : " workloads locked");
    return outcome;
  }

 private:
  std::vector<std::string> paths_;
  std::optional<std::string> on_;
  std::optional<std::string> model_;
  std::optional<std::string> devices_;
  std::vector<std::string> set_;
};

}  // namespace

std::unique_ptr<Command> make_lock() {
  return std::make_unique<LockCommand>();
}

}  // namespace ullage::cli

// ullage check: deployment plans against what their devices hold.
#include "plan/check/check.hpp"

#include <algorithm>

#include "base/spelling.hpp"
#include "cli/check_output.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"
#include "cli/today.hpp"
#include "cli/values.hpp"
#include "plan/check/config.hpp"

namespace ullage::cli {
namespace {

using base::Severity;

struct CheckArguments {
  std::vector<std::string> paths;
  std::optional<std::string> on;
  std::optional<std::string> model;
  std::optional<std::string> weights;
  std::optional<std::string> devices;
  std::optional<std::string> reserve;
  std::optional<std::string> capacity;
  std::vector<std::string> set;
  std::optional<std::string> fail_on;
  std::optional<std::string> max_age;
  std::optional<std::string> today;
  std::optional<std::string> waivers;
  bool allow_inconclusive = false;
  bool locked = false;
  bool init = false;
};

constexpr std::uint64_t kLargestConfig = 4u << 20;

// The project's own settings, where the working folder has them.
base::Result<plan::CheckConfig> config_of(const Context& context) {
  const std::string path(kConfigFile);
  if (context.files.kind_of(path) != base::PathKind::file) return plan::CheckConfig{};
  ULLAGE_TRY(const std::string text, context.files.read(path, kLargestConfig));
  return plan::read_config(text, path);
}

// A plan of our own with what the flags say.
base::Result<std::string> first_plan(const CheckArguments& arguments) {
  if (!arguments.model || !arguments.on) {
    return base::Diagnostic{
        .code = base::Code::usage,
        .message = "--init needs to know the model and the device",
        .span = {},
        .hint = "ullage check --init --model Qwen/Qwen3-8B --on l40s --devices 1",
        .notes = {}};
  }
  std::string text = "schema: ullage/plan/1\n";
  text += "name: " + *arguments.model + " on " + *arguments.on + "\n";
  text += "model: " + *arguments.model + "\n";
  if (arguments.weights) text += "weights: " + *arguments.weights + "\n";
  text += "hardware: {on: " + *arguments.on;
  if (arguments.devices) text += ", count: " + *arguments.devices;
  if (arguments.capacity) text += ", capacity: " + *arguments.capacity;
  text += "}\n";
  if (arguments.reserve) text += "reserve: " + *arguments.reserve + "\n";
  return text + "expect: [\"fits\"]\n";
}

base::Result<plan::CheckRequest> request_of(const CheckArguments& arguments,
                                            plan::CheckConfig& config, const Context& context) {
  plan::CheckRequest request;
  request.paths = arguments.paths;
  request.choice.on = arguments.on ? arguments.on : config.on;
  request.choice.devices_by_label = std::move(config.devices);
  request.waivers = std::move(config.waivers);
  if (arguments.waivers) {
    ULLAGE_TRY(const std::string text, context.files.read(*arguments.waivers, kLargestConfig));
    ULLAGE_TRY(std::vector<plan::Waiver> more, plan::read_waiver_file(text, *arguments.waivers));
    std::move(more.begin(), more.end(), std::back_inserter(request.waivers));
  }
  if (arguments.locked) {
    const std::string path(kLockFile);
    ULLAGE_TRY(const std::string text, context.files.read(path, 64u << 20));
    ULLAGE_TRY(request.locked, plan::read_lock(text, path));
    request.lock_file = path;
  }
  request.choice.model = arguments.model;
  request.choice.weights = arguments.weights;
  ULLAGE_TRY(request.choice.devices, count_flag("--devices", arguments.devices));
  ULLAGE_TRY(request.choice.reserve, percent_flag("--reserve", arguments.reserve));
  ULLAGE_TRY(request.choice.capacity, capacity_flag(arguments.capacity));
  ULLAGE_TRY(request.choice.max_age,
             max_age_flag(arguments.max_age ? arguments.max_age : config.max_age));
  ULLAGE_TRY(request.choice.today, today(arguments.today));
  ULLAGE_TRY(request.variables, set_flags(arguments.set));
  return request;
}

class CheckCommand final : public Command {
 public:
  CommandSpec spec() override {
    CommandSpec spec{.name = "check",
                     .summary = "verdict on deployment plans, for CI",
                     .examples = std::string(kCheckExamples),
                     .positionals = {{"PLAN",
                                      "files and folders of plans, or -; what is given together "
                                      "is looked up in together",
                                      &arguments_.paths, false}},
                     .flags = {}};
    spec.flags = {
        {"--on", "DEVICE", "the device, where the files leave it open", &arguments_.on},
        {"--model", "MODEL", "the model that is counted, where the files leave it open",
         &arguments_.model},
        {"--weights", "DTYPE", "the weight format that is counted", &arguments_.weights},
        {"--devices", "N", "how many devices one copy has, where the files leave it open",
         &arguments_.devices},
        {"--set", "NAME=VALUE", "the value of a variable that the files use (repeatable)",
         &arguments_.set},
        {"--reserve", "PCT", "share of each device kept free, instead of the engine's own share",
         &arguments_.reserve},
        {"--capacity", "WHICH", "nominal, visible or a SIZE: the capacity that counts",
         &arguments_.capacity},
        {"--fail-on", "LEVEL", "exit with 1 from this level on: error (default), warning or note",
         &arguments_.fail_on},
        {"--allow-inconclusive", "", "exit with 0 instead of 3 where a verdict is inconclusive",
         &arguments_.allow_inconclusive},
        {"--waivers", "FILE", "what is accepted although a rule speaks (ullage/waivers/1)",
         &arguments_.waivers},
        {"--locked", "", "fail where a figure of ullage.lock changed", &arguments_.locked},
        {"--init", "", "print a plan of ullage's own format with what the flags say",
         &arguments_.init},
        {"--max-age", "DAYS", "warn of sources that were read longer ago: 90 or 90d",
         &arguments_.max_age},
        {"--today", "DATE", "the day from which ages count (default: today)", &arguments_.today}};
    spec.formats = {Format::text,  Format::json,   Format::csv,   Format::markdown,
                    Format::sarif, Format::github, Format::junit, Format::gitlab};
    return spec;
  }

  base::Result<Outcome> run(const Context& context) override {
    if (arguments_.init) {
      ULLAGE_TRY(std::string text, first_plan(arguments_));
      return Outcome{std::move(text), {}, kAnswered};
    }
    if (arguments_.paths.empty()) {
      return base::Diagnostic{.code = base::Code::usage,
                              .message = "check: PLAN is missing",
                              .span = {},
                              .hint = "files, folders, or - for standard input",
                              .notes = {}};
    }
    ULLAGE_TRY(plan::CheckConfig config, config_of(context));
    const bool allows_open = arguments_.allow_inconclusive || config.allow_inconclusive;
    ULLAGE_TRY(const Severity fail_on,
               fail_on_flag(arguments_.fail_on ? arguments_.fail_on : config.fail_on));
    ULLAGE_TRY(const plan::CheckRequest request, request_of(arguments_, config, context));
    ULLAGE_TRY(plan::CheckResult result, plan::check(request, context.catalogue, context.files));
    Outcome outcome;
    outcome.output = check_output(context, result);
    outcome.status = status_of_check(result, fail_on, allows_open);
    outcome.remark = remark_of_check(result);
    // A wrong question has no answer on standard output; what else was found goes beside the fault.
    if (context.common.format == Format::text && !result.faults.empty()) {
      outcome.remark += "\n" + outcome.output.substr(0, outcome.output.find_last_not_of('\n') + 1);
      outcome.output.clear();
    }
    return outcome;
  }

 private:
  CheckArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> make_check() {
  return std::make_unique<CheckCommand>();
}

}  // namespace ullage::cli

// The command line: the only user of CLI11. Registers flags, fills structs, rewrites CLI11's
// errors.
#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "cli/help_texts.hpp"
#include "cli/version.hpp"

namespace ullage::cli {
namespace {

using base::Code;
using base::Diagnostic;

Diagnostic usage(std::string message, std::string hint = {}) {
  return {.code = Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

// A flag that takes a text, kept apart from its default: absent is not empty.
void text_flag(CLI::App* app, const std::string& names, std::optional<std::string>& target,
               const std::string& type, const std::string& help) {
  app->add_option_function<std::string>(
         names, [&target](const std::string& value) { target = value; }, help)
      ->type_name(type);
}

struct RawCommon {
  std::string format = "text";
  std::string colour = "auto";
};

void add_common(CLI::App* app, CommonArguments& common, RawCommon& raw) {
  app->add_option("-o,--output", raw.format, "text, json, csv or markdown")
      ->type_name("FORMAT")
      ->group("Common");
  app->add_flag("--explain", common.explain, "the derivation of each figure down to its sources")
      ->group("Common");
  app->add_option("--catalogue", common.catalogues,
                  "a folder of entries that add to the catalogue, claim by claim (repeatable; also "
                  "ULLAGE_CATALOGUE)")
      ->type_name("DIR")
      ->group("Common");
  app->add_option_function<std::string>(
         "--output-file", [&common](const std::string& file) { common.output_file = file; },
         "write the answer to FILE instead of standard output")
      ->type_name("FILE")
      ->group("Common");
  app->add_option("--color", raw.colour, "auto, always or never")
      ->type_name("WHEN")
      ->group("Common");
  app->add_flag("--quiet", common.quiet, "no notes in text output")->group("Common");
}

void add_weight_flags(CLI::App* app, std::optional<std::string>& weights,
                      std::optional<std::string>& bits, std::optional<std::string>& assume) {
  text_flag(app, "--weights", weights, "DTYPE",
            "weight format: bf16, fp8, fp8-block, int4, mxfp4 … (default: the model's own)");
  text_flag(app, "--bits", bits, "N", "plain bits per parameter instead of a format");
  text_flag(app, "--assume", assume, "FAMILY", "count a configuration as another family");
}

// `--context -1` is a value for --context, not a flag named 1: joined so that CLI11 agrees.
std::vector<std::string> join_negative_values(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool flag = words[i].starts_with("--") && words[i].find('=') == std::string::npos;
    const bool negative =
        i + 1 < words.size() && words[i + 1].size() > 1 && words[i + 1][0] == '-' &&
        (words[i + 1][1] == '.' || (words[i + 1][1] >= '0' && words[i + 1][1] <= '9'));
    if (flag && negative && words[i].size() > 2) {
      joined.push_back(words[i] + "=" + words[i + 1]);
      ++i;
    } else {
      joined.push_back(words[i]);
    }
  }
  return joined;
}

Diagnostic unexpected_word(const CLI::App* app, std::string word) {
  if (!word.starts_with('-') || word == "-") {
    return usage("unexpected word " + base::printable(word),
                 "`ullage " + app->get_name() + " --help` shows what it takes");
  }
  word = word.substr(0, word.find('='));
  std::vector<std::string> flags;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames())
      flags.push_back("--" + name);
  }
  const std::vector<std::string_view> views(flags.begin(), flags.end());
  const auto close = base::nearest(word, views, 2);
  return usage("unknown flag " + base::printable(word) + " for " + app->get_name(),
               close.empty() ? "`ullage " + app->get_name() + " --help` lists the flags"
                             : base::did_you_mean(close));
}

base::Result<void> finish_common(const RawCommon& raw, CommonArguments& common) {
  constexpr std::array<std::pair<std::string_view, Format>, 5> formats{
      {{"text", Format::text},
       {"json", Format::json},
       {"csv", Format::csv},
       {"markdown", Format::markdown},
       {"md", Format::markdown}}};
  const auto format = std::find_if(formats.begin(), formats.end(),
                                   [&](const auto& f) { return f.first == raw.format; });
  if (format == formats.end()) {
    return usage("--output " + base::printable(raw.format) + " is no format",
                 "text, json, csv or markdown");
  }
  common.format = format->second;
  if (raw.colour == "always") {
    common.colour = Colour::always;
  } else if (raw.colour == "never") {
    common.colour = Colour::never;
  } else if (raw.colour != "auto") {
    return usage("--color " + base::printable(raw.colour) + " is no choice",
                 "auto, always or never");
  }
  return {};
}

// Everything that is registered, and where its values go.
class CommandLine {
 public:
  CommandLine();
  base::Result<Parsed> parse(std::vector<std::string> words);

 private:
  CLI::App* add(const std::string& name, const std::string& what, std::string_view examples);
  Diagnostic rewrite(const CLI::ParseError& error) const;
  CLI::App* chosen() const;

  CLI::App app_{std::string(kSummary), "ullage"};
  CommonArguments common_;
  RawCommon raw_;
  FitArguments fit_;
  WeightsArguments weights_;
  ShowArguments show_;
  ListArguments list_;
  HelpArguments help_;
};

CLI::App* CommandLine::add(const std::string& name, const std::string& what,
                           std::string_view examples) {
  CLI::App* command = app_.add_subcommand(name, what);
  command->footer(std::string(examples));
  command->fallthrough(false);
  add_common(command, common_, raw_);
  return command;
}

CommandLine::CommandLine() {
  app_.set_version_flag("--version", std::string("ullage ") + kVersion);
  app_.footer(std::string(kExamples));
  app_.require_subcommand(0, 1);

  CLI::App* fit =
      add("fit", "does MODEL fit on DEVICE, on how many, with how much room left", kFitExamples);
  fit->add_option("MODEL", fit_.model, std::string(kModelHelp))->required();
  fit->add_option("--on", fit_.on, "chips, instances or systems, comma separated, or all")
      ->type_name("DEVICE[,…]")
      ->required();
  add_weight_flags(fit, fit_.weights, fit_.bits, fit_.assume);
  text_flag(fit, "--working-memory", fit_.working_memory, "SIZE",
            "memory beside the weights, as a lump (default 32GB, shown as assumed)");
  text_flag(fit, "--reserve", fit_.reserve, "PCT",
            "share of each device kept free (default 15%, shown as assumed)");
  text_flag(fit, "--capacity", fit_.capacity, "nominal|visible|SIZE",
            "which capacity of a device counts (default nominal)");
  text_flag(fit, "--devices", fit_.devices, "N",
            "how many you have: gives a verdict and the headroom");
  text_flag(
      fit, "--price", fit_.price, "USD/h",
      "price of one device: gives the cost of the lower bound (the catalogue holds no prices)");

  CLI::App* weights =
      add("weights", "parameters by component, weight floor and payload", kWeightsExamples);
  weights->add_option("MODEL", weights_.model, std::string(kModelHelp))->required();
  add_weight_flags(weights, weights_.weights, weights_.bits, weights_.assume);

  CLI::App* show = add("show", "one entry with each source, unknown and conflict", kShowExamples);
  show->add_option("ID", show_.id, "a device or model, ID or ID@VERSION")->required();
  show->add_flag("--raw", show_.raw, "the entry's file as it was written");

  CLI::App* list = add("list", "what the catalogue holds", kListExamples);
  list->add_option("WHAT", list_.what, "hardware, models, sources, formats or families")
      ->required();

  CLI::App* help = add("help", "help on a command or topic", kHelpExamples);
  help->add_option("TOPIC", help_.topic, "a command, or checklist, figures, units");
}

CLI::App* CommandLine::chosen() const {
  const auto commands = app_.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

Diagnostic CommandLine::rewrite(const CLI::ParseError& error) const {
  const CLI::App* command = chosen();
  const std::string name = error.get_name();
  if (name == "ExtrasError" && command != nullptr) {
    const std::vector<std::string> rest = command->remaining();
    if (!rest.empty()) return unexpected_word(command, rest.front());
  }
  std::string text = error.what();
  const std::string prefix = command != nullptr ? command->get_name() + ": " : std::string();
  if (name == "RequiredError") {
    const std::string what = text.substr(0, text.find(' '));
    return usage(prefix + what + " is missing",
                 "`ullage " + (command != nullptr ? command->get_name() + " " : std::string()) +
                     "--help` shows examples");
  }
  if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
  return usage(prefix + base::printable(text));
}

base::Result<Parsed> CommandLine::parse(std::vector<std::string> words) {
  if (words.empty()) return Parsed(app_.help());
  if (!words.front().starts_with('-')) {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({}))
      names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), words.front()) == names.end()) {
      const std::vector<std::string_view> views(names.begin(), names.end());
      const auto close = base::nearest(words.front(), views, 2);
      return usage(
          "unknown command " + base::printable(words.front()),
          close.empty() ? "`ullage --help` lists the commands" : base::did_you_mean(close));
    }
  }
  words = join_negative_values(words);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app_.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    const CLI::App* command = chosen();
    return Parsed(command != nullptr ? command->help("ullage") : app_.help());
  } catch (const CLI::CallForVersion&) {
    return Parsed(std::string("ullage ") + kVersion + "\n");
  } catch (const CLI::ParseError& error) {
    return rewrite(error);
  }
  const CLI::App* command = chosen();
  if (command == nullptr)
    return usage("a command is missing", "`ullage --help` lists the commands");
  ULLAGE_CHECK(finish_common(raw_, common_));
  const std::string name = command->get_name();
  if (name == "fit") return Parsed(Arguments{common_, fit_});
  if (name == "weights") return Parsed(Arguments{common_, weights_});
  if (name == "show") return Parsed(Arguments{common_, show_});
  if (name == "list") return Parsed(Arguments{common_, list_});
  if (help_.topic.empty()) return Parsed(app_.help());
  for (const CLI::App* topic : app_.get_subcommands({})) {
    if (topic->get_name() == help_.topic) return Parsed(topic->help("ullage"));
  }
  return Parsed(Arguments{common_, help_});
}

}  // namespace

base::Result<Parsed> parse_arguments(const std::vector<std::string>& words) {
  CommandLine line;
  return line.parse(words);
}

}  // namespace ullage::cli

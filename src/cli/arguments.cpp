// The only user of CLI11. Only the flags of the command asked for are registered.
#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/version.hpp"

namespace ullage::cli {
namespace {

using base::Code;
using base::Diagnostic;

constexpr std::size_t kHelpColumn = 32;
constexpr std::size_t kHelpWidth = 100;

Diagnostic usage(std::string message, std::string hint = {}) {
  return {.code = Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

// CLI11 prints each option's help on one line; a terminal has a width.
class WrappedFormatter : public CLI::Formatter {
 public:
  WrappedFormatter() { column_width(kHelpColumn); }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description());
  }

 private:
  static std::string wrapped(const std::string& text) {
    std::string result;
    std::size_t used = kHelpColumn;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find(' ', start), text.size());
      const std::size_t length = end - start;
      if (used + length + 1 > kHelpWidth && used > kHelpColumn) {
        result += '\n';  // CLI11 indents what follows
        used = kHelpColumn;
      } else if (used > kHelpColumn) {
        result += ' ';
        ++used;
      }
      result += text.substr(start, length);
      used += length;
      start = end + 1;
    }
    return result;
  }
};

constexpr std::array<std::pair<std::string_view, Format>, 9> kFormats{
    {{"text", Format::text},
     {"json", Format::json},
     {"csv", Format::csv},
     {"markdown", Format::markdown},
     {"md", Format::markdown},
     {"sarif", Format::sarif},
     {"github", Format::github},
     {"junit", Format::junit},
     {"gitlab", Format::gitlab}}};

// `text, json, csv or markdown`: the first spelling of each format of the command.
std::string formats_text(const CommandSpec& spec) {
  std::string text;
  for (std::size_t i = 0; i < spec.formats.size(); ++i) {
    if (i > 0) text += i + 1 == spec.formats.size() ? " or " : ", ";
    text += std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& row) {
              return row.second == spec.formats[i];
            })->first;
  }
  return text;
}

// Whether a flag's name occurs among the words, alone or with `=VALUE`. Words of one dash can hold
// several short names: they count for each of those.
bool is_mentioned(const Flag& flag, const std::vector<std::string>& words) {
  const std::string_view names = flag.name;
  for (std::size_t start = 0; start < names.size();) {
    const std::size_t end = std::min(names.find(',', start), names.size());
    const std::string_view name = names.substr(start, end - start);
    const bool is_long = name.starts_with("--");
    for (const std::string& word : words) {
      if (is_long
              ? word.starts_with(name) && (word.size() == name.size() || word[name.size()] == '=')
              : word.size() > 1 && word[0] == '-' && word[1] != '-') {
        return true;
      }
    }
    start = end + 1;
  }
  return false;
}

// Registers flags of a command on CLI11's application.
struct Registration {
  CLI::App& app;
  const std::vector<std::string>* mentioned = nullptr;  // only flags named in these words

  void flag(const Flag& flag, const std::string& group) const {
    if (mentioned != nullptr && !flag.required && !is_mentioned(flag, *mentioned)) return;
    CLI::Option* option = nullptr;
    if (const auto* text = std::get_if<std::optional<std::string>*>(&flag.target)) {
      std::optional<std::string>* target = *text;
      option = app.add_option_function<std::string>(
          flag.name, [target](const std::string& value) { *target = value; }, flag.help);
    } else if (const auto* list = std::get_if<std::vector<std::string>*>(&flag.target)) {
      option = app.add_option(flag.name, **list, flag.help)->allow_extra_args(false);
    } else {
      option = app.add_flag(flag.name, *std::get<bool*>(flag.target), flag.help);
    }
    option->group(group);
    if (!flag.type.empty()) option->type_name(flag.type);
    if (flag.required) option->required();
  }

  void positional(const Positional& positional) const {
    CLI::Option* option = nullptr;
    if (const auto* one = std::get_if<std::string*>(&positional.target)) {
      option = app.add_option(positional.name, **one, positional.help);
    } else {
      option =
          app.add_option(positional.name, *std::get<std::vector<std::string>*>(positional.target),
                         positional.help);
    }
    option->type_name("");
    if (positional.required) option->required();
  }
};

void register_command(const Registration& registration, const CommandSpec& spec,
                      CommonArguments& common, RawCommon& raw) {
  CLI::App& app = registration.app;
  app.formatter(std::make_shared<WrappedFormatter>());
  app.footer(spec.examples);
  app.allow_extras();  // so that they are named in our words
  for (const Positional& positional : spec.positionals)
    registration.positional(positional);
  for (const Flag& flag : spec.flags)
    registration.flag(flag, "Options");
  for (const Flag& flag : common_flags(spec, common, raw))
    registration.flag(flag, "Common options");
}

// `--context -1` is a value for --context, not a flag named 1: joined so that CLI11 agrees.
std::vector<std::string> join_negative_values(const std::vector<std::string>& words) {
  const auto is_negative = [](const std::string& word) {
    return word.size() > 1 && word[0] == '-' &&
           (word[1] == '.' || (word[1] >= '0' && word[1] <= '9'));
  };
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool flag = words[i].starts_with("--") && words[i].size() > 2 &&
                      words[i].find('=') == std::string::npos;
    if (flag && i + 1 < words.size() && is_negative(words[i + 1])) {
      joined.push_back(words[i] + "=" + words[i + 1]);
      ++i;
    } else {
      joined.push_back(words[i]);
    }
  }
  return joined;
}

Diagnostic unexpected_word(const CLI::App& app, const std::string& command, std::string word) {
  if (!word.starts_with('-') || word == "-") {
    return usage(command + ": unexpected word " + base::printable(word),
                 "`ullage " + command + " --help` shows what it takes");
  }
  word = word.substr(0, word.find('='));
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      flags.push_back("--" + name);
  }
  const std::vector<std::string_view> views(flags.begin(), flags.end());
  const auto close = base::nearest(word, views, 2);
  return usage(command + ": unknown flag " + base::printable(word),
               close.empty() ? "`ullage " + command + " --help` lists the flags"
                             : base::did_you_mean(close));
}

// CLI11's errors in our words.
Diagnostic rewrite(const std::string& command, const CLI::ParseError& error) {
  std::string text = error.what();
  if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
  if (error.get_name() == "RequiredError") {
    return usage(command + ": " + text.substr(0, text.find(' ')) + " is missing",
                 "`ullage " + command + " --help` shows examples");
  }
  return usage(command + ": " + base::printable(text));
}

base::Result<void> finish_common(const CommandSpec& spec, const RawCommon& raw,
                                 CommonArguments& common) {
  if (raw.format) {
    const auto* const format = std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& row) {
      return row.first == *raw.format;
    });
    if (format == kFormats.end()) {
      return usage("--output " + base::printable(*raw.format) + " is no format",
                   formats_text(spec));
    }
    if (std::find(spec.formats.begin(), spec.formats.end(), format->second) == spec.formats.end()) {
      return usage("--output " + *raw.format + ": " + spec.name + " has no such format",
                   formats_text(spec));
    }
    common.format = format->second;
  }
  const std::string colour = raw.colour.value_or("auto");
  if (colour == "always") {
    common.colour = Colour::always;
  } else if (colour == "never") {
    common.colour = Colour::never;
  } else if (colour != "auto") {
    return usage("--color " + base::printable(colour) + " is no choice", "auto, always or never");
  }
  return {};
}

// What CLI11 takes: from the back, and without the command.
std::vector<std::string> words_for_parser(const std::vector<std::string>& words) {
  std::vector<std::string> rest = join_negative_values({words.begin() + 1, words.end()});
  std::reverse(rest.begin(), rest.end());
  return rest;
}

// The arguments, or none where help was asked for or a word is at fault.
base::Result<std::optional<Arguments>> parse_mentioned(const std::vector<std::string>& words) {
  Arguments arguments;
  ULLAGE_TRY(arguments.command, make_command(words.front()));
  const CommandSpec spec = arguments.command->spec();
  CLI::App app;
  RawCommon raw;
  register_command({app, &words}, spec, arguments.common, raw);
  try {
    app.parse(words_for_parser(words));
  } catch (const CLI::ParseError&) {
    return std::optional<Arguments>();  // said by whoever registers all flags
  }
  if (app.remaining_size() != 0) return std::optional<Arguments>();
  ULLAGE_CHECK(finish_common(spec, raw, arguments.common));
  return std::optional<Arguments>(std::move(arguments));
}

base::Result<Parsed> parse_with_all_flags(const std::vector<std::string>& words) {
  Arguments arguments;
  ULLAGE_TRY(arguments.command, make_command(words.front()));
  const CommandSpec spec = arguments.command->spec();
  CLI::App app(spec.summary, "ullage " + spec.name);
  RawCommon raw;
  register_command({app}, spec, arguments.common, raw);
  try {
    app.parse(words_for_parser(words));
  } catch (const CLI::CallForHelp&) {
    return Parsed(app.help());
  } catch (const CLI::ParseError& error) {
    return rewrite(spec.name, error);
  }
  // What was not expected: a misspelt flag says more than the word behind it.
  const std::vector<std::string> rest_words = app.remaining();
  const auto flag = std::find_if(rest_words.begin(), rest_words.end(), [](const std::string& word) {
    return word.starts_with('-') && word != "-";
  });
  if (flag != rest_words.end()) return unexpected_word(app, spec.name, *flag);
  if (!rest_words.empty()) return unexpected_word(app, spec.name, rest_words.front());
  ULLAGE_CHECK(finish_common(spec, raw, arguments.common));
  return Parsed(std::move(arguments));
}

}  // namespace

std::vector<Flag> common_flags(const CommandSpec& spec, CommonArguments& common, RawCommon& raw) {
  return {{"-o,--output", "FORMAT", formats_text(spec), &raw.format},
          {"--explain", "", "the derivation of each figure down to its sources", &common.explain},
          {"--catalogue", "DIR",
           "a folder of entries that add to the catalogue, claim by claim (repeatable; also "
           "ULLAGE_CATALOGUE)",
           &common.catalogues},
          {"--output-file", "FILE", "write the answer to FILE instead of standard output",
           &common.output_file},
          {"--color", "WHEN", "auto, always or never", &raw.colour},
          {"--quiet", "", "no notes in text output", &common.quiet}};
}

std::string program_help() {
  std::string text = std::string(kSummary) + "\n\nUsage: ullage COMMAND [OPTIONS]\n\nCommands:\n";
  for (const CommandEntry& entry : command_table()) {
    std::string name = "  " + std::string(entry.name);
    name.resize(std::max<std::size_t>(name.size() + 1, 14), ' ');
    text += name + std::string(entry.summary) + "\n";
  }
  return text + "\n`ullage COMMAND --help` shows its options; `ullage --version` the version.\n\n" +
         std::string(kExamples) + "\n";
}

std::string command_help(Command& command) {
  const CommandSpec spec = command.spec();
  CLI::App app(spec.summary, "ullage " + spec.name);
  CommonArguments common;
  RawCommon raw;
  register_command({app}, spec, common, raw);
  return app.help();
}

base::Result<Parsed> parse_arguments(const std::vector<std::string>& words) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h") {
    return Parsed(program_help());
  }
  if (words.front() == "--version") return Parsed(std::string("ullage ") + kVersion + "\n");
  if (words.front().starts_with('-')) {
    return usage("the command comes first, before " + base::printable(words.front()),
                 "`ullage --help` lists the commands");
  }
  // To register a flag costs CLI11 more than to parse it, and few of them are used at a time. Only
  // help and complaints need them all.
  ULLAGE_TRY(std::optional<Arguments> arguments, parse_mentioned(words));
  if (arguments) return Parsed(std::move(*arguments));
  return parse_with_all_flags(words);
}

}  // namespace ullage::cli

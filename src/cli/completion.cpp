// ullage completion SHELL: a script for the shell, made from the registered commands. Names of
// devices and models are asked of the program when they are completed, so that they are never old.
#include <algorithm>
#include <array>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"

namespace ullage::cli {
namespace {

// What may stand as a value.
enum class Kind : std::uint8_t { anything, words, devices, models, entries, files };

struct Completion {
  Kind kind = Kind::anything;
  std::vector<std::string> words = {};  // Kind::words
};

// A flag without its values' targets.
struct CompletedFlag {
  std::vector<std::string> names;  // `-o`, `--output`
  std::string type;                // empty for switches
  std::string help;
  Completion value;
};

struct CompletedCommand {
  std::string name;
  std::string summary;
  std::vector<CompletedFlag> flags;
  std::vector<Completion> positionals;  // the last one repeats
};

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// The choices that a help text names: `whose rules: ideal, vllm or sglang (default ideal)`. Empty
// where it is no list of words.
std::vector<std::string> choices_in(std::string_view help) {
  help = help.substr(0, help.find(" ("));
  if (const auto colon = help.rfind(": "); colon != std::string_view::npos) {
    help.remove_prefix(colon + 2);
  }
  std::vector<std::string> words;
  for (const std::string& item : split(help, ", ")) {
    for (std::string& word : split(item, " or "))
      words.push_back(std::move(word));
  }
  const bool list = words.size() > 1 && std::all_of(words.begin(), words.end(), is_word);
  return list ? words : std::vector<std::string>();
}

Completion completion_of(std::string_view type, std::string_view help) {
  if (type.find('|') != std::string_view::npos) return {Kind::words, split(type, "|")};
  if (type.starts_with("DEVICE") || type == "SYSTEM" || type == "CHIP") return {Kind::devices};
  if (type == "MODEL") return {Kind::models};
  if (type == "A" || type == "B" || type == "ENTRY") return {Kind::entries};
  if (type == "FILE" || type == "PATH" || type == "DIR" || type == "PLAN") return {Kind::files};
  if (type == "TOPIC") {
    Completion topics{Kind::words, {"checklist", "units", "figures"}};
    for (const CommandEntry& entry : command_table())
      topics.words.emplace_back(entry.name);
    return topics;
  }
  std::vector<std::string> words = choices_in(help);
  return words.empty() ? Completion{} : Completion{Kind::words, std::move(words)};
}

CompletedCommand completed(const CommandEntry& entry) {
  const std::unique_ptr<Command> command = entry.make();
  const CommandSpec spec = command->spec();
  CompletedCommand result{std::string(entry.name), std::string(entry.summary), {}, {}};
  const auto add = [&](const Flag& flag) {
    CompletedFlag row{split(flag.name, ","), flag.type, flag.help, {}};
    if (!flag.type.empty()) row.value = completion_of(flag.type, flag.help);
    result.flags.push_back(std::move(row));
  };
  for (const Flag& flag : spec.flags)
    add(flag);
  CommonArguments common;
  RawCommon raw;
  for (const Flag& flag : common_flags(spec, common, raw))
    add(flag);
  result.flags.push_back({{"-h", "--help"}, {}, "what the command takes", {}});
  for (const Positional& positional : spec.positionals) {
    const bool id = positional.name == "ID";
    result.positionals.push_back(completion_of(id ? "ENTRY" : positional.name, positional.help));
  }
  return result;
}

std::vector<CompletedCommand> completed_commands() {
  std::vector<CompletedCommand> commands;
  for (const CommandEntry& entry : command_table())
    commands.push_back(completed(entry));
  return commands;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

// --- bash -------------------------------------------------------------------------------------

std::string bash_action(const Completion& completion) {
  switch (completion.kind) {
    case Kind::words:
      return "_ullage_words '" + joined(completion.words, " ") + "'";
    case Kind::devices:
      return "_ullage_words \"all $(_ullage_ids hardware)\"";
    case Kind::models:
      return "_ullage_words \"$(_ullage_ids models)\"; _ullage_files";
    case Kind::entries:
      return "_ullage_words \"$(_ullage_ids hardware) $(_ullage_ids models)\"";
    case Kind::files:
      return "_ullage_files";
    case Kind::anything:
      return ":";
  }
  return ":";
}

constexpr std::string_view kBashHead =
    "# Completion of ullage for bash: `source <(ullage completion bash)`\n"
    "_ullage_ids() { ullage list \"$1\" -o csv --columns id 2>/dev/null | tail -n +2; }\n"
    "# Adds those of the words that go on where the typed text ends, behind its last comma.\n"
    "_ullage_words() {\n"
    "  local list=''\n"
    "  [[ $cur == *,* ]] && list=${cur%,*},\n"
    "  COMPREPLY+=($(compgen -P \"$list\" -W \"$1\" -- \"${cur##*,}\"))\n"
    "}\n"
    "_ullage_files() { COMPREPLY+=($(compgen -f -- \"$cur\")); compopt -o filenames 2>/dev/null; "
    "}\n"
    "_ullage() {\n"
    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} i word place=0\n"
    "  COMPREPLY=()\n";

std::string bash_command(const CompletedCommand& command) {
  std::string with_value;
  std::string values;
  std::string all;
  for (const CompletedFlag& flag : command.flags) {
    all += (all.empty() ? "" : " ") + joined(flag.names, " ");
    if (flag.type.empty()) continue;
    with_value += (with_value.empty() ? "" : "|") + joined(flag.names, "|");
    values +=
        "        " + joined(flag.names, "|") + ") " + bash_action(flag.value) + "; return ;;\n";
  }
  std::string text = "    " + command.name + ")\n";
  text += "      case $prev in\n" + values + "      esac\n";
  text += "      if [[ $cur == -* ]]; then _ullage_words '" + all + "'; return; fi\n";
  // Which positional this is: the words before it that are no flags and no values of flags.
  text += "      for ((i = 2; i < COMP_CWORD; i++)); do\n        case ${COMP_WORDS[i]} in\n";
  if (!with_value.empty()) text += "          " + with_value + ") ((i++)) ;;\n";
  text += "          -*) ;;\n          *) ((place++)) ;;\n        esac\n      done\n";
  text += "      case $place in\n";
  for (std::size_t at = 0; at < command.positionals.size(); ++at) {
    const bool last = at + 1 == command.positionals.size();
    text += "        " + (last ? std::string("*") : std::to_string(at)) + ") " +
            bash_action(command.positionals[at]) + " ;;\n";
  }
  if (command.positionals.empty()) text += "        *) ;;\n";
  return text + "      esac ;;\n";
}

std::string bash_script(const std::vector<CompletedCommand>& commands) {
  std::string names = "--help --version";
  for (const CompletedCommand& command : commands)
    names += " " + command.name;
  std::string text(kBashHead);
  text += "  if ((COMP_CWORD == 1)); then _ullage_words '" + names + "'; return; fi\n";
  text += "  case ${COMP_WORDS[1]} in\n";
  for (const CompletedCommand& command : commands)
    text += bash_command(command);
  return text + "  esac\n}\ncomplete -F _ullage ullage\n";
}

// --- zsh --------------------------------------------------------------------------------------

// Text inside single quotes and a description of _arguments.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string zsh_action(const Completion& completion) {
  switch (completion.kind) {
    case Kind::words:
      return "(" + joined(completion.words, " ") + ")";
    case Kind::devices:
      return "_ullage_devices";
    case Kind::models:
      return "_ullage_models";
    case Kind::entries:
      return "_ullage_entries";
    case Kind::files:
      return "_files";
    case Kind::anything:
      return " ";
  }
  return " ";
}

constexpr std::string_view kZshHead =
    "#compdef ullage\n"
    "# Completion of ullage for zsh: `source <(ullage completion zsh)` after compinit\n"
    "_ullage_ids() { reply=(${(f)\"$(ullage list $1 -o csv --columns id 2>/dev/null | tail -n "
    "+2)\"}) }\n"
    "_ullage_devices() { local reply; _ullage_ids hardware; _values -s , device all "
    "${reply//:/\\\\:} "
    "}\n"
    "_ullage_models() { local reply; _ullage_ids models; compadd -a reply; _files }\n"
    "_ullage_entries() { local reply; _ullage_ids hardware; compadd -a reply; _ullage_ids models; "
    "compadd -a reply }\n"
    "_ullage() {\n"
    "  local -a commands=(\n";

std::string zsh_command(const CompletedCommand& command) {
  std::string text = "    " + command.name + ") _arguments -S \\\n";
  for (const CompletedFlag& flag : command.flags) {
    for (const std::string& name : flag.names) {
      text += "      '*" + name + "[" + zsh_text(flag.help) + "]";
      if (!flag.type.empty()) text += ":" + zsh_text(flag.type) + ":" + zsh_action(flag.value);
      text += "' \\\n";
    }
  }
  for (std::size_t at = 0; at < command.positionals.size(); ++at) {
    const bool last = at + 1 == command.positionals.size();
    text += "      '" + (last ? std::string("*") : std::to_string(at + 1)) +
            ": :" + zsh_action(command.positionals[at]) + "' \\\n";
  }
  text.resize(text.size() - 3);  // the last continuation
  return text + " ;;\n";
}

std::string zsh_script(const std::vector<CompletedCommand>& commands) {
  std::string text(kZshHead);
  for (const CompletedCommand& command : commands)
    text += "    '" + command.name + ":" + zsh_text(command.summary) + "'\n";
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $words[1] in\n";
  for (const CompletedCommand& command : commands)
    text += zsh_command(command);
  return text + "  esac\n}\ncompdef _ullage ullage\n";
}

// --- fish -------------------------------------------------------------------------------------

std::string fish_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string fish_words(const Completion& completion) {
  switch (completion.kind) {
    case Kind::words:
      return joined(completion.words, " ");
    case Kind::devices:
      return "all (__ullage_ids hardware)";
    case Kind::models:
      return "(__ullage_ids models)";
    case Kind::entries:
      return "(__ullage_ids hardware) (__ullage_ids models)";
    case Kind::files:
    case Kind::anything:
      return {};
  }
  return {};
}

bool takes_files(const Completion& completion) {
  return completion.kind == Kind::files || completion.kind == Kind::models;
}

std::string fish_command(const CompletedCommand& command) {
  const std::string when =
      "complete -c ullage -n '__fish_seen_subcommand_from " + command.name + "'";
  std::string text;
  for (const CompletedFlag& flag : command.flags) {
    text += when;
    for (const std::string& name : flag.names) {
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!flag.type.empty()) text += takes_files(flag.value) ? " -r" : " -x";
    const std::string words = flag.type.empty() ? std::string() : fish_words(flag.value);
    if (!words.empty()) text += " -a '" + fish_text(words) + "'";
    text += " -d '" + fish_text(flag.help) + "'\n";
  }
  for (const Completion& positional : command.positionals) {
    const std::string words = fish_words(positional);
    if (!takes_files(positional)) text += when + " -f\n";
    if (!words.empty()) text += when + " -a '" + fish_text(words) + "'\n";
  }
  return text;
}

std::string fish_script(const std::vector<CompletedCommand>& commands) {
  std::string text =
      "# Completion of ullage for fish: save as ~/.config/fish/completions/ullage.fish\n"
      "function __ullage_ids\n"
      "    ullage list $argv[1] -o csv --columns id 2>/dev/null | tail -n +2\n"
      "end\n";
  for (const CompletedCommand& command : commands) {
    text += "complete -c ullage -n __fish_use_subcommand -f -a " + command.name + " -d '" +
            fish_text(command.summary) + "'\n";
  }
  for (const CompletedCommand& command : commands)
    text += fish_command(command);
  return text;
}

class CompletionCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "completion",
            .summary = "what a shell needs to complete commands, flags and names",
            .examples = std::string(kCompletionExamples),
            .positionals = {{"SHELL", "bash, zsh or fish", &shell_}},
            .flags = {},
            .formats = {Format::text}};
  }

  base::Result<Outcome> run(const Context&) override {
    using Script = std::string (*)(const std::vector<CompletedCommand>&);
    constexpr std::array<std::pair<std::string_view, Script>, 3> kShells{
        {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};
    for (const auto& [name, script] : kShells) {
      if (name == shell_) return Outcome{script(completed_commands()), {}, kAnswered};
    }
    return base::Diagnostic{.code = base::Code::usage,
                            .message = "completion: no script for " + base::printable(shell_),
                            .span = {},
                            .hint = "bash, zsh or fish",
                            .notes = {}};
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion() {
  return std::make_unique<CompletionCommand>();
}

}  // namespace ullage::cli

// Fills the flags of a command from fields instead of words: what follows is the command's own.
#include "cli/batch_commands.hpp"

#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "cli/commands.hpp"
#include "cli/fit_flags.hpp"
#include "cli/kv_flags.hpp"
#include "cli/overlays.hpp"

namespace ullage::cli {
namespace {

using base::Code;
using base::Diagnostic;
using batch::Field;
using batch::FieldType;
using batch::FlagWord;

constexpr std::array<std::string_view, 5> kOfBatches{"fit", "kv", "train", "flops", "weights"};

Diagnostic fault(Code code, std::string message, std::string hint) {
  return {.code = code,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

// The long spelling of a flag without its dashes.
std::string_view bare_name(std::string_view name) {
  const auto dashes = name.rfind("--");
  return dashes == std::string_view::npos ? name : name.substr(dashes + 2);
}

// A switch: true and false, or in CSV words for them.
base::Result<bool> truth_of(const FlagWord& word) {
  const std::string_view text = word.field->text;
  if (text == "true" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "no" || text == "0") return false;
  return fault(
      Code::usage,
      "--" + std::string(word.flag) + " " + base::printable(text) + ": is neither on nor off",
      "true or false");
}

// A flag that may be given several times: a list, or texts between semicolons.
std::vector<std::string> items_of(const Field& field) {
  const char separator = field.type == FieldType::list ? ',' : ';';
  std::vector<std::string> items;
  for (std::size_t start = 0; start <= field.text.size();) {
    const std::size_t end = std::min(field.text.find(separator, start), field.text.size());
    items.emplace_back(field.text.substr(start, end - start));
    start = end + 1;
  }
  return items;
}

base::Result<void> fill(const Flag& flag, const FlagWord& word) {
  if (auto* const* text = std::get_if<std::optional<std::string>*>(&flag.target)) {
    **text = std::string(word.field->text);
  } else if (auto* const* list = std::get_if<std::vector<std::string>*>(&flag.target)) {
    **list = items_of(*word.field);
  } else {
    ULLAGE_TRY(*std::get<bool*>(flag.target), truth_of(word));
  }
  return {};
}

const FlagWord* find(const std::vector<FlagWord>& flags, std::string_view name) {
  const auto found = std::find_if(flags.begin(), flags.end(),
                                  [&](const FlagWord& word) { return word.flag == name; });
  return found == flags.end() ? nullptr : &*found;
}

base::Result<std::string> model_of(std::string_view command, const std::vector<FlagWord>& flags) {
  const FlagWord* const model = find(flags, "model");
  if (model == nullptr) {
    return fault(Code::missing_key, std::string(command) + ": model is missing",
                 "a card, a literal such as 70B, or a path");
  }
  if (model->field->text == "-") {
    return fault(Code::usage, "model - is standard input, which a line of a batch has not",
                 "name a file");
  }
  return std::string(model->field->text);
}

base::Result<void> fill_flags(std::string_view command, const std::vector<Flag>& known,
                              const std::vector<FlagWord>& flags) {
  for (const Flag& flag : known) {
    const FlagWord* const word = find(flags, bare_name(flag.name));
    if (word != nullptr) {
      ULLAGE_CHECK(fill(flag, *word));
    } else if (flag.required) {
      return fault(Code::missing_key,
                   std::string(command) + ": " + std::string(bare_name(flag.name)) + " is missing",
                   "`ullage " + std::string(command) + " --help` shows what it takes");
    }
  }
  return {};
}

class ProgramCommands final : public batch::Commands {
 public:
  explicit ProgramCommands(const Context& context)
      : context_(context), catalogue_(catalog::embedded_catalogue()) {
    base::require(add_overlays(context.common, context.files, catalogue_).ok(),
                  "an overlay cannot be read again");
    common_.format = Format::csv;
    common_.catalogues = context.common.catalogues;
  }

  base::Result<std::vector<std::string>> flags_of(std::string_view command) override {
    if (std::find(kOfBatches.begin(), kOfBatches.end(), command) == kOfBatches.end()) {
      const auto close = base::nearest(command, kOfBatches, 2);
      return fault(Code::usage, "command " + base::printable(command) + ": none of a batch",
                   close.empty() ? "fit, kv, train, flops or weights" : base::did_you_mean(close));
    }
    ULLAGE_TRY(const auto made, make_command(command));
    std::vector<std::string> names{"model"};
    const CommandSpec spec = made->spec();
    for (const Flag& flag : spec.flags)
      names.emplace_back(bare_name(flag.name));
    return names;
  }

  base::Result<provenance::Answer> answer(std::string_view command,
                                          const std::vector<FlagWord>& flags) override {
    ULLAGE_TRY(const auto made, command_of(command, flags));
    return made->answer({catalogue_, context_.files, common_, {}});
  }

  base::Result<plan::FitRequest> fit_request(const std::vector<FlagWord>& flags) override {
    FitArguments arguments;
    ULLAGE_TRY(arguments.model, model_of("fit", flags));
    ULLAGE_CHECK(fill_flags("fit", fit_flags(arguments), flags));
    return cli::fit_request(arguments);
  }

  base::Result<plan::KvRequest> kv_request(const std::vector<FlagWord>& flags) override {
    KvArguments arguments;
    ULLAGE_TRY(arguments.model, model_of("kv", flags));
    ULLAGE_CHECK(fill_flags("kv", kv_flags(arguments), flags));
    return cli::kv_request(arguments);
  }

  catalog::Catalogue& catalogue() override { return catalogue_; }
  const base::FileSystem& files() override { return context_.files; }

 private:
  const Context& context_;
  catalog::Catalogue catalogue_;
  CommonArguments common_;
};

}  // namespace

base::Result<std::unique_ptr<Command>> command_of(std::string_view name,
                                                  const std::vector<FlagWord>& flags) {
  ULLAGE_TRY(std::unique_ptr<Command> command, make_command(name));
  const CommandSpec spec = command->spec();
  ULLAGE_TRY(std::string model, model_of(name, flags));
  *std::get<std::string*>(spec.positionals.front().target) = std::move(model);
  ULLAGE_CHECK(fill_flags(name, spec.flags, flags));
  return command;
}

std::unique_ptr<batch::Commands> batch_commands(const Context& context) {
  return std::make_unique<ProgramCommands>(context);
}

}  // namespace ullage::cli

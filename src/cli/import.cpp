// ullage import: a card for review from the files of a model.
#include "base/date.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/today.hpp"
#include "document/yaml_writer.hpp"
#include "plan/card.hpp"

namespace ullage::cli {
namespace {

class ImportCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "import",
            .summary = "write a model card from a configuration or a checkpoint",
            .examples = std::string(kImportExamples),
            .positionals = {{"MODEL", std::string(kImportModelHelp), &model_}},
            .flags = {{"--id", "ID", "the card's id (default: after the folder or file)", &id_},
                      {"--name", "NAME", "the model's name", &name_},
                      {"--vendor", "NAME", "its publisher", &vendor_},
                      {"--url", "URL", "where the files are published", &url_},
                      {"--assume", "FAMILY", "count a configuration as another family", &assume_},
                      {"--today", "DATE", "the day on which the files were read", &today_}},
            .formats = {Format::text}};
  }

  base::Result<Outcome> run(const Context& context) override {
    plan::CardRequest request{.model = model_,
                              .assume = assume_,
                              .id = id_,
                              .name = name_,
                              .vendor = vendor_,
                              .url = url_,
                              .today = {}};
    ULLAGE_TRY(const std::int64_t day, today(today_));
    request.today = base::date_of(day);
    ULLAGE_TRY(const plan::Card card, plan::card_of(request, context.catalogue, context.files));
    std::string text;
    if (!context.common.quiet) {
      text =
          "# Written by `ullage import`. For the reviewer: addresses, publisher, licence, "
          "aliases.\n";
      for (const base::Note& note : card.notes)
        text += "# " + note.code + ": " + base::printable(note.text, 2000) + "\n";
    }
    return Outcome{text + document::write_yaml(card.card), {}, kAnswered};
  }

 private:
  std::string model_;
  std::optional<std::string> id_;
  std::optional<std::string> name_;
  std::optional<std::string> vendor_;
  std::optional<std::string> url_;
  std::optional<std::string> assume_;
  std::optional<std::string> today_;
};

}  // namespace

std::unique_ptr<Command> make_import() {
  return std::make_unique<ImportCommand>();
}

}  // namespace ullage::cli

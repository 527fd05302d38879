// ullage train: states, activations and totals of a rank.
#include "plan/train.hpp"

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"
#include "cli/train_flags.hpp"

namespace ullage::cli {
namespace {

class TrainCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "train",
            .summary = "weights, gradients, optimizer, activations and logits of a rank",
            .examples = std::string(kTrainExamples),
            .positionals = {{"MODEL", std::string(kModelHelp), &arguments_.model}},
            .flags = train_flags(arguments_)};
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const provenance::Answer answer, this->answer(context));
    const provenance::Row& row = answer.rows.front();
    report::SourceList sources(answer.graph, sources_of(context.catalogue));
    report::Page page;
    report::Section section{report::Text(title(row), report::Role::heading), {}};
    if (!row.verdict.empty()) {
      section.blocks.push_back(report::Paragraph{headline(answer, row)});
    }
    section.blocks.push_back(figures_table(answer, row.results, sources));
    page.sections.push_back(std::move(section));
    add_notes(context, row.notes, page);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    Outcome outcome{render(context, answer, std::move(page)), {}, status_of(answer)};
    if (outcome.status == kUnknownAnswer) outcome.remark = remark(answer, row);
    return outcome;
  }

  base::Result<provenance::Answer> answer(const Context& context) override {
    ULLAGE_TRY(const plan::TrainRequest request, train_request(arguments_));
    return plan::train(request, context.catalogue, context.files);
  }

 private:
  static std::string title(const provenance::Row& row) {
    return row.device.empty() ? row.model : row.model + " on " + row.device;
  }

  static report::Text headline(const provenance::Answer& answer, const provenance::Row& row) {
    report::Text text;
    if (row.verdict == "fits") {
      text.add("fits", report::Role::good);
      text.add(": the upper figure is within the budget of each device");
    } else if (row.verdict == "does-not-fit") {
      text.add("does not fit", report::Role::bad);
      text.add(": the floor exceeds the budget of a device");
    } else if (row.verdict == "unknown") {
      text.add("unknown", report::Role::warning);
      text.add(": " + remark(answer, row));
    } else {
      text.add("a lower bound", report::Role::emphasis);
      text.add(" on devices, not a layout; degrees or --devices ask for a verdict");
    }
    return text;
  }

  static std::string remark(const provenance::Answer& answer, const provenance::Row& row) {
    const std::string unknown = unknown_remark(answer);
    if (!unknown.empty()) return unknown;
    return row.device + ": the floor fits and the upper figure does not";
  }

  TrainArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> make_train() {
  return std::make_unique<TrainCommand>();
}

}  // namespace ullage::cli

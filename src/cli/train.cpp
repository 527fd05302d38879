// ullage train: states, activations and totals of a rank.
#include "plan/train.hpp"

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"
#include "cli/train_flags.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

// Under which heading a result stands; results of one heading follow each other.
std::string_view heading_of(std::string_view name) {
  if (name.starts_with("checkpoint_")) return "Checkpoint";
  if (name.starts_with("total_")) return "Total of a device";
  if (name.starts_with("gathered_") || name.starts_with("prefetched_") ||
      name.starts_with("buckets_"))
    return "Passing through";
  if (name.find("activations_") != std::string_view::npos || name.starts_with("logits_"))
    return "Activations and logits";
  if (name.starts_with("overhead_") || name.starts_with("host_")) return "Beside them";
  if (name == "parameters" || name == "trainable_parameters" ||
      name.starts_with("parameters_per_device"))
    return "Parameters";
  for (const std::string_view states :
       {"state_bytes_per_parameter", "model_states", "weights_per_device", "gradients_per_device",
        "master_per_device", "optimizer_per_device", "model_states_per_device"}) {
    if (name == states) return "Model states";
  }
  return "Devices";
}

// The table of results with a line before each group of them.
report::Table grouped_table(const provenance::Answer& answer, const provenance::Row& row,
                            report::SourceList& sources) {
  report::Table plain = figures_table(answer, row.results, sources);
  report::Table table;
  table.columns = std::move(plain.columns);
  std::string_view before;
  for (std::size_t i = 0; i < row.results.size(); ++i) {
    const std::string_view heading = heading_of(row.results[i].name);
    if (heading != before) {
      if (i > 0) table.rows.push_back({{report::Text()}, false});
      table.rows.push_back(
          {{report::Text(std::string(heading) + ":", report::Role::heading)}, false});
    }
    before = heading;
    table.rows.push_back(std::move(plain.rows[i]));
  }
  return table;
}

std::string value_text(const provenance::Answer& answer, const provenance::Row& row,
                       std::string_view name) {
  for (const provenance::NamedFigure& result : row.results) {
    if (result.name != name || !answer.graph.known(result.figure)) continue;
    report::ValueStyle style;
    style.rounding = report::rounding_for(result.name);
    return report::figure_text(answer.graph[result.figure], style);
  }
  return {};
}

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
    section.blocks.push_back(
        report::Paragraph{row.verdict.empty() ? span(answer, row) : headline(answer, row)});
    section.blocks.push_back(grouped_table(answer, row, sources));
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

  // What each device needs, where nobody asks whether it fits.
  static report::Text span(const provenance::Answer& answer, const provenance::Row& row) {
    const std::string floor = value_text(answer, row, "total_floor_per_device");
    const std::string upper = value_text(answer, row, "total_upper_per_device");
    const std::string states = value_text(answer, row, "model_states_per_device");
    if (floor.empty() || upper.empty()) {
      return report::Text(
          "each device holds " + states + " of model states" +
          (floor.empty() ? "; activations are not known" : " and needs at least " + floor));
    }
    if (floor == upper) return report::Text("each device needs " + floor);
    return report::Text("each device needs from " + floor + " to " + upper);
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

// ullage layouts: one line a layout.
#include "plan/layouts.hpp"

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"
#include "cli/serving_flags.hpp"
#include "cli/values.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

using provenance::Answer;
using provenance::NamedFigure;
using provenance::Row;
using report::Role;
using report::Text;

constexpr std::size_t kShown = 20;

std::string text_of(const Answer& answer, const Row& row, std::string_view name) {
  for (const NamedFigure& result : row.results) {
    if (result.name != name) continue;
    report::ValueStyle style;
    style.rounding = report::rounding_for(name);
    style.binary_beside = false;
    if (name == "feasible") {
      const auto& value = answer.graph[result.figure].value;
      return value && value->is_zero() ? "no" : "yes";
    }
    return report::figure_text(answer.graph[result.figure], style);
  }
  return {};
}

report::Table table_of(const Answer& answer) {
  const std::vector<std::pair<std::string, std::string>> columns{
      {"tp", "tp"},
      {"pp", "pp"},
      {"ep", "ep"},
      {"dp", "dp"},
      {"cp", "cp"},
      {"devices", "devices"},
      {"weights_per_device", "weights"},
      {"kv_per_device", "cache"},
      {"headroom_per_device", "headroom"},
      {"kv_replication", "KV copies"},
      {"padding_per_device", "padding"},
      {"feasible", "fits"}};
  report::Table table;
  for (const auto& [name, heading] : columns)
    table.columns.push_back({Text(heading, Role::heading), report::Align::right});
  for (const Row& row : answer.rows) {
    if (table.rows.size() == kShown) break;
    report::TableRow cells;
    for (const auto& [name, heading] : columns) {
      const std::string value = text_of(answer, row, name);
      const Role role = name != "feasible" ? Role::plain : value == "yes" ? Role::good : Role::bad;
      cells.cells.emplace_back(value, role);
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

class LayoutsCommand final : public Command {
 public:
  CommandSpec spec() override {
    CommandSpec spec{
        .name = "layouts",
        .summary = "which tensor, pipeline, expert and data layouts are feasible",
        .examples = std::string(kLayoutsExamples),
        .positionals = {{"MODEL", std::string(kModelHelp), &model_}},
        .flags = {{"--on", "SYSTEM", "a chip, instance or system", &on_, true},
                  {"--devices", "N",
                   "how many of them (default: one instance, or the "
                   "fewest chips that hold it)",
                   &devices_},
                  {"--by", "NAME", "sort by this result", &by_},
                  {"--limit", "N", "layouts to give", &limit_},
                  {"--weights", "DTYPE", "weight format (default: the model's own)", &weights_},
                  {"--bits", "N", "plain bits per parameter instead", &bits_},
                  {"--reserve", "PCT", "share of each device kept free (default 15%)", &reserve_},
                  {"--capacity", "WHICH", "nominal, visible or a SIZE", &capacity_},
                  {"--assume", "FAMILY", "count a configuration as another family", &assume_}}};
    const std::vector<Flag> serving = serving_.flags();
    spec.flags.insert(spec.flags.end(), serving.begin(), serving.end());
    return spec;
  }

  base::Result<Outcome> run(const Context& context) override {
    plan::LayoutsRequest request;
    request.model = model_;
    request.on = *on_;
    request.assume = assume_;
    ULLAGE_TRY(request.weights, weight_flags(weights_, bits_));
    ULLAGE_TRY(request.serve, serving_.choice());
    ULLAGE_TRY(request.capacity, capacity_flag(capacity_));
    ULLAGE_TRY(request.reserve, percent_flag("--reserve", reserve_));
    ULLAGE_TRY(request.utilization, utilization_flag(serving_.utilization));
    ULLAGE_TRY(request.devices, count_flag("--devices", devices_));
    ULLAGE_TRY(request.limit, count_flag("--limit", limit_));
    request.by = by_;
    ULLAGE_TRY(const Answer answer, plan::layouts(request, context.catalogue, context.files));
    const Row& first = answer.rows.front();
    report::SourceList sources(answer.graph, sources_of(context.catalogue));
    report::Page page;
    const std::string fewest = text_of(answer, first, "devices_feasible");
    std::string bound = "at least " + text_of(answer, first, "devices_min") + " by arithmetic";
    if (!fewest.empty()) bound += ", at least " + fewest + " by a layout";
    page.sections.push_back(
        {Text(first.model + " on " + first.device, Role::heading),
         {report::Paragraph{Text(bound + "; layouts with whole heads, layers and "
                                         "experts:")},
          table_of(answer)}});
    if (answer.rows.size() > kShown) {
      page.sections.push_back({Text(),
                               {report::Paragraph{Text(std::to_string(answer.rows.size() - kShown) +
                                                           " more layouts in -o json and -o csv",
                                                       Role::dim)}}});
    }
    add_notes(context, first.notes, page);
    return Outcome{render(context, answer, std::move(page)), {}, kAnswered};
  }

 private:
  std::string model_;
  ServingArguments serving_;
  std::optional<std::string> on_;
  std::optional<std::string> devices_;
  std::optional<std::string> by_;
  std::optional<std::string> limit_;
  std::optional<std::string> weights_;
  std::optional<std::string> bits_;
  std::optional<std::string> reserve_;
  std::optional<std::string> capacity_;
  std::optional<std::string> assume_;
};

}  // namespace

std::unique_ptr<Command> make_layouts() {
  return std::make_unique<LayoutsCommand>();
}

}  // namespace ullage::cli

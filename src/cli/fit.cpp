// ullage fit: flags to a request, the answer to a page.
#include "plan/fit.hpp"

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/fit_flags.hpp"
#include "cli/help_texts.hpp"
#include "cli/memory_bar.hpp"
#include "cli/render.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

using provenance::Answer;
using provenance::NamedFigure;
using provenance::Row;
using report::Role;
using report::Text;

const provenance::Node* find(const Answer& answer, const Row& row, std::string_view name) {
  for (const NamedFigure& result : row.results) {
    if (result.name == name) return &answer.graph[result.figure];
  }
  return nullptr;
}

std::string value_in(const Answer& answer, const Row& row, std::string_view name) {
  const provenance::Node* node = find(answer, row, name);
  if (node == nullptr) return {};
  report::ValueStyle style;
  style.rounding = report::rounding_for(name);
  style.binary_beside = false;
  return report::figure_text(*node, style);
}

Role role_of(const std::string& verdict) {
  if (verdict == "fits") return Role::good;
  if (verdict == "does-not-fit") return Role::bad;
  if (verdict == "unknown") return Role::warning;
  return Role::emphasis;
}

// The answer in one sentence.
Text headline(const Answer& answer, const Row& row) {
  const std::string bound = value_in(answer, row, "devices_min");
  Text text;
  if (row.verdict == "fits" || row.verdict == "does-not-fit") {
    const std::string devices = value_in(answer, row, "devices");
    text.add(row.verdict == "fits" ? "fits" : "does not fit", role_of(row.verdict));
    text.add(" on " + devices + " × " + row.device + "; the lower bound is " + bound);
  } else if (row.verdict == "unknown") {
    text.add("unknown", Role::warning);
    text.add(": " + unknown_remark(answer));
  } else {
    text.add(bound + " × " + row.device, Role::emphasis);
    text.add(" at least: an arithmetic lower bound, not a layout");
  }
  return text;
}

// What differs from device to device.
bool of_device(std::string_view name) {
  return name.starts_with("device") || name.starts_with("chips") || name.starts_with("headroom") ||
         name.starts_with("cost") || name == "measured";
}

report::Page page_of_one(const Context& context, const Answer& answer,
                         report::SourceList& sources) {
  const Row& row = answer.rows.front();
  report::Page page;
  page.sections.push_back({Text(row.model + " on " + row.device, Role::heading),
                           {report::Paragraph{headline(answer, row)}}});
  std::vector<report::Block>& blocks = page.sections.back().blocks;
  for (report::Block& block : memory_bar(answer, row))
    blocks.push_back(std::move(block));
  blocks.push_back(figures_table(answer, row.results, sources));
  add_notes(context, row.notes, page);
  return page;
}

report::Page page_of_many(const Context& context, const Answer& answer,
                          report::SourceList& sources) {
  const Row& first = answer.rows.front();
  std::vector<NamedFigure> common;
  std::copy_if(first.results.begin(), first.results.end(), std::back_inserter(common),
               [](const NamedFigure& result) { return !of_device(result.name); });
  report::Page page;
  page.sections.push_back(
      {Text(first.model, Role::heading), {figures_table(answer, common, sources)}});
  const auto has = [&](std::string_view name) {
    return std::any_of(answer.rows.begin(), answer.rows.end(),
                       [&](const Row& row) { return find(answer, row, name) != nullptr; });
  };
  std::vector<std::pair<std::string, std::string>> columns{
      {"device_capacity", "capacity"},     {"device_budget", "budget"},
      {"devices_min", "at least"},         {"chips_min", "chips, at least"},
      {"headroom_per_device", "headroom"}, {"cost_min", "cost"}};
  std::erase_if(columns, [&](const auto& column) { return !has(column.first); });
  if (has("chips_min")) {
    for (auto& [name, heading] : columns) {
      if (name != "devices_min" && name != "chips_min" && name != "cost_min") heading += " a chip";
    }
  }
  report::Table table;
  table.columns.push_back({Text("device", Role::heading), report::Align::left});
  for (const auto& column : columns) {
    table.columns.push_back({Text(column.second, Role::heading), report::Align::right,
                             column.first == "device_capacity" || column.first == "devices_min"});
  }
  table.columns.push_back({Text("verdict", Role::heading), report::Align::left});
  table.columns.push_back({Text("", Role::heading), report::Align::left});
  std::vector<base::Note> notes;
  for (const Row& row : answer.rows) {
    report::TableRow cells;
    cells.cells.emplace_back(row.device, Role::emphasis);
    for (const auto& column : columns)
      cells.cells.emplace_back(value_in(answer, row, column.first));
    cells.cells.emplace_back(row.verdict, role_of(row.verdict));
    std::string marks;
    for (const NamedFigure& result : row.results) {
      if (result.name != "device_capacity") continue;
      marks = sources.marks(result.figure);
      const provenance::Tier tier = report::weakest_tier(answer.graph, result.figure);
      if (tier != provenance::Tier::primary) marks += " " + std::string(name_of(tier));
    }
    cells.cells.emplace_back(marks, Role::dim);
    table.rows.push_back(std::move(cells));
    notes.insert(notes.end(), row.notes.begin(), row.notes.end());
  }
  page.sections.push_back({Text(), {std::move(table)}});
  // With many rows only what all of them rest on is repeated; each row's own notes are in JSON.
  if (answer.rows.size() > 8) notes = first.notes;
  add_notes(context, notes, page);
  return page;
}

class FitCommand final : public Command {
 public:
  CommandSpec spec() override {
    CommandSpec spec{.name = "fit",
                     .summary = "does MODEL fit on DEVICE, on how many, with how much room left",
                     .examples = std::string(kFitExamples),
                     .positionals = {{"MODEL", std::string(kModelHelp), &arguments_.model}},
                     .flags = fit_flags(arguments_)};
    return spec;
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const Answer answer, this->answer(context));
    report::SourceList sources(answer.graph, sources_of(context.catalogue));
    report::Page page = answer.rows.size() == 1 ? page_of_one(context, answer, sources)
                                                : page_of_many(context, answer, sources);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    Outcome outcome;
    outcome.output = render(context, answer, std::move(page));
    outcome.status = status_of(answer);
    if (outcome.status == kUnknownAnswer) outcome.remark = unknown_remark(answer);
    return outcome;
  }

  base::Result<Answer> answer(const Context& context) override {
    ULLAGE_TRY(plan::FitRequest request, fit_request(arguments_));
    request.weights.by_group = shows_derivations(context.common) || request.interval;
    request.weights.count_stated = false;
    return plan::fit(request, context.catalogue, context.files);
  }

 private:
  FitArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> make_fit() {
  return std::make_unique<FitCommand>();
}

}  // namespace ullage::cli

// ullage compare: flags to a request, devices as columns.
#include "plan/compare.hpp"

#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "catalog/figure_names.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"
#include "cli/render.hpp"
#include "cli/values.hpp"
#include "report/reach.hpp"
#include "report/value_text.hpp"

namespace ullage::cli {
namespace {

using provenance::Answer;
using provenance::NamedFigure;
using provenance::Node;
using provenance::Row;
using report::Role;
using report::Text;

struct CompareArguments {
  std::vector<std::string> devices;
  std::optional<std::string> precisions;
  std::optional<std::string> per;
  std::optional<std::string> prices;
  std::optional<std::string> measured;
  bool interval = false;
};

base::Diagnostic usage(std::string message, std::string hint) {
  return {.code = base::Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

std::vector<std::string> items_of(const std::string& list) {
  std::vector<std::string> items;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::string_view item = std::string_view(list).substr(start, end - start);
    const auto first = item.find_first_not_of(' ');
    const auto last = item.find_last_not_of(' ');
    items.emplace_back(first == std::string_view::npos ? std::string_view()
                                                       : item.substr(first, last - first + 1));
    start = end + 1;
  }
  return items;
}

base::Result<std::vector<std::string_view>> precisions_of(const std::optional<std::string>& list) {
  std::vector<std::string_view> precisions;
  if (!list) return precisions;
  const std::vector<std::string_view>& known = catalog::precisions();
  for (const std::string& item : items_of(*list)) {
    if (item.empty()) {
      return usage("--precision " + base::printable(*list) + " has an empty item",
                   "bf16,fp8: precisions separated by commas");
    }
    const auto found = std::find(known.begin(), known.end(), base::lower(item));
    if (found == known.end()) {
      const auto close = base::nearest(item, known, 3);
      return usage(
          "--precision " + base::printable(*list) + ": unknown precision " + base::printable(item),
          close.empty() ? "bf16, fp8, int8 …: `ullage help figures` lists them"
                        : base::did_you_mean(close));
    }
    precisions.push_back(*found);
  }
  return precisions;
}

base::Result<plan::Per> per_of(const std::optional<std::string>& text) {
  constexpr std::array<std::pair<std::string_view, plan::Per>, 5> kNames{
      {{"chip", plan::Per::chip},
       {"core", plan::Per::core},
       {"instance", plan::Per::instance},
       {"system", plan::Per::system},
       {"watt", plan::Per::watt}}};
  if (!text) return plan::Per::entry;
  std::vector<std::string_view> names;
  for (const auto& [name, per] : kNames) {
    if (*text == name) return per;
    names.push_back(name);
  }
  const auto close = base::nearest(*text, names, 2);
  return usage("--per " + base::printable(*text) + " is none of chip, core, instance, system, watt",
               base::did_you_mean(close));
}

// `1.34` or `1.34,3.90`, each through the reader of one value.
template <class Read>
base::Result<std::vector<plan::GivenNumber>> numbers_of(const std::string& flag,
                                                        const std::optional<std::string>& list,
                                                        Read read) {
  std::vector<plan::GivenNumber> numbers;
  if (!list) return numbers;
  for (const std::string& item : items_of(*list)) {
    ULLAGE_TRY(const std::optional<plan::GivenNumber> number, read(flag, item));
    numbers.push_back(*number);
  }
  return numbers;
}

base::Result<plan::CompareRequest> request_of(const CompareArguments& arguments) {
  plan::CompareRequest request;
  request.devices = arguments.devices;
  ULLAGE_TRY(request.precisions, precisions_of(arguments.precisions));
  ULLAGE_TRY(request.per, per_of(arguments.per));
  ULLAGE_TRY(request.prices, numbers_of("--price", arguments.prices, price_flag));
  ULLAGE_TRY(request.measured, numbers_of("--measured", arguments.measured, token_rate_flag));
  request.interval = arguments.interval;
  return request;
}

const NamedFigure* find(const Row& row, std::string_view name) {
  const auto found = std::find_if(row.results.begin(), row.results.end(),
                                  [&](const NamedFigure& result) { return result.name == name; });
  return found == row.results.end() ? nullptr : &*found;
}

Text value_cell(const Answer& answer, const Node& node) {
  if (!node.value) {
    // Known of the device, but not what it is divided by.
    const bool divided = node.kind == provenance::FigureKind::derived && !node.inputs.empty() &&
                         answer.graph.known(node.inputs.front());
    return Text(divided ? "unknown" : std::string(name_of(node.absence)), Role::warning);
  }
  return Text(report::figure_text(node, {.binary_beside = false}), Role::emphasis);
}

// What kind of source it is, where it is not the publisher's own text; source marks; the direction.
Text mark_cell(const Answer& answer, const NamedFigure& result, report::SourceList& sources) {
  const Node& node = answer.graph[result.figure];
  std::string text = sources.marks(result.figure);
  const auto add = [&text](std::string_view word) {
    text += (text.empty() ? "" : " ") + std::string(word);
  };
  if (!node.value) return Text(text, Role::dim);
  const provenance::Tier tier = report::weakest_tier(answer.graph, result.figure);
  if (tier != provenance::Tier::primary) add(name_of(tier));
  if (node.kind == provenance::FigureKind::given) add("given");
  if (node.unit.direction == units::Direction::one_way) add("one-way");
  if (node.unit.direction == units::Direction::both_ways) add("both-ways");
  return Text(text, Role::dim);
}

// `2.58×`, with its range where it has one.
Text ratio_cell(const Answer& answer, const Row& row, const std::string& name) {
  const NamedFigure* ratio = find(row, "ratio_" + name);
  if (ratio == nullptr || !answer.graph.known(ratio->figure)) return Text();
  const Node& node = answer.graph[ratio->figure];
  constexpr unsigned kRatioDigits = 2;
  const auto times = [](const exact::Rational& value) {
    const bool small = value < exact::Rational(1);
    return value.to_decimal(small ? kRatioDigits + 1 : kRatioDigits, exact::Rounding::nearest) +
           "×";
  };
  std::string text = times(*node.value);
  if (node.range) {
    text += " (" + times(node.range->low()) + " … " + times(node.range->high()) + ")";
  }
  return Text(std::move(text));
}

report::Table table_of(const Answer& answer, report::SourceList& sources) {
  report::Table table;
  table.columns.push_back({Text(), report::Align::left});
  for (std::size_t at = 0; at < answer.rows.size(); ++at) {
    table.columns.push_back(
        {Text(answer.rows[at].device, Role::heading), report::Align::right, true});
    if (at > 0) table.columns.push_back({Text("ratio", Role::dim), report::Align::right});
    table.columns.push_back({Text(), report::Align::left});
  }
  for (const NamedFigure& first : answer.rows.front().results) {
    if (first.name.starts_with("factor_")) continue;
    report::TableRow line;
    line.cells.emplace_back(label_of(first.name));
    for (std::size_t at = 0; at < answer.rows.size(); ++at) {
      const Row& row = answer.rows[at];
      const NamedFigure* result = find(row, first.name);
      line.cells.push_back(result == nullptr ? Text()
                                             : value_cell(answer, answer.graph[result->figure]));
      if (at > 0) line.cells.push_back(ratio_cell(answer, row, first.name));
      line.cells.push_back(result == nullptr ? Text() : mark_cell(answer, *result, sources));
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::string title_of(const Answer& answer, const std::optional<std::string>& per) {
  std::string title;
  if (answer.rows.size() > 4) {
    title = answer.rows.front().device + " and " + std::to_string(answer.rows.size() - 1) +
            " other devices";
  } else {
    for (const Row& row : answer.rows)
      title += (title.empty() ? "" : ", ") + row.device;
  }
  return per ? title + ", per " + *per : title;
}

class CompareCommand final : public Command {
 public:
  CommandSpec spec() override {
    CommandSpec spec{.name = "compare",
                     .summary = "devices side by side, dense with dense and sparse with sparse",
                     .examples = std::string(kCompareExamples),
                     .positionals = {{"DEVICE",
                                      "two or more chips, instances, systems or ID@VERSION; `all` "
                                      "stands for every current one",
                                      &arguments_.devices}},
                     .flags = {}};
    spec.flags = {
        {"--precision", "LIST", "only the rates of these precisions: bf16,fp8 …",
         &arguments_.precisions},
        {"--per", "WHAT", "figures of one chip, core, instance or system, or of one watt of TDP",
         &arguments_.per},
        {"--interval", "", "carry conflicting claims through the arithmetic as ranges",
         &arguments_.interval},
        {"--price", "USD/h[,...]",
         "price of one device, for all or one each (the catalogue holds no prices)",
         &arguments_.prices},
        {"--measured", "TOKENS/s[,...]",
         "rate that you measured, for all or one each: with --price the cost of a million tokens",
         &arguments_.measured}};
    return spec;
  }

  base::Result<Outcome> run(const Context& context) override {
    ULLAGE_TRY(const plan::CompareRequest request, request_of(arguments_));
    ULLAGE_TRY(const Answer answer, plan::compare(request, context.catalogue));
    report::SourceList sources(answer.graph, sources_of(context.catalogue));
    report::Page page;
    page.sections.push_back(
        {Text(title_of(answer, arguments_.per), Role::heading), {table_of(answer, sources)}});
    std::vector<base::Note> notes;
    for (const Row& row : answer.rows)
      notes.insert(notes.end(), row.notes.begin(), row.notes.end());
    add_notes(context, notes, page);
    if (!sources.empty()) page.sections.push_back(sources.legend());
    return Outcome{render(context, answer, std::move(page)), {}, kAnswered};
  }

 private:
  CompareArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> make_compare() {
  return std::make_unique<CompareCommand>();
}

}  // namespace ullage::cli

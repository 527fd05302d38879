// ullage help TOPIC: what no command's --help covers.
#include <vector>

#include "base/spelling.hpp"
#include "catalog/figure_names.hpp"
#include "catalog/software.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/help_texts.hpp"

namespace ullage::cli {
namespace {

constexpr std::string_view kChecklist =
    "What arithmetic cannot say, and what to measure before you commit to a device:\n"
    "  1. the exact model: id, revision, weight format and KV-cache format;\n"
    "  2. the exact software: engine and version, driver, compiler or runtime version;\n"
    "  3. the exact workload: prompt and output lengths, concurrency, arrival pattern;\n"
    "  4. tokens/s for one device and for the whole system, at that workload;\n"
    "  5. time to first token (TTFT) and time per output token (TPOT), median and 99th "
    "percentile;\n"
    "  6. peak memory of each device while it runs, against the budget;\n"
    "  7. whether the engine supports the model, the format and the layout on the device at all;\n"
    "  8. what it costs: price per device-hour, utilisation, and what stands idle.\n";

constexpr std::string_view kUnits =
    "Sizes carry their unit. GB is 10^9 bytes, GiB is 2^30 bytes; they differ by 7.4 %.\n"
    "  32GB = 32000000000 B          32GiB = 34359738368 B\n"
    "A bare number or a bare G is refused, with both readings shown.\n"
    "Rates: FLOP/s and OP/s (integer operations) are different units; dense and with-sparsity\n"
    "rates are different kinds and never mix. Link bandwidths say one-way, both-ways or that the\n"
    "source states no direction.\n"
    "Counts of tokens: 8k = 8192, 128k = 131072, 1m = 1048576; a plain number is itself.\n"
    "Shares: 15% or 15; 0.15 is refused with both readings.\n"
    "Nominal capacity is what the vendor prints, visible capacity what the driver reports.\n";

void add_names(std::string& text, const std::vector<catalog::FigureName>& names) {
  for (const catalog::FigureName& name : names) {
    std::string line = "  " + std::string(name.name);
    line.resize(std::max<std::size_t>(line.size() + 1, 34), ' ');
    text += line + units::symbol_of(name.dimension) + "\t" + std::string(name.help) + "\n";
  }
}

std::string figures_text() {
  std::string text = "Figures of hardware entries:\n";
  add_names(text, catalog::hardware_figure_names());
  text += "\nFigures of model cards:\n";
  add_names(text, catalog::model_figure_names());
  text += "\nFigures of what software does on a chip:\n";
  add_names(text, catalog::software_figure_names());
  text += "\nLists of what software does on a chip:\n";
  for (const catalog::SoftwareFactName& name : catalog::software_list_names()) {
    std::string line = "  " + std::string(name.name);
    line.resize(std::max<std::size_t>(line.size() + 1, 38), ' ');
    text += line + std::string(name.help) + "\n";
  }
  return text;
}

base::Result<std::string> topic_text(const std::string& topic) {
  if (topic.empty()) return program_help();
  if (topic == "checklist") return std::string(kChecklist);
  if (topic == "units") return std::string(kUnits);
  if (topic == "figures") return figures_text();
  std::vector<std::string_view> known{"checklist", "units", "figures"};
  for (const CommandEntry& entry : command_table()) {
    if (entry.name == topic) {
      const std::unique_ptr<Command> command = entry.make();
      return command_help(*command);
    }
    known.push_back(entry.name);
  }
  const auto close = base::nearest(topic, known, 2);
  return base::Diagnostic{
      .code = base::Code::usage,
      .message = "help: no topic " + base::printable(topic),
      .span = {},
      .hint = close.empty() ? "a command, or checklist, units, figures" : base::did_you_mean(close),
      .notes = {}};
}

class HelpCommand final : public Command {
 public:
  CommandSpec spec() override {
    return {.name = "help",
            .summary = "help on a command or topic",
            .examples = std::string(kHelpExamples),
            .positionals = {{"TOPIC", "a command, or checklist, units, figures", &topic_, false}},
            .flags = {}};
  }
  base::Result<Outcome> run(const Context&) override {
    ULLAGE_TRY(std::string text, topic_text(topic_));
    return Outcome{std::move(text), {}, kAnswered};
  }

 private:
  std::string topic_;
};

}  // namespace

std::unique_ptr<Command> make_help() {
  return std::make_unique<HelpCommand>();
}

}  // namespace ullage::cli

// ullage help TOPIC: what no command's --help covers.
#include <array>
#include <vector>

#include "base/spelling.hpp"
#include "catalog/figure_names.hpp"
#include "cli/commands.hpp"

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

std::string figures_text() {
  std::string text = "Figures of hardware entries:\n";
  for (const catalog::FigureName& name : catalog::hardware_figure_names()) {
    std::string line = "  " + std::string(name.name);
    line.resize(std::max<std::size_t>(line.size() + 1, 34), ' ');
    text += line + units::symbol_of(name.dimension) + "\t" + std::string(name.help) + "\n";
  }
  text += "\nFigures of model cards:\n";
  for (const catalog::FigureName& name : catalog::model_figure_names()) {
    std::string line = "  " + std::string(name.name);
    line.resize(std::max<std::size_t>(line.size() + 1, 34), ' ');
    text += line + units::symbol_of(name.dimension) + "\t" + std::string(name.help) + "\n";
  }
  return text;
}

}  // namespace

base::Result<Outcome> run_help(const Context&, const HelpArguments& arguments) {
  Outcome outcome;
  if (arguments.topic == "checklist") {
    outcome.output = kChecklist;
  } else if (arguments.topic == "units") {
    outcome.output = kUnits;
  } else if (arguments.topic == "figures") {
    outcome.output = figures_text();
  } else {
    constexpr std::array<std::string_view, 7> known{"fit",       "weights", "show",   "list",
                                                    "checklist", "units",   "figures"};
    const auto close = base::nearest(arguments.topic, known, 2);
    return base::Diagnostic{.code = base::Code::usage,
                            .message = "help: no topic " + base::printable(arguments.topic),
                            .span = {},
                            .hint = close.empty()
                                        ? "fit, weights, show, list, checklist, units or figures"
                                        : base::did_you_mean(close),
                            .notes = {}};
  }
  return outcome;
}

}  // namespace ullage::cli

// Names to commands.
#include "cli/commands.hpp"

#include <array>
#include <vector>

#include "base/spelling.hpp"

namespace ullage::cli {
namespace {

constexpr std::array kCommands{
    CommandEntry{"fit", "does MODEL fit on DEVICE, on how many, with how much room left", make_fit},
    CommandEntry{"weights", "parameters by component, weight floor and payload", make_weights},
    CommandEntry{"kv", "KV cache and recurrent state; limits on context and concurrency", make_kv},
    CommandEntry{"train", "weights, gradients, optimizer, activations and logits of a rank",
                 make_train},
    CommandEntry{"flops", "FLOPs of a token, training times and utilisation", make_flops},
    CommandEntry{"layouts", "which tensor, pipeline, expert and data layouts are feasible",
                 make_layouts},
    CommandEntry{"compare", "devices side by side, dense with dense and sparse with sparse",
                 make_compare},
    CommandEntry{"show", "one entry with each source, unknown and conflict", make_show},
    CommandEntry{"batch", "one scenario a line in, one row a line out", make_batch},
    CommandEntry{"list", "what the catalogue holds", make_list},
    CommandEntry{"sources", "what rests on a source", make_sources},
    CommandEntry{"diff", "what changed between two entries or versions", make_diff},
    CommandEntry{"import", "write a model card from a configuration or a checkpoint", make_import},
    CommandEntry{"check", "verdict on deployment plans, for CI", make_check},
    CommandEntry{"lock", "write down the figures that plans rest on", make_lock},
    CommandEntry{"rules", "what check looks for, each rule with its formula", make_rules},
    CommandEntry{"lint", "faults of catalogue files, each with its place", make_lint},
    CommandEntry{"completion", "what a shell needs to complete commands, flags and names",
                 make_completion},
    CommandEntry{"help", "help on a command or topic", make_help},
};

}  // namespace

std::span<const CommandEntry> command_table() {
  return kCommands;
}

base::Result<std::unique_ptr<Command>> make_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CommandEntry& entry : kCommands) {
    if (entry.name == name) return entry.make();
    names.push_back(entry.name);
  }
  const auto close = base::nearest(name, names, 2);
  return base::Diagnostic{
      .code = base::Code::usage,
      .message = "unknown command " + base::printable(name),
      .span = {},
      .hint = close.empty() ? "`ullage --help` lists the commands" : base::did_you_mean(close),
      .notes = {}};
}

}  // namespace ullage::cli

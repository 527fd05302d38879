// The commands as a batch sees them.
#pragma once

#include <memory>

#include "batch/scenario.hpp"
#include "cli/command.hpp"

namespace ullage::cli {

// One for a thread: with a catalogue of its own, and the overlays of `context`, which must outlive
// it. Defect where an overlay that was read before cannot be read again.
std::unique_ptr<batch::Commands> batch_commands(const Context& context);

// The command with its flags filled in as the scenario says, ready to run. Errors: usage for a
// value that cannot be, missing_key for one that is needed.
base::Result<std::unique_ptr<Command>> command_of(std::string_view name,
                                                  const std::vector<batch::FlagWord>& flags);

}  // namespace ullage::cli

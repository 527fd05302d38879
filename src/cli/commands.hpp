// The table of commands.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "cli/command.hpp"

namespace ullage::cli {

// One a file, cli/<name>.cpp.
std::unique_ptr<Command> make_fit();
std::unique_ptr<Command> make_weights();
std::unique_ptr<Command> make_kv();
std::unique_ptr<Command> make_train();
std::unique_ptr<Command> make_flops();
std::unique_ptr<Command> make_layouts();
std::unique_ptr<Command> make_compare();
std::unique_ptr<Command> make_show();
std::unique_ptr<Command> make_list();
std::unique_ptr<Command> make_sources();
std::unique_ptr<Command> make_diff();
std::unique_ptr<Command> make_import();
std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_rules();
std::unique_ptr<Command> make_lock();
std::unique_ptr<Command> make_lint();
std::unique_ptr<Command> make_batch();
std::unique_ptr<Command> make_completion();
std::unique_ptr<Command> make_help();

struct CommandEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Command> (*make)();
};

// Every command in the order of --help; only the one asked for is made.
std::span<const CommandEntry> command_table();

// The command of that name. Error `usage` with suggestions.
base::Result<std::unique_ptr<Command>> make_command(std::string_view name);

}  // namespace ullage::cli

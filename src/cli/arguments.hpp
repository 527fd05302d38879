// The command line: words to a command with its arguments filled in.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "cli/command.hpp"

namespace ullage::cli {

struct Arguments {
  CommonArguments common;
  std::unique_ptr<Command> command;
};

// Either a command to run, or a text to print on standard output (--help, --version).
using Parsed = std::variant<Arguments, std::string>;

// Errors: `usage` with one line that names the flag or word, and the nearest known one.
base::Result<Parsed> parse_arguments(const std::vector<std::string>& words);

// Common flags as text, before they are checked.
struct RawCommon {
  std::optional<std::string> format;
  std::optional<std::string> colour;
};

// The flags that every command has, bound to `common` and `raw`.
std::vector<Flag> common_flags(const CommandSpec& spec, CommonArguments& common, RawCommon& raw);

// What --help prints for the whole program, and for one command.
std::string program_help();
std::string command_help(Command& command);

}  // namespace ullage::cli

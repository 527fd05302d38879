// What was typed, as plain structs. Values stay text: the unit grammar reads them, never CLI11.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace ullage::cli {

enum class Format : std::uint8_t { text, json, csv, markdown };
enum class Colour : std::uint8_t { automatic, always, never };

// Flags that mean the same everywhere.
struct CommonArguments {
  Format format = Format::text;
  bool explain = false;
  bool quiet = false;
  Colour colour = Colour::automatic;
  std::vector<std::string> catalogues;
  std::optional<std::string> output_file;
};

struct FitArguments {
  std::string model;
  std::string on;
  std::optional<std::string> assume;
  std::optional<std::string> weights;
  std::optional<std::string> bits;
  std::optional<std::string> working_memory;
  std::optional<std::string> reserve;
  std::optional<std::string> capacity;
  std::optional<std::string> devices;
  std::optional<std::string> price;
};

struct WeightsArguments {
  std::string model;
  std::optional<std::string> assume;
  std::optional<std::string> weights;
  std::optional<std::string> bits;
};

struct ShowArguments {
  std::string id;
  bool raw = false;
};

struct ListArguments {
  std::string what;  // hardware, models, sources, families, formats
};

struct HelpArguments {
  std::string topic;
};

using CommandArguments =
    std::variant<FitArguments, WeightsArguments, ShowArguments, ListArguments, HelpArguments>;

struct Arguments {
  CommonArguments common;
  CommandArguments command;
};

// Either the arguments, or a text to print on standard output (--help, --version).
using Parsed = std::variant<Arguments, std::string>;

// Errors: `usage` with one line that names the flag or word, and the nearest known one.
base::Result<Parsed> parse_arguments(const std::vector<std::string>& words);

}  // namespace ullage::cli

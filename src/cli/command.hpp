// The shape of a command: what it takes, as data, and what it does with it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/file_system.hpp"
#include "catalog/catalogue.hpp"
#include "cli/exit_status.hpp"
#include "report/text.hpp"

namespace ullage::cli {

enum class Format : std::uint8_t { text, json, csv, markdown, sarif, github, junit, gitlab };
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

// Where a flag's value goes. Values stay text: the unit grammar reads them, never the parser.
// Absent is not empty.
using FlagTarget = std::variant<std::optional<std::string>*, std::vector<std::string>*, bool*>;

struct Flag {
  std::string name;  // `--on`, or `-o,--output`
  std::string type;  // `SIZE`; empty for switches
  std::string help;
  FlagTarget target;
  bool required = false;
};

struct Positional {
  std::string name;  // `MODEL`
  std::string help;
  std::variant<std::string*, std::vector<std::string>*> target;
  bool required = true;
};

struct CommandSpec {
  std::string name;
  std::string summary;   // one line
  std::string examples;  // shown below --help
  std::vector<Positional> positionals;
  std::vector<Flag> flags;
  std::vector<Format> formats{Format::text, Format::json, Format::csv, Format::markdown};
};

// What every command works with.
struct Context {
  catalog::Catalogue& catalogue;
  const base::FileSystem& files;
  const CommonArguments& common;
  report::TextStyle style;  // of standard output
  bool streams = false;     // whether a command may write to standard output while it runs
};

struct Outcome {
  std::string output;  // for standard output
  std::string remark;  // for standard error: what is unknown; may be empty
  ExitStatus status = kAnswered;
  std::optional<std::string> file = {};  // where the output goes instead, unless a flag says it
  bool delivered = false;                // the command wrote its output itself, where it belongs
};

class Command {
 public:
  virtual ~Command() = default;
  // What it takes; the targets are the command's own members.
  virtual CommandSpec spec() = 0;
  virtual base::Result<Outcome> run(const Context& context) = 0;
  // The figures behind what `run` prints. Error usage where the command gives none to a batch.
  virtual base::Result<provenance::Answer> answer(const Context&) {
    return base::Diagnostic{.code = base::Code::usage,
                            .message = "the command " + spec().name + " is none of a batch",
                            .span = {},
                            .hint = "fit, kv, train, flops or weights",
                            .notes = {}};
  }
};

}  // namespace ullage::cli

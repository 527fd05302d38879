// One function a command: plain arguments in, what to print and the exit status out.
#pragma once

#include <string>

#include "base/file_system.hpp"
#include "catalog/catalogue.hpp"
#include "cli/arguments.hpp"
#include "cli/exit_status.hpp"
#include "report/text.hpp"

namespace ullage::cli {

// What every command works with.
struct Context {
  catalog::Catalogue& catalogue;
  const base::FileSystem& files;
  const CommonArguments& common;
  report::TextStyle style;  // of standard output
};

struct Outcome {
  std::string output;  // for standard output
  std::string remark;  // for standard error: what is unknown; may be empty
  ExitStatus status = kAnswered;
};

base::Result<Outcome> run_fit(const Context& context, const FitArguments& arguments);
base::Result<Outcome> run_weights(const Context& context, const WeightsArguments& arguments);
base::Result<Outcome> run_show(const Context& context, const ShowArguments& arguments);
base::Result<Outcome> run_list(const Context& context, const ListArguments& arguments);
base::Result<Outcome> run_help(const Context& context, const HelpArguments& arguments);

}  // namespace ullage::cli

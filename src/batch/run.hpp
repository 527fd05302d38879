// Runs a batch: parts to workers, rows back in order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/parts.hpp"
#include "batch/worker.hpp"

namespace ullage::batch {

struct Progress {
  std::uint64_t lines = 0;                                       // answered
  std::optional<std::pair<std::uint64_t, std::uint64_t>> share;  // done, of all
};

struct RunSettings {
  RowSettings rows;
  std::shared_ptr<const Matrix> matrix;  // where the parts are ranges of one
  std::size_t threads = 1;
  bool fail_fast = false;
  bool plain = true;                                    // false: every line the exact way
  bool header = true;                                   // whether CSV begins with its names
  std::optional<std::uint64_t> limit;                   // rows
  std::function<std::unique_ptr<Commands>()> commands;  // one for each thread
  // Takes rows, whole ones and in order. False: nothing more is wanted, or can be taken.
  std::function<bool(std::string_view)> sink;
  std::function<void(const Progress&)> progress;  // now and then
};

struct RunResult {
  std::uint64_t rows = 0;
  std::uint64_t lines = 0;
  std::uint64_t wrong = 0;
  std::uint64_t unknown = 0;
  std::uint64_t plain = 0;  // lines that were answered the plain way
  std::optional<std::string> first_fault;
  std::vector<std::string> passed;  // keys that passed through, sorted
  bool cut = false;                 // the last line had no line break
};

// Errors: those of opening an input. Faults of lines are rows.
base::Result<RunResult> run(Parts& parts, const RunSettings& settings);

// The line `number` of the parts as a scenario, given to `visit` with its text. Error usage where
// there is no such line; those of reading it.
base::Result<void> visit_line(Parts& parts, const std::shared_ptr<const Matrix>& matrix,
                              std::uint64_t number, Commands& commands,
                              const std::function<base::Result<void>(const Scenario&)>& visit);

}  // namespace ullage::batch

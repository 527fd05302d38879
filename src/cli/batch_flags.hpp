// The flags of `batch` as typed, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/run.hpp"
#include "cli/command.hpp"

namespace ullage::cli {

struct BatchArguments {
  std::vector<std::string> inputs;
  std::optional<std::string> columns, where, top, by, limit, shard, explain_line, threads;
  std::vector<std::string> matrix;
  bool fail_fast = false;
  bool reference = false;
};

std::vector<Flag> batch_flags(BatchArguments& arguments);

// `--matrix K=LIST` of all keys; `on=all` and `model=all` stand for every current entry. Null where
// none is given. Error usage.
base::Result<std::shared_ptr<const batch::Matrix>> batch_matrix(
    const std::vector<std::string>& texts, catalog::Catalogue& catalogue);

// `K/N`, K from 1 to N. Error usage.
base::Result<batch::Shard> shard_flag(const std::optional<std::string>& text);

// Rows: columns, condition, order. `keys` are those of the input. Errors: usage, unknown_key for a
// column that no row can have, with suggestions.
base::Result<batch::RowSettings> row_settings(const BatchArguments& arguments, Format format,
                                              batch::Parts& parts);

// A whole number of at least 1; nothing where the flag is absent. Error usage.
base::Result<std::optional<std::uint64_t>> whole_flag(const std::string& flag,
                                                      const std::optional<std::string>& text);

}  // namespace ullage::cli

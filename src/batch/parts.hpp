// The scenarios of a batch in parts: lines of files, or ranges of a product.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/record.hpp"

namespace ullage::batch {

enum class InputFormat : std::uint8_t { csv, json };

// What every line of one input has in common.
struct InputHead {
  std::string file;  // for messages
  InputFormat format = InputFormat::json;
  std::vector<std::string> header;  // of CSV
};

// Whole lines, or a range of a product. `lines` counts those behind `first_line`.
struct Part {
  std::uint64_t index = 0;
  std::shared_ptr<const InputHead> head;
  std::string text;
  std::uint64_t first_line = 1;
  std::uint64_t count = 0;                // of a product
  std::optional<base::Diagnostic> fault;  // behind the lines: the input could not be read on
};

// One of N pieces, as even as lines allow: a line belongs to the piece in which its first byte
// lies.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 1;
};

class Parts {
 public:
  virtual ~Parts() = default;
  // The next part, or nothing at the end. Errors are those of opening an input.
  virtual base::Result<std::optional<Part>> next() = 0;
  // Keys that stand in the first input, for the columns of the output. Reads its first line.
  virtual base::Result<std::vector<std::string>> keys() = 0;
  // The command that the first scenario names; empty where it names none.
  virtual std::string command() const = 0;
  virtual InputFormat format() const = 0;
  // How much of all has been given out, in bytes or scenarios; nothing where the whole is unknown.
  virtual std::optional<std::pair<std::uint64_t, std::uint64_t>> progress() const = 0;
  // Whether the last line had no line break at its end.
  virtual bool cut() const = 0;
};

// Error usage: a shard of standard input.
base::Result<std::unique_ptr<Parts>> parts_of_files(std::vector<std::string> paths,
                                                    const Shard& shard);

// A product of values, the last key fastest.
struct Axis {
  std::string key;
  std::vector<std::string> values;
};
using Matrix = std::vector<Axis>;

// Error out_of_range beyond 2^62 scenarios.
base::Result<std::uint64_t> scenarios_of(const Matrix& matrix);
base::Result<std::unique_ptr<Parts>> parts_of_matrix(std::shared_ptr<const Matrix> matrix,
                                                     const Shard& shard);

// The fields of one scenario of a product. The record must have been made by this function for the
// same product, or be empty; only what changes is written.
void read_matrix_record(const Matrix& matrix, std::uint64_t index, Record& record);

}  // namespace ullage::batch

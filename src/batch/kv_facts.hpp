// Rows of `kv` by what they have in common: one answer for a model, an engine, a layout, a context
// and a memory, which any number of sequences scales.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "batch/facts.hpp"
#include "plan/kv.hpp"

namespace ullage::batch {

// How a result follows from that of one sequence.
enum class Scaling : std::uint8_t {
  fixed,      // it does not
  sequences,  // × concurrency
  of_copy,    // × ⌈concurrency ÷ dp⌉, as engine::sequences_of_copy has it
};

struct NamedValue {
  std::string name;
  Value value;  // of one sequence
  Scaling scaling = Scaling::fixed;
};

struct KvFacts {
  bool covered = false;
  std::vector<NamedValue> results;   // as the command has them
  std::vector<std::size_t> columns;  // the result of each column; `results.size()` for none
  std::string sources;               // ids between semicolons
};

// Models that were asked for last, opened.
class OpenedModels {
 public:
  OpenedModels(catalog::Catalogue& catalogue, const base::FileSystem& files)
      : catalogue_(catalogue), files_(files) {}

  // The results of one sequence. `key` says everything of the request that opening depends on.
  // Not covered where the command fails, and where 64 bits do not hold a result.
  KvFacts kv_facts(const std::string& key, const plan::KvRequest& request);

 private:
  struct Opened {
    std::string key;
    provenance::Graph graph;
    std::optional<plan::KvModel> model;
    std::size_t size = 0;  // of the graph when the model was opened
  };
  Opened& opened(const std::string& key, const plan::KvRequest& request);

  catalog::Catalogue& catalogue_;
  const base::FileSystem& files_;
  std::deque<std::unique_ptr<Opened>> models_;  // the last one first
};

}  // namespace ullage::batch

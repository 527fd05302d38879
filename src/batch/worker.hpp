// Answers lines one after another: the plain way where it covers the question, else the command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/rows.hpp"

namespace ullage::batch {

// What a part of the batch gave.
struct PartResult {
  std::string text;               // rows in the order of their lines
  std::vector<RankedRow> ranked;  // with --top: the rows instead
  std::uint64_t rows = 0;         // written
  std::uint64_t lines = 0;        // answered, faults included
  std::uint64_t wrong = 0;        // lines that ask wrongly
  std::uint64_t unknown = 0;      // lines whose answer cannot be known
  std::uint64_t plain = 0;        // lines that were answered the plain way
  std::optional<std::string> first_fault;
  bool stop = false;  // --fail-fast: nothing behind this
};

class Worker {
 public:
  // `plain` false: every line the exact way.
  Worker(Commands& commands, const RowSettings& settings, bool fail_fast, bool plain);

  // Answers the record of one line, whose text is `line`.
  void answer(std::string_view line, LineContext context, PartResult& result);
  // A line that could not be read.
  void fault(LineContext context, const base::Diagnostic& fault, PartResult& result);

  // Keys that passed through, for a remark.
  const std::vector<std::string>& passed() const { return keys_.passed(); }

 private:
  struct Reserved {  // facts of the row at hand
    const ModelFacts* model = nullptr;
    const DeviceFacts* device = nullptr;
    const CacheFacts* cache = nullptr;
  };

  bool try_plain(const LineContext& context, PartResult& result);
  bool try_kv(const LineContext& context, PartResult& result);
  const KvFacts* kv_facts_of(bool factored);
  bool gather(Reserved& facts);
  const ModelFacts* model_facts_of();
  const DeviceFacts* device_facts_of();
  const CacheFacts* cache_facts_of(const Reserved& facts);
  base::Result<plan::FitRequest> request_of(std::initializer_list<Slot> slots);
  bool number_of(Slot slot, Number& number);
  bool count_in(std::string_view text, bool size, Number& number);
  std::string_view text_of(std::string_view flag) const;
  std::string_view sources_of(const Reserved& facts);
  void answer_exactly(std::string_view line, const LineContext& context, PartResult& result);
  void rank(const LineContext& context, PartResult& result);
  void add_key(Slot slot);
  void forget_if_full();

  Commands& commands_;
  const RowSettings& settings_;
  RowWriter writer_;
  Keys keys_;
  bool fail_fast_;
  bool lump_is_plain_;
  bool workload_is_plain_;
  bool sequences_are_a_factor_;
  bool shows_sources_;

  Scenario scenario_;
  FitRow row_;
  std::string key_;
  std::string row_text_;
  Table<ModelFacts> models_;
  Table<DeviceFacts> devices_;
  Table<CacheFacts> caches_;
  Table<std::string> sources_;
  Table<std::optional<Number>> numbers_;
  Table<KvFacts> kv_;
  OpenedModels opened_;
  std::vector<Value> kv_values_;
  ModelFacts literal_;
  std::string literal_key_;
};

}  // namespace ullage::batch

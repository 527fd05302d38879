// What every engine's rules share: growth, need, and the search for the longest sequence.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/question.hpp"
#include "provenance/graph.hpp"

namespace ullage::engine {

using TokensFigure = provenance::Figure<units::Tokens>;
using BytesFigure = provenance::Figure<units::Bytes>;
using CountFigure = provenance::Figure<units::Count>;

// Whether layers of the kind keep entries for tokens, not for sequences.
bool keeps_tokens(model::CacheKind kind);

// Tokens of a sequence of `length` that a layer of the class still holds: all of them, or the last
// `window`.
exact::Rational held_tokens(const memory::CacheClass& layers, const exact::Rational& length);

// Entries that hold `tokens`: one each, or ⌈tokens ÷ compress⌉.
exact::Rational entries_of(const memory::CacheClass& layers, const exact::Rational& tokens);

// Entries that one more token takes: 1, or 1 ÷ compress.
exact::Rational entries_per_token(const memory::CacheClass& layers);

// What a rule allocates for one sequence in each class, in the order of the question's classes:
// entries, and copies of the state that it keeps.
struct Slots {
  exact::Rational entries;
  std::string formula;
  std::string citation;
  std::vector<provenance::FigureId> inputs;
};

// Whether layers of the class keep a window or chunk of tokens only.
bool bounded(const memory::CacheClass& layers);
// No layers.
bool unbounded(const memory::CacheClass& layers);

// Slots of whole blocks: ⌈tokens ÷ block⌉ × block, where layers of which `windowed` holds keep
// their window alone unless the workload has them keep everything. Other classes take one slot a
// sequence.
std::vector<Slots> block_slots(const Question& question, const model::Extent& block,
                               bool (*windowed)(const memory::CacheClass&),
                               std::string_view citation);

// The block that the workload asks for, else `tokens`, assumed for the reason `why`.
model::Extent block_or(provenance::Graph& graph, const Workload& workload, std::string_view name,
                       std::int64_t tokens, std::string why);

// Engines that keep ⌊KV heads ÷ tensor parallel⌋ heads on a rank, at least one.
memory::CacheRules whole_heads(std::string citation);

// kv_memory_min where the pool is as large as what it holds: cache and state of all sequences.
void add_least_memory(provenance::Graph& graph, Allocation& allocation);

// kv_memory_min = `bytes`, by the engine's own inverse.
void set_least_memory(provenance::Graph& graph, const Question& question, std::string formula,
                      std::string citation, const exact::Rational& bytes, Allocation& allocation);

// kv_per_token and state_per_sequence: growth by one more token at the context, where one is asked
// for, else beyond every window.
void add_growth(provenance::Graph& graph, const Question& question, Allocation& allocation);

// The need of one sequence and of all of them. `slots` holds one item a class.
void add_need(provenance::Graph& graph, const Question& question, const std::vector<Slots>& slots,
              Allocation& allocation);

// Sequences that one data-parallel copy holds: ⌈concurrency ÷ dp⌉.
exact::Rational sequences_of_copy(const Question& question);

// Bytes of one layer class on one device for `entries` entries of each layer, without its state.
exact::Rational bytes_on_device(const provenance::Graph& graph, const memory::CacheClass& layers,
                                const exact::Rational& entries);
// Bytes that each sequence takes whatever its length: states and encoder caches.
exact::Rational fixed_on_device(const provenance::Graph& graph, const memory::CacheClass& layers);

// The largest whole length for which `fits` holds: 0 where none does, nothing where 2^62 still
// does. `fits` holds up to some length and no longer.
std::optional<exact::Rational> largest_length(
    const std::function<bool(const exact::Rational&)>& fits);

// The figures of the classes that a need rests on.
std::vector<provenance::FigureId> basis(const Question& question);

// Error unknown_figure: the engine does not do it, with the source that says so.
base::Diagnostic unsupported(std::string what, std::string source);

// Whether the engine keeps caches in the question's format. Error unknown_figure naming those that
// it does, with the source.
base::Result<void> check_format(const Question& question, const std::vector<std::string_view>& kept,
                                std::string_view engine, std::string_view source);

}  // namespace ullage::engine

// The tables. A row's locator says where the terms, or their sum, are printed.
#include "memory/state_bytes.hpp"

#include <array>

#include "base/spelling.hpp"

namespace ullage::memory {
namespace {

using exact::Rational;
using model::Extent;
using provenance::FigureId;
using provenance::Graph;

constexpr std::size_t kRecipes = 14;

const std::array<Recipe, kRecipes>& recipe_table() {
  static const std::array<Recipe, kRecipes> table{{
      {"mixed-fp16-grad", "16-bit weights and gradients, fp32 master and moments", 2, 2, 2, 0, 4, 8,
       "zero-paper", "section 3.1: 2 + 2 + 12 bytes a parameter"},
      {"mixed-fp32-grad", "bf16 weights, fp32 gradients, master and moments", 2, 2, 4, 0, 4, 8,
       "megatron-dist-optimizer", "table of bytes per parameter, bf16 param, fp32 grads: 18"},
      {"fp16-megatron", "16-bit weights and gradients, an fp32 copy of the gradients at the step",
       2, 2, 2, 4, 4, 8, "megatron-dist-optimizer",
       "table of bytes per parameter, fp16 param, fp16 grads: 20"},
      {"nanotron", "both copies of the gradients stay", 2, 2, 6, 0, 4, 8, "nanotron-issue-261",
       "description: 19,909.64 MiB for 1.04 billion parameters"},
      {"nanotron-zero1", "the fp32 gradients stay, master and moments are sharded", 2, 2, 4, 0, 4,
       8, "nanotron-issue-261", "description, with zero_stage 1"},
      {"fp32", "fp32 throughout; the weights are the master", 4, 4, 4, 0, 0, 8,
       "megatron-dist-optimizer", "table of bytes per parameter, fp32 param, fp32 grads: 16"},
      {"fsdp2", "fp32 sharded weights that are the master, bf16 copies while in use", 4, 4, 4, 0, 0,
       8, "torchtitan-h100-benchmarks", "Llama 3.1 8B, measured peaks"},
      {"fsdp2-bf16-moments", "the same with both moments in bf16", 4, 4, 4, 0, 0, 4,
       "torchtitan-bf16-states", "whole page"},
      {"jax", "fp32 weights and moments; gradients live only inside the step", 4, 4, 0, 0, 0, 8,
       "maxtext-repository", "memory log: 44.63 GiB on each of 4 chips"},
      {"bf16-pure", "bf16 weights, gradients and moments, no master", 2, 2, 2, 0, 0, 4,
       "torchtune-pr-389", "description, memory log"},
      {"precision-aware", "bf16 weights whose master keeps the 16-bit remainder only", 2, 2, 4, 0,
       2, 8, "megatron-optimizer-config", "store_param_remainders"},
      {"fp8-copy", "as mixed-fp32-grad, and an FP8 copy of each matrix of a layer", 2, 3, 4, 0, 4,
       8, "transformer-engine-issue-1880", "one more byte for each weight of a linear layer"},
      {"fp8-copy-transposed", "the same with a second, transposed FP8 copy (Hopper, MXFP8)", 2, 4,
       4, 0, 4, 8, "transformer-engine-issue-1880",
       "two more bytes for each weight of a linear layer"},
      {"fp8-param", "matrices of layers stored in FP8 only", 2, 1, 4, 0, 4, 8,
       "transformer-engine-issue-1880", "weights stored in FP8"},
  }};
  return table;
}

constexpr std::array<Optimizer, 9> kOptimizers{{
    {"adamw", "two moments", OptimizerState::two_moments, "zero-paper", "section 3.1"},
    {"adamw-8bit", "two moments of 8 bits with a scale for 256, small tensors in fp32",
     OptimizerState::eight_bit, "bitsandbytes-optimizer", "Optimizer8bit, blocksize 256, 4096"},
    {"adafactor", "a row and a column of each matrix, no first moment", OptimizerState::factored,
     "pytorch-adafactor", "torch.optim.Adafactor, factored second moment"},
    {"sgd", "no state", OptimizerState::nothing, "ml-engineering-performance", "optimizer states"},
    {"sgd-momentum", "one moment", OptimizerState::one_moment, "ml-engineering-performance",
     "optimizer states"},
    {"lion", "one moment", OptimizerState::one_moment, "ml-engineering-performance",
     "optimizer states"},
    {"muon", "one moment of the layers' matrices; AdamW on tables, head and vectors",
     OptimizerState::orthogonalised, "deepspeed-muon-blog", "optimizer states"},
    {"galore", "two moments of rank --galore-rank", OptimizerState::projected, "galore-code",
     "galore_projector.py and adamw.py: a projection and two moments of the projected gradient"},
    {"none", "frozen: no gradients, no master weights", OptimizerState::frozen, "", ""},
}};

template <class Row>
base::Result<const Row*> find_row(std::span<const Row> rows, std::string_view name,
                                  std::string_view what) {
  std::vector<std::string_view> names;
  std::string all;
  for (const Row& row : rows) {
    if (row.name == name) return &row;
    names.push_back(row.name);
    all += (all.empty() ? "" : ", ") + std::string(row.name);
  }
  const auto close = base::nearest(name, names, 2);
  return base::Diagnostic{.code = base::Code::usage,
                          .message = std::string(what) + base::printable(name) + " is not known",
                          .span = {},
                          .hint = close.empty() ? all : base::did_you_mean(close),
                          .notes = {}};
}

std::string terms_text(const Recipe& recipe) {
  const Rational gradients = recipe.gradients + recipe.gradient_copy;
  return "the term of " + recipe.weights.to_string() + " + " + gradients.to_string() + " + " +
         recipe.master.to_string() + " + " + recipe.optimizer.to_string() + ", recipe " +
         std::string(recipe.name);
}

}  // namespace

std::span<const Recipe> recipes() {
  return recipe_table();
}

base::Result<const Recipe*> find_recipe(std::string_view name) {
  return find_row(recipes(), name, "--recipe ");
}

std::span<const Optimizer> optimizers() {
  return kOptimizers;
}

base::Result<const Optimizer*> find_optimizer(std::string_view name) {
  return find_row(optimizers(), name, "--optimizer ");
}

FigureId published(Graph& graph, catalog::Catalogue& catalogue, std::string name,
                   const Rational& value, std::string_view derivation, std::string_view source,
                   std::string_view locator, units::Unit unit) {
  provenance::Claim claim;
  claim.quantity = {value, unit};
  claim.written = value.to_string();
  claim.derivation = derivation;
  claim.last_place = 1;
  claim.source = source;
  claim.locator = locator;
  if (const provenance::Source* found = catalogue.source(source)) {
    claim.tier = found->tier;
    claim.checked = found->checked;
  }
  return graph.published(std::move(name), {std::move(claim)});
}

StateBytes state_bytes(Graph& graph, catalog::Catalogue& catalogue, const Recipe& recipe,
                       bool chosen, const StateOverrides& overrides) {
  const auto term = [&](const char* name, const Rational& value,
                        const std::optional<GivenBytes>& given) {
    if (given) {
      const auto figure = graph.given<units::Bytes>(name, given->bytes, {given->where, ""});
      return model::extent_of(graph, figure.id());
    }
    const FigureId figure =
        published(graph, catalogue, name, value, terms_text(recipe), recipe.source, recipe.locator);
    if (!chosen) {
      graph.annotate(figure, "the default recipe, since --recipe is not given");
    }
    return model::extent_of(graph, figure);
  };
  StateBytes bytes{.weights = term("weight bytes", recipe.weights, overrides.weights),
                   .matrices = {},
                   .gradients = term("gradient bytes", recipe.gradients, overrides.gradients),
                   .gradient_copy = {},
                   .master = term("master bytes", recipe.master, overrides.master),
                   .optimizer = term("optimizer bytes", recipe.optimizer, overrides.optimizer)};
  if (overrides.weights_format) bytes.weights = *overrides.weights_format;
  const bool as_recipe = !overrides.weights && !overrides.weights_format;
  if (as_recipe && recipe.matrices != recipe.weights) {
    bytes.matrices = term("matrix bytes", recipe.matrices, {});
  }
  if (!overrides.gradients && !recipe.gradient_copy.is_zero()) {
    bytes.gradient_copy = term("gradient copy bytes", recipe.gradient_copy, {});
  }
  return bytes;
}

}  // namespace ullage::memory

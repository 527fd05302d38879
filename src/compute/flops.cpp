// Sums over the tensors that a token passes and the mixers of its layers.
#include "compute/flops.hpp"

#include <array>

#include "base/spelling.hpp"
#include "model/elements.hpp"

namespace ullage::compute {
namespace {

using exact::Rational;
using model::Component;
using model::Inventory;
using model::LayerKinds;
using model::MixerLayers;
using model::Mixing;
using model::TensorGroup;
using model::Term;
using provenance::Figure;
using provenance::Graph;
using units::Count;

constexpr std::array<FlopsRules, 9> kRules{{
    {"ideal", "each matrix that a token passes, router included", Basis::matrices, true, false,
     false, true,
     "six operations for each weight of a matrix product, forward and backward (PaLM, arXiv "
     "2204.02311, appendix B)"},
    {"megatron-lm", "Megatron-LM's counter: no router; norms of latent attention count",
     Basis::matrices, false, true, false, false,
     "Megatron-LM training.py, num_floating_point_operations (commit d98e8a64ddf3)"},
    {"megatron-bridge", "as megatron-lm, whose counter it has", Basis::matrices, false, true, false,
     false, "Megatron-Bridge flop_utils.py (commit 067f987df03b)"},
    {"maxtext", "as ideal, over all tokens", Basis::matrices, true, false, false, false,
     "MaxText maxtext_utils.py, calculate_tflops_training_per_device"},
    {"nanotron", "as ideal; it gives no credit for the mask", Basis::matrices, true, false, false,
     false, "nanotron models/llama.py, get_flops (commit 2411b022a75f)"},
    {"torchtitan", "all parameters but an untied input table", Basis::parameters_no_table, true,
     false, false, false, "torchtitan models/utils.py, get_dense_model_nparams_and_flops"},
    {"six-n", "6N: all parameters", Basis::parameters, true, false, false, false,
     "llm-foundry benchmarking: 6 × parameters and the score term; with full recompute 4/3 of it"},
    {"korthikanti", "the 2022 paper: selective recompute adds the score term once more",
     Basis::matrices, true, false, true, false, "arXiv 2205.05198, appendix A"},
    {"sc21", "the 2021 paper's closed form of GPT layers: 72 l h² (1 + s/6h + V/12lh)",
     Basis::gpt_shape, false, false, false, false,
     "Narayanan et al. (arXiv 2104.04473), equation 3: with full recompute 96 l h² (1 + s/6h + "
     "V/16lh)"},
}};

bool is_table(const TensorGroup& group) {
  return group.component == Component::embedding;
}

// What one token passes of a group.
Term passed_part(Graph& graph, const TensorGroup& group) {
  const auto all = model::elements(graph, group);
  if (!group.experts || !group.chosen) return {graph, all.id()};
  return {graph, model::active_part(graph, group, all).id()};
}

// The matrix from hidden states to the vocabulary: a head, or the tied table.
const TensorGroup* head_of(const Inventory& inventory) {
  const TensorGroup* tied = nullptr;
  for (const TensorGroup& group : inventory.tensors) {
    if (!group.counted || group.shape.size() != 2) continue;
    if (group.component == Component::head) return &group;
    if (is_table(group) && group.use == model::Use::every_token) tied = &group;
  }
  return tied;
}

bool norms_latent(const TensorGroup& group, const LayerKinds& kinds) {
  if (!model::is_norm(group) || group.shape.size() != 1) return false;
  for (const MixerLayers& mixer : kinds.mixers) {
    for (const model::Extent& width : mixer.latents) {
      if (width.figure == group.shape.front().front().figure) return true;
    }
  }
  return false;
}

// FLOPs of one element of a state in the forward pass: Megatron-LM's counts for the scan of Mamba
// and for the gated delta rule (four products); key times value and query for a plain sum.
std::int64_t state_factor(Mixing mixing) {
  switch (mixing) {
    case Mixing::state_space:
      return 7;
    case Mixing::delta_rule:
      return 8;
    case Mixing::linear:
    case Mixing::softmax:
    case Mixing::latent:
      break;
  }
  return 4;
}

Term head_part(Graph& graph, const Inventory& inventory, const LayerKinds& kinds) {
  const TensorGroup* head = head_of(inventory);
  if (head == nullptr) return {0};
  const Term once(graph, model::elements(graph, *head).id());
  return once * (Term(1) + kinds.prediction_layers);
}

// Matrices of layers and prediction modules, without the head.
Term layer_part(Graph& graph, const Inventory& inventory, const LayerKinds& kinds,
                const FlopsRules& rules) {
  Term total(0);
  for (const TensorGroup& group : inventory.tensors) {
    const bool apart = group.component == Component::vision || is_table(group) ||
                       group.component == Component::head;
    if (!group.counted || apart) continue;
    const bool counts = model::is_matrix(group) && (rules.router || !model::is_router(group));
    if (counts || (rules.norms_of_latents && norms_latent(group, kinds)))
      total = total + passed_part(graph, group);
  }
  if (rules.norms_of_latents && !kinds.prediction_layers.is_constant(0)) {
    total = total + Term(3) * Term(kinds.hidden) * kinds.prediction_layers;
  }
  return total;
}

// Parameters that a text token passes or looks up; of experts its share.
Term parameter_part(Graph& graph, const Inventory& inventory, bool with_table) {
  Term total(0);
  for (const TensorGroup& group : inventory.tensors) {
    if (!group.counted || group.component == Component::vision) continue;
    const bool input_only = is_table(group) && group.use == model::Use::look_up &&
                            group.split == model::Split::vocabulary;
    if (input_only && !with_table) continue;
    total = total + passed_part(graph, group);
  }
  return total;
}

// Scores that indexers give to the tokens, forward, one token.
Term indexer_part(const LayerKinds& kinds, const FlopsQuestion& question) {
  const Term tokens(question.sequence);
  const Term keys = question.causal ? tokens * Term(Rational(1) / Rational(2)) : tokens;
  Term total(0);
  for (const model::IndexerLayers& indexer : kinds.indexers) {
    if (indexer.query.empty()) continue;
    total = total + Term(2) * Term(indexer.layers) * Term(indexer.query) * keys;
  }
  return total;
}

// Scores and states of all layers, forward, one token.
Term mixing_part(const LayerKinds& kinds, const FlopsQuestion& question) {
  if (question.rules->basis == Basis::gpt_shape) {
    return Term(4) * Term(kinds.layers) * Term(kinds.hidden) * Term(question.sequence);
  }
  Term total(0);
  for (MixerLayers mixer : kinds.mixers) {
    if (!question.rules->sparse_attention) mixer.chosen.reset();
    const Term layers(mixer.layers);
    if (!mixer.heads) {
      if (!mixer.state.empty()) {
        total = total + Term(state_factor(mixer.mixing)) * layers * Term(mixer.state);
      }
      continue;
    }
    const Term widths = Term(mixer.query) + Term(mixer.output);
    total = total +
            Term(2) * layers * widths * attended_keys(mixer, question.sequence, question.causal);
  }
  return question.rules->sparse_attention ? total + indexer_part(kinds, question) : total;
}

// Weights whose products are computed again where every second one is kept: keys, the output
// projection and one of gate and up. Nothing where which ones those are is not known.
std::optional<Term> every_second_product(const LayerKinds& kinds) {
  const Term hidden(kinds.hidden);
  Term total(0);
  for (const MixerLayers& mixer : kinds.mixers) {
    if (mixer.mixing != Mixing::softmax || mixer.prediction) return std::nullopt;
    total = total + Term(mixer.layers) * hidden * (Term(mixer.key) + Term(mixer.output));
  }
  for (const model::MlpLayers& mlp : kinds.mlps) {
    if (mlp.experts || mlp.shared) return std::nullopt;
    total = total + Term(mlp.layers) * hidden * Term(mlp.width);
  }
  return total;
}

Figure<FlopsPerToken> figure(Graph& graph, const char* name, const Term& term,
                             const FlopsQuestion& question) {
  return term.derive<FlopsPerToken>(graph, name, std::string(question.rules->citation));
}

Figure<FlopsPerToken> unknown_figure(Graph& graph, const char* name, const char* why) {
  return *graph.narrow<FlopsPerToken>(
      graph.unknown(name, FlopsPerToken::kUnit, provenance::Absence::unpublished, why));
}

// What one token passes, in the parts that recompute tells apart.
struct Passed {
  Term layers{0};
  Term head{0};
  Term beside{0};  // adapters
  Term once{0};    // scores and states, forward
  Term attention{0};
};

Figure<FlopsPerToken> hardware_figure(Graph& graph, const LayerKinds& kinds,
                                      const FlopsQuestion& question, const Passed& passed,
                                      Figure<FlopsPerToken> training) {
  const FlopsRules& rules = *question.rules;
  const Term model_flops(graph, training.id());
  switch (question.recompute) {
    case Repeat::none:
      return figure(graph, "hardware", model_flops, question);
    case Repeat::selective:
      return figure(graph, "hardware",
                    model_flops + (rules.selective_is_whole ? passed.attention : passed.once),
                    question);
    case Repeat::op_selective: {
      const auto again = every_second_product(kinds);
      if (!again) {
        return unknown_figure(graph, "hardware",
                              "which matrix products are computed again is known for grouped heads "
                              "with dense MLPs only");
      }
      const auto products = again->derive<Count>(
          graph, "weights of every second product",
          "torchtitan distributed/activation_checkpoint.py, SelectiveAC (commit b5bcd76c66d0)");
      return figure(graph, "hardware", model_flops + Term(2) * Term(graph, products.id()),
                    question);
    }
    case Repeat::full:
      break;
  }
  if (rules.basis == Basis::parameters) {
    return figure(graph, "hardware", Term(*Rational::ratio(4, 3)) * model_flops, question);
  }
  return figure(graph, "hardware",
                model_flops + Term(2) * (passed.layers + passed.beside) + passed.once, question);
}

}  // namespace

std::span<const FlopsRules> flops_rules() {
  return kRules;
}

base::Result<const FlopsRules*> find_flops_rules(std::string_view name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const FlopsRules& rules : kRules) {
    if (rules.name == name) return &rules;
    names.push_back(rules.name);
    all += (all.empty() ? "" : ", ") + std::string(rules.name);
  }
  const auto close = base::nearest(name, names, 2);
  return base::Diagnostic{.code = base::Code::usage,
                          .message = "--rules " + base::printable(name) + " counts no FLOPs",
                          .span = {},
                          .hint = close.empty() ? all : base::did_you_mean(close),
                          .notes = {}};
}

Term attended_keys(const MixerLayers& mixer, const model::Extent& sequence, bool causal) {
  const Term tokens(sequence);
  const Term half(Rational(1) / Rational(2));
  const std::optional<model::Extent>& most = mixer.window ? mixer.window : mixer.chosen;
  if (!most || most->value >= sequence.value) return causal ? tokens * half : tokens;
  const Term window(*most);
  if (!causal) return window;
  // A chunk starts anew; a window is full from its length on: w − w² ÷ 2s, which is s ÷ 2 for w =
  // s.
  return mixer.chunked ? window * half : window - window * window * half / tokens;
}

Term passed_matrices(Graph& graph, const Inventory& inventory, const LayerKinds& kinds,
                     const FlopsRules& rules) {
  return layer_part(graph, inventory, kinds, rules) + head_part(graph, inventory, kinds);
}

FlopsAnswer flops_of(Graph& graph, const Inventory& inventory, const LayerKinds& kinds,
                     const FlopsQuestion& question) {
  const FlopsRules& rules = *question.rules;
  const bool closed = rules.basis == Basis::gpt_shape;
  const Term of_layers =
      closed ? Term(12) * Term(kinds.layers) * Term(kinds.hidden) * Term(kinds.hidden)
             : layer_part(graph, inventory, kinds, rules);
  const auto layers = of_layers.derive<Count>(graph, "matrices of the layers that a token passes");
  Passed passed{.layers = Term(graph, layers.id())};
  const Term head = closed && kinds.vocabulary ? Term(*kinds.vocabulary) * Term(kinds.hidden)
                                               : head_part(graph, inventory, kinds);
  Term all = passed.layers;
  if (!head.is_constant(0)) {
    all = all + Term(graph, head.derive<Count>(graph, "head, once for each depth").id());
  }
  const bool counts_parameters =
      rules.basis == Basis::parameters || rules.basis == Basis::parameters_no_table;
  if (counts_parameters) all = parameter_part(graph, inventory, rules.basis == Basis::parameters);
  const auto weights = all.derive<Count>(
      graph, counts_parameters ? "parameters counted" : "weights that a token passes");
  Term trained(0);
  for (const TensorGroup& group : question.adapters)
    trained = trained + passed_part(graph, group);
  const bool frozen = !question.adapters.empty();
  const auto adapters = trained.derive<Count>(graph, "weights of adapters");
  const auto mixing =
      figure(graph, "scores and states, forward", mixing_part(kinds, question), question);
  passed.once = Term(graph, mixing.id());
  const Term held(graph, weights.id());
  if (frozen) passed.beside = Term(graph, adapters.id());
  const auto attention = figure(graph, "attention in training", Term(3) * passed.once, question);
  passed.attention = Term(graph, attention.id());
  const auto forward =
      figure(graph, "forward", Term(2) * (held + passed.beside) + passed.once, question);
  // Frozen weights have a forward pass and a gradient of their input, and no gradient of their own.
  const auto training = figure(graph, "training",
                               frozen ? Term(4) * held + Term(6) * passed.beside + passed.attention
                                      : Term(6) * held + passed.attention,
                               question);
  const auto hardware = hardware_figure(graph, kinds, question, passed, training);
  return {weights, forward, training, hardware, attention};
}

FlopsAnswer flops_of_total(Graph& graph, Figure<Count> parameters, const FlopsQuestion& question) {
  constexpr const char* kNoShape = "a number of parameters has no shape";
  const Term all(graph, parameters.id());
  const auto training = figure(graph, "training", Term(6) * all, question);
  const Term model_flops(graph, training.id());
  const bool parts =
      question.recompute == Repeat::selective || question.recompute == Repeat::op_selective;
  const Term again =
      question.recompute == Repeat::full ? Term(*Rational::ratio(4, 3)) * model_flops : model_flops;
  return {parameters, figure(graph, "forward", Term(2) * all, question), training,
          parts ? unknown_figure(graph, "hardware", kNoShape)
                : figure(graph, "hardware", again, question),
          unknown_figure(graph, "attention in training", kNoShape)};
}

}  // namespace ullage::compute

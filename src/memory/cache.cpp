// Sums over the cache inventory.
#include "memory/cache.hpp"

#include <algorithm>
#include <numeric>

namespace ullage::memory {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using exact::Rational;
using model::CacheGroup;
using model::CacheKind;
using model::CachePart;
using model::Extent;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Bits;
using units::Bytes;
using units::Count;

constexpr std::string_view kPackedIndex = "fp8-group128";

// A product in the making: value, formula and the figures that it rests on.
struct Product {
  Rational value = 1;
  std::string formula;
  std::vector<FigureId> inputs;

  void times(const Rational& factor, const std::string& name, FigureId figure) {
    value *= factor;
    formula += (formula.empty() ? "" : " × ") + name;
    if (std::find(inputs.begin(), inputs.end(), figure) == inputs.end()) inputs.push_back(figure);
  }
  void times(const Extent& extent) { times(extent.value, extent.name, extent.figure); }
};

struct Widths {
  Figure<Bits> bits;
  std::optional<Figure<Bits>> head_bits;
};

// Bytes of one layer, whole and on one rank.
struct Pair {
  Figure<Bytes> whole;
  Figure<Bytes> on_rank;
};

class Counter {
 public:
  Counter(Graph& graph, const model::Model& model, const CacheQuestion& question,
          const CacheFormat& format, catalog::Catalogue& catalogue)
      : graph_(graph),
        model_(model),
        question_(question),
        format_(format),
        catalogue_(catalogue),
        heads_(attention_heads(*model.inventory)) {}

  base::Result<CacheClass> count(const CacheGroup& group, bool draft);

 private:
  base::Result<Widths> widths(const CacheGroup& group, const CachePart& part);
  base::Result<Widths> named(const std::string& format);
  base::Result<Pair> bytes(const CacheGroup& group, const CachePart& part);
  base::Result<Pair> sum(const CacheGroup& group, const std::vector<CachePart>& parts,
                         const std::string& what);
  Pair expanded(const CacheGroup& group, const Widths& widths);
  Rational heads_on_rank(const CacheGroup& group, const Extent& heads, std::string& formula) const;
  base::Result<Figure<Count>> on_stage(const CacheGroup& group, bool draft);
  base::Result<std::vector<std::int64_t>> stage_layers() const;
  const Rational& ranks() const { return question_.layout.tensor.value; }

  Graph& graph_;
  const model::Model& model_;
  const CacheQuestion& question_;
  const CacheFormat& format_;
  catalog::Catalogue& catalogue_;
  std::optional<Extent> heads_;
};

base::Result<Widths> Counter::named(const std::string& name) {
  ULLAGE_TRY(const catalog::StorageFormat* const format, catalogue_.formats().find(name));
  const auto bits =
      stored_width(graph_, *format, "bits per element in " + format->name, catalogue_);
  return Widths{bits, {}};
}

base::Result<Widths> Counter::widths(const CacheGroup& group, const CachePart& part) {
  if (group.kind == CacheKind::recurrent) {
    const CacheRules& rules = question_.rules;
    if (!rules.state_format.empty()) return named(rules.state_format);
    if (rules.honours_stated_state && !part.stated_format.empty()) return named(part.stated_format);
    if (part.name == "ssm" && !rules.unstated_state_format.empty())
      return named(rules.unstated_state_format);
    const auto native = catalogue_.formats().find(model_.native_format);
    return named(native.ok() && (*native)->name == "fp16" ? "fp16" : "bf16");
  }
  if (!part.stated_format.empty()) return named(part.stated_format);
  if (!format_.packed.empty()) {
    if (group.kind == CacheKind::index) return named(std::string(kPackedIndex));
    if (part.name == "rope") return named("bf16");
    if (part.name == "latent") return named(format_.packed);
  }
  return Widths{format_.bits, format_.head_bits};
}

// How many of `heads` a rank keeps, and the rule in words.
Rational Counter::heads_on_rank(const CacheGroup& group, const Extent& heads,
                                std::string& formula) const {
  const Rational even = heads.value / ranks();
  const bool attention = group.kind != CacheKind::recurrent;
  const HeadRule rule = attention ? question_.rules.heads : HeadRule::rounded_up;
  switch (rule) {
    case HeadRule::rounded_down:
      formula = "max(1, ⌊" + heads.name + " ÷ tp⌋)";
      return max(Rational(1), even.floor());
    case HeadRule::replicated: {
      if (even.is_whole()) break;
      const bool plain = heads_ && heads_->value == heads.value;
      if (!plain && (ranks() / heads.value).is_whole()) {
        formula = "1 (" + heads.name + " replicated to tp)";
        return 1;
      }
      if (!heads_) break;
      formula = "⌈" + heads_->name + " ÷ tp⌉ (one for each query head)";
      return (heads_->value / ranks()).ceil();
    }
    case HeadRule::rounded_up:
      break;
  }
  formula = even.is_whole() ? heads.name + " ÷ tp" : "⌈" + heads.name + " ÷ tp⌉";
  return even.ceil();
}

base::Result<Pair> Counter::bytes(const CacheGroup& group, const CachePart& part) {
  ULLAGE_TRY(const Widths widths, this->widths(group, part));
  const Rational element = graph_.value(widths.bits) / Rational(8);
  const bool longer = group.kind == CacheKind::recurrent && part.name == "conv" &&
                      question_.speculative.has_value();
  Product product;
  for (const Extent& extent : part.elements) {
    const bool taps = longer && &extent == &part.elements.back();
    if (!taps) {
      product.times(extent);
      continue;
    }
    product.times(extent.value + question_.speculative->value,
                  "(" + extent.name + " + speculative tokens)", extent.figure);
    product.inputs.push_back(question_.speculative->figure);
  }
  product.inputs.push_back(widths.bits.id());
  const Rational heads = part.divided ? part.divided->value : Rational(1);
  Rational scales;
  std::string formula = product.formula + " × bits ÷ 8";
  if (widths.head_bits) {
    scales = graph_.value(*widths.head_bits) / Rational(8);
    product.inputs.push_back(widths.head_bits->id());
    formula += " + " + (part.divided ? part.divided->name + " × " : std::string()) + "scale";
  }
  const std::string name = group.name + " " + part.name;
  const auto whole = graph_.derived<Bytes>(name, formula, "", product.inputs,
                                           product.value * element + heads * scales);
  if (!part.divided || ranks() == Rational(1)) return Pair{whole, whole};
  std::string kept;
  const Rational on_rank = heads_on_rank(group, *part.divided, kept);
  std::vector<FigureId> inputs{whole.id(), part.divided->figure, question_.layout.tensor.figure};
  return Pair{whole, graph_.derived<Bytes>(name + " on one rank",
                                           "bytes × " + kept + " ÷ " + part.divided->name,
                                           question_.rules.heads_citation, std::move(inputs),
                                           graph_.value(whole) * on_rank / heads)};
}

base::Result<Pair> Counter::sum(const CacheGroup& group, const std::vector<CachePart>& parts,
                                const std::string& what) {
  std::vector<Figure<Bytes>> whole;
  std::vector<Figure<Bytes>> on_rank;
  for (const CachePart& part : parts) {
    ULLAGE_TRY(const Pair pair, bytes(group, part));
    whole.push_back(pair.whole);
    on_rank.push_back(pair.on_rank);
  }
  const auto all = graph_.sum(group.name + ", " + what, whole);
  const bool same =
      std::equal(whole.begin(), whole.end(), on_rank.begin(),
                 [](const Figure<Bytes>& a, const Figure<Bytes>& b) { return a.id() == b.id(); });
  return Pair{all, same ? all : graph_.sum(group.name + ", " + what + ", on one rank", on_rank)};
}

// Keys and values of every head, the values padded to the width of the keys.
Pair Counter::expanded(const CacheGroup& group, const Widths& widths) {
  const CacheRules& rules = question_.rules;
  const CachePart& key = group.expanded.front();
  Rational width;
  std::string formula;
  std::vector<FigureId> inputs{key.elements.front().figure, widths.bits.id()};
  for (const CachePart& part : group.expanded) {
    const Extent& own = part.elements.back();
    width += own.value;
    formula += (formula.empty() ? "" : " + ") + own.name;
    inputs.push_back(own.figure);
  }
  if (rules.expanded_head) {
    formula += ", padded to " + rules.expanded_head->to_string();
    width = max(width, *rules.expanded_head);
  }
  const Extent& heads = key.elements.front();
  const Rational head = Rational(2) * width * graph_.value(widths.bits) / Rational(8);
  const auto whole = graph_.derived<Bytes>(group.name + ", expanded",
                                           "2 × " + heads.name + " × (" + formula + ") × bits ÷ 8",
                                           rules.expanded_citation, inputs, heads.value * head);
  if (ranks() == Rational(1)) return {whole, whole};
  std::string kept;
  const Rational on_rank = heads_on_rank(group, heads, kept);
  return {whole, graph_.derived<Bytes>(group.name + ", expanded, on one rank",
                                       "bytes × " + kept + " ÷ " + heads.name, rules.heads_citation,
                                       {whole.id(), heads.figure, question_.layout.tensor.figure},
                                       head * on_rank)};
}

// Layers of the group on the stage that has most of them. Where nobody says which layers they are,
// they are taken to be spread evenly.
base::Result<Figure<Count>> Counter::on_stage(const CacheGroup& group, bool draft) {
  const CacheLayout& layout = question_.layout;
  ULLAGE_TRY(const auto all, graph_.narrow<Count>(group.layers.figure));
  const bool whole = layout.layer_split.empty() && layout.pipeline.value == Rational(1);
  if (draft || whole) return all;  // a draft module stands whole on the last stage
  ULLAGE_TRY(const std::vector<std::int64_t> stages, stage_layers());
  Rational most;
  std::int64_t first = 0;
  for (const std::int64_t layers : stages) {
    const std::int64_t end = first + layers;
    if (group.layers.layers != nullptr) {
      const auto& numbers = *group.layers.layers;
      const auto here = std::count_if(numbers.begin(), numbers.end(), [&](std::int64_t number) {
        return number >= first && number < end;
      });
      most = max(most, Rational(static_cast<std::int64_t>(here)));
    } else {
      const std::int64_t total = std::accumulate(stages.begin(), stages.end(), std::int64_t{0});
      most = max(most, (group.layers.value * Rational(layers) / Rational(total)).ceil());
    }
    first = end;
  }
  return graph_.derived<Count>(group.name + ", layers on the fullest stage",
                               group.layers.name + " on the stage that has most of them",
                               "memory/shards: layers in order over the stages",
                               {all.id(), layout.pipeline.figure}, most);
}

base::Result<std::vector<std::int64_t>> Counter::stage_layers() const {
  const CacheLayout& layout = question_.layout;
  const std::int64_t layers = layers_of(*model_.inventory);
  const auto usage = [](std::string message, std::string hint) {
    return Diagnostic{.code = Code::usage,
                      .message = std::move(message),
                      .span = {},
                      .hint = std::move(hint),
                      .notes = {}};
  };
  if (layout.layer_split.empty()) {
    const std::int64_t stages = layout.pipeline.value.to_int64().value_or(layers + 1);
    if (layers == 0) {
      return Diagnostic{.code = Code::unknown_figure,
                        .message =
                            "how many layers the model has is not known, so it cannot be "
                            "cut into stages",
                        .span = {},
                        .hint = "leave out --pp",
                        .notes = {}};
    }
    if (stages > layers) {
      return usage("--pp " + layout.pipeline.value.to_string() + " is more than the model's " +
                       std::to_string(layers) + " layers",
                   "at most one stage a layer");
    }
    return even_split(layers, stages);
  }
  const std::int64_t total =
      std::accumulate(layout.layer_split.begin(), layout.layer_split.end(), std::int64_t{0});
  if (layers > 0 && total != layers) {
    return usage("--layer-split adds up to " + std::to_string(total) +
                     " layers, but the model has " + std::to_string(layers),
                 "one number a stage, which together are all layers");
  }
  return layout.layer_split;
}

base::Result<CacheClass> Counter::count(const CacheGroup& group, bool draft) {
  ULLAGE_TRY(const auto stage, on_stage(group, draft));
  const bool expand = question_.rules.expanded_latent && !group.expanded.empty();
  ULLAGE_TRY(Pair entry, sum(group, group.per_token, "one entry"));
  if (expand) entry = expanded(group, {format_.bits, format_.head_bits});
  ULLAGE_TRY(const Pair fixed, sum(group, group.per_sequence, "one sequence"));
  return CacheClass{.name = group.name,
                    .kind = expand ? CacheKind::full : group.kind,
                    .draft = draft,
                    .layers = group.layers,
                    .layers_on_stage = stage,
                    .entry = entry.whole,
                    .entry_on_rank = entry.on_rank,
                    .fixed = fixed.whole,
                    .fixed_on_rank = fixed.on_rank,
                    .window = group.window,
                    .compress = group.compress};
}

void note_heads(const model::Inventory& inventory, const CacheLayout& layout,
                std::vector<base::Note>& notes) {
  const Rational& ranks = layout.tensor.value;
  if (ranks == Rational(1)) return;
  std::string uneven;
  const auto heads = attention_heads(inventory);
  if (heads && !(heads->value / ranks).is_whole()) {
    uneven = heads->name + " " + heads->value.to_string();
  }
  std::optional<Extent> replicated;
  for (const CacheGroup& group : inventory.caches) {
    if (group.kind == CacheKind::recurrent) {
      for (const CachePart& part : group.per_sequence) {
        const bool cut = part.divided && !(part.divided->value / ranks).is_whole();
        if (cut && uneven.empty())
          uneven = part.divided->name + " " + part.divided->value.to_string();
      }
      continue;
    }
    for (const CachePart& part : group.per_token) {
      if (!part.divided) continue;
      const Rational& kept = part.divided->value;
      if (ranks > kept) replicated = part.divided;
      const bool divides = (kept / ranks).is_whole() || (ranks / kept).is_whole();
      if (!divides && uneven.empty()) uneven = part.divided->name + " " + kept.to_string();
    }
  }
  if (!uneven.empty()) {
    notes.push_back({"tensor-parallel-uneven", Severity::warning,
                     uneven + " does not divide by a tensor-parallel degree of " +
                         ranks.to_string() +
                         ": the fullest rank is counted; engines refuse or pad"});
  }
  if (replicated) {
    notes.push_back({"kv-heads-replicated", Severity::note,
                     "the tensor-parallel degree " + ranks.to_string() + " exceeds " +
                         replicated->name + " " + replicated->value.to_string() +
                         ": each rank keeps whole heads, and they are counted on each"});
  }
}

}  // namespace

std::optional<Extent> attention_heads(const model::Inventory& inventory) {
  for (const model::TensorGroup& tensors : inventory.tensors) {
    if (tensors.component != model::Component::attention || tensors.split != model::Split::rows)
      continue;
    if (tensors.shape.size() == 2 && tensors.shape[1].size() == 2 &&
        tensors.name.find("linear") == std::string::npos) {
      return tensors.shape[1].front();
    }
  }
  return std::nullopt;
}

base::Result<CacheClasses> cache_classes(Graph& graph, const model::Model& model,
                                         const CacheQuestion& question,
                                         catalog::Catalogue& catalogue) {
  if (!model.inventory) {
    return Diagnostic{.code = Code::unknown_figure,
                      .message = "the shape of " + base::printable(model.name) +
                                 " is not known, so what its layers cache is not either",
                      .span = {},
                      .hint = "name a config.json, or a card with an architecture",
                      .notes = {}};
  }
  ULLAGE_TRY(CacheFormat format,
             cache_format(graph, model, question.format, question.rules, catalogue));
  Counter counter(graph, model, question, format, catalogue);
  std::vector<CacheClass> classes;
  for (const CacheGroup& group : model.inventory->caches) {
    ULLAGE_TRY(CacheClass counted, counter.count(group, false));
    classes.push_back(std::move(counted));
  }
  std::vector<base::Note> notes = format.notes;
  if (question.speculative && question.own_drafts) {
    for (const CacheGroup& group : model.inventory->draft_caches) {
      ULLAGE_TRY(CacheClass counted, counter.count(group, true));
      classes.push_back(std::move(counted));
    }
  }
  note_heads(*model.inventory, question.layout, notes);
  return CacheClasses{std::move(classes), std::move(format), std::move(notes)};
}

}  // namespace ullage::memory

// Shares of devices backwards, and memory that is not the devices'.
#include "plan/serve_beside.hpp"

#include <algorithm>

#include "catalog/figures.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using exact::Rational;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Bytes;
using units::Count;
using units::Tokens;

Diagnostic wrong(std::string message, std::string hint) {
  return {.code = Code::usage,
          .message = std::move(message),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

Rational elements_of(const model::TensorGroup& group) {
  Rational elements = 1;
  for (const model::Axis& axis : group.shape) {
    for (const model::Extent& extent : axis)
      elements *= extent.value;
  }
  return elements;
}

// Bits of an element of the group: those of the format that it is kept in, else the weights'.
Rational bits_of(const model::TensorGroup& group, const Rational& bits,
                 catalog::Catalogue& catalogue) {
  if (group.kept.empty()) return bits;
  const auto format = catalogue.formats().find(group.kept);
  return format.ok() && (*format)->bits ? *(*format)->bits : bits;
}

}  // namespace

Usable usable_share(Graph& graph, const engine::EngineChoice& engine, const ServeMemory& memory) {
  const auto own = engine.engine->utilization(engine.version);
  const auto share = [&] {
    if (memory.share) return *memory.share;
    if (own) return graph.assumed<units::Share>("utilisation", own->share, own->citation);
    return graph.assumed<units::Share>(
        "utilisation", 1, "all of it, since neither --utilization nor the engine says less");
  }();
  return {share, own && own->of_free, own ? own->cap : std::nullopt,
          own ? own->cap_citation : std::string()};
}

void add_least_utilization(Graph& graph, Figure<units::Capacity> capacity, const Usable& usable,
                           Serving& serving) {
  const auto& least = serving.allocation.kv_memory_min;
  if (!least || !serving.weights_per_device) return;
  if (!graph.known(capacity.id()) || !graph.known(serving.weights_per_device->id())) return;
  const Rational& whole = graph.value(capacity);
  const Rational& cache = graph.value(*least);
  Rational used = graph.value(*serving.weights_per_device);
  std::vector<FigureId> inputs{least->id(), serving.weights_per_device->id(), capacity.id()};
  if (serving.overhead_per_device) {
    used += graph.value(*serving.overhead_per_device);
    inputs.push_back(serving.overhead_per_device->id());
  }
  const Rational free = whole - used;
  if (whole.sign() <= 0 || (usable.of_free && free.sign() <= 0)) return;
  Rational share = usable.of_free ? cache / free : (used + cache) / whole;
  std::string formula = usable.of_free
                            ? "least memory for the cache ÷ (capacity − weights − overheads)"
                            : "(weights + overheads + least memory for the cache) ÷ capacity";
  if (usable.cap && share < cache / (whole * *usable.cap)) {
    share = cache / (whole * *usable.cap);
    formula = "least memory for the cache ÷ (capacity × " +
              usable.cap->to_decimal(2, exact::Rounding::nearest) + ")";
  }
  if (share <= Rational(1)) {
    serving.utilization_min = graph.derived<units::Share>(
        "smallest utilisation", std::move(formula), usable.cap_citation, std::move(inputs), share);
    return;
  }
  serving.notes.push_back({"no-utilization-suffices", Severity::warning,
                           "no share of the device holds this workload: it would take " +
                               share.to_decimal(2, exact::Rounding::up) + " of it"});
}

void move_weights_to_host(Graph& graph, const GivenNumber& wanted, Serving& serving) {
  const auto asked =
      graph.given<Bytes>("weights on the host, as asked for", wanted.value, {wanted.where, ""});
  const Figure<Bytes> loaded = *serving.weights_per_device;
  const bool known = graph.known(loaded.id());
  const Rational all = known ? graph.value(loaded) : Rational();
  const Rational moved = min(wanted.value, all);
  serving.weights_offloaded =
      graph.derived<Bytes>("weights of one device on the host", "min(asked for, weights)", "",
                           {asked.id(), loaded.id()}, moved);
  serving.weights_per_device =
      graph.derived<Bytes>("weights left on one device", "weights − those on the host", "",
                           {loaded.id(), serving.weights_offloaded->id()}, all - moved);
}

void add_runtime_memory(Graph& graph, const catalog::Entry& chip, Serving& serving) {
  std::vector<FigureId> inputs;
  std::vector<Rational> values;
  for (const char* name :
       {"firmware_carveout", "hbm_stacks", "microcode_per_core", "cores", "logical_cores"}) {
    const catalog::FigureFact* const fact = chip.figure(name);
    if (fact == nullptr || !fact->known()) return;
    inputs.push_back(catalog::bring(graph, *fact));
    values.push_back(graph.value(inputs.back()));
  }
  const auto kept = graph.derived<Bytes>(
      "memory that the runtime keeps",
      "(firmware carve-out × stacks + micro-code × physical cores) ÷ logical cores", "",
      std::move(inputs), (values[0] * values[1] + values[2] * values[3]) / values[4]);
  std::vector<Figure<Bytes>> parts{kept};
  if (serving.overhead_per_device) parts.push_back(*serving.overhead_per_device);
  serving.overhead_per_device = graph.sum("overheads and the runtime's memory", parts);
  serving.notes.push_back({"runtime-memory", Severity::note,
                           "firmware and the runtime's micro-code keep a part of each rank's "
                           "memory; model code, rings and scratch space come on top and are yours "
                           "to state (--overhead)"});
}

void add_host(Graph& graph, const ServeChoice& choice, Serving& serving) {
  std::vector<Figure<Bytes>> parts;
  const auto of_all = [&](const std::string& name, Figure<Bytes> one) {
    const bool known = graph.known(one.id());
    return graph.derived<Bytes>(
        name, "of one device × devices", "", {one.id(), serving.devices.id()},
        known ? graph.value(one) * graph.value(serving.devices) : Rational());
  };
  if (serving.weights_offloaded) {
    parts.push_back(of_all("weights on the host", *serving.weights_offloaded));
  }
  if (serving.weights_host) parts.push_back(*serving.weights_host);
  if (choice.kv_on_host) {
    const auto size = graph.given<Bytes>("cache of one device on the host",
                                         choice.kv_on_host->value, {choice.kv_on_host->where, ""});
    parts.push_back(of_all("caches on the host", size));
    const engine::Allocation& a = serving.allocation;
    const Rational token =
        a.kv_per_token_per_device ? graph.value(*a.kv_per_token_per_device) : Rational();
    const bool blocks = a.block_bytes && graph.value(*a.block_bytes).sign() > 0;
    if (blocks) {
      serving.host_blocks =
          graph.derived<Count>("blocks on the host", "⌊cache on the host ÷ bytes of a block⌋", "",
                               {size.id(), a.block_bytes->id()},
                               (choice.kv_on_host->value / graph.value(*a.block_bytes)).floor());
    }
    const bool uniform = blocks && a.block_tokens &&
                         graph.value(*a.block_bytes) == token * graph.value(*a.block_tokens);
    if (uniform) {
      serving.host_tokens =
          graph.derived<Tokens>("tokens on the host", "blocks × tokens of a block", "",
                                {serving.host_blocks->id(), a.block_tokens->id()},
                                graph.value(*serving.host_blocks) * graph.value(*a.block_tokens));
    } else if (!blocks && token.sign() > 0) {
      serving.host_tokens = graph.derived<Tokens>(
          "tokens on the host", "⌊cache on the host ÷ bytes of a token⌋", "",
          {size.id(), a.kv_per_token_per_device->id()}, (choice.kv_on_host->value / token).floor());
    }
    serving.notes.push_back({"host-cache-not-running", Severity::note,
                             "a cache on the host keeps what is not running: it raises neither the "
                             "sequences held at once nor the longest context"});
  }
  if (!parts.empty()) serving.host_memory = graph.sum("host memory", parts);
}

base::Result<void> check_vision(const model::Model& model, const ServeChoice& choice) {
  if (!choice.vision_tokens) return {};
  if (!choice.context) {
    return wrong("--vision-tokens needs --context", "--context N is the text beside the images");
  }
  if (!model.inventory) return {};
  const auto& caches = model.inventory->caches;
  const bool cross = std::any_of(caches.begin(), caches.end(), [](const model::CacheGroup& group) {
    return group.kind == model::CacheKind::cross;
  });
  if (cross) {
    return wrong("--vision-tokens: " + base::printable(model.name) +
                     " reads what it encodes through cross-attention",
                 "those caches are counted for each sequence already; leave the flag out");
  }
  return {};
}

void note_unused(const model::Model& model, const ServeChoice& choice, std::string_view engine,
                 std::vector<base::Note>& notes) {
  const model::Inventory& inventory = *model.inventory;
  if (inventory.caches.empty()) {
    notes.push_back({"no-cache", Severity::note,
                     "the model keeps nothing of the tokens that it has read: it takes each "
                     "sequence whole, so that neither a cache nor a state grows"});
  }
  if (choice.speculative_tokens && !choice.draft && inventory.draft_caches.empty()) {
    notes.push_back({"no-draft-layers", Severity::note,
                     "the model has no prediction layers of its own: --draft MODEL counts what "
                     "proposes the tokens"});
  }
  const bool latent =
      std::any_of(inventory.caches.begin(), inventory.caches.end(),
                  [](const model::CacheGroup& group) { return !group.expanded.empty(); });
  const bool paged = engine == "vllm" || engine == "sglang" || engine == "trtllm";
  std::string flags;
  const auto add = [&](bool given, bool read, const char* flag) {
    if (given && !read) flags += (flags.empty() ? "" : ", ") + std::string(flag);
  };
  add(choice.block_size.has_value(), paged, "--block-size");
  add(choice.batched_tokens.has_value(), engine == "vllm", "--batched-tokens");
  add(choice.cache_mode.has_value(), engine == "vllm", "--cache-mode");
  add(choice.prefix_caching.has_value(), engine == "vllm", "--prefix-caching");
  add(choice.ubatch.has_value(), engine == "llamacpp", "--ubatch");
  add(choice.expanded_latent.has_value(), latent, "--mla");
  add(choice.lora_rank.has_value(), choice.lora_adapters.has_value(), "--lora-rank");
  if (flags.empty()) return;
  notes.push_back({"flag-without-effect", Severity::warning,
                   flags + ": nothing here depends on it, under the rules of " +
                       std::string(engine) + " for this model"});
}

LoadNeed load_need(Graph& graph, const model::Model& model, const memory::Weights& weights,
                   catalog::Catalogue& catalogue) {
  const bool payload = graph.known(weights.payload.id());
  LoadNeed need{payload ? weights.payload : weights.floor, {}};
  if (!model.inventory) return need;
  const bool known = graph.known(weights.bits.id());
  const Rational bits = known ? graph.value(weights.bits) : Rational();
  Rational most;
  std::vector<FigureId> inputs{weights.bits.id()};
  std::string name;
  for (const model::TensorGroup& group : model.inventory->tensors) {
    if (!group.stored) continue;
    const Rational bytes = elements_of(group) * bits_of(group, bits, catalogue) / Rational(8);
    if (bytes <= most) continue;
    most = bytes;
    name = group.name;
    inputs = {weights.bits.id()};
    for (const model::Axis& axis : group.shape) {
      for (const model::Extent& extent : axis)
        inputs.push_back(extent.figure);
    }
  }
  need.host_min = graph.derived<Bytes>("host memory to load, at least",
                                       "the largest tensor, " + name + ": elements × bits ÷ 8", "",
                                       std::move(inputs), most);
  return need;
}

}  // namespace ullage::plan

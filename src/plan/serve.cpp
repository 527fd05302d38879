// Turns what the user says into figures, asks the engine, and adds up.
#include "plan/serve.hpp"

#include <algorithm>

#include "engine/demand.hpp"
#include "engine/ideal.hpp"
#include "engine/loaded.hpp"
#include "memory/held_adapters.hpp"
#include "plan/serve_beside.hpp"
#include "plan/statements.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using exact::Rational;
using model::Extent;
using provenance::Figure;
using provenance::FigureId;
using provenance::Graph;
using units::Bytes;
using units::Count;
using units::Tokens;

Extent degree(Graph& graph, const std::string& name, const std::optional<GivenNumber>& given) {
  if (given) {
    return {name, given->value, graph.given<Count>(name, given->value, {given->where, ""}).id()};
  }
  return {name, 1, graph.assumed<Count>(name, 1, "1, since --" + name + " is not given").id()};
}

std::optional<Extent> tokens(Graph& graph, const std::string& name,
                             const std::optional<GivenNumber>& given) {
  if (!given) return std::nullopt;
  return Extent{name, given->value,
                graph.given<Tokens>(name, given->value, {given->where, ""}).id()};
}

Extent extent_of(Graph& graph, const std::string& name, const memory::Degree& degree) {
  if (degree.figure) return {name, Rational(degree.value), *degree.figure};
  return {name, 1, graph.assumed<Count>(name, 1, "1, since --" + name + " is not given").id()};
}

memory::CacheLayout cache_layout(Graph& graph, const ServeChoice& choice,
                                 const memory::Layout& layout) {
  return {.tensor = extent_of(graph, "tp", layout.tensor),
          .pipeline = extent_of(graph, "pp", layout.pipeline),
          .data = degree(graph, "dp", choice.data),
          .expert = extent_of(graph, "ep", layout.expert),
          .context = degree(graph, "cp", choice.context_parallel),
          .layer_split = layout.layer_split};
}

// The tokens of a sequence: those of its text, and those that stand for its images.
std::optional<Extent> context_of(Graph& graph, const ServeChoice& choice) {
  const auto text = tokens(graph, "context", choice.context);
  const auto images = tokens(graph, "vision tokens", choice.vision_tokens);
  if (!text || !images) return text;
  const Rational all = text->value + images->value;
  return Extent{"context with images", all,
                graph
                    .derived<Tokens>("context with images", "context + vision tokens", "",
                                     {text->figure, images->figure}, all)
                    .id()};
}

engine::Workload workload_of(Graph& graph, const ServeChoice& choice, const model::Model& model) {
  engine::Workload workload{
      .context = context_of(graph, choice),
      .concurrency =
          choice.concurrency
              ? Extent{"concurrency", choice.concurrency->value,
                       graph
                           .given<Count>("concurrency", choice.concurrency->value,
                                         {choice.concurrency->where, ""})
                           .id()}
              : Extent{"concurrency", 1,
                       graph
                           .assumed<Count>("concurrency", 1,
                                           "one sequence, since --concurrency is not given")
                           .id()},
      .block_size = tokens(graph, "block size", choice.block_size),
      .batched_tokens = tokens(graph, "batched tokens", choice.batched_tokens),
      .ubatch = tokens(graph, "ubatch", choice.ubatch),
      .speculative = tokens(graph, "speculative tokens", choice.speculative_tokens),
      .prefix_caching = choice.prefix_caching,
      .cache_mode = choice.cache_mode,
      .swa_full = choice.swa_full,
      .trained_length = model.inventory ? model.inventory->trained_length : std::nullopt,
      .attention_heads = model.inventory ? memory::attention_heads(*model.inventory) : std::nullopt,
      .kv_memory = {}};
  return workload;
}

// The card's rule for the cache on this device, where the user leaves the choice open.
std::optional<std::string> stated_kv_dtype(const model::Model& model, const catalog::Entry* chip,
                                           const std::optional<std::string>& wanted,
                                           std::vector<base::Note>& notes) {
  if (model.card == nullptr || chip == nullptr) return wanted;
  for (const catalog::Statement& statement : model.card->statements) {
    if (!applies(statement, *chip)) continue;
    const auto format = statement.sets.find("kv_dtype");
    if (format == statement.sets.end()) continue;
    const bool open = !wanted || *wanted == "auto";
    if (open) {
      notes.push_back(
          {"kv-dtype-stated", Severity::note,
           "the KV cache is " + format->second + " on " + chip->id + ": " + statement.text,
           statement.source, statement.locator});
      return format->second;
    }
    if (*wanted != format->second) {
      notes.push_back(
          {"kv-dtype-against-statement", Severity::warning,
           "--kv-dtype " + base::printable(*wanted) + " stands against the card: " + statement.text,
           statement.source, statement.locator});
    }
    return wanted;
  }
  return wanted;
}

Figure<Count> devices_of(Graph& graph, const memory::CacheLayout& layout) {
  return graph.derived<Count>(
      "devices of the layout", "tp × pp × dp × cp", "",
      {layout.tensor.figure, layout.pipeline.figure, layout.data.figure, layout.context.figure},
      layout.tensor.value * layout.pipeline.value * layout.data.value * layout.context.value);
}

std::optional<Figure<Bytes>> overheads_of(Graph& graph, const ServeChoice& choice) {
  if (choice.overheads.empty()) return std::nullopt;
  std::vector<Figure<Bytes>> parts;
  for (const Overhead& overhead : choice.overheads) {
    parts.push_back(graph.given<Bytes>("overhead, " + overhead.name, overhead.size.value,
                                       {overhead.size.where, ""}));
  }
  return graph.sum("overheads", parts);
}

std::optional<Figure<Bytes>> with_state(Graph& graph, const std::string& name,
                                        const std::optional<Figure<Bytes>>& cache,
                                        const std::optional<Figure<Bytes>>& state) {
  if (!cache || !state) return cache;
  return graph.sum(name, std::vector<Figure<Bytes>>{*cache, *state});
}

void add_required(Graph& graph, Serving& serving) {
  const engine::Allocation& allocation = serving.allocation;
  serving.cache_per_device =
      with_state(graph, "cache and state on one device", allocation.kv_total_per_device,
                 allocation.state_total_per_device);
  serving.cache_total =
      with_state(graph, "cache and state in all", allocation.kv_total, allocation.state_total);
  if (!serving.cache_per_device || !serving.weights_per_device) return;
  std::vector<Figure<Bytes>> parts{*serving.weights_per_device, *serving.cache_per_device};
  if (serving.overhead_per_device) parts.push_back(*serving.overhead_per_device);
  const auto required =
      graph.sum("required memory on one device", parts, "weights + cache and state + overheads");
  serving.required_per_device = required;
  const bool known = graph.known(required.id());
  serving.required_total = graph.derived<Bytes>(
      "required memory", "required on one device × devices", "",
      {required.id(), serving.devices.id()},
      known ? graph.value(required) * graph.value(serving.devices) : Rational());
}

// What the weights and overheads leave of a capacity for the cache.
void add_kv_memory(Graph& graph, Figure<units::Capacity> capacity, const Usable& usable,
                   Serving& serving) {
  const auto share = usable.share;
  const bool sized = graph.known(capacity.id());
  serving.budget_per_device = graph.derived<Bytes>(
      "device budget", "capacity × utilisation", "", {capacity.id(), share.id()},
      sized ? graph.value(capacity) * graph.value(share) : Rational());
  std::vector<FigureId> inputs{capacity.id(), share.id(), serving.weights_per_device->id()};
  Rational used;
  const bool known = sized && graph.known(serving.weights_per_device->id());
  if (known) used = graph.value(*serving.weights_per_device);
  std::string less = " − weights";
  if (serving.overhead_per_device) {
    inputs.push_back(serving.overhead_per_device->id());
    used += graph.value(*serving.overhead_per_device);
    less += " − overheads";
  }
  const std::string name = "memory for the cache";
  Rational left;
  if (known) {
    left = usable.of_free ? (graph.value(capacity) - used) * graph.value(share)
                          : graph.value(capacity) * graph.value(share) - used;
  }
  const std::string formula =
      usable.of_free ? "(capacity" + less + ") × utilisation" : "capacity × utilisation" + less;
  auto memory = graph.derived<Bytes>(name, formula, "", inputs, left);
  if (usable.cap && known) {
    const Rational most = graph.value(*serving.budget_per_device) * *usable.cap;
    if (most < left) {
      memory = graph.derived<Bytes>(
          name, "capacity × utilisation × " + usable.cap->to_decimal(2, exact::Rounding::nearest),
          usable.cap_citation, {serving.budget_per_device->id(), memory.id()}, most);
    }
  }
  serving.kv_memory = memory;
}

base::Result<Figure<Bytes>> adapters_of(Graph& graph, const model::Model& model,
                                        const ServeChoice& choice) {
  const Extent adapters = degree(graph, "LoRA adapters", choice.lora_adapters);
  const Extent rank =
      choice.lora_rank ? degree(graph, "LoRA rank", choice.lora_rank)
                       : Extent{"LoRA rank", 16,
                                graph
                                    .assumed<Count>("LoRA rank", 16,
                                                    "16, a usual rank; --lora-rank N sets another")
                                    .id()};
  return memory::adapter_bytes(graph, model, adapters, rank);
}

// Adapters are held whole on every device, as engines do unless told to shard them.
void add_beside(Graph& graph, Serving& serving) {
  std::vector<Figure<Bytes>> parts{*serving.adapters};
  if (serving.overhead_per_device) parts.push_back(*serving.overhead_per_device);
  serving.overhead_per_device = graph.sum("overheads and adapters", parts);
}

// The caches of the model and of its draft.
base::Result<memory::CacheClasses> caches_of(Graph& graph, const model::Model& model,
                                             const model::Model* draft,
                                             const memory::CacheQuestion& question,
                                             catalog::Catalogue& catalogue) {
  ULLAGE_TRY(memory::CacheClasses counted,
             memory::cache_classes(graph, model, question, catalogue));
  if (draft == nullptr) return counted;
  const memory::CacheQuestion plain{question.format, question.layout, std::nullopt, false,
                                    question.rules};
  ULLAGE_TRY(memory::CacheClasses beside, memory::cache_classes(graph, *draft, plain, catalogue));
  for (memory::CacheClass& layers : beside.classes) {
    layers.name = "draft " + layers.name;
    layers.draft = true;
    counted.classes.push_back(std::move(layers));
  }
  return counted;
}

// The weights of one device, with a draft's beside them, less those that lie on the host.
base::Result<void> hold_weights(Graph& graph, const model::Model& model,
                                const memory::Weights& weights, const ServeChoice& choice,
                                const memory::Layout& ranks, catalog::Catalogue& catalogue,
                                Serving& serving) {
  const model::Model* const draft = choice.draft_model;
  const bool drafts = choice.speculative_tokens && draft == nullptr;
  ULLAGE_TRY(
      const engine::LoadedWeights loaded,
      engine::loaded_weights(graph, model, weights, ranks, serving.engine,
                             drafts ? engine::Drafting::yes : engine::Drafting::no, catalogue));
  serving.weights_per_device = loaded.per_device;
  if (draft != nullptr) {
    ULLAGE_TRY(const memory::Weights own, memory::weigh(graph, *draft, {}, catalogue));
    ULLAGE_TRY(const engine::LoadedWeights beside,
               engine::loaded_weights(graph, *draft, own, ranks, serving.engine,
                                      engine::Drafting::no, catalogue));
    const std::vector<Figure<Bytes>> both{loaded.per_device, beside.per_device};
    serving.weights_per_device = graph.sum("weights with the draft's", both, "model + draft");
  }
  serving.weights_host = loaded.host;
  if (choice.weights_on_host) move_weights_to_host(graph, *choice.weights_on_host, serving);
  serving.notes.insert(serving.notes.end(), loaded.notes.begin(), loaded.notes.end());
  return {};
}

// The memory that the cache has. What is over budget holds nothing.
std::optional<Figure<Bytes>> supply_of(const Graph& graph, Serving& serving) {
  const auto& supply = serving.kv_memory;
  if (!supply || !graph.known(supply->id())) return std::nullopt;
  if (graph.value(*supply).sign() >= 0) return supply;
  serving.notes.push_back({"nothing-left-for-cache", Severity::warning,
                           "weights and overheads take more than the device may use: nothing is "
                           "left for the cache"});
  return std::nullopt;
}

void note_context(const model::Model& model, const engine::Workload& workload,
                  std::vector<base::Note>& notes) {
  if (!workload.context || !model.inventory || !model.inventory->trained_length) return;
  const Extent& trained = *model.inventory->trained_length;
  if (workload.context->value <= trained.value) return;
  notes.push_back({"context-beyond-trained", Severity::warning,
                   "a context of " + workload.context->value.to_string() +
                       " tokens is more than the model's " + trained.name + " of " +
                       trained.value.to_string()});
}

}  // namespace

base::Result<Serving> serve(Graph& graph, const model::Model& model, const memory::Weights* weights,
                            const ServeChoice& choice, const ServeMemory& memory,
                            const catalog::Entry* chip, catalog::Catalogue& catalogue) {
  ULLAGE_TRY(const engine::EngineChoice engine, engine::find_engine(choice.engine));
  ULLAGE_CHECK(check_vision(model, choice));
  std::vector<base::Note> notes;
  ULLAGE_TRY(const memory::Layout ranks, layout_of(graph, choice.layout));
  const memory::CacheLayout layout = cache_layout(graph, choice, ranks);
  engine::Workload workload = workload_of(graph, choice, model);
  const memory::CacheRules rules =
      engine.engine->cache_rules(engine.version, choice.expanded_latent);
  const auto kv_dtype = stated_kv_dtype(model, chip, choice.kv_dtype, notes);
  const bool drafts = choice.draft_model == nullptr;
  ULLAGE_TRY(const memory::CacheClasses counted,
             caches_of(graph, model, choice.draft_model,
                       {kv_dtype, layout, workload.speculative, drafts, rules}, catalogue));
  notes.insert(notes.end(), counted.notes.begin(), counted.notes.end());
  note_context(model, workload, notes);
  note_unused(model, choice, engine.engine->name, notes);
  Serving serving{.engine = engine,
                  .layout = layout,
                  .workload = workload,
                  .classes = {},
                  .kv_format = counted.format.name,
                  .kv_bits = counted.format.bits,
                  .devices = devices_of(graph, layout),
                  .overhead_per_device = overheads_of(graph, choice),
                  .kv_memory = memory.kv_memory,
                  .notes = std::move(notes)};
  if (weights != nullptr) {
    ULLAGE_CHECK(hold_weights(graph, model, *weights, choice, ranks, catalogue, serving));
  }
  if (choice.lora_adapters) {
    ULLAGE_TRY(serving.adapters, adapters_of(graph, model, choice));
    add_beside(graph, serving);
  }
  if (engine.engine->name == "neuronx" && chip != nullptr && memory.capacity) {
    add_runtime_memory(graph, *chip, serving);
  }
  std::optional<Usable> usable;
  if (!serving.kv_memory && memory.capacity && serving.weights_per_device) {
    usable = usable_share(graph, engine, memory);
    add_kv_memory(graph, *memory.capacity, *usable, serving);
  }
  if (!memory.shared) workload.kv_memory = supply_of(graph, serving);
  const engine::Question question{counted.classes, layout, workload, engine.version,
                                  serving.kv_format};
  ULLAGE_TRY(serving.allocation, engine.engine->allocate(graph, question));
  engine::add_window_figures(graph, question, serving.allocation);
  if (choice.role) serving.handover = engine::handover(graph, question);
  const auto& own = serving.allocation.notes;
  serving.notes.insert(serving.notes.end(), own.begin(), own.end());
  serving.workload = std::move(workload);
  serving.classes = counted.classes;
  add_required(graph, serving);
  if (usable) add_least_utilization(graph, *memory.capacity, *usable, serving);
  add_host(graph, choice, serving);
  return serving;
}

base::Result<std::optional<model::Model>> open_draft(const ServeChoice& choice,
                                                     import::OpenContext& context) {
  if (!choice.draft) return std::optional<model::Model>();
  import::OpenContext plain{context.catalogue, context.files, context.graph, std::nullopt};
  ULLAGE_TRY(model::Model draft, import::open_model(plain, *choice.draft));
  return std::optional(std::move(draft));
}

std::vector<provenance::NamedFigure> serving_results(const Serving& serving) {
  std::vector<provenance::NamedFigure> results;
  const auto add = [&](const std::string& name, const auto& figure) {
    if (figure) results.push_back({name, figure->id()});
  };
  const engine::Allocation& a = serving.allocation;
  results.push_back({"kv_bits", serving.kv_bits.id()});
  add("kv_per_token", a.kv_per_token);
  add("kv_per_token_per_device", a.kv_per_token_per_device);
  add("state_per_sequence", a.state_per_sequence);
  add("kv_per_sequence", a.kv_per_sequence);
  add("kv_per_sequence_per_device", a.kv_per_sequence_per_device);
  add("kv_floor_per_sequence", a.kv_floor_per_sequence);
  add("kv_full_per_sequence", a.kv_full_per_sequence);
  add("kv_total", a.kv_total);
  add("kv_total_per_device", a.kv_total_per_device);
  for (const engine::KindBytes& kind : a.kinds) {
    results.push_back({"kv_total_per_device_" + std::string(name_of(kind.kind)), kind.bytes});
  }
  add("state_total", a.state_total);
  add("state_total_per_device", a.state_total_per_device);
  add("lora_adapters", serving.adapters);
  add("kv_memory", serving.kv_memory);
  add("block_tokens", a.block_tokens);
  add("block_bytes", a.block_bytes);
  add("blocks", a.blocks);
  add("pool_bytes", a.pool_bytes);
  add("max_tokens", a.max_tokens);
  add("max_concurrency", a.max_concurrency);
  add("max_context", a.max_context);
  // Without an engine's rounding it is the total on one device.
  const bool rounded = serving.engine.engine->name != "ideal" || serving.utilization_min;
  if (rounded) add("kv_memory_min", a.kv_memory_min);
  add("utilization_min", serving.utilization_min);
  add("kv_handover_per_request", serving.handover);
  add("weights_offloaded_per_device", serving.weights_offloaded);
  add("kv_host_blocks", serving.host_blocks);
  add("kv_host_tokens", serving.host_tokens);
  add("host_memory", serving.host_memory);
  return results;
}

}  // namespace ullage::plan

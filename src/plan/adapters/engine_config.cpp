// Configuration files of engines themselves: vLLM's `--config`, SGLang's, TensorRT-LLM's options,
// NxD Inference's. They name no machine and often no model.
#include <algorithm>
#include <array>

#include "base/spelling.hpp"
#include "plan/adapters/adapters.hpp"

namespace ullage::plan {
namespace {

using document::Type;
using document::Value;

struct EngineFile {
  std::string_view kind;
  std::string_view engine;
  Dialect dialect;
  // Keys that this engine alone has.
  std::array<std::string_view, 14> marks;
};

// Keys with dashes and underscores alike.
constexpr std::array kFiles{
    EngineFile{"nxdi-config",
               "neuronx",
               Dialect::neuronx,
               {"tp-degree", "logical-nc-config", "ctx-batch-size", "tkg-batch-size",
                "moe-tp-degree", "attention-dp-degree", "is-continuous-batching"}},
    EngineFile{"trtllm-config",
               "trtllm",
               Dialect::trtllm,
               {"kv-cache-config", "cuda-graph-config", "moe-expert-parallel-size", "llm-api-args",
                "enable-attention-dp", "cache-transceiver-config", "moe-config", "max-num-tokens",
                "kv-cache-free-gpu-memory-fraction", "moe-backend", "enable-chunked-context",
                "batched-logits-processor", "ep-size", "kv-cache-free-gpu-mem-fraction"}},
    EngineFile{"sglang-config",
               "sglang",
               Dialect::sglang,
               {"mem-fraction-static", "context-length", "max-running-requests",
                "enable-dp-attention", "chunked-prefill-size", "tp", "dp-size", "ep-size",
                "enable-ep-moe", "page-size", "model-path", "max-total-tokens"}},
    EngineFile{"vllm-config",
               "vllm",
               Dialect::vllm,
               {"max-model-len", "max-num-seqs", "gpu-memory-utilization", "max-num-batched-tokens",
                "enable-expert-parallel", "tensor-parallel-size", "enable-prefix-caching",
                "no-enable-prefix-caching", "speculative-config", "enable-chunked-prefill",
                "enforce-eager", "kv-transfer-config", "max-cudagraph-capture-size",
                "pipeline-parallel-size"}}};

std::string folded(std::string_view key) {
  std::string text = base::lower(key);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

const EngineFile* file_of(const Value& root) {
  if (root.type != Type::object) return nullptr;
  const EngineFile* best = nullptr;
  std::size_t most = 0;
  for (const EngineFile& file : kFiles) {
    std::size_t found = 0;
    for (const document::Member& member : root.members) {
      const std::string key = folded(member.key);
      if (std::find(file.marks.begin(), file.marks.end(), key) != file.marks.end()) ++found;
    }
    if (found > most) {
      most = found;
      best = &file;
    }
  }
  return best;
}

// NxD Inference tests keep the engine's keys under `generation`, beside the model's dimensions.
const Value* generation_of(const Value& root) {
  const Value* generation = reach(root, {"generation"});
  return reach(generation, {"tp_degree"}) != nullptr ? generation : nullptr;
}

Workload read_keys(const Reading& reading, const PlanDocument& document, const EngineFile& file,
                   const Value& mapping) {
  const Scope scope = reading.scope();
  Workload workload = begin_workload(document, file.kind, {});
  workload.where = document.document.span(mapping);
  workload.work = Work::serve;
  workload.engine = Word{std::string(file.engine), workload.where};
  Settings settings;
  put_tree(file.dialect, document, mapping, scope, settings);
  settle(file.dialect, settings, workload);
  return workload;
}

// Dimensions of a model, for a file that states them instead of a name.
void read_dimensions(const Reading& reading, const PlanDocument& document, const Value* model,
                     Workload& workload) {
  const Scope scope = reading.scope();
  for (const auto& [key, name] :
       {std::pair{"n_layers", "num_layers"}, std::pair{"hidden_size", "hidden_size"},
        std::pair{"n_heads", "num_attention_heads"}, std::pair{"n_kv_heads", "num_query_groups"},
        std::pair{"intermediate_size", "ffn_hidden_size"}, std::pair{"vocab_size", "vocab_size"}}) {
    const Value* value = reach(model, {key});
    if (value == nullptr) continue;
    if (const auto number = count_of(document, value, scope, name, workload)) {
      workload.dimensions[name] = *number;
    }
  }
  // `${torch_dtype:bfloat16}`: a resolver whose argument is the format.
  const Value* dtype = reach(model, {"dtype"});
  const auto text = scalar_text(dtype);
  if (!text) return;
  const std::size_t colon = text->find(':');
  const std::string inner = text->starts_with("${torch_dtype:") && text->ends_with('}')
                                ? text->substr(colon + 1, text->size() - colon - 2)
                                : *text;
  const std::string format = weight_format(inner);
  if (!format.empty() && inner.find('$') == std::string::npos) {
    workload.weights = Word{format, document.document.span(*dtype)};
  }
}

// A recipe of the vLLM project: one model, its variants, what each needs.
std::vector<Workload> read_recipe(const Reading& reading, const PlanDocument& document) {
  const Scope scope = reading.scope();
  const Value& root = document.document.root;
  std::vector<Workload> found;
  const Value* variants = reach(root, {"variants"});
  const auto add = [&](const std::string& name, const Value* variant) {
    Workload workload = begin_workload(document, "vllm-config", name);
    workload.work = Work::serve;
    if (variant != nullptr) workload.where = document.document.span(*variant);
    workload.engine = Word{"vllm", workload.where};
    std::vector<Word> arguments;
    for (const Value* list :
         {reach(root, {"model", "base_args"}), reach(variant, {"extra_args"})}) {
      if (list == nullptr) continue;
      for (const Value& item : list->items) {
        if (auto word = word_of(document, &item, scope)) arguments.push_back(*word);
      }
    }
    Settings settings;
    read_flags(Dialect::vllm, arguments, settings);
    const Value* id = reach(variant, {"model_id"});
    if (id == nullptr) id = reach(root, {"model", "model_id"});
    if (auto word = word_of(document, id, scope)) settings.put_unless_set(Knob::model, *word);
    if (auto word = word_of(document, reach(root, {"model", "context_length"}), scope)) {
      settings.put_unless_set(Knob::context, *word);
    }
    if (auto word = word_of(document, reach(variant, {"precision"}), scope)) {
      settings.put_unless_set(Knob::quantization, *word);
    }
    settle(Dialect::vllm, settings, workload);
    found.push_back(std::move(workload));
  };
  if (variants == nullptr || variants->members.empty()) {
    add({}, nullptr);
    return found;
  }
  for (const document::Member& variant : variants->members)
    add(variant.key, &variant.value);
  return found;
}

// A strategy of the same project: flags of a role, without a model.
std::vector<Workload> read_strategy(const Reading& reading, const PlanDocument& document) {
  const Scope scope = reading.scope();
  const Value& root = document.document.root;
  std::vector<Workload> found;
  const auto add = [&](const Value& holder, const char* role) {
    Workload workload =
        begin_workload(document, "vllm-config", scalar_text(reach(root, {"name"})).value_or(""));
    workload.where = document.document.span(holder);
    workload.work = Work::serve;
    workload.engine = Word{"vllm", workload.where};
    std::vector<Word> arguments;
    if (const Value* list = reach(&holder, {"vllm_args"})) {
      for (const Value& item : list->items) {
        if (auto word = word_of(document, &item, scope)) arguments.push_back(*word);
      }
    }
    Settings settings;
    read_flags(Dialect::vllm, arguments, settings);
    settle(Dialect::vllm, settings, workload);
    if (role != nullptr) workload.role = Word{role, workload.where};
    found.push_back(std::move(workload));
  };
  const Value* prefill = reach(root, {"prefill"});
  const Value* decode = reach(root, {"decode"});
  if (prefill != nullptr) add(*prefill, "prefill");
  if (decode != nullptr) add(*decode, "decode");
  if (found.empty()) add(root, nullptr);
  return found;
}

// `trtllm-serve disaggregated`: servers of context and of generation, each with its own layout.
bool is_disaggregated(const Value& root) {
  return reach(root, {"context_servers"}) != nullptr ||
         reach(root, {"generation_servers"}) != nullptr;
}

std::vector<Workload> read_disaggregated(const Reading& reading, const PlanDocument& document) {
  const Scope scope = reading.scope();
  const Value& root = document.document.root;
  std::vector<Workload> found;
  for (const auto& [key, role] :
       {std::pair{"context_servers", "prefill"}, std::pair{"generation_servers", "decode"}}) {
    const Value* servers = reach(root, {key});
    if (servers == nullptr || servers->type != Type::object) continue;
    Workload workload = begin_workload(document, "trtllm-config", {});
    workload.where = document.document.span(*servers);
    workload.work = Work::serve;
    workload.engine = Word{"trtllm", workload.where};
    workload.role = Word{role, workload.where};
    Settings settings;
    put_tree(Dialect::trtllm, document, *servers, scope, settings);
    if (auto model = word_of(document, reach(root, {"model"}), scope)) {
      settings.put_unless_set(Knob::model, *model);
    }
    settle(Dialect::trtllm, settings, workload);
    if (const Value* instances = reach(servers, {"num_instances"})) {
      workload.replicas = count_of(document, instances, scope, "replicas", workload);
    }
    found.push_back(std::move(workload));
  }
  return found;
}

bool is_recipe(const Value& root) {
  return reach(root, {"model", "model_id"}) != nullptr && reach(root, {"meta"}) != nullptr;
}

bool is_strategy(const Value& root) {
  return reach(root, {"deploy_type"}) != nullptr && reach(root, {"parallel_flag"}) != nullptr;
}

}  // namespace

bool takes_engine_config(const PlanDocument& document) {
  const Value& root = document.document.root;
  return is_recipe(root) || is_strategy(root) || is_disaggregated(root) ||
         generation_of(root) != nullptr || file_of(root) != nullptr;
}

std::vector<Workload> read_engine_config(const Reading& reading, const PlanDocument& document) {
  const Value& root = document.document.root;
  if (is_recipe(root)) return read_recipe(reading, document);
  if (is_strategy(root)) return read_strategy(reading, document);
  if (is_disaggregated(root)) return read_disaggregated(reading, document);
  if (const Value* generation = generation_of(root)) {
    Workload workload = read_keys(reading, document, kFiles[0], *generation);
    read_dimensions(reading, document, reach(root, {"model"}), workload);
    return {std::move(workload)};
  }
  return {read_keys(reading, document, *file_of(root), root)};
}

}  // namespace ullage::plan

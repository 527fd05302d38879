// From knobs to the fields of a workload.
#include <algorithm>

#include "base/spelling.hpp"
#include "document/read.hpp"
#include "plan/files/settings.hpp"

namespace ullage::plan {
namespace {

// Moves values over; what is missing is said.
class Settler {
 public:
  Settler(Dialect dialect, const Settings& settings, Workload& workload)
      : dialect_(dialect), settings_(settings), out_(workload) {}

  // The value of a knob; nothing where it is not set, or cannot be told (which is noted).
  const Word* word(Knob knob, const char* what) {
    const Word* value = settings_.find(knob);
    if (value == nullptr) return nullptr;
    if (value->resolved()) return value;
    for (const std::string& variable : value->missing)
      out_.unresolved.push_back({what, variable, value->where});
    return nullptr;
  }

  void text(Knob knob, const char* what, std::optional<Word>& field) {
    const Word* value = word(knob, what);
    if (value != nullptr && !value->text.empty()) field = *value;
  }

  void count(Knob knob, const char* what, std::optional<Number>& field) {
    const Word* value = word(knob, what);
    if (value == nullptr) return;
    if (const auto number = read_count(dialect_, value->text)) {
      field = Number{*number, value->where};
      return;
    }
    const std::string plain = base::lower(value->text);
    const bool leaves_open =
        plain == "auto" || plain == "-1" || plain == "none" || plain == "null" || plain.empty();
    if (plain.empty()) return;
    if (leaves_open) {
      out_.remarks.push_back({"value-automatic", base::Severity::note,
                              std::string(what) + " is left to the program (" + value->text + ")",
                              value->where});
    } else {
      out_.unresolved.push_back({what, value->text, value->where});
    }
  }

  void share(Knob knob, const char* what, std::optional<Number>& field) {
    const Word* value = word(knob, what);
    if (value == nullptr) return;
    const auto number = exact::Rational::parse(value->text);
    if (number && number->sign() > 0 && *number <= exact::Rational{1}) {
      field = Number{*number, value->where};
    } else {
      out_.unresolved.push_back({what, value->text, value->where});
    }
  }

  bool is_on(Knob knob) const { return settings_.find(knob) != nullptr; }

  void weights() {
    if (const Word* value = word(Knob::quantization, "quantization")) {
      const std::string format = weight_format(value->text);
      if (!format.empty()) {
        out_.weights = Word{format, value->where};
        return;
      }
      // The checkpoint's own quantisation; dtype is that of its activations then.
      if (base::lower(value->text) != "none" && !value->text.empty()) return;
    }
    if (const Word* value = word(Knob::dtype, "dtype")) {
      const std::string format = weight_format(value->text);
      if (!format.empty()) out_.weights = Word{format, value->where};
      out_.weights_from_dtype = true;
      return;
    }
    for (const auto& [knob, format] : {std::pair{Knob::bf16, "bf16"}, {Knob::fp16, "fp16"}}) {
      if (const Word* value = settings_.find(knob)) out_.weights = Word{format, value->where};
    }
  }

  void kv_dtype() {
    const Word* value = word(Knob::kv_dtype, "kv_dtype");
    if (value != nullptr && base::lower(value->text) != "auto" && !value->text.empty()) {
      out_.kv_dtype = *value;
    }
  }

  void role() {
    if (const Word* value = word(Knob::role, "role")) {
      const std::string name = base::lower(value->text);
      if (name == "prefill" || name == "decode") out_.role = Word{name, value->where};
      return;
    }
    const Word* transfer = settings_.find(Knob::kv_transfer);
    if (transfer == nullptr || out_.role) return;
    const std::string& text = transfer->text;
    if (text.find("kv_producer") != std::string::npos) {
      out_.role = Word{"prefill", transfer->where};
    } else if (text.find("kv_consumer") != std::string::npos) {
      out_.role = Word{"decode", transfer->where};
    }
  }

  // `--cpu-offload-gb N`, where N is more than nothing.
  void offload() {
    const Word* value = word(Knob::offload, "cpu_offload_gb");
    if (value == nullptr) return;
    const auto amount = exact::Rational::parse(value->text);
    if (amount && amount->sign() > 0) out_.host_weights = *value;
  }

  // JSON inside a flag.
  void json() {
    if (const Word* value = settings_.find(Knob::speculative)) {
      const auto read = document::read_json(value->text, value->where.file);
      const document::Value* draft = read ? read->root.find("model") : nullptr;
      if (draft != nullptr && draft->type == document::Type::string) {
        out_.draft_model = Word{draft->text, value->where};
      }
    }
    if (const Word* value = settings_.find(Knob::neuron_config)) neuron(value->text, value->where);
    if (const Word* value = settings_.find(Knob::additional_config)) {
      const auto read = document::read_json(value->text, value->where.file);
      const document::Value* inner = read ? read->root.find("override_neuron_config") : nullptr;
      if (inner != nullptr) neuron(*inner, value->where);
    }
  }

  void neuron(const std::string& text, const base::Span& where) {
    const auto read = document::read_json(text, where.file);
    if (read) neuron(read->root, where);
  }

  void neuron(const document::Value& config, const base::Span& where) {
    const auto number = [&](const char* key, std::optional<Number>& field) {
      const document::Value* value = config.find(key);
      if (value == nullptr || value->type != document::Type::number || field) return;
      if (const auto read = exact::Rational::parse(value->text)) field = Number{*read, where};
    };
    number("tp_degree", out_.tp);
    number("batch_size", out_.concurrency);
    number("seq_len", out_.context);
    number("logical_nc_config", out_.lnc);
  }

  void recompute() {
    if (const Word* value = word(Knob::recompute, "recompute")) {
      std::string name = base::lower(value->text);
      if (name == "null" || name.empty()) name = "none";
      out_.recompute = Word{name, value->where};
    } else if (const Word* on = settings_.find(Knob::selective_on)) {
      out_.recompute = Word{"selective", on->where};
    } else if (const Word* full = settings_.find(Knob::recompute_on)) {
      out_.recompute = Word{"full", full->where};
    }
  }

  void zero() {
    count(Knob::zero, "zero", out_.zero);
    if (const Word* value = word(Knob::sharding, "sharding_strategy")) {
      const std::string name = base::lower(value->text);
      const auto has = [&name](std::string_view part) { return name.find(part) != name.npos; };
      const int stage = has("grad_op") ? 2 : has("no_shard") || has("ddp") ? 0 : 3;
      out_.zero = Number{exact::Rational{stage}, value->where};
    }
    for (const Knob knob : {Knob::zero_one, Knob::distributed_optimizer}) {
      const Word* value = settings_.find(knob);
      if (value != nullptr && !out_.zero) out_.zero = Number{exact::Rational{1}, value->where};
    }
  }

  void dimensions() {
    const auto take = [&](Knob knob, const char* name) {
      std::optional<Number> number;
      count(knob, name, number);
      if (number) out_.dimensions[name] = *number;
    };
    take(Knob::num_layers, "num_layers");
    take(Knob::hidden_size, "hidden_size");
    take(Knob::ffn_hidden_size, "ffn_hidden_size");
    take(Knob::heads, "num_attention_heads");
    take(Knob::kv_heads, "num_query_groups");
    take(Knob::vocabulary, "vocab_size");
    take(Knob::experts, "num_experts");
  }

 private:
  Dialect dialect_;
  const Settings& settings_;
  Workload& out_;
};

// llama.cpp divides the cells of -c among the slots of -np.
void share_cells(Workload& workload) {
  if (!workload.context || !workload.concurrency || workload.concurrency->value.sign() <= 0) return;
  const exact::Rational each = workload.context->value / workload.concurrency->value;
  if (workload.concurrency->value == exact::Rational{1}) return;
  workload.remarks.push_back({"cells-shared", base::Severity::note,
                              "the " + workload.context->value.to_string() +
                                  " cells of --ctx-size are shared by the slots of --parallel",
                              workload.context->where});
  workload.context->value = each.floor();
}

}  // namespace

void settle(Dialect dialect, const Settings& settings, Workload& workload) {
  Settler settler(dialect, settings, workload);
  workload.remarks.insert(workload.remarks.end(), settings.remarks.begin(), settings.remarks.end());
  settler.text(Knob::model_path, "model", workload.model);
  settler.text(Knob::model, "model", workload.model);
  settler.text(Knob::revision, "revision", workload.revision);
  settler.text(Knob::draft_model, "draft model", workload.draft_model);
  settler.weights();
  settler.kv_dtype();
  settler.count(Knob::tp, "tp", workload.tp);
  settler.count(Knob::pp, "pp", workload.pp);
  settler.count(Knob::dp, "dp", workload.dp);
  settler.count(Knob::ep, "ep", workload.ep);
  settler.count(Knob::cp, "cp", workload.cp);
  settler.count(Knob::context, "context", workload.context);
  settler.count(Knob::concurrency, "concurrency", workload.concurrency);
  settler.share(Knob::utilization, "utilization", workload.utilization);
  settler.share(Knob::mem_fraction, "mem_fraction_static", workload.mem_fraction);
  settler.share(Knob::free_fraction, "free_gpu_memory_fraction", workload.free_fraction);
  settler.count(Knob::kv_cache_bytes, "kv_cache_memory_bytes", workload.kv_cache_bytes);
  settler.count(Knob::block_size, "block_size", workload.block_size);
  settler.count(Knob::nodes, "nodes", workload.nodes);
  settler.count(Knob::lnc, "lnc", workload.lnc);
  settler.count(Knob::cores, "cores", workload.cores);
  settler.count(Knob::sequence, "sequence", workload.sequence);
  settler.count(Knob::microbatch, "microbatch", workload.microbatch);
  settler.count(Knob::global_batch, "global_batch", workload.global_batch);
  settler.count(Knob::accumulation, "gradient_accumulation_steps", workload.gradient_accumulation);
  settler.count(Knob::etp, "expert_tensor_parallel", workload.expert_tensor_parallel);
  settler.count(Knob::vpp, "virtual_pipeline", workload.virtual_pipeline);
  settler.count(Knob::lora_rank, "lora_rank", workload.lora_rank);
  if (const Word* optimizer = settler.word(Knob::optimizer, "optimizer")) {
    workload.optimizer = Word{optimizer_name(optimizer->text), optimizer->where};
  }
  workload.expert_parallel = workload.expert_parallel || settler.is_on(Knob::expert_parallel);
  workload.attention_dp = workload.attention_dp || settler.is_on(Knob::attention_dp);
  workload.sequence_parallel = workload.sequence_parallel || settler.is_on(Knob::sequence_parallel);
  workload.uneven_pipeline = workload.uneven_pipeline || settler.is_on(Knob::uneven_pipeline);
  settler.role();
  settler.offload();
  settler.json();
  settler.recompute();
  settler.zero();
  settler.dimensions();
  if (dialect == Dialect::llamacpp) share_cells(workload);
}

}  // namespace ullage::plan

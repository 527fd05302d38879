// Words of training flags to a request.
#include "cli/train_flags.hpp"

#include "base/spelling.hpp"
#include "cli/serving_flags.hpp"
#include "cli/values.hpp"
#include "import/open.hpp"
#include "units/quantity.hpp"

namespace ullage::cli {
namespace {

using base::Diagnostic;
using exact::Rational;
using plan::GivenNumber;

Diagnostic wrong(const std::string& flag, const std::string& text, const std::string& why,
                 std::string hint) {
  return {.code = base::Code::usage,
          .message = flag + " " + base::printable(text) + ": " + why,
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

// One of a few words.
template <class Value, std::size_t N>
base::Result<std::optional<Value>> word_flag(const std::string& flag,
                                             const std::optional<std::string>& text,
                                             const Word<Value> (&words)[N]) {
  if (!text) return std::optional<Value>();
  std::string all;
  std::vector<std::string_view> names;
  for (const Word<Value>& word : words) {
    if (word.word == *text) return std::optional(word.value);
    names.push_back(word.word);
    all += (all.empty() ? "" : ", ") + std::string(word.word);
  }
  const auto close = base::nearest(*text, names, 2);
  return wrong(flag, *text, "is no choice", close.empty() ? all : base::did_you_mean(close));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    items.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return items;
}

// `weights=2,gradients=4`: bytes of a parameter, zero or more.
base::Result<std::vector<plan::StateTerm>> state_bytes_flag(
    const std::optional<std::string>& text) {
  std::vector<plan::StateTerm> terms;
  if (!text) return terms;
  for (const std::string& item : split(*text)) {
    const auto equals = item.find('=');
    const auto value = equals == std::string::npos ? Rational::parse("")
                                                   : Rational::parse(item.substr(equals + 1));
    if (!value || value->sign() < 0 || *value > Rational(64)) {
      return wrong("--state-bytes", *text, base::printable(item) + " is no term with its bytes",
                   "weights=2,gradients=4,master=4,optimizer=8");
    }
    terms.push_back({item.substr(0, equals), {*value, "--state-bytes " + base::printable(item)}});
  }
  return terms;
}

// 0 to 3.
base::Result<std::optional<GivenNumber>> zero_flag(const std::optional<std::string>& text) {
  if (!text) return std::optional<GivenNumber>();
  if (text->size() != 1 || (*text)[0] < '0' || (*text)[0] > '3') {
    return wrong("--zero", *text, "no such stage", "0, 1, 2 or 3");
  }
  return std::optional(GivenNumber{Rational((*text)[0] - '0'), "--zero " + *text});
}

// A ratio of at least 1, such as 1.3.
base::Result<std::optional<GivenNumber>> imbalance_flag(const std::optional<std::string>& text) {
  if (!text) return std::optional<GivenNumber>();
  const auto value = Rational::parse(*text);
  if (!value || *value < Rational(1)) {
    return wrong("--expert-imbalance", *text, "is no load of the fullest expert over the mean",
                 "a number of at least 1, such as 1.3");
  }
  return std::optional(GivenNumber{*value, "--expert-imbalance " + *text});
}

// Parameters as a literal, `0.131B`.
base::Result<std::optional<GivenNumber>> parameters_flag(const std::string& flag,
                                                         const std::optional<std::string>& text) {
  if (!text) return std::optional<GivenNumber>();
  const auto literal = import::parse_literal(*text);
  if (!literal) return literal.error();
  if (!*literal || (*literal)->active) {
    return wrong(flag, *text, "is no number of parameters", "0.131B, 32M …");
  }
  return std::optional(GivenNumber{(*literal)->total, flag + " " + base::printable(*text)});
}

base::Result<std::vector<plan::Overhead>> overhead_flags(const std::vector<std::string>& texts) {
  std::vector<plan::Overhead> overheads;
  for (const std::string& text : texts) {
    ULLAGE_TRY(plan::Overhead overhead, overhead_flag(text));
    // It becomes part of a result's name.
    if (overhead.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") !=
        std::string::npos) {
      return wrong("--overhead", text, base::printable(overhead.name) + " is no name",
                   "lower-case letters, digits, - and _");
    }
    for (const plan::Overhead& before : overheads) {
      if (before.name != overhead.name) continue;
      return wrong("--overhead", text, base::printable(overhead.name) + " is given twice",
                   "one size a name");
    }
    overheads.push_back(std::move(overhead));
  }
  return overheads;
}

base::Result<void> read_loss(const std::optional<std::string>& text, plan::TrainRequest& request) {
  if (!text) return {};
  if (text->starts_with("chunked:")) {
    request.loss = memory::Loss::chunked;
    ULLAGE_TRY(request.loss_chunks, count_flag("--loss chunked:", text->substr(8)));
    return {};
  }
  constexpr Word<memory::Loss> words[] = {{"fused", memory::Loss::fused},
                                          {"eager", memory::Loss::eager}};
  const auto loss = word_flag("--loss", text, words);
  if (!loss) {
    return wrong("--loss", *text, "is no choice", "fused, eager or chunked:N, such as chunked:8");
  }
  request.loss = *loss;
  return {};
}

base::Result<void> read_offload(const std::optional<std::string>& text,
                                plan::TrainRequest& request) {
  if (!text) return {};
  for (const std::string& item : split(*text)) {
    if (item == "optimizer") {
      request.offload_optimizer = true;
    } else if (item == "parameters") {
      request.offload_parameters = true;
    } else {
      return wrong("--offload", *text, base::printable(item) + " cannot be offloaded",
                   "optimizer, or optimizer,parameters");
    }
  }
  if (request.offload_parameters && !request.offload_optimizer) {
    return wrong("--offload", *text, "parameters leave only together with the optimizer",
                 "optimizer,parameters");
  }
  return {};
}

base::Result<void> read_degrees(const TrainArguments& arguments, plan::TrainRequest& request) {
  struct Degree {
    const char* flag;
    const std::optional<std::string>& text;
    std::optional<GivenNumber>& target;
  };
  const Degree degrees[] = {
      {"--tp", arguments.tp, request.tp},
      {"--pp", arguments.pp, request.pp},
      {"--dp", arguments.dp, request.dp},
      {"--cp", arguments.cp, request.cp},
      {"--ep", arguments.ep, request.ep},
      {"--expert-tensor-parallel", arguments.expert_tp, request.expert_tp},
      {"--dp-shard", arguments.dp_shard, request.dp_shard},
      {"--sequence", arguments.sequence, request.sequence},
      {"--microbatch", arguments.microbatch, request.microbatch},
      {"--microbatches", arguments.microbatches, request.microbatches},
      {"--virtual-pipeline", arguments.virtual_pipeline, request.virtual_stages},
      {"--lora-rank", arguments.lora_rank, request.lora_rank},
      {"--galore-rank", arguments.galore_rank, request.galore_rank},
      {"--devices-per-node", arguments.devices_per_node, request.devices_per_node},
      {"--reduce-bucket-size", arguments.reduce_bucket, request.reduce_bucket},
      {"--allgather-bucket-size", arguments.allgather_bucket, request.allgather_bucket},
      {"--prefetch-bucket-size", arguments.prefetch_bucket, request.prefetch_bucket},
      {"--devices", arguments.devices, request.devices}};
  for (const Degree& degree : degrees) {
    ULLAGE_TRY(degree.target, count_flag(degree.flag, degree.text));
  }
  return {};
}

base::Result<void> read_activations(const TrainArguments& arguments, plan::TrainRequest& request) {
  constexpr Word<memory::Recompute> recompute[] = {
      {"none", memory::Recompute::none},
      {"selective", memory::Recompute::selective},
      {"op-selective", memory::Recompute::op_selective},
      {"full", memory::Recompute::full}};
  constexpr Word<memory::Kernels> kernels[] = {{"fused", memory::Kernels::fused},
                                               {"eager", memory::Kernels::eager},
                                               {"korthikanti", memory::Kernels::korthikanti}};
  constexpr Word<memory::AttentionKernel> attention[] = {
      {"flash", memory::AttentionKernel::flash}, {"unfused", memory::AttentionKernel::unfused}};
  constexpr Word<memory::Schedule> schedule[] = {
      {"1f1b", memory::Schedule::one_forward_one_backward},
      {"interleaved", memory::Schedule::one_forward_one_backward},
      {"gpipe", memory::Schedule::gpipe}};
  ULLAGE_TRY(const auto chosen, word_flag("--recompute", arguments.recompute, recompute));
  request.recompute = chosen.value_or(memory::Recompute::none);
  ULLAGE_TRY(request.kernels, word_flag("--kernels", arguments.kernels, kernels));
  ULLAGE_TRY(const auto kernel, word_flag("--attention", arguments.attention, attention));
  request.attention = kernel.value_or(memory::AttentionKernel::flash);
  ULLAGE_TRY(const auto order, word_flag("--pipeline-schedule", arguments.schedule, schedule));
  request.schedule = order.value_or(memory::Schedule::one_forward_one_backward);
  if (arguments.schedule == "gpipe" && arguments.virtual_pipeline) {
    return wrong("--pipeline-schedule", "gpipe", "it has no interleaved chunks",
                 "leave --virtual-pipeline out, or --pipeline-schedule interleaved");
  }
  if (arguments.schedule == "interleaved" && !arguments.virtual_pipeline) {
    return wrong("--pipeline-schedule", "interleaved", "the number of chunks is missing",
                 "--virtual-pipeline N");
  }
  return {};
}

}  // namespace

base::Result<plan::TrainRequest> train_request(const TrainArguments& arguments) {
  plan::TrainRequest request;
  request.model = arguments.model;
  request.assume = arguments.assume;
  request.on = arguments.on;
  request.rules = arguments.rules.value_or("ideal");
  request.recipe = arguments.recipe;
  request.optimizer = arguments.optimizer;
  request.base_weights = arguments.base_weights;
  request.sequence_parallel = arguments.sequence_parallel;
  if (arguments.lora_targets) request.lora_targets = split(*arguments.lora_targets);
  ULLAGE_TRY(request.weights, weight_flags(arguments.weights, arguments.bits));
  ULLAGE_TRY(request.state_bytes, state_bytes_flag(arguments.state_bytes));
  ULLAGE_TRY(request.zero, zero_flag(arguments.zero));
  ULLAGE_CHECK(read_degrees(arguments, request));
  ULLAGE_TRY(request.expert_imbalance, imbalance_flag(arguments.expert_imbalance));
  ULLAGE_CHECK(read_activations(arguments, request));
  ULLAGE_CHECK(read_loss(arguments.loss, request));
  ULLAGE_CHECK(read_offload(arguments.offload, request));
  constexpr Word<bool> answers[] = {{"yes", true}, {"no", false}};
  ULLAGE_TRY(const auto init, word_flag("--zero-init", arguments.zero_init, answers));
  request.zero_init = init.value_or(true);
  ULLAGE_TRY(request.largest_layer, parameters_flag("--largest-layer", arguments.largest_layer));
  ULLAGE_TRY(request.overheads, overhead_flags(arguments.overheads));
  ULLAGE_TRY(request.capacity, capacity_flag(arguments.capacity));
  ULLAGE_TRY(request.reserve, percent_flag("--reserve", arguments.reserve));
  return request;
}

std::vector<Flag> train_flags(TrainArguments& arguments) {
  return {
      {"--on", "DEVICE", "a chip, instance or system: gives the lower bound, or a verdict",
       &arguments.on},
      {"--devices", "N",
       "how many of it there are; without --dp they give the data parallel degree",
       &arguments.devices},
      {"--rules", "NAME",
       "whose accounting: ideal, megatron-lm, megatron-bridge, deepspeed, torchtitan, nanotron, "
       "maxtext, nxd-training (default ideal)",
       &arguments.rules},
      {"--recipe", "NAME",
       "bytes of weights, gradients, master and optimizer: mixed-fp16-grad, mixed-fp32-grad, "
       "fp16-megatron, fp32, fsdp2, jax, bf16-pure, precision-aware, fp8-copy … (default: the "
       "rules')",
       &arguments.recipe},
      {"--optimizer", "NAME",
       "adamw, adamw-8bit, adafactor, sgd, sgd-momentum, lion, muon, galore, none (default adamw)",
       &arguments.optimizer},
      {"--state-bytes", "LIST",
       "overrides of single terms: weights=2,gradients=4,master=4,optimizer=8",
       &arguments.state_bytes},
      {"--weights", "DTYPE", "format of the resident weights instead of the recipe's",
       &arguments.weights},
      {"--bits", "N", "likewise, as plain bits per parameter", &arguments.bits},
      {"--galore-rank", "N", "rank of GaLore's projection", &arguments.galore_rank},
      {"--zero", "N", "ZeRO stage: 1 shards the optimizer, 2 gradients too, 3 weights too (FSDP)",
       &arguments.zero},
      {"--tp", "N", "tensor parallel degree", &arguments.tp},
      {"--pp", "N", "pipeline stages", &arguments.pp},
      {"--dp", "N", "data parallel degree", &arguments.dp},
      {"--cp", "N", "context parallel degree", &arguments.cp},
      {"--ep", "N", "expert parallel degree", &arguments.ep},
      {"--expert-tensor-parallel", "N", "tensor parallel degree of experts (default 1)",
       &arguments.expert_tp},
      {"--dp-shard", "N", "hybrid sharding (HSDP): data parallel ranks of one shard group",
       &arguments.dp_shard},
      {"--sequence-parallel", "", "norms and residuals are split over tensor ranks too",
       &arguments.sequence_parallel},
      {"--sequence", "N", "tokens of a sequence (default 4096, shown as assumed)",
       &arguments.sequence},
      {"--microbatch", "N", "sequences of a microbatch (default 1)", &arguments.microbatch},
      {"--microbatches", "N", "microbatches of a step (default: as many as the pipeline holds)",
       &arguments.microbatches},
      {"--virtual-pipeline", "N", "interleaved chunks of layers on each stage",
       &arguments.virtual_pipeline},
      {"--pipeline-schedule", "NAME", "1f1b, interleaved or gpipe (default 1f1b)",
       &arguments.schedule},
      {"--recompute", "WHAT", "none, selective, op-selective or full (default none)",
       &arguments.recompute},
      {"--kernels", "SET",
       "activations kept: fused, eager or korthikanti (default: fused as floor, eager as upper)",
       &arguments.kernels},
      {"--attention", "KIND", "flash or unfused (default flash)", &arguments.attention},
      {"--loss", "KIND", "fused, eager or chunked:N (default: both bounds)", &arguments.loss},
      {"--expert-imbalance", "R", "load of the fullest expert over the mean (default 1)",
       &arguments.expert_imbalance},
      {"--lora-rank", "N", "trains adapters of this rank beside frozen weights",
       &arguments.lora_rank},
      {"--lora-targets", "LIST", "which matrices: q_proj,v_proj … or all-linear",
       &arguments.lora_targets},
      {"--base-weights", "DTYPE", "format of the frozen matrices of layers (QLoRA: nf4, nf4-dq)",
       &arguments.base_weights},
      {"--offload", "LIST", "optimizer, or optimizer,parameters: to host memory",
       &arguments.offload},
      {"--devices-per-node", "N", "ranks that share one host's memory",
       &arguments.devices_per_node},
      {"--zero-init", "yes|no", "whether the model is built sharded (default yes)",
       &arguments.zero_init},
      {"--largest-layer", "N", "parameters of the largest module (DeepSpeed ZeRO-3), 0.131B",
       &arguments.largest_layer},
      {"--reduce-bucket-size", "N",
       "elements reduced at a time, as DeepSpeed has it (default under its rules: 5e8)",
       &arguments.reduce_bucket},
      {"--allgather-bucket-size", "N", "elements gathered at a time with ZeRO 1 and 2 (5e8)",
       &arguments.allgather_bucket},
      {"--prefetch-bucket-size", "N", "elements fetched ahead with ZeRO 3 (5e7)",
       &arguments.prefetch_bucket},
      {"--overhead", "NAME=SIZE", "what no formula covers, on each rank (repeatable)",
       &arguments.overheads},
      {"--capacity", "WHICH", "nominal, visible or a SIZE (default nominal)", &arguments.capacity},
      {"--reserve", "PCT", "share of each device kept free (default 15%)", &arguments.reserve},
      {"--assume", "FAMILY", "count a configuration as another family", &arguments.assume}};
}

}  // namespace ullage::cli

// Reads each flag through cli/values.
#include "cli/serving_flags.hpp"

#include "cli/values.hpp"

namespace ullage::cli {
namespace {

using base::Code;
using base::Diagnostic;
using exact::Rational;
using plan::GivenNumber;

Diagnostic wrong(const std::string& flag, const std::string& text, std::string why,
                 std::string hint) {
  return {.code = Code::usage,
          .message = flag + " " + base::printable(text) + ": " + std::move(why),
          .span = {},
          .hint = std::move(hint),
          .notes = {}};
}

base::Result<std::optional<bool>> yes_no(const std::string& flag,
                                         const std::optional<std::string>& text) {
  if (!text) return std::optional<bool>();
  if (*text == "yes") return std::optional(true);
  if (*text == "no") return std::optional(false);
  return wrong(flag, *text, "is neither yes nor no", "yes or no");
}

base::Result<std::optional<engine::CacheMode>> cache_mode_of(
    const std::optional<std::string>& text) {
  if (!text) return std::optional<engine::CacheMode>();
  if (*text == "none") return std::optional(engine::CacheMode::none);
  if (*text == "align") return std::optional(engine::CacheMode::align);
  if (*text == "all") return std::optional(engine::CacheMode::all);
  return wrong("--cache-mode", *text, "is no mode", "none, align or all");
}

base::Result<std::optional<bool>> expanded_of(const std::optional<std::string>& text) {
  if (!text) return std::optional<bool>();
  if (*text == "latent") return std::optional(false);
  if (*text == "expanded") return std::optional(true);
  return wrong("--mla", *text, "is no form of a latent cache", "latent or expanded");
}

base::Result<std::optional<plan::Role>> role_of(const std::optional<std::string>& text) {
  if (!text) return std::optional<plan::Role>();
  if (*text == "prefill") return std::optional(plan::Role::prefill);
  if (*text == "decode") return std::optional(plan::Role::decode);
  return wrong("--role", *text, "is no kind of instance", "prefill or decode");
}

}  // namespace

base::Result<plan::Overhead> overhead_flag(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return wrong("--overhead", text, "names no overhead", "NAME=SIZE, such as activations=2GiB");
  }
  ULLAGE_TRY(auto size, size_flag("--overhead " + text.substr(0, equals), text.substr(equals + 1)));
  size->where = "--overhead " + base::printable(text);
  return plan::Overhead{text.substr(0, equals), std::move(*size)};
}

base::Result<std::optional<GivenNumber>> utilization_flag(const std::optional<std::string>& text) {
  if (!text) return std::optional<GivenNumber>();
  const auto share = Rational::parse(*text);
  if (!share) return wrong("--utilization", *text, "is no number", "a share such as 0.9");
  if (share->sign() <= 0 || *share > Rational(1)) {
    return wrong("--utilization", *text, "is not above 0 and at most 1", "a share such as 0.9");
  }
  return std::optional(GivenNumber{*share, "--utilization " + base::printable(*text)});
}

std::vector<Flag> ServingArguments::flags() {
  return {
      {"--context", "N", "tokens per sequence (8k is 8192, 1m is 1048576)", &context},
      {"--concurrency", "N", "sequences held at once (default 1)", &concurrency},
      {"--kv-dtype", "DTYPE", "cache format: bf16, fp8, int8, nvfp4, q8_0 … (default 16 bits)",
       &kv_dtype},
      {"--engine", "NAME[@VERSION]",
       "whose allocation rules: ideal, vllm, sglang, trtllm, llamacpp, neuronx (default ideal)",
       &engine},
      {"--tp", "N", "tensor-parallel degree (default 1)", &tp},
      {"--pp", "N", "pipeline stages (default 1)", &pp},
      {"--dp", "N", "data-parallel copies (default 1)", &dp},
      {"--ep", "N", "expert-parallel degree (default 1)", &ep},
      {"--cp", "N", "context-parallel degree (default 1)", &cp},
      {"--layer-split", "N,N,…", "layers of each stage instead of an even --pp", &layer_split},
      {"--block-size", "N", "tokens per KV block (default: the engine's)", &block_size},
      {"--utilization", "R", "share of the device that the engine may use, such as 0.9",
       &utilization},
      {"--overhead", "NAME=SIZE",
       "memory that no formula covers: activations, graphs, NCCL (repeatable)", &overheads},
      {"--batched-tokens", "N", "tokens of one scheduler step (vLLM)", &batched_tokens},
      {"--speculative-tokens", "N", "tokens proposed a step: counts draft layers and longer states",
       &speculative_tokens},
      {"--prefix-caching", "yes|no", "whether finished blocks are kept for reuse", &prefix_caching},
      {"--cache-mode", "none|align|all", "how recurrent states are kept (vLLM)", &cache_mode},
      {"--ubatch", "N", "physical batch (llama.cpp)", &ubatch},
      {"--swa-full", "", "windowed layers keep every token (llama.cpp)", &swa_full},
      {"--draft", "MODEL", "a model that proposes tokens, held beside", &draft},
      {"--lora-adapters", "N", "LoRA adapters held at once", &lora_adapters},
      {"--lora-rank", "N", "their rank (default 16, shown as assumed)", &lora_rank},
      {"--role", "prefill|decode",
       "instances of one kind alone: adds the cache handed over per request", &role},
      {"--vision-tokens", "N", "tokens of images in each sequence, beside --context",
       &vision_tokens},
      {"--weights-on-host", "SIZE", "weights of each device that lie in host memory",
       &weights_on_host},
      {"--kv-on-host", "SIZE", "host memory for the cache of each device (swap space, offloading)",
       &kv_on_host},
      {"--mla", "latent|expanded", "form of a latent cache (default: the engine version's)", &mla}};
}

base::Result<plan::ServeChoice> ServingArguments::choice() const {
  plan::ServeChoice choice;
  choice.engine = engine.value_or("ideal");
  choice.kv_dtype = kv_dtype;
  ULLAGE_TRY(choice.context, count_flag("--context", context));
  ULLAGE_TRY(choice.concurrency, count_flag("--concurrency", concurrency));
  ULLAGE_TRY(choice.layout.tensor, count_flag("--tp", tp));
  ULLAGE_TRY(choice.layout.pipeline, count_flag("--pp", pp));
  ULLAGE_TRY(choice.data, count_flag("--dp", dp));
  ULLAGE_TRY(choice.layout.expert, count_flag("--ep", ep));
  ULLAGE_TRY(choice.context_parallel, count_flag("--cp", cp));
  ULLAGE_TRY(choice.layout.layer_split, count_list_flag("--layer-split", layer_split));
  ULLAGE_TRY(choice.block_size, count_flag("--block-size", block_size));
  ULLAGE_TRY(choice.batched_tokens, count_flag("--batched-tokens", batched_tokens));
  ULLAGE_TRY(choice.speculative_tokens, count_flag("--speculative-tokens", speculative_tokens));
  ULLAGE_TRY(choice.ubatch, count_flag("--ubatch", ubatch));
  ULLAGE_TRY(choice.prefix_caching, yes_no("--prefix-caching", prefix_caching));
  ULLAGE_TRY(choice.cache_mode, cache_mode_of(cache_mode));
  ULLAGE_TRY(choice.expanded_latent, expanded_of(mla));
  ULLAGE_TRY(choice.lora_adapters, count_flag("--lora-adapters", lora_adapters));
  ULLAGE_TRY(choice.lora_rank, count_flag("--lora-rank", lora_rank));
  ULLAGE_TRY(choice.role, role_of(role));
  ULLAGE_TRY(choice.vision_tokens, count_flag("--vision-tokens", vision_tokens));
  ULLAGE_TRY(choice.weights_on_host, size_flag("--weights-on-host", weights_on_host));
  ULLAGE_TRY(choice.kv_on_host, size_flag("--kv-on-host", kv_on_host));
  choice.draft = draft;
  choice.swa_full = swa_full;
  for (const std::string& text : overheads) {
    ULLAGE_TRY(plan::Overhead overhead, overhead_flag(text));
    choice.overheads.push_back(std::move(overhead));
  }
  return choice;
}

}  // namespace ullage::cli

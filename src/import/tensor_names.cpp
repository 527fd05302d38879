// Names of transformers and of GGUF. The order of the questions decides: a norm inside attention is
// a norm, a shared expert's gate is no router.
#include "import/tensor_names.hpp"

#include <algorithm>
#include <array>

#include "base/spelling.hpp"

namespace ullage::import {
namespace {

using model::Component;
using model::Split;

template <std::size_t N>
bool holds_one(std::string_view name, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

template <std::size_t N>
bool ends_in(std::string_view name, const std::array<std::string_view, N>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

// What quantisers store beside a weight. compressed-tensors: weight_scale, weight_zero_point,
// weight_g_idx, weight_shape; DeepSeek: weight_scale_inv; ModelOpt: weight_scale_2, input_scale,
// k_scale; GPTQ and AWQ: scales, qzeros, g_idx; gpt-oss: …_scales; bitsandbytes: absmax, quant_map,
// quant_state, SCB.
bool is_scale(std::string_view name) {
  constexpr std::array<std::string_view, 17> kEndings{
      "_scale",  "_scale_inv", "_scale_2",      "_global_scale",     ".scales",      "_scales",
      ".qzeros", ".g_idx",     "_zero_point",   "_zero_points",      "weight_g_idx", "weight_shape",
      ".absmax", ".quant_map", "nested_absmax", ".nested_quant_map", ".scb"};
  // hc_attn_scale, logit_scale and Gemma 3n's correct_output_scale are learned and belong to no
  // weight.
  constexpr std::array<std::string_view, 12> kScales{
      "weight_scale", "input_scale", "output_scale", "k_scale",
      "v_scale",      "q_scale",     "kv_scale",     "activation_scale",
      "global_scale", "prob_scale",  "act_scale",    "weight_scale_2"};
  if (name.find("quant_state.") != std::string_view::npos || name.ends_with(".weight_format")) {
    return true;
  }
  if (!ends_in(name, kEndings)) return false;
  if (name.ends_with("correct_output_scale")) return false;
  return !name.ends_with("_scale") || ends_in(name, kScales);
}

bool is_buffer(std::string_view name) {
  constexpr std::array<std::string_view, 11> kEndings{"inv_freq",
                                                      ".masked_bias",
                                                      "position_ids",
                                                      "attn.bias",
                                                      "attention.bias",
                                                      "causal_mask",
                                                      "num_batches_tracked",
                                                      "freqs_cis",
                                                      "rope_freqs.weight",
                                                      "rope_factors_long.weight",
                                                      "rope_factors_short.weight"};
  return ends_in(name, kEndings);
}

bool is_tower(std::string_view name) {
  // mlp1 is InternVL's projector.
  constexpr std::array<std::string_view, 13> kParts{
      "visual.",       "vision",        "img_",         "mm_projector",    "multi_modal_projector",
      "image_newline", "audio_",        "patch_merger", "patch_merge_mlp", "merger.",
      "mm_",           "sound_encoder", "mlp1."};
  return holds_one(name, kParts);
}

bool is_head(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames{
      "lm_head.",          "embed_out.",  "output_layer.", "lm_head_",
      "shared_head.head.", "classifier.", "score.",        "shared_head.output."};
  return holds_one(name, kNames) || name.starts_with("output.") || name.starts_with("head.");
}

bool is_table(std::string_view name) {
  constexpr std::array<std::string_view, 10> kParts{
      "embed_tokens", "wte.",        "wpe.",   "word_embeddings", "tok_embeddings",
      "embed_in.",    "embeddings.", "embed.", "embed_positions", "embedding."};
  return holds_one(name, kParts);
}

bool is_norm(std::string_view name) {
  constexpr std::array<std::string_view, 6> kParts{"norm", ".ln_", ".ln1", ".ln2", ".ln.", "ln_f"};
  return holds_one(name, kParts) || name.starts_with("ln_");
}

bool is_attention(std::string_view name) {
  constexpr std::array<std::string_view, 11> kParts{
      "mixer.", "mamba.", "ssm.",           "conv.",    "q_proj", "k_proj",
      "v_proj", "o_proj", "temporal_block", "time_mix", "indexer"};
  return holds_one(name, kParts);
}

bool is_mlp(std::string_view name) {
  constexpr std::array<std::string_view, 16> kParts{"mlp",
                                                    "ffn",
                                                    "feed_forward",
                                                    "fc1",
                                                    "fc2",
                                                    "gate_proj",
                                                    "up_proj",
                                                    "down_proj",
                                                    ".w1.",
                                                    ".w2.",
                                                    ".w3.",
                                                    "channel_mix",
                                                    "block_sparse_moe",
                                                    "intermediate.dense",
                                                    ".output.dense",
                                                    "densereludense"};
  return holds_one(name, kParts);
}

bool is_router(std::string_view name) {
  constexpr std::array<std::string_view, 6> kParts{
      ".gate.", "router.", "gate.e_score", ".gate.bias", "e_score_correction", "gate_inp"};
  const bool in_block = is_mlp(name) || name.find("mixer") != std::string_view::npos ||
                        name.find("moe") != std::string_view::npos;
  return in_block && holds_one(name, kParts) && name.find("attn") == std::string_view::npos;
}

// Matrices whose inputs tensor parallelism divides.
bool is_row_parallel(std::string_view name) {
  constexpr std::array<std::string_view, 12> kParts{
      "o_proj",  "out_proj", "down_proj",     "attn_output",      "ffn_down", ".w2.",
      "c_proj.", "fc2.",     "dense_4h_to_h", "attention.dense.", ".wo.",     "ssm_out"};
  return holds_one(name, kParts);
}

Split split_of(std::string_view name, Component component) {
  switch (component) {
    case Component::embedding:
    case Component::head:
      return Split::vocabulary;
    case Component::attention:
    case Component::mlp:
    case Component::experts:
    case Component::shared_experts:
      if (!is_row_parallel(name)) return Split::columns;
      return name.ends_with(".bias") ? Split::replicated : Split::rows;
    default:
      return Split::replicated;
  }
}

Component component_of(std::string_view name) {
  if (is_tower(name)) return Component::vision;
  if (name.starts_with("mtp.") || name.find(".mtp") != std::string_view::npos ||
      name.find("nextn") != std::string_view::npos) {
    return Component::mtp;
  }
  if (is_head(name)) return Component::head;
  if (is_norm(name)) return Component::norms;
  if (is_table(name)) return Component::embedding;
  if (name.find("shared_expert") != std::string_view::npos ||
      name.find("shared_mlp") != std::string_view::npos) {
    return Component::shared_experts;
  }
  if (name.find("experts.") != std::string_view::npos) return Component::experts;
  if (is_router(name)) return Component::router;
  // BERT has `attention.output.dense` beside `output.dense`.
  if (name.find("attn") != std::string_view::npos ||
      name.find("attention") != std::string_view::npos) {
    return Component::attention;
  }
  if (is_mlp(name)) return Component::mlp;
  return is_attention(name) ? Component::attention : Component::other;
}

Component gguf_component(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (name.starts_with("v.") || name.starts_with("mm.") || name.starts_with("a.") ||
      name.starts_with("resampler.")) {
    return Component::vision;
  }
  if (has("nextn")) return Component::mtp;
  if (has("norm") || has("_ln.")) return Component::norms;
  if (name.starts_with("output.") || name.starts_with("cls")) return Component::head;
  if (name.starts_with("token_embd") || name.starts_with("position_embd") ||
      name.starts_with("token_types") || name.starts_with("per_layer_token_embd")) {
    return Component::embedding;
  }
  if (has("_shexp")) return Component::shared_experts;
  if (has("_exps") || has("_chexps") || has("ffn_latent")) return Component::experts;
  if (has("ffn_gate_inp") || has("exp_probs_b")) return Component::router;
  if (has("ffn") || has("channel_mix")) return Component::mlp;
  if (has("attn") || has("ssm_") || has("time_mix") || has("shortconv") || has("indexer") ||
      has("cross_attn")) {
    return Component::attention;
  }
  return Component::other;
}

}  // namespace

NameReading read_checkpoint_name(std::string_view name) {
  const std::string lower = base::lower(name);
  NameReading reading;
  reading.component = component_of(lower);
  if (is_scale(lower)) {
    reading.role = StoredRole::scale;
  } else if (is_buffer(lower)) {
    reading.role = StoredRole::buffer;
  }
  reading.split = split_of(lower, reading.component);
  reading.routed = lower.find("experts.") != std::string::npos &&
                   lower.find("shared_expert") == std::string::npos;
  const bool in_layer = lower.find("layers.") != std::string::npos;
  reading.copy = in_layer && (lower.find("embed_tokens") != std::string::npos ||
                              lower.find("shared_head.head") != std::string::npos ||
                              lower.find("shared_head.output") != std::string::npos);
  return reading;
}

NameReading read_gguf_name(std::string_view name) {
  NameReading reading;
  reading.component = gguf_component(name);
  if (name.ends_with(".scale") || name.ends_with(".input_scale")) {
    reading.role = StoredRole::scale;
  } else if (is_buffer(name)) {
    reading.role = StoredRole::buffer;
  }
  reading.split = split_of(name, reading.component);
  reading.routed = name.find("_exps.") != std::string_view::npos;
  reading.copy = name.find("nextn.embed_tokens") != std::string_view::npos ||
                 name.find("nextn.shared_head_head") != std::string_view::npos;
  return reading;
}

}  // namespace ullage::import

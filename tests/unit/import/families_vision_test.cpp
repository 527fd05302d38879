// Encoders, encoder-decoders and models with a tower, on small configurations added up by hand.
#include <doctest/doctest.h>

#include "count_config.hpp"

using namespace ullage;
using model::CacheKind;
using testing::count_config;
using testing::refusal_of;

namespace {

constexpr int kPlain = testing::kAttention + testing::kGated + testing::kTwoNorms + testing::kTable;

const char* const kText =
    "\"hidden_size\": 8, \"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
    "\"num_key_value_heads\": 2, \"intermediate_size\": 16, \"vocab_size\": 10, \"head_dim\": 2";

// Width 6, one layer, MLP 12, images of 4 pixels in patches of 2.
const char* const kTower =
    "\"hidden_size\": 6, \"num_hidden_layers\": 1, \"num_attention_heads\": 2, "
    "\"intermediate_size\": 12, \"image_size\": 4, \"patch_size\": 2";

std::string joined(const std::string& type, const std::string& text_type,
                   const std::string& tower_type, const std::string& more = "") {
  return "{\"model_type\": \"" + type + "\", \"torch_dtype\": \"bfloat16\", \"text_config\": {" +
         "\"model_type\": \"" + text_type + "\", " + kText + "}, \"vision_config\": {" +
         "\"model_type\": \"" + tower_type + "\", " + kTower + "}" + more + "}";
}

// One layer with biases and two layer norms; patches of 3 × 2 × 2.
constexpr int kTowerLayer = 4 * 36 + 4 * 6 + 2 * 72 + 12 + 6 + 4 * 6;
constexpr int kPatches = 6 * 3 * 2 * 2;

}  // namespace

TEST_SUITE("import/families_vision") {
  TEST_CASE("gemma3: a SigLIP tower and its projector beside the text") {
    const auto counted = count_config(joined("gemma3", "gemma3_text", "siglip_vision_model"));
    CHECK(counted.components.at("vision") ==
          exact::Rational(kPatches + 6 + 4 * 6 + kTowerLayer + 2 * 6 + 6 * 8 + 6));
    CHECK(counted.total - counted.components.at("vision") ==
          exact::Rational(kPlain - testing::kTwoNorms + testing::kFourNorms + 2 * (2 + 2)));
    CHECK(counted.per_token(CacheKind::window) == exact::Rational(16));
  }

  TEST_CASE("llava: a CLIP tower, text keys by default of the class") {
    const auto counted = count_config(joined("llava", "llama", "clip_vision_model"));
    CHECK(counted.components.at("vision") ==
          exact::Rational(6 + kPatches + 5 * 6 + 12 + kTowerLayer + 12 + 6 * 8 + 8 + 8 * 8 + 8));
    const auto defaults = count_config(
        "{\"model_type\": \"llava\", \"torch_dtype\": \"float16\", \"text_config\": "
        "{\"model_type\": \"llama\", \"vocab_size\": 32064}, \"vision_config\": {" +
        std::string(kTower) + "}}");
    CHECK(defaults.per_token(CacheKind::full) == exact::Rational(32 * 2 * 4096));
    CHECK(refusal_of(joined("llava", "gptj", "clip_vision_model")).code ==
          base::Code::unsupported_architecture);
    CHECK(refusal_of(joined("llava", "llama", "other")).message.find("other") != std::string::npos);
  }

  TEST_CASE("mistral3: Pixtral's tower and a merger of neighbouring patches") {
    const auto counted = count_config(joined("mistral3", "ministral3", "pixtral"));
    CHECK(counted.components.at("vision") ==
          exact::Rational(kPatches + 6 + (4 * 36 + 3 * 72 + 12) + 6 + 6 * 24 + 6 * 8 + 8 * 8));
    CHECK(count_config(joined("ministral3", "ministral3", "pixtral")).total == counted.total);
  }

  TEST_CASE("qwen2_vl and qwen2_5_vl: patches of two frames, a merger into the text's width") {
    const std::string vision =
        "\"depth\": 1, \"in_chans\": 3, \"patch_size\": 2, \"temporal_patch_size\": 2, "
        "\"spatial_merge_size\": 2, ";
    const int merger = 24 * 24 + 24 + 24 * 8 + 8;
    const auto second =
        count_config(testing::small_config("qwen2_vl", ", \"vision_config\": {" + vision +
                                                           "\"embed_dim\": 6, \"mlp_ratio\": 2, "
                                                           "\"hidden_size\": 8}"));
    CHECK(second.components.at("vision") ==
          exact::Rational(2 * kPatches + kTowerLayer + 12 + merger));
    const auto later = count_config(
        testing::small_config("qwen2_5_vl", ", \"vision_config\": {" + vision +
                                                "\"hidden_size\": 6, \"intermediate_size\": 12, "
                                                "\"out_hidden_size\": 8}"));
    CHECK(later.components.at("vision") ==
          exact::Rational(2 * kPatches + kTowerLayer + 72 + 12 - 12 + 6 + merger));
  }

  TEST_CASE("qwen3_vl: the text's head is tied where the configuration around it says so") {
    const auto config = [](const std::string& more) {
      return "{\"model_type\": \"qwen3_vl\", \"text_config\": {\"dtype\": \"bfloat16\", " +
             std::string(kText) +
             "}, \"vision_config\": {\"depth\": 1, \"hidden_size\": 6, \"intermediate_size\": 12, "
             "\"in_channels\": 3, \"patch_size\": 2, \"temporal_patch_size\": 2, "
             "\"num_position_embeddings\": 9, \"spatial_merge_size\": 2, \"out_hidden_size\": 8, "
             "\"deepstack_visual_indexes\": []}" +
             more + "}";
    };
    const auto untied = count_config(config(""));
    const auto tied = count_config(config(", \"tie_word_embeddings\": true"));
    CHECK(untied.total - tied.total == exact::Rational(testing::kTable));
  }

  TEST_CASE("llama4: chunks in three of four layers, experts at an interval, no tower to count") {
    const auto counted = count_config(
        "{\"model_type\": \"llama4\", \"torch_dtype\": \"bfloat16\", \"text_config\": {" +
        std::string(kText) +
        ", \"attention_chunk_size\": 4, \"no_rope_layers\": [1, 0], "
        "\"interleave_moe_layer_step\": 2, \"intermediate_size_mlp\": 20, "
        "\"num_local_experts\": 3, \"num_experts_per_tok\": 1}}");
    CHECK(counted.components.at("mlp") == exact::Rational(3 * 20 * 8));
    CHECK(counted.components.at("experts") == exact::Rational(3 * 3 * 16 * 8));
    CHECK(counted.components.at("shared_experts") == exact::Rational(3 * 16 * 8));
    CHECK(counted.per_token(CacheKind::chunked) == exact::Rational(8));
    CHECK(counted.per_token(CacheKind::full) == exact::Rational(8));
    CHECK(counted.window(CacheKind::chunked) == exact::Rational(4));
  }

  TEST_CASE("mllama: cross-attention layers keep the image, not the text") {
    const auto counted = count_config(
        "{\"model_type\": \"mllama\", \"torch_dtype\": \"bfloat16\", \"text_config\": {" +
        std::string(kText) + ", \"cross_attention_layers\": [1]}, \"vision_config\": {" + kTower +
        ", \"max_num_tiles\": 2, \"num_global_layers\": 1, \"vision_output_dim\": 12, "
        "\"supported_aspect_ratios\": [[1, 1], [1, 2]]}}");
    CHECK(counted.per_token(CacheKind::full) == exact::Rational(8));
    CHECK(counted.per_sequence(CacheKind::cross) == exact::Rational(2 * 2 * 5 * 4));
    const int layer = kTowerLayer - 4 * 6;
    CHECK(counted.components.at("vision") ==
          exact::Rational(kPatches + 6 + 5 * 6 + 1 + 3 * 2 * 5 * 6 + 2 * (3 * 2 * 6 + 1) +
                          2 * layer + 2 + 24 + 12 * 8 + 8));
    CHECK(counted.components.at("embedding") == exact::Rational(18 * 8));
  }

  TEST_CASE("encoders: what stands behind the layers follows from the class") {
    const auto config = [](const std::string& type, const std::string& more) {
      return testing::small_config(type, ", \"max_position_embeddings\": 5" + more);
    };
    const int tables = (10 + 5 + 2) * 8 + 16;
    const int layers = 2 * (4 * 64 + 4 * 8 + 2 * 128 + 16 + 8 + 4 * 8);
    const auto model = count_config(config("bert", ", \"architectures\": [\"BertModel\"]"));
    CHECK(model.total == exact::Rational(tables + layers + 72));
    CHECK(model.inventory.caches.empty());
    CHECK(count_config(config("roberta",
                              ", \"architectures\": "
                              "[\"RobertaForSequenceClassification\"], "
                              "\"id2label\": {\"0\": \"a\"}"))
              .total == exact::Rational(tables + layers + 72 + 9));
    CHECK(count_config(config("xlm-roberta", ", \"architectures\": [\"XLMRobertaForMaskedLM\"]"))
              .total == exact::Rational(tables + layers + 72 + 16 + 10));
    CHECK(refusal_of(config("bert", ", \"architectures\": [\"BertForDreaming\"]")).code ==
          base::Code::unsupported_architecture);
  }

  TEST_CASE("t5: relative positions in the first layers, a cross cache of the encoder's length") {
    const auto counted = count_config(
        "{\"model_type\": \"t5\", \"d_model\": 8, \"d_kv\": 3, \"d_ff\": 16, \"num_layers\": 2, "
        "\"num_decoder_layers\": 1, \"num_heads\": 2, \"vocab_size\": 10, \"n_positions\": 7, "
        "\"relative_attention_num_buckets\": 4, \"feed_forward_proj\": \"gated-gelu\", "
        "\"torch_dtype\": \"float32\"}");
    const int attention = 4 * 8 * 6;
    const int mlp = 3 * 8 * 16;
    CHECK(counted.total == exact::Rational(80 + 2 * (attention + mlp + 16) +
                                           (2 * attention + mlp + 24) + 2 * (8 + 8)));
    CHECK(counted.per_token(CacheKind::full) == exact::Rational(12));
    CHECK(counted.per_sequence(CacheKind::cross) == exact::Rational(2 * 7 * 6));
  }

  TEST_CASE("whisper: convolutions, two tables of positions, no bias on k") {
    const auto counted = count_config(
        "{\"model_type\": \"whisper\", \"d_model\": 8, \"encoder_layers\": 1, "
        "\"decoder_layers\": 2, \"encoder_ffn_dim\": 16, \"decoder_ffn_dim\": 12, "
        "\"encoder_attention_heads\": 2, \"decoder_attention_heads\": 2, \"num_mel_bins\": 3, "
        "\"max_source_positions\": 5, \"max_target_positions\": 4, \"vocab_size\": 10, "
        "\"torch_dtype\": \"float32\"}");
    const int attention = 4 * 64 + 3 * 8;
    const int ends = 8 * 9 + 8 + 8 * 24 + 8 + 5 * 8 + 16 + 80 + 4 * 8 + 16;
    const int encoder = attention + 2 * 128 + 24 + 32;
    const int decoder = 2 * (2 * attention + 2 * 96 + 20 + 48);
    CHECK(counted.total == exact::Rational(ends + encoder + decoder));
    CHECK(counted.per_sequence(CacheKind::cross) == exact::Rational(2 * 2 * 5 * 8));
  }
}

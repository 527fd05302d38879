// GGUF files made here: weights from the table, caches from metadata, and what is refused.
#include "import/gguf.hpp"

#include <doctest/doctest.h>

#include "count_config.hpp"
#include "import/open.hpp"
#include "memory/weights.hpp"
#include "support/checkpoints.hpp"

using namespace ullage;
using exact::Rational;
using test::Gguf;

namespace {

struct Opened {
  base::MemoryFileSystem files;
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  provenance::Graph graph;

  base::Result<model::Model> open(const std::string& name) {
    import::OpenContext context{catalogue, files, graph, std::nullopt};
    return import::open_model(context, name);
  }
  // The model of a file, which must be readable.
  model::Model model(const Gguf& gguf) {
    files.files["x.gguf"] = gguf.bytes();
    auto opened = open("x.gguf");
    REQUIRE_MESSAGE(opened.ok(), base::to_text(opened.error()));
    return *std::move(opened);
  }
  memory::Weights weigh(const model::Model& model) {
    auto weights = memory::weigh(graph, model, {}, catalogue);
    REQUIRE_MESSAGE(weights.ok(), base::to_text(weights.error()));
    return *std::move(weights);
  }
  // The refusal of a file.
  base::Diagnostic fault(const std::string& bytes) {
    files.files["x.gguf"] = bytes;
    const auto opened = open("x.gguf");
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().span.file == "x.gguf");
    return opened.error();
  }
};

// Two layers of a small Llama: hidden 64, 4 heads, 2 KV heads, vocabulary 32.
Gguf llama() {
  Gguf gguf;
  gguf.text("general.architecture", "llama")
      .number("llama.block_count", 2)
      .number("llama.embedding_length", 64)
      .number("llama.attention.head_count", 4)
      .number("llama.attention.head_count_kv", 2)
      .number("general.file_type", 15)
      .texts("tokenizer.ggml.tokens", {"<s>", "a", std::string(100, 'b')})
      .tensor("token_embd.weight", 8, {32, 64}, 32 * 2 * 34)
      .floats("output_norm.weight", {64})
      .floats("rope_freqs.weight", {8});
  for (const char* layer : {"0", "1"}) {
    const std::string blk = std::string("blk.") + layer + ".";
    gguf.tensor(blk + "attn_q.weight", 2, {64, 64}, 64 * 2 * 18)
        .tensor(blk + "attn_k.weight", 2, {32, 64}, 32 * 2 * 18)
        .tensor(blk + "attn_v.weight", 2, {32, 64}, 32 * 2 * 18)
        .tensor(blk + "attn_output.weight", 2, {64, 64}, 64 * 2 * 18)
        .tensor(blk + "ffn_up.weight", 2, {96, 64}, 96 * 2 * 18)
        .tensor(blk + "ffn_gate.weight", 2, {96, 64}, 96 * 2 * 18)
        .tensor(blk + "ffn_down.weight", 2, {64, 96}, 64 * 3 * 18)
        .floats(blk + "attn_norm.weight", {64})
        .floats(blk + "ffn_norm.weight", {64});
  }
  return gguf;
}

Rational per_token(const model::Model& model, model::CacheKind kind) {
  Rational sum;
  for (const model::CacheGroup& group : model.inventory->caches) {
    if (group.kind == kind) sum += group.layers.value * testing::elements_of(group.per_token);
  }
  return sum;
}

Rational per_sequence(const model::Model& model) {
  Rational sum;
  for (const model::CacheGroup& group : model.inventory->caches)
    sum += group.layers.value * testing::elements_of(group.per_sequence);
  return sum;
}

// A model of four attention layers and the keys of the caller.
Gguf windowed(const std::string& architecture, std::size_t layers) {
  Gguf gguf;
  gguf.text("general.architecture", architecture)
      .number(architecture + ".block_count", layers)
      .number(architecture + ".embedding_length", 8)
      .number(architecture + ".attention.head_count", 2)
      .number(architecture + ".attention.sliding_window", 16)
      .floats("token_embd.weight", {4, 8});
  for (std::size_t i = 0; i < layers; ++i)
    gguf.floats("blk." + std::to_string(i) + ".attn_k.weight", {8, 8});
  return gguf;
}

}  // namespace

TEST_SUITE("import/gguf") {
  TEST_CASE("the table gives parameters and bytes, the metadata the cache") {
    Opened opened;
    const model::Model model = opened.model(llama());
    const memory::Weights weights = opened.weigh(model);
    const std::int64_t layer = 2 * 64 * 64 + 2 * 32 * 64 + 3 * 96 * 64 + 2 * 64;
    CHECK(opened.graph.value(weights.parameters) == Rational(32 * 64 + 64 + 2 * layer));
    CHECK(opened.graph.value(weights.payload) ==
          Rational(32 * 2 * 34 + 64 * 4 + 8 * 4 +
                   2 * ((2 * 64 + 2 * 32 + 2 * 96) * 2 * 18 + 64 * 3 * 18 + 2 * 64 * 4)));
    Rational parts;
    for (const model::StoredPart& part : model.stored_parts)
      parts += opened.graph.value(part.bytes);
    CHECK(parts == opened.graph.value(weights.payload));
    CHECK(per_token(model, model::CacheKind::full) == Rational(2 * 2 * 2 * 16));
    // Tied: the table is the head's matrix too, so that every parameter is active.
    CHECK(opened.graph.value(*weights.active_parameters) == opened.graph.value(weights.parameters));
  }

  TEST_CASE("every type of ggml has its block") {
    // From ggml-common.h: type, elements of a block, bytes of a block.
    const std::vector<std::array<std::uint64_t, 3>> blocks{
        {0, 1, 4},      {1, 1, 2},      {2, 32, 18},    {3, 32, 20},    {6, 32, 22},
        {7, 32, 24},    {8, 32, 34},    {9, 32, 36},    {10, 256, 84},  {11, 256, 110},
        {12, 256, 144}, {13, 256, 176}, {14, 256, 210}, {15, 256, 292}, {16, 256, 66},
        {17, 256, 74},  {18, 256, 98},  {19, 256, 50},  {20, 32, 18},   {21, 256, 110},
        {22, 256, 82},  {23, 256, 136}, {24, 1, 1},     {25, 1, 2},     {26, 1, 4},
        {27, 1, 8},     {28, 1, 8},     {29, 256, 56},  {30, 1, 2},     {34, 256, 54},
        {35, 256, 66},  {39, 32, 17},   {40, 64, 36},   {41, 128, 18},  {42, 64, 18}};
    catalog::Catalogue catalogue{catalog::embedded_catalogue()};
    for (const auto& [number, elements, bytes] : blocks) {
      const auto type = number;  // Clang 14 captures no structured binding
      const auto* format = catalogue.formats().of_ggml_type(static_cast<std::uint32_t>(type));
      REQUIRE_MESSAGE(format != nullptr, type);
      const std::vector<std::uint64_t> shape{3, 2 * elements};
      const auto stored = import::stored_bytes("t", *format, shape);
      REQUIRE_MESSAGE(stored.ok(), type);
      CHECK_MESSAGE(*stored == 6 * bytes, type);
      const std::vector<std::uint64_t> odd{elements + 1};
      CHECK(import::stored_bytes("t", *format, odd).ok() == (elements == 1));
    }
    for (const std::uint32_t removed : {4u, 5u, 31u, 33u, 36u, 38u, 43u, 1000u}) {
      CHECK(catalogue.formats().of_ggml_type(removed) == nullptr);
    }
  }

  TEST_CASE("experts lie along the first axis and a token passes some of them") {
    Gguf gguf;
    gguf.text("general.architecture", "qwen3moe")
        .number("qwen3moe.block_count", 1)
        .number("qwen3moe.expert_count", 4)
        .number("qwen3moe.expert_used_count", 2)
        .floats("token_embd.weight", {4, 8})
        .floats("output.weight", {4, 8})
        .floats("blk.0.ffn_gate_inp.weight", {4, 8})
        .floats("blk.0.ffn_up_exps.weight", {4, 6, 8});
    Opened opened;
    const model::Model model = opened.model(gguf);
    const memory::Weights weights = opened.weigh(model);
    CHECK(opened.graph.value(weights.parameters) == Rational(32 + 32 + 32 + 192));
    CHECK(opened.graph.value(*weights.active_parameters) == Rational(32 + 32 + 32 + 96));
  }

  TEST_CASE("prediction modules stand behind the model's layers") {
    Gguf gguf;
    gguf.text("general.architecture", "glm4moe")
        .number("glm4moe.block_count", 2)
        .number("glm4moe.nextn_predict_layers", 1)
        .number("glm4moe.embedding_length", 8)
        .number("glm4moe.attention.head_count", 2)
        .floats("token_embd.weight", {4, 8})
        .floats("blk.0.attn_k.weight", {8, 8})
        .floats("blk.1.attn_k.weight", {8, 8})
        .floats("blk.1.nextn.eh_proj.weight", {8, 16})
        .floats("blk.1.nextn.embed_tokens.weight", {4, 8});
    Opened opened;
    const model::Model model = opened.model(gguf);
    const memory::Weights weights = opened.weigh(model);
    CHECK(opened.graph.value(weights.parameters) == Rational(32 + 64 + 64 + 128));
    CHECK(opened.graph.value(*weights.parameters_stored) == Rational(32 + 64 + 64 + 128 + 32));
    CHECK(opened.graph.value(*weights.active_parameters) == Rational(32 + 64));
    CHECK(model.inventory->main_layers == 1);
    CHECK(per_token(model, model::CacheKind::full) == Rational(16));
  }

  TEST_CASE("windows follow a list, a period or the loader's default") {
    Opened opened;
    const auto kept = [&](const Gguf& gguf) {
      const model::Model model = opened.model(gguf);
      return std::pair(per_token(model, model::CacheKind::full),
                       per_token(model, model::CacheKind::window));
    };
    const std::int64_t layer = 16;
    auto list = windowed("gemma4", 4);
    list.truths("gemma4.attention.sliding_window_pattern", {true, true, false, true});
    CHECK(kept(list) == std::pair(Rational(layer), Rational(3 * layer)));
    auto period = windowed("unheard", 6);
    period.number("unheard.attention.sliding_window_pattern", 3);
    CHECK(kept(period) == std::pair(Rational(2 * layer), Rational(4 * layer)));
    CHECK(kept(windowed("gemma3", 12)) == std::pair(Rational(2 * layer), Rational(10 * layer)));
    CHECK(kept(windowed("smallthinker", 8)) == std::pair(Rational(2 * layer), Rational(6 * layer)));
    const model::Model unknown = opened.model(windowed("unheard", 4));
    CHECK(per_token(unknown, model::CacheKind::full) == Rational(4 * layer));
    CHECK(unknown.notes.back().code == "window-pattern-unknown");
  }

  TEST_CASE("heads by layer, latent vectors and states") {
    Opened opened;
    auto shared = windowed("gemma3n", 5);
    shared.number("gemma3n.attention.shared_kv_layers", 2);
    const model::Model gemma = opened.model(shared);
    CHECK(per_token(gemma, model::CacheKind::window) == Rational(3 * 16));

    Gguf jamba;
    jamba.text("general.architecture", "jamba")
        .number("jamba.block_count", 3)
        .number("jamba.embedding_length", 8)
        .number("jamba.attention.head_count", 2)
        .numbers("jamba.attention.head_count_kv", {0, 1, 0})
        .number("jamba.ssm.conv_kernel", 4)
        .number("jamba.ssm.inner_size", 16)
        .number("jamba.ssm.state_size", 2)
        .floats("blk.0.ssm_in.weight", {32, 8})
        .floats("blk.1.attn_k.weight", {4, 8})
        .floats("blk.2.ssm_in.weight", {32, 8});
    const model::Model hybrid = opened.model(jamba);
    CHECK(per_token(hybrid, model::CacheKind::full) == Rational(2 * 4));
    CHECK(per_sequence(hybrid) == Rational(2 * (16 * 2 + 16 * 3)));

    Gguf deepseek;
    deepseek.text("general.architecture", "deepseek2")
        .number("deepseek2.block_count", 2)
        .number("deepseek2.attention.head_count", 4)
        .number("deepseek2.attention.kv_lora_rank", 6)
        .number("deepseek2.rope.dimension_count", 2)
        .number("deepseek2.attention.indexer.key_length", 3)
        .floats("blk.0.attn_kv_a_mqa.weight", {8, 8})
        .floats("blk.1.attn_kv_a_mqa.weight", {8, 8});
    const model::Model latent = opened.model(deepseek);
    CHECK(per_token(latent, model::CacheKind::latent) == Rational(2 * 8));
    CHECK(per_token(latent, model::CacheKind::index) == Rational(2 * 3));
  }

  TEST_CASE("parts of a split file are one model, and must be all of them") {
    const auto part = [](std::uint64_t number, const std::string& tensor) {
      Gguf gguf;
      gguf.text("general.architecture", "llama")
          .number("split.no", number)
          .number("split.count", 2)
          .number("split.tensors.count", 2)
          .floats(tensor, {4, 8});
      return gguf.bytes();
    };
    Opened opened;
    opened.files.files["x-00001-of-00002.gguf"] = part(0, "token_embd.weight");
    const auto lacking = opened.open("x-00001-of-00002.gguf");
    REQUIRE_FALSE(lacking.ok());
    CHECK(lacking.error().message.find("x-00002-of-00002.gguf") != std::string::npos);
    opened.files.files["x-00002-of-00002.gguf"] = part(1, "output.weight");
    const auto whole = opened.open("x-00002-of-00002.gguf");
    REQUIRE_MESSAGE(whole.ok(), base::to_text(whole.error()));
    CHECK(opened.graph.value(opened.weigh(*whole).parameters) == Rational(64));
    opened.files.files["x-00002-of-00002.gguf"] = part(0, "output.weight");
    CHECK_FALSE(opened.open("x-00001-of-00002.gguf").ok());
    opened.files.files["x-00002-of-00002.gguf"] = part(1, "token_embd.weight");
    const auto twice = opened.open("x-00001-of-00002.gguf");
    REQUIRE_FALSE(twice.ok());
    CHECK(twice.error().code == base::Code::duplicate_key);
    opened.files.files["y.gguf"] = part(0, "token_embd.weight");
    CHECK_FALSE(opened.open("y.gguf").ok());
  }

  TEST_CASE("versions, counts and lengths are held against the file") {
    Opened opened;
    CHECK(opened.fault("GGUX").code == base::Code::syntax);
    CHECK(opened.fault("<html>").message.find("begin with GGUF") != std::string::npos);
    CHECK(opened.fault("GGUF" + test::little_endian(1, 4)).message.find("version 1") !=
          std::string::npos);
    CHECK(opened.fault("GGUF" + test::little_endian(0x03000000, 4)).message.find("big-endian") !=
          std::string::npos);
    const std::string head = "GGUF" + test::little_endian(3, 4);
    const std::string most = test::little_endian(~std::uint64_t{0}, 8);
    const std::string none = test::little_endian(0, 8);
    CHECK(opened.fault(head + most + none).message.find("do not fit") != std::string::npos);
    CHECK(opened.fault(head + none + most).message.find("do not fit") != std::string::npos);
    CHECK(opened.fault(head + none + test::little_endian(1, 8) + most + std::string(40, 'x'))
              .message.find("a key of") != std::string::npos);
    CHECK(opened.fault(head + none).code == base::Code::syntax);
  }

  TEST_CASE("values that no file can hold are refused at their byte") {
    Opened opened;
    const auto fault = [&](const Gguf& gguf) { return opened.fault(gguf.bytes()).message; };
    const std::string most = test::little_endian(~std::uint64_t{0}, 8);
    CHECK(fault(Gguf().pair("a", 8, most)).find("a text of") != std::string::npos);
    CHECK(fault(Gguf().pair("a", 13, "")).find("unknown type 13") != std::string::npos);
    CHECK(fault(Gguf().pair("a", 9, test::little_endian(4, 4) + most)).find("an array of") !=
          std::string::npos);
    CHECK(fault(Gguf().pair("a", 9, test::little_endian(8, 4) + most)).find("an array of") !=
          std::string::npos);
    std::string nested;
    for (int i = 0; i < 40; ++i)
      nested += test::little_endian(9, 4) + test::little_endian(1, 8);
    CHECK(fault(Gguf().pair("a", 9, nested)).find("nested too deeply") != std::string::npos);
    CHECK(fault(Gguf().number("a", 1).number("a", 1)).find("given twice") != std::string::npos);
    CHECK(fault(Gguf().number("general.alignment", 24)).find("power of two") != std::string::npos);
    CHECK(fault(Gguf().floats("a", {1, 1, 1, 1, 1})).find("5 axes") != std::string::npos);
    CHECK(fault(Gguf().tensor("a", 99, {1}, 4)).find("unknown tensor type 99") !=
          std::string::npos);
    CHECK(fault(Gguf().tensor("a", 2, {33}, 18)).find("groups of 32") != std::string::npos);
    CHECK(fault(Gguf().tensor("a", 0, {~std::uint64_t{0}, 8}, 4)).find("63 bits") !=
          std::string::npos);
    CHECK(fault(Gguf().floats("a", {8}).floats("a", {8})).find("listed twice") !=
          std::string::npos);
    CHECK(fault(Gguf().tensor_at("a", 0, {16}, 4, 64)).find("multiple of the alignment") !=
          std::string::npos);
    CHECK(fault(Gguf().floats("a", {16}).tensor_at("b", 0, {16}, 32, 64)).find("inside another") !=
          std::string::npos);
    CHECK(
        fault(Gguf().floats("a", {16}).tensor_at("b", 0, {16}, 128, 64)).find("no tensor holds") !=
        std::string::npos);
    CHECK(fault(Gguf().tensor("a", 0, {1u << 20}, 64)).find("do not fit in a file") !=
          std::string::npos);
    CHECK(fault(Gguf().tensor("a", 0, {34}, 80)).find("the tensors end") != std::string::npos);
  }

  TEST_CASE("metadata that no model has is refused, and a file without a model too") {
    Opened opened;
    const auto fault = [&](const Gguf& gguf) { return opened.fault(gguf.bytes()); };
    CHECK(fault(Gguf().floats("a", {4})).code == base::Code::missing_key);
    CHECK(fault(Gguf().text("general.architecture", "llama")).code == base::Code::missing_key);
    const auto keyed = [](const std::string& key, std::uint64_t value) {
      Gguf gguf;
      gguf.text("general.architecture", "llama")
          .number("llama.embedding_length", 8)
          .number("llama.attention.head_count", 2)
          .number(key, value)
          .floats("blk.0.attn_k.weight", {8, 8});
      return gguf;
    };
    CHECK(fault(keyed("llama.block_count", 4'000'000'000)).code == base::Code::out_of_range);
    Gguf text;
    text.text("general.architecture", "llama").text("llama.block_count", "2").floats("a", {4});
    CHECK(fault(text).code == base::Code::wrong_type);
    Gguf few;
    few.text("general.architecture", "llama")
        .number("llama.block_count", 3)
        .number("llama.embedding_length", 8)
        .number("llama.attention.head_count", 2)
        .numbers("llama.attention.head_count_kv", {1, 1})
        .floats("blk.0.attn_k.weight", {8, 8});
    CHECK(fault(few).message.find("2 entries for 3 layers") != std::string::npos);
  }
}

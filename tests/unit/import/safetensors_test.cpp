// Headers of .safetensors files: what is read of good ones, and how bad ones are refused.
#include "import/safetensors.hpp"

#include <doctest/doctest.h>

#include "catalog/catalogue.hpp"
#include "import/header_inventory.hpp"
#include "support/checkpoints.hpp"

using namespace ullage;
using test::Tensor;

namespace {

const catalog::StorageFormats& formats() {
  static catalog::Catalogue catalogue{catalog::embedded_catalogue()};
  return catalogue.formats();
}

struct Read {
  import::StoredTensors tensors;
  base::Result<std::uint64_t> result = std::uint64_t{0};
};

Read read_bytes(const std::string& bytes, std::uint64_t size) {
  Read read;
  read.result =
      import::read_safetensors_header(bytes, size, "m.safetensors", formats(), read.tensors);
  return read;
}

// The fault of a header with that JSON and `data` bytes behind it.
base::Diagnostic fault_of(const std::string& json, std::uint64_t data) {
  const std::string bytes = test::safetensors_header(json);
  const Read read = read_bytes(bytes, bytes.size() + data);
  REQUIRE_FALSE(read.result.ok());
  CHECK(read.result.error().span.file == "m.safetensors");
  return read.result.error();
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

import::HeaderSums sums(const std::vector<Tensor>& tensors){
    const std::string file = test::safetensors(tensors);
const Read read = read_bytes(file, file.size());
REQUIRE_MESSAGE(read.result.ok(), base::to_text(read.result.error()));
import::HeaderReading how;
how.prediction_layers = import::prediction_layers_of(read.tensors);
return import::sums_of(import::read_groups(read.tensors, how), how);
}  // namespace

exact::Rational parameters(const import::HeaderSums& sums) {
  exact::Rational total = sums.copies;
  for (const auto& [component, elements] : sums.parameters)
    total += elements;
  return total;
}

}  // namespace

TEST_SUITE("import/safetensors") {
  TEST_CASE("equal tensors become one group, whatever their layer and expert") {
    std::vector<Tensor> tensors;
    for (const char* layer : {"0", "1", "2"}) {
      for (const char* expert : {"0", "1"}) {
        tensors.push_back(
            {std::string("model.layers.") + layer + ".mlp.experts." + expert + ".up_proj.weight",
             "BF16",
             {4, 6}});
      }
    }
    tensors.push_back({"lm_head.weight", "F32", {5}});
    const std::string file = test::safetensors(tensors);
    const Read read = read_bytes(file, file.size());
    REQUIRE(read.result.ok());
    CHECK(*read.result == file.size() - test::bytes_of(tensors));
    REQUIRE(read.tensors.groups().size() == 2);
    const import::StoredGroup& group = read.tensors.groups()[0];
    CHECK(group.name == "model.layers.*.mlp.experts.*.up_proj.weight");
    CHECK(group.tensors == 6);
    CHECK(group.by_layer.size() == 3);
    CHECK(group.numbers[1].second == 1);
    CHECK(group.bytes == 48);
    CHECK(read.tensors.bytes() == 6 * 48 + 20);
    CHECK(read.tensors.tensors() == 7);
  }

  TEST_CASE("every dtype of the library has its width") {
    const std::vector<std::pair<std::string, std::uint64_t>> widths{
        {"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},
        {"I8", 8},      {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8},
        {"F8_E8M0", 8}, {"I16", 16},    {"U16", 16},    {"F16", 16},        {"BF16", 16},
        {"I32", 32},    {"U32", 32},    {"F32", 32},    {"C64", 64},        {"F64", 64},
        {"I64", 64},    {"U64", 64}};
    for (const auto& [name, bits] : widths) {
      const auto dtype = name;  // Clang 14 captures no structured binding
      const std::string json =
          "{" + entry("a", dtype, "[8]", "[0," + std::to_string(bits) + "]") + "}";
      const std::string bytes = test::safetensors_header(json);
      const Read read = read_bytes(bytes, bytes.size() + bits);
      CHECK_MESSAGE(read.result.ok(), dtype);
    }
  }

  TEST_CASE("scales, zero points and buffers are no parameters") {
    const auto fp8 = sums({{"model.layers.0.mlp.up_proj.weight", "F8_E4M3", {256, 128}},
                           {"model.layers.0.mlp.up_proj.weight_scale_inv", "F32", {2, 1}},
                           {"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {8}}});
    CHECK(parameters(fp8) == exact::Rational(256 * 128));
    CHECK(fp8.scales.elements == exact::Rational(2));
    CHECK(fp8.buffers.bytes == exact::Rational(32));
    const auto deepseek = sums({{"layers.0.attn.wq_a.weight", "F8_E4M3", {128, 128}},
                                {"layers.0.attn.wq_a.scale", "F32", {1, 1}},
                                {"layers.0.norm.scale", "F32", {4}}});
    CHECK(parameters(deepseek) == exact::Rational(128 * 128 + 4));
    const auto gpt2 =
        sums({{"h.0.attn.bias", "U8", {1, 1, 4, 4}}, {"h.0.attn.c_attn.bias", "F32", {6}}});
    CHECK(parameters(gpt2) == exact::Rational(6));
  }

  TEST_CASE("packed weights are counted by what stands beside them") {
    // 4 bits of GPTQ: eight weights in an int32.
    const auto gptq = sums({{"model.layers.0.mlp.up_proj.qweight", "I32", {16, 64}},
                            {"model.layers.0.mlp.up_proj.qzeros", "I32", {1, 8}},
                            {"model.layers.0.mlp.up_proj.scales", "F16", {1, 64}},
                            {"model.layers.0.mlp.up_proj.g_idx", "I32", {128}}});
    CHECK(parameters(gptq) == exact::Rational(128 * 64));
    // 3 bits: 32/3 of them.
    const auto three = sums({{"model.layers.0.mlp.up_proj.qweight", "I32", {12, 64}},
                             {"model.layers.0.mlp.up_proj.qzeros", "I32", {1, 6}},
                             {"model.layers.0.mlp.up_proj.scales", "F16", {1, 64}}});
    CHECK(parameters(three) == exact::Rational(128 * 64));
    const auto nvfp4 = sums({{"model.layers.0.mlp.up_proj.weight", "U8", {4, 32}},
                             {"model.layers.0.mlp.up_proj.weight_scale", "F8_E4M3", {4, 4}},
                             {"model.layers.0.mlp.up_proj.weight_scale_2", "F32", {}},
                             {"model.layers.0.mlp.up_proj.input_scale", "F32", {}}});
    CHECK(parameters(nvfp4) == exact::Rational(4 * 64));
    const auto mxfp4 =
        sums({{"model.layers.0.mlp.experts.gate_up_proj_blocks", "U8", {2, 4, 3, 16}},
              {"model.layers.0.mlp.experts.gate_up_proj_scales", "U8", {2, 4, 3}}});
    CHECK(parameters(mxfp4) == exact::Rational(2 * 4 * 96));
    const auto nf4 = sums({{"model.layers.0.mlp.up_proj.weight", "U8", {512, 1}},
                           {"model.layers.0.mlp.up_proj.weight.absmax", "U8", {16}},
                           {"model.layers.0.mlp.up_proj.weight.quant_map", "F32", {16}}});
    CHECK(parameters(nf4) == exact::Rational(1024));
    // Nothing says how many weights an int32 of compressed-tensors holds.
    const auto packed = sums({{"model.layers.0.mlp.up_proj.weight_packed", "I32", {4, 4}},
                              {"model.layers.0.mlp.up_proj.weight_scale", "BF16", {4, 1}}});
    CHECK(packed.unknown_packing == "model.layers.0.mlp.up_proj.weight_packed");
  }

  TEST_CASE("lengths are held against the file") {
    const auto short_file = read_bytes("1234", 4);
    REQUIRE_FALSE(short_file.result.ok());
    CHECK(short_file.result.error().code == base::Code::syntax);
    for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{99}, ~std::uint64_t{0}}) {
      const auto read = read_bytes(test::little_endian(length, 8) + "{}", 10);
      REQUIRE_FALSE(read.result.ok());
      CHECK(read.result.error().message.find("byte 0") == 0);
    }
    const auto larger = read_bytes(test::little_endian(100'000'001, 8), 1u << 30);
    REQUIRE_FALSE(larger.result.ok());
    CHECK(larger.result.error().message.find("100000000") != std::string::npos);
  }

  TEST_CASE("offsets lie in the file, side by side, and fit dtype and shape") {
    const std::string a = entry("a", "F32", "[2]", "[0,8]");
    CHECK(fault_of("{" + a + "}", 4).message.find("cut short") == std::string::npos);
    CHECK(fault_of("{" + a + "}", 4).code == base::Code::out_of_range);
    CHECK(fault_of("{" + a + "}", 12).message.find("no tensor holds byte 8") != std::string::npos);
    CHECK(fault_of("{" + a + "," + entry("b", "F32", "[1]", "[4,8]") + "}", 8)
              .message.find("inside another one") != std::string::npos);
    CHECK(fault_of("{" + a + "," + entry("b", "F32", "[1]", "[12,16]") + "}", 16)
              .message.find("no tensor holds byte 8") != std::string::npos);
    CHECK(fault_of("{" + entry("a", "F32", "[3]", "[0,8]") + "}", 8).message.find("need 12 B") !=
          std::string::npos);
    CHECK(fault_of("{" + entry("a", "F32", "[2]", "[8,0]") + "}", 8).code ==
          base::Code::out_of_range);
    CHECK(fault_of("{" + entry("a", "F4", "[3]", "[0,1]") + "}", 1)
              .message.find("no whole number of bytes") != std::string::npos);
  }

  TEST_CASE("axes of any size are multiplied exactly") {
    const std::string huge = "9223372036854775808";
    CHECK(fault_of("{" + entry("a", "F32", "[" + huge + ",2]", "[0,8]") + "}", 8)
              .message.find("more bytes than 63 bits") != std::string::npos);
    CHECK(fault_of("{" + entry("a", "F32", "[4294967296,4294967296]", "[0,0]") + "}", 0)
              .message.find("more bytes than 63 bits") != std::string::npos);
    CHECK(fault_of("{" + entry("a", "F32", "[18446744073709551616]", "[0,8]") + "}", 8)
              .message.find("64 bits") != std::string::npos);
    // A tensor without elements has no bytes, whatever its other axes say.
    const std::string json =
        "{" + entry("a", "F32", "[" + huge + ",0," + huge + "]", "[0,0]") + "}";
    const std::string bytes = test::safetensors_header(json);
    CHECK(read_bytes(bytes, bytes.size()).result.ok());
  }

  TEST_CASE("entries are complete, once, and of known types") {
    CHECK(fault_of("[]", 0).code == base::Code::wrong_type);
    CHECK(fault_of("{\"a\":3}", 0).code == base::Code::wrong_type);
    CHECK(fault_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4).code == base::Code::missing_key);
    CHECK(fault_of("{" + entry("a", "F33", "[1]", "[0,4]") + "}", 4).code ==
          base::Code::unknown_name);
    CHECK(fault_of("{" + entry("a", "Q4_K_M", "[1]", "[0,4]") + "}", 4).code ==
          base::Code::unknown_name);
    CHECK(fault_of("{" + entry("a", "F32", "[1.5]", "[0,4]") + "}", 4).code ==
          base::Code::wrong_type);
    CHECK(fault_of("{" + entry("a", "F32", "[-1]", "[0,4]") + "}", 4).code ==
          base::Code::wrong_type);
    CHECK(fault_of("{" + entry("a", "F32", "[1]", "[0,4,8]") + "}", 8).code ==
          base::Code::wrong_type);
    const std::string twice = entry("a", "F32", "[1]", "[0,4]");
    const auto repeated = fault_of("{" + twice + "," + twice + "}", 4);
    CHECK(repeated.code == base::Code::duplicate_key);
    CHECK(repeated.message.find("byte ") == 0);
    CHECK(fault_of("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":"
                   "[0,4]}}",
                   4)
              .code == base::Code::duplicate_key);
    std::string axes = "1";
    for (int i = 0; i < 40; ++i)
      axes += ",1";
    CHECK(fault_of("{" + entry("a", "F32", "[" + axes + "]", "[0,4]") + "}", 4).code ==
          base::Code::wrong_type);
  }

  TEST_CASE("a header that is no JSON is refused at line and column behind its length") {
    const auto fault = fault_of("{\"a\":\n tru}", 0);
    CHECK(fault.code == base::Code::syntax);
    CHECK(fault.message.find("line 2, column 2") != std::string::npos);
    CHECK(fault_of(std::string(100, '['), 0).code == base::Code::wrong_type);
    CHECK(fault_of("{\"a\":" + std::string(100, '['), 0).code == base::Code::wrong_type);
    CHECK(fault_of("{\"__metadata__\":{\"a\":" + std::string(100, '['), 0).message.find("nested") !=
          std::string::npos);
    CHECK(fault_of("{} x", 0).code == base::Code::syntax);
    CHECK(fault_of("{\"\\ud800\":1}", 0).code == base::Code::syntax);
  }

  TEST_CASE("kinds of tensors are bounded") {
    std::string json = "{";
    for (int i = 0; i <= 20'001; ++i) {
      const std::string name = "t" + std::to_string(i);
      json += (i == 0 ? "" : ",") + entry(name, "F32", "[0]", "[0,0]");
    }
    const auto fault = fault_of(json + "}", 0);
    CHECK(fault.message.find("more than 20000 kinds") != std::string::npos);
  }
}

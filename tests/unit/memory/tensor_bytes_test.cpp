// Bytes of single tensors, each by hand from the shapes that the format's own code gives its
// arrays.
#include "memory/tensor_bytes.hpp"

#include <doctest/doctest.h>

#include "catalog/catalogue.hpp"

namespace ullage {
namespace {

using exact::Rational;

struct Table {
  catalog::Catalogue catalogue{catalog::embedded_catalogue()};

  std::optional<Rational> bytes(std::string_view format, std::vector<Rational> shape,
                                std::string_view dtype = "bfloat16") {
    const auto found = catalogue.formats().find(format);
    REQUIRE_MESSAGE(found.ok(), base::to_text(found.error()));
    return memory::tensor_bytes(**found, shape, dtype);
  }
};

}  // namespace

TEST_CASE("plain formats take any shape") {
  Table table;
  CHECK(table.bytes("bf16", {3, 5, 7}) == Rational(210));
  CHECK(table.bytes("fp32", {9}) == Rational(36));
}

TEST_CASE("FP8: one scale a tensor, a row or a block, which edges have too") {
  Table table;
  CHECK(table.bytes("fp8", {256, 384}) == Rational(256 * 384 + 4));
  CHECK(table.bytes("fp8-static", {256, 384}) == Rational(256 * 384 + 8));
  CHECK(table.bytes("fp8-rows", {256, 384}) == Rational(256 * 384 + 256 * 4));
  CHECK(table.bytes("fp8-rows-16", {256, 384}) == Rational(256 * 384 + 256 * 2));
  CHECK(table.bytes("fp8-block", {256, 384}) == Rational(256 * 384 + 2 * 3 * 4));
  CHECK(table.bytes("fp8-block", {257, 385}) == Rational(257 * 385 + 3 * 4 * 4));
  CHECK(table.bytes("fp8-block:block=64x64", {256, 384}) == Rational(256 * 384 + 4 * 6 * 4));
}

TEST_CASE("GPTQ: words of eight codes along the inputs, zero points along the outputs, g_idx") {
  Table table;
  // qweight 512/8 × 256 int32, qzeros 4 × 256/8 int32, scales 4 × 256 fp16, g_idx 512 int32
  CHECK(table.bytes("gptq", {256, 512}) ==
        Rational(64 * 256 * 4 + 4 * 32 * 4 + 4 * 256 * 2 + 512 * 4));
  // 3 bits, one group: qweight 512·3/32 × 256, qzeros 1 × 256·3/32, scales 1 × 256
  CHECK(table.bytes("gptq:bits=3,group=row", {256, 512}) ==
        Rational(48 * 256 * 4 + 24 * 4 + 256 * 2 + 512 * 4));
}

TEST_CASE("AWQ: words along the outputs, no g_idx") {
  Table table;
  CHECK(table.bytes("awq", {256, 512}) == Rational(512 * 32 * 4 + 4 * 32 * 4 + 4 * 256 * 2));
  CHECK(table.bytes("awq:group=64", {256, 512}) ==
        Rational(512 * 32 * 4 + 8 * 32 * 4 + 8 * 256 * 2));
  CHECK(table.bytes("awq:zero_points=false", {256, 512}) == Rational(512 * 32 * 4 + 4 * 256 * 2));
}

TEST_CASE("compressed-tensors: a record of the shape, words that a row does not fill") {
  Table table;
  CHECK(table.bytes("w4a16", {256, 512}) == Rational(256 * 64 * 4 + 256 * 4 * 2 + 16));
  CHECK(table.bytes("w4a16", {10, 130}) == Rational(10 * 17 * 4 + 10 * 2 * 2 + 16));
  CHECK(table.bytes("w4a16:group=row,act_order=yes", {256, 512}) ==
        Rational(256 * 64 * 4 + 256 * 2 + 512 * 4 + 16));
}

TEST_CASE("bitsandbytes: flat groups, a code table, a text") {
  Table table;
  // {"quant_type": "nf4", "blocksize": 64, "dtype": "bfloat16", "shape": [256, 512]} is 80 bytes
  CHECK(table.bytes("nf4", {256, 512}) == Rational(256 * 512 / 2 + 2048 * 4 + 64 + 80));
  CHECK(table.bytes("nf4", {256, 512}, "float16") == Rational(256 * 512 / 2 + 2048 * 4 + 64 + 79));
  CHECK(table.bytes("nf4", {10, 10}) == Rational(50 + 2 * 4 + 64 + 78));
  CHECK(table.bytes("int8-bnb", {256, 512}) == Rational(256 * 512 + 256 * 4 + 1));
}

TEST_CASE("microscaling and NVFP4: rows hold whole groups") {
  Table table;
  CHECK(table.bytes("mxfp4", {64, 96}) == Rational(64 * 96 / 2 + 64 * 3));
  CHECK(table.bytes("mxfp8", {64, 96}) == Rational(64 * 96 + 64 * 3));
  CHECK(table.bytes("nvfp4", {64, 96}) == Rational(64 * 96 / 2 + 64 * 6 + 8));
  CHECK(table.bytes("nvfp4-weight-only", {64, 96}) == Rational(64 * 96 / 2 + 64 * 6 + 4));
  CHECK_FALSE(table.bytes("mxfp4", {64, 90}));
}

TEST_CASE("GGML blocks") {
  Table table;
  CHECK(table.bytes("q8_0", {64, 512}) == Rational(64 * 16 * 34));
  CHECK(table.bytes("q4_0", {64, 512}) == Rational(64 * 16 * 18));
  CHECK(table.bytes("q6_k", {64, 512}) == Rational(64 * 2 * 210));
  CHECK(table.bytes("q4_k", {64, 512}) == Rational(64 * 2 * 144));
  CHECK_FALSE(table.bytes("q6_k", {64, 300}));
}

TEST_CASE("more bits never take fewer bytes") {
  Table table;
  for (const char* format : {"gptq:bits=", "awq:bits=", "w4a16:bits=", "hqq:bits="}) {
    Rational before;
    for (int bits = 2; bits <= 8; ++bits) {
      const auto bytes = table.bytes(format + std::to_string(bits), {96, 352});
      REQUIRE(bytes);
      CHECK(*bytes >= before);
      before = *bytes;
    }
  }
}

TEST_CASE("names that do not say how scales are stored give no bytes") {
  Table table;
  CHECK_FALSE(table.bytes("int8", {64, 64}));
  CHECK_FALSE(table.bytes("int4", {64, 64}));
  CHECK_FALSE(table.bytes("q4_k_m", {64, 256}));
  CHECK_FALSE(table.bytes("gptq", {64}));
}

TEST_CASE("parameters of a format are checked") {
  Table table;
  for (const char* name : {"gptq:bits=0", "gptq:bits=17", "gptq:group=x", "gptq:group=-2",
                           "gptq:act_order=no", "bf16:bits=3", "fp8-block:block=128",
                           "gptq:", "awq:bits=4,,group=2", "awq:zero_points=maybe"}) {
    const auto found = table.catalogue.formats().find(name);
    REQUIRE_FALSE(found.ok());
    CHECK_MESSAGE(found.error().code == base::Code::usage, name);
  }
  const auto same = table.catalogue.formats().find("gptq:bits=4,group=128");
  REQUIRE(same.ok());
  CHECK((*same)->name == "gptq");
  const auto other = table.catalogue.formats().find("GPTQ-int4:bits=8");
  REQUIRE(other.ok());
  CHECK((*other)->name == "gptq:bits=8");
  CHECK((*other)->stored_bits == Rational(8) + Rational(24) / Rational(128));
}

}  // namespace ullage

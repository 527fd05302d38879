// Little-endian reads never leave their bytes, and a failed one moves nothing.
#include "base/byte_reader.hpp"

#include <doctest/doctest.h>

#include <string>

using ullage::base::ByteReader;
using ullage::base::Code;

TEST_CASE("fixed-width numbers are little-endian and unsigned") {
  const std::string bytes("\x01\xff\xfe\xfd\xfc\x01\x02\x03\x04\x05\x06\x07\x88", 13);
  ByteReader reader(bytes, "a.gguf");
  CHECK(reader.u8().value() == 1);
  CHECK(reader.u32().value() == 0xFCFDFEFFu);
  CHECK(reader.u64().value() == 0x8807060504030201u);
  CHECK(reader.at_end());
  CHECK(reader.remaining() == 0);
}

TEST_CASE("a read beyond the end names the place and moves nothing") {
  ByteReader reader("abc", "a.gguf");
  CHECK(reader.u8().ok());
  const auto read = reader.u32();
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().code == Code::syntax);
  CHECK(read.error().span.file == "a.gguf");
  CHECK(read.error().span.line == 0);
  CHECK(read.error().message == "the file ends too soon: 4 bytes are needed at byte 1, 2 are left");
  CHECK(reader.offset() == 1);
  CHECK(reader.take(2).value() == "bc");
}

TEST_CASE("a hostile length does not wrap around") {
  ByteReader reader("abc", "a");
  CHECK(reader.u8().ok());
  CHECK_FALSE(reader.take(~0ull).ok());
  CHECK_FALSE(reader.take(~0ull - 1).ok());
  CHECK(reader.offset() == 1);
  CHECK(reader.take(0).value().empty());
}

TEST_CASE("variable-length numbers reach exactly 64 bits") {
  const auto read = [](const std::string& bytes) { return ByteReader(bytes, "a").varint(); };
  CHECK(read(std::string(1, '\0')).value() == 0);
  CHECK(read("\x7f").value() == 127);
  CHECK(read("\x80\x01").value() == 128);
  CHECK(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").value() == ~0ull);
  CHECK(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02").error().message ==
        "the variable-length number at byte 0 does not fit in 64 bits");
  CHECK_FALSE(read("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01").ok());
  CHECK_FALSE(read("").ok());
  CHECK_FALSE(read("\x80\x80").ok());
}

TEST_CASE("a failed variable-length number moves nothing") {
  ByteReader reader("\x80\x80", "a");
  CHECK_FALSE(reader.varint().ok());
  CHECK(reader.offset() == 0);
}

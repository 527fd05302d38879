// Lines to fields, and the places of what is wrong with them.
#include "batch/record.hpp"

#include <doctest/doctest.h>

using ullage::base::Code;
using ullage::batch::Field;
using ullage::batch::FieldType;
using ullage::batch::read_csv_header;
using ullage::batch::read_csv_record;
using ullage::batch::read_json_record;
using ullage::batch::Record;

namespace {

struct Fault {
  Code code = Code::internal;
  std::uint32_t column = 0;
};

Fault json_fault(std::string_view line) {
  Record record;
  const auto read = read_json_record(line, record);
  REQUIRE_FALSE(read.ok());
  return {read.error().code, read.error().span.column};
}

Fault csv_fault(std::string_view line) {
  Record record;
  const auto read = read_csv_record(line, {"model", "on"}, record);
  REQUIRE_FALSE(read.ok());
  return {read.error().code, read.error().span.column};
}

}  // namespace

TEST_CASE("an object becomes fields with their texts and places") {
  Record record;
  const std::string_view line =
      R"({"model": "a\u0062", "devices": 8, "on": ["x", "y"], "own": {"k": [1]}, "none": null})";
  REQUIRE(read_json_record(line, record).ok());
  REQUIRE(record.fields.size() == 5);
  CHECK(record.fields[0].text == "ab");
  CHECK(record.fields[0].raw == R"("a\u0062")");
  CHECK(record.fields[1].text == "8");
  CHECK(record.fields[1].type == FieldType::number);
  CHECK(record.fields[2].text == "x,y");
  CHECK(record.fields[2].raw == R"(["x", "y"])");
  CHECK(record.fields[3].type == FieldType::nested);
  CHECK(record.fields[3].raw == R"({"k": [1]})");
  CHECK(record.fields[4].type == FieldType::nothing);
  const Field& devices = record.fields[1];
  CHECK(line.substr(devices.key_offset, 9) == R"("devices")");
  CHECK(line[devices.offset] == '8');
}

TEST_CASE("faults of an object stand at their place") {
  CHECK(json_fault(R"({"a": 1)").code == Code::syntax);
  CHECK(json_fault(R"([1])").code == Code::wrong_type);
  CHECK(json_fault(R"({"a": 1} 2)").code == Code::syntax);
  const Fault twice = json_fault(R"({"é": 1, "é": 2})");
  CHECK(twice.code == Code::duplicate_key);
  CHECK(twice.column == 10);  // characters, not bytes
  Record record;
  CHECK(read_json_record(R"({"a": 1, "a": 1})", record).ok());
  CHECK(record.fields.size() == 1);
}

TEST_CASE("a line of CSV is split at commas outside quotes") {
  Record record;
  REQUIRE(read_csv_record(R"("a ""b"", c",)", {"model", "on"}, record).ok());
  CHECK(record.fields[0].text == R"(a "b", c)");
  CHECK(record.fields[1].type == FieldType::nothing);
}

TEST_CASE("faults of a line of CSV stand at their place") {
  CHECK(csv_fault("a").code == Code::wrong_type);
  CHECK(csv_fault("a,b,c").column == 5);
  CHECK(csv_fault(R"(a,"b)").column == 3);
  CHECK(csv_fault(R"("a"b,c)").column == 4);
  CHECK(csv_fault("a,\xFF").column == 3);
  CHECK_FALSE(read_csv_header("a,,b").ok());
  CHECK_FALSE(read_csv_header("a,b,a").ok());
}

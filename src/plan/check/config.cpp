// Reads both files.
#include "plan/check/config.hpp"

#include "document/read.hpp"
#include "plan/files/tree.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using document::Document;
using document::Type;
using document::Value;

base::Result<void> check_schema(const Document& document, std::string_view wanted) {
  const Value* schema = document.root.find("schema");
  if (schema != nullptr && schema->text == wanted) return {};
  return Diagnostic{.code = Code::missing_key,
                    .message = "the file does not start with its schema",
                    .span = document.span(schema != nullptr ? *schema : document.root),
                    .hint = "schema: " + std::string(wanted),
                    .notes = {}};
}

base::Result<std::optional<std::string>> text(const Document& document, const Value& object,
                                              std::string_view key) {
  const auto found = scalar_text(reach(object, {key}));
  static_cast<void>(document);
  return found;
}

}  // namespace

base::Result<CheckConfig> read_config(std::string_view written, const std::string& file) {
  ULLAGE_TRY(const Document document, document::read_yaml(written, file));
  ULLAGE_CHECK(expect(document, document.root, Type::object, ""));
  ULLAGE_CHECK(check_schema(document, "ullage/config/1"));
  ULLAGE_CHECK(only_keys(document, document.root, {"schema", "check"}, ""));
  CheckConfig config;
  const Value* block = document.root.find("check");
  if (block == nullptr) return config;
  ULLAGE_CHECK(expect(document, *block, Type::object, "check"));
  ULLAGE_CHECK(only_keys(document, *block,
                         {"on", "fail_on", "max_age", "allow_inconclusive", "devices", "waivers"},
                         "check"));
  ULLAGE_TRY(config.on, text(document, *block, "on"));
  ULLAGE_TRY(config.fail_on, text(document, *block, "fail_on"));
  ULLAGE_TRY(config.max_age, text(document, *block, "max_age"));
  config.allow_inconclusive = is_true(reach(*block, {"allow_inconclusive"}));
  if (const Value* devices = reach(*block, {"devices"})) {
    ULLAGE_CHECK(expect(document, *devices, Type::object, "check.devices"));
    for (const document::Member& member : devices->members) {
      ULLAGE_TRY(config.devices[member.key], as_string(document, member.value, "check.devices"));
    }
  }
  if (const Value* list = reach(*block, {"waivers"})) {
    ULLAGE_TRY(config.waivers, read_waivers(document, *list));
  }
  return config;
}

base::Result<std::vector<Waiver>> read_waiver_file(std::string_view written,
                                                   const std::string& file) {
  ULLAGE_TRY(const Document document, document::read_yaml(written, file));
  ULLAGE_CHECK(expect(document, document.root, Type::object, ""));
  ULLAGE_CHECK(check_schema(document, "ullage/waivers/1"));
  ULLAGE_CHECK(only_keys(document, document.root, {"schema", "waivers"}, ""));
  ULLAGE_TRY(const Value* const list, member(document, document.root, "waivers", "waivers"));
  return read_waivers(document, *list);
}

}  // namespace ullage::plan

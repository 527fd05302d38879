// Schema, tool and catalogue of a JSON result.
#include "cli/result_head.hpp"

#include "cli/version.hpp"

namespace ullage::cli {

void begin_result(report::JsonWriter& json, const catalog::Catalogue& catalogue,
                  std::string_view command) {
  json.begin_object();
  json.member("schema", "ullage/result/1");
  json.key("tool");
  json.begin_object(report::JsonWriter::Layout::one_line);
  json.member("version", kVersion);
  json.key("catalogue");
  json.begin_object();
  json.member("version", catalogue.version());
  json.member("digest", catalogue.digest());
  json.end_object();
  json.end_object();
  json.member("command", command);
}

}  // namespace ullage::cli

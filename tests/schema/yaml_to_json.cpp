// Test program: YAML files as the catalogue reads them, printed as JSON for the schema tests, one
// line a file: its name, a tab, the document.
//   yaml_to_json FOLDER
#include <cstdio>
#include <string>

#include "base/file_system.hpp"
#include "document/read.hpp"
#include "report/json_writer.hpp"

namespace {

using namespace ullage;
using document::Type;

std::string json_of(const document::Value& value) {
  std::string text;
  switch (value.type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return value.boolean ? "true" : "false";
    case Type::number:
      return value.text;
    case Type::string:
      return report::quoted(value.text);
    case Type::array:
      for (const document::Value& item : value.items)
        text += (text.empty() ? "" : ", ") + json_of(item);
      return "[" + text + "]";
    case Type::object:
      for (const document::Member& member : value.members)
        text +=
            (text.empty() ? "" : ", ") + report::quoted(member.key) + ": " + json_of(member.value);
      return "{" + text + "}";
  }
  return text;
}

bool print(const base::FileSystem& files, const std::string& path) {
  if (files.kind_of(path) == base::PathKind::folder) {
    auto names = files.list(path);
    if (!names) return false;
    bool good = true;
    for (const std::string& name : *names)
      good = print(files, base::join(path, name)) && good;
    return good;
  }
  if (!path.ends_with(".yaml")) return true;
  auto text = files.read(path, 8u << 20);
  if (!text) return false;
  auto document = document::read_yaml(*text, path);
  if (!document) {
    std::fprintf(stderr, "%s\n", base::to_text(document.error()).c_str());
    return false;
  }
  std::printf("%s\t%s\n", path.c_str(), json_of(document->root).c_str());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return print(base::RealFileSystem(), argv[1]) ? 0 : 1;
}

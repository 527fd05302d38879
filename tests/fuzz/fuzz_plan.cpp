// Any bytes as a deployment file: the first letter says of which format. Adapters read what they
// take for theirs, never a crash, and every workload names its file and kind.
#include <cstdint>
#include <string>
#include <string_view>

#include "check.hpp"
#include "plan/adapters/reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  using namespace ullage;
  const std::string_view text(reinterpret_cast<const char*>(bytes), length);
  if (text.empty()) return 0;
  const char* name = text[0] == 't' ? "fuzz.toml" : text[0] == 's' ? "fuzz.sh" : "fuzz.yaml";
  plan::FileSet set;
  plan::add_file(set, name, std::string(text.substr(1)));
  const plan::Variables none;
  for (const plan::Workload& workload : plan::read_workloads({set, none})) {
    test::demand(workload.file == name, "a workload of another file");
    test::demand(!workload.kind.empty(), "a workload of no kind");
  }
  return 0;
}

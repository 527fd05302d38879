// Stands in for libFuzzer's main: gives each file of the folders named on the command line to the
// target once, so that every build replays the corpus. Fails where a folder holds nothing.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

int main(int count, char** arguments) {
  unsigned long replayed = 0;
  for (int index = 1; index < count; ++index) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[index])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
      const std::vector<std::uint8_t> bytes(text.begin(), text.end());
      std::printf("%s\n", entry.path().c_str());  // before the run: names the culprit of a crash
      std::fflush(stdout);
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      ++replayed;
    }
  }
  std::printf("%lu inputs replayed\n", replayed);
  return replayed == 0 ? 1 : 0;
}

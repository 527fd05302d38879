// Any bytes as a shell script: it is walked to its end, never a crash; each word of a command
// stands inside the text.
#include <cstdint>
#include <string_view>

#include "check.hpp"
#include "plan/files/shell.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t length) {
  using namespace ullage;
  const std::string_view text(reinterpret_cast<const char*>(bytes), length);
  std::size_t lines = 1;
  for (const char letter : text)
    lines += letter == '\n' ? 1 : 0;
  const plan::Variables none;
  plan::Scope scope(none);
  plan::ShellReader reader(scope, [&](const plan::ShellCommand& command, const plan::Scope&) {
    test::demand(!command.words.empty(), "a command without words");
    for (const plan::Word& word : command.words)
      test::demand(word.where.line <= lines, "a word outside the lines of its script");
  });
  plan::ScalarPlaces places(plan::SourceText{"fuzz.sh", text});
  reader.read(text, places);
  return 0;
}

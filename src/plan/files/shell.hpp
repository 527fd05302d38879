// Shell scripts as far as deployment files use them: which commands run with which words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/files/locate.hpp"
#include "plan/files/scope.hpp"

namespace ullage::plan {

// One simple command after expansion. A file that it writes from a here-document is `writes`.
struct ShellCommand {
  std::vector<Word> words;
  std::optional<Word> here;    // the here-document's text
  std::optional<Word> writes;  // where its output goes
};

// Runs through a script in order: follows assignments, arrays, arithmetic, tests of known values,
// and calls `command` for each command that may run, with the variables as they are then. Both
// branches of an unknown test run, a loop's body once. No program is started and no file read.
class ShellReader {
 public:
  using OnCommand = std::function<void(const ShellCommand&, const Scope&)>;

  ShellReader(Scope& scope, OnCommand command) : scope_(scope), command_(std::move(command)) {}

  // Reads `text`; positions are looked up in `places`. Where the scalar is a shell's argument that
  // holds another (`sh -c`), that is read too.
  void read(std::string_view text, ScalarPlaces& places);

  // Takes words as one command, and as a script where they start a shell with one.
  void start(const std::vector<Word>& words, const SourceText& source);

 private:
  friend class ShellRun;
  Scope& scope_;
  SourceText source_;
  OnCommand command_;
  std::size_t commands_ = 0;
  int depth_ = 0;
};

// The index of the script in `/bin/bash -exc SCRIPT`, or 0 where the words start no shell with one.
std::size_t inner_script(const std::vector<Word>& words);

// The words of a text that holds arguments and no commands, after expansion.
std::vector<Word> shell_words(std::string_view text, ScalarPlaces& places, const Scope& scope);

}  // namespace ullage::plan

// A remark that goes with an answer: what it rests on, what it leaves out, what disagrees.
#pragma once

#include <string>

#include "base/diagnostic.hpp"

namespace ullage::base {

// `code` is stable (`arithmetic-lower-bound`); docs/notes.md lists them.
struct Note {
  std::string code;
  Severity level = Severity::note;
  std::string text;
  std::string source = {};  // id of the source that says so; empty for remarks of the program
  std::string locator = {};

  bool operator==(const Note&) const = default;
};

}  // namespace ullage::base

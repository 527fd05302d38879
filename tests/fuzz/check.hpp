// What every fuzz target asserts about a tree: the compact form keeps all of it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "document/compact.hpp"
#include "support/tree_text.hpp"

namespace ullage::test {

// Ends the process where `holds` is false, so that both libFuzzer and the replay notice.
inline void demand(bool holds, const char* promise) {
  if (holds) return;
  std::fputs(promise, stderr);
  std::fputc('\n', stderr);
  std::abort();
}

inline void demand_round_trip(const document::Value& value) {
  const std::string bytes = document::encode(value);
  const auto decoded = document::decode(bytes, "fuzz");
  demand(decoded.ok(), "decode refused what encode wrote");
  demand(tree_text(*decoded) == tree_text(value), "decode(encode(v)) is not v");
  demand(document::encode(*decoded) == bytes, "encode(decode(b)) is not b");
}

// A refusal of a binary file needs a message, and nothing in it may rewrite a terminal.
inline void demand_refusal(const base::Diagnostic& fault) {
  demand(!fault.message.empty(), "a fault without a message");
  for (const char letter : base::to_text(fault)) {
    demand(letter == '\n' || static_cast<unsigned char>(letter) >= 0x20,
           "a control character in a message");
  }
}

// A refusal needs a message, and a place inside the text.
inline void demand_place(const base::Diagnostic& fault, std::string_view text) {
  std::size_t lines = 1;
  for (const char letter : text)
    lines += letter == '\n' ? 1 : 0;
  demand(!fault.message.empty(), "a fault without a message");
  demand(fault.span.line >= 1 && fault.span.line <= lines, "a fault outside the lines of its text");
  demand(fault.span.column >= 1 && fault.span.column <= text.size() + 1,
         "a fault outside the columns of its text");
  demand_refusal(fault);
}

}  // namespace ullage::test

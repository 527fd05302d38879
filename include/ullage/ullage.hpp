// Ullage from within a program: one question in the words of the command line, one reply.
//
//   const ullage::Reply reply = ullage::ask({"fit", "70B", "--bits", "8", "--on", "trainium2",
//                                            "-o", "json"});
//
// The words, the JSON and the exit statuses are those of the command and as stable as they are.
#pragma once

#include <string>
#include <vector>

namespace ullage {

struct Reply {
  // 0 answered, 1 it does not fit or an expectation fails, 2 the question is wrong, 3 unknown,
  // 70 a fault of the program: `ullage --help` says the same.
  int status = 0;
  std::string output;       // what the command prints: text without colour, JSON, CSV …
  std::string diagnostics;  // one line a fault or remark; empty where there is none
};

// Answers the words that would follow `ullage`. Reads the files that they name and writes one only
// for --output-file; never throws for a wrong question. Calls may run at the same time: they share
// nothing but the embedded catalogue.
Reply ask(const std::vector<std::string>& words);

}  // namespace ullage

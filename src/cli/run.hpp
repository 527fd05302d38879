// The program behind main: arguments in, exit status out.
#pragma once

#include <string>
#include <vector>

namespace ullage::cli {

// Runs one command. Results go to standard output, all else to standard error.
int run(const std::vector<std::string>& words);

}  // namespace ullage::cli

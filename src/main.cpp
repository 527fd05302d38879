// The program's entry: everything is in cli/run.cpp.
#include <string>
#include <vector>

#include "cli/run.hpp"

int main(int argc, char** argv) {
  return ullage::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}

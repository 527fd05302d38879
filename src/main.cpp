// The program's entry: everything is in cli/run.cpp.
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/run.hpp"

int main(int argc, char** argv) {
  const int status =
      ullage::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
#ifdef NDEBUG
  // Nothing is buffered and nothing is left to do: a short command spends a tenth of its time in
  // destructors. Debug builds end the long way, so that leaks are found.
  std::_Exit(status);
#else
  return status;
#endif
}

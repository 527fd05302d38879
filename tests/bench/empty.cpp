// An empty program that uses iostream: what any C++ command-line tool pays before its first line.
#include <iostream>

int main() {
  std::cout << std::flush;
}

// Runs a command with its output dropped and prints the peak of its resident memory in KiB. Stands
// between startup.py and the program because the kernel counts what a process was before its exec:
// started from Python, nothing seems smaller than Python.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

int main(int count, char** words) {
  if (count < 2) {
    std::fputs("peak: which command?\n", stderr);
    return 2;
  }
  const pid_t child = fork();
  if (child < 0) {
    std::perror("peak: fork");
    return 2;
  }
  if (child == 0) {
    const int silent = open("/dev/null", O_WRONLY);
    if (silent < 0 || dup2(silent, 1) < 0 || dup2(silent, 2) < 0) _exit(127);
    execv(words[1], words + 1);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) == 127) {
    std::fprintf(stderr, "peak: %s did not run\n", words[1]);
    return 2;
  }
  std::printf("%ld\n", usage.ru_maxrss);
  return 0;
}

// Parses, opens the catalogue, dispatches, prints.
#include "cli/run.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "cli/arguments.hpp"
#include "cli/render.hpp"

namespace ullage::cli {
namespace {

using base::Diagnostic;

bool environment_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

report::TextStyle style_of(const CommonArguments& common, bool to_file) {
  report::TextStyle style;
  const bool terminal = isatty(STDOUT_FILENO) == 1 && !to_file;
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::strcmp(term, "dumb") == 0;
  switch (common.colour) {
    case Colour::always:
      style.colour = true;
      break;
    case Colour::never:
      style.colour = false;
      break;
    case Colour::automatic:
      style.colour = terminal && !dumb && !environment_set("NO_COLOR");
      break;
  }
  winsize window{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= 60) {
    style.width = std::min<std::size_t>(window.ws_col, 120);
  }
  return style;
}

// Writes all of it, or says why not. A reader that went away is no fault of ours.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void complain(const Diagnostic& diagnostic) {
  write_all(STDERR_FILENO, base::to_text(diagnostic) + "\n");
}

// Where FILE leads: links followed, so that the file behind one is replaced and not the link. Only
// a regular file is ever replaced.
base::Result<std::string> output_target(const std::string& path) {
  const auto refused = [&](std::string why) {
    return Diagnostic{.code = base::Code::usage,
                      .message = "--output-file " + base::printable(path) + ": " + std::move(why),
                      .span = {},
                      .hint = "name a regular file, or leave the flag out for standard output",
                      .notes = {}};
  };
  if (path.empty() || path == "-") return refused("this names no file");
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return refused(std::strerror(errno));
    if (lstat(path.c_str(), &status) == 0) return refused("a link that leads nowhere");
    return path;
  }
  if (!S_ISREG(status.st_mode)) return refused("this is not a regular file");
  char* const resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return refused(std::strerror(errno));
  std::string target(resolved);
  std::free(resolved);
  return target;
}

// Writes FILE whole or not at all: beside it first, then renamed over it.
base::Result<void> write_file(const std::string& file, std::string_view text) {
  ULLAGE_TRY(const std::string path, output_target(file));
  struct stat before {};
  const bool replaces = stat(path.c_str(), &before) == 0;
  const std::string temporary = path + ".ullage-" + std::to_string(getpid());
  const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const auto failed = [&](const char* step) {
    const std::string reason = std::strerror(errno);
    if (descriptor >= 0) {
      close(descriptor);
      unlink(temporary.c_str());
    }
    return Diagnostic{.code = base::Code::file_unreadable,
                      .message = std::string("--output-file: ") + step + ": " + reason,
                      .span = {path, 0, 0},
                      .hint = {},
                      .notes = {}};
  };
  if (descriptor < 0) return failed("cannot be created");
  // A file that is replaced keeps its permissions.
  if (replaces && fchmod(descriptor, before.st_mode & 07777) != 0)
    return failed("cannot be written");
  if (!write_all(descriptor, text) || fsync(descriptor) != 0) return failed("cannot be written");
  if (rename(temporary.c_str(), path.c_str()) != 0) return failed("cannot be renamed into place");
  close(descriptor);
  return {};
}

base::Result<void> add_overlays(const CommonArguments& common, const base::FileSystem& files,
                                catalog::Catalogue& catalogue) {
  std::vector<std::string> folders;
  if (environment_set("ULLAGE_CATALOGUE")) folders.emplace_back(std::getenv("ULLAGE_CATALOGUE"));
  folders.insert(folders.end(), common.catalogues.begin(), common.catalogues.end());
  for (const std::string& folder : folders)
    ULLAGE_CHECK(catalogue.overlay(files, folder));
  return {};
}

// In JSON an unknown answer is an answer too: one row that says why.
std::string unknown_as_json(const Context& context, const std::string& command,
                            const Diagnostic& diagnostic) {
  provenance::Answer answer;
  answer.command = command;
  provenance::Row row;
  row.verdict = "unknown";
  row.notes.push_back(
      {std::string(name_of(diagnostic.code)), base::Severity::error, base::to_text(diagnostic)});
  answer.rows.push_back(std::move(row));
  return render(context, answer, {});
}

base::Result<int> answer(Arguments& arguments) {
  const base::RealFileSystem files;
  // Lives as long as the process: taking thousands of small values apart at its end helps nobody.
  static catalog::Catalogue catalogue(catalog::embedded_catalogue());
  ULLAGE_CHECK(add_overlays(arguments.common, files, catalogue));
  const Context context{catalogue, files, arguments.common,
                        style_of(arguments.common, arguments.common.output_file.has_value())};
  auto result = arguments.command->run(context);
  if (!result) {
    const bool unknown = status_of(result.error().code) == kUnknownAnswer;
    if (unknown && arguments.common.format == Format::json) {
      write_all(STDOUT_FILENO,
                unknown_as_json(context, arguments.command->spec().name, result.error()));
    }
    return std::move(result).error();
  }
  const Outcome outcome = std::move(*result);
  if (arguments.common.output_file) {
    ULLAGE_CHECK(write_file(*arguments.common.output_file, outcome.output));
  } else if (!write_all(STDOUT_FILENO, outcome.output) && errno != EPIPE) {
    return Diagnostic{
        .code = base::Code::file_unreadable,
        .message = std::string("standard output cannot be written: ") + std::strerror(errno),
        .span = {},
        .hint = {},
        .notes = {}};
  }
  if (!outcome.remark.empty()) write_all(STDERR_FILENO, "ullage: " + outcome.remark + "\n");
  return static_cast<int>(outcome.status);
}

int run_guarded(const std::vector<std::string>& words) {
  auto parsed = parse_arguments(words);
  if (!parsed) {
    complain(parsed.error());
    return status_of(parsed.error().code);
  }
  if (const std::string* text = std::get_if<std::string>(&*parsed)) {
    return write_all(STDOUT_FILENO, *text) ? kAnswered : kWrongQuestion;
  }
  auto status = answer(std::get<Arguments>(*parsed));
  if (status) return *status;
  complain(status.error());
  return status_of(status.error().code);
}

}  // namespace

int run(const std::vector<std::string>& words) {
  try {
    return run_guarded(words);
  } catch (const base::Defect& defect) {
    complain({.code = base::Code::internal,
              .message = "a fault in the program: " + defect.message,
              .span = {},
              .hint = "please report it with the command that you ran",
              .notes = {}});
  } catch (const std::exception& fault) {
    complain({.code = base::Code::internal,
              .message = std::string("a fault in the program: ") + fault.what(),
              .span = {},
              .hint = "please report it with the command that you ran",
              .notes = {}});
  }
  return kInternalFault;
}

}  // namespace ullage::cli

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
#include "ullage/ullage.hpp"

namespace ullage::cli {
namespace {

using base::Diagnostic;

bool environment_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// What standard output is connected to.
struct Terminal {
  bool coloured = false;    // a terminal whose user wants colour
  std::size_t columns = 0;  // 0: not known, or too few to lay a page out
};

Terminal terminal_of_output() {
  if (isatty(STDOUT_FILENO) != 1) return {};
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::strcmp(term, "dumb") == 0;
  Terminal terminal{.coloured = !dumb && !environment_set("NO_COLOR"), .columns = 0};
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= 60) {
    terminal.columns = std::min<std::size_t>(window.ws_col, 120);
  }
  return terminal;
}

report::TextStyle style_of(const CommonArguments& common, const Terminal& terminal) {
  const bool to_file = common.output_file.has_value();
  report::TextStyle style;
  style.colour = common.colour == Colour::always ||
                 (common.colour == Colour::automatic && terminal.coloured && !to_file);
  if (terminal.columns != 0 && !to_file) {
    style.width = terminal.columns;
    style.breaks_tables = true;
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

base::Result<Reply> answer(Arguments& arguments, catalog::Catalogue& catalogue,
                           const Terminal& terminal) {
  const base::RealFileSystem files;
  ULLAGE_CHECK(add_overlays(arguments.common, files, catalogue));
  const Context context{catalogue, files, arguments.common, style_of(arguments.common, terminal)};
  auto result = arguments.command->run(context);
  if (!result) {
    const bool unknown = status_of(result.error().code) == kUnknownAnswer;
    if (!unknown || arguments.common.format != Format::json) return std::move(result).error();
    return Reply{.status = kUnknownAnswer,
                 .output = unknown_as_json(context, arguments.command->spec().name, result.error()),
                 .diagnostics = base::to_text(result.error()) + "\n"};
  }
  Outcome outcome = std::move(*result);
  Reply reply{.status = outcome.status, .output = std::move(outcome.output), .diagnostics = {}};
  if (!outcome.remark.empty()) reply.diagnostics = "ullage: " + outcome.remark + "\n";
  const std::optional<std::string>& target =
      arguments.common.output_file ? arguments.common.output_file : outcome.file;
  if (target) {
    ULLAGE_CHECK(write_file(*target, reply.output));
    reply.output.clear();
  }
  return reply;
}

Reply complaint(const Diagnostic& diagnostic) {
  return {.status = status_of(diagnostic.code),
          .output = {},
          .diagnostics = base::to_text(diagnostic) + "\n"};
}

Reply fault(const std::string& reason) {
  return complaint({.code = base::Code::internal,
                    .message = "a fault in the program: " + reason,
                    .span = {},
                    .hint = "please report it with the command that you ran",
                    .notes = {}});
}

Reply respond(const std::vector<std::string>& words, catalog::Catalogue& catalogue,
              const Terminal& terminal) {
  try {
    auto parsed = parse_arguments(words);
    if (!parsed) return complaint(parsed.error());
    if (std::string* text = std::get_if<std::string>(&*parsed)) {
      return {.status = kAnswered, .output = std::move(*text), .diagnostics = {}};
    }
    auto reply = answer(std::get<Arguments>(*parsed), catalogue, terminal);
    return reply ? std::move(*reply) : complaint(reply.error());
  } catch (const base::Defect& defect) {
    return fault(defect.message);
  } catch (const std::exception& exception) {
    return fault(exception.what());
  }
}

}  // namespace

int run(const std::vector<std::string>& words) {
  // Lives as long as the process: taking thousands of small values apart at its end helps nobody.
  static catalog::Catalogue catalogue(catalog::embedded_catalogue());
  Reply reply = respond(words, catalogue, terminal_of_output());
  if (!write_all(STDOUT_FILENO, reply.output) && errno != EPIPE) {
    reply = complaint(
        {.code = base::Code::file_unreadable,
         .message = std::string("standard output cannot be written: ") + std::strerror(errno),
         .span = {},
         .hint = {},
         .notes = {}});
  }
  write_all(STDERR_FILENO, reply.diagnostics);
  return reply.status;
}

}  // namespace ullage::cli

ullage::Reply ullage::ask(const std::vector<std::string>& words) {
  catalog::Catalogue catalogue(catalog::embedded_catalogue());
  return cli::respond(words, catalogue, {});
}

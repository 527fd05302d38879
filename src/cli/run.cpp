// Parses, opens the catalogue, dispatches, prints.
#include "cli/run.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "cli/arguments.hpp"
#include "cli/output_file.hpp"
#include "cli/overlays.hpp"
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

// Writes FILE whole or not at all.
base::Result<void> write_file(const std::string& path, std::string_view text) {
  ULLAGE_TRY(OutputFile file, OutputFile::beside(path));
  if (!write_all(file.descriptor(), text)) return file.failed("cannot be written");
  return file.commit();
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
                           const Terminal& terminal, bool streams) {
  const base::RealFileSystem files;
  ULLAGE_CHECK(add_overlays(arguments.common, files, catalogue));
  const Context context{catalogue, files, arguments.common, style_of(arguments.common, terminal),
                        streams};
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
  if (target && !outcome.delivered) {
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
              const Terminal& terminal, bool streams) {
  try {
    auto parsed = parse_arguments(words);
    if (!parsed) return complaint(parsed.error());
    if (std::string* text = std::get_if<std::string>(&*parsed)) {
      return {.status = kAnswered, .output = std::move(*text), .diagnostics = {}};
    }
    auto reply = answer(std::get<Arguments>(*parsed), catalogue, terminal, streams);
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
  Reply reply = respond(words, catalogue, terminal_of_output(), true);
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
  return cli::respond(words, catalogue, {}, false);
}

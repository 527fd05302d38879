// Reads and applies waivers.
#include "plan/check/waivers.hpp"

#include <algorithm>

#include "base/date.hpp"
#include "base/spelling.hpp"
#include "plan/rules/rules.hpp"
#include "units/quantity.hpp"

namespace ullage::plan {
namespace {

using base::Code;
using base::Diagnostic;
using base::Severity;
using document::Document;
using document::Type;
using document::Value;

constexpr std::string_view kMark = "ullage: ignore=";

base::Result<void> known_rule(const Document& document, const Value& value) {
  if (value.text.starts_with("waiver-")) {
    return Diagnostic{.code = Code::usage,
                      .message = "what is said of waivers cannot be waived",
                      .span = document.span(value),
                      .hint = "change the waiver itself",
                      .notes = {}};
  }
  if (find_plan_rule(value.text) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const PlanRule* rule : plan_rules())
    names.push_back(rule->id);
  return Diagnostic{.code = Code::unknown_name,
                    .message = "unknown rule " + base::printable(value.text),
                    .span = document.span(value),
                    .hint = base::did_you_mean(base::nearest(value.text, names, 3)),
                    .notes = {}};
}

base::Result<Waiver> read_one(const Document& document, const Value& item) {
  ULLAGE_CHECK(expect(document, item, Type::object, "waivers"));
  ULLAGE_CHECK(
      only_keys(document, item, {"rule", "plan", "reason", "expires", "bound"}, "waivers"));
  Waiver waiver;
  waiver.where = document.span(item);
  ULLAGE_TRY(const Value* const rule, member(document, item, "rule", "waivers.rule"));
  ULLAGE_TRY(waiver.rule, as_string(document, *rule, "waivers.rule"));
  ULLAGE_CHECK(known_rule(document, *rule));
  ULLAGE_TRY(const Value* const reason, member(document, item, "reason", "waivers.reason"));
  ULLAGE_TRY(waiver.reason, as_string(document, *reason, "waivers.reason"));
  if (const Value* plan = item.find("plan")) {
    ULLAGE_TRY(waiver.plan, as_string(document, *plan, "waivers.plan"));
  }
  if (const Value* expires = item.find("expires")) {
    ULLAGE_TRY(waiver.expires, as_string(document, *expires, "waivers.expires"));
    if (!base::day_number(waiver.expires)) {
      return Diagnostic{.code = Code::syntax,
                        .message = "waivers.expires is no date: " + base::printable(waiver.expires),
                        .span = document.span(*expires),
                        .hint = "YYYY-MM-DD",
                        .notes = {}};
    }
  }
  if (const Value* bound = item.find("bound")) {
    auto share = units::parse_percent(bound->text);
    if (!share) {
      Diagnostic fault = std::move(share).error();
      fault.span = document.span(*bound);
      return fault;
    }
    waiver.bound = *share;
  }
  return waiver;
}

// How far the fullest rank is over its budget, as a share of it.
std::optional<exact::Rational> excess(const provenance::Answer& answer,
                                      const provenance::Row& row) {
  std::optional<exact::Rational> need;
  std::optional<exact::Rational> have;
  for (const provenance::NamedFigure& figure : row.results) {
    if (!answer.graph.known(figure.figure)) continue;
    if (figure.name == "required_memory_per_device") need = answer.graph.value(figure.figure);
    if (figure.name == "budget_per_device") have = answer.graph.value(figure.figure);
  }
  if (!need || !have || have->sign() <= 0) return std::nullopt;
  return *need / *have - exact::Rational{1};
}

void waive(base::Finding& note, const std::string& reason, base::Waived how) {
  note.level = Severity::note;
  note.message = "waived (" + reason + "): " + note.message;
  note.waived = how;
  note.reason = reason;
}

std::string file_of(const provenance::Row& row) {
  for (const provenance::PlanField& field : row.plan) {
    if (field.name == "file") return field.text;
  }
  return {};
}

bool covers(const Waiver& waiver, const base::Finding& note, const provenance::Answer& answer,
            const provenance::Row& row) {
  if (note.rule != waiver.rule || note.level == Severity::note) return false;
  if (waiver.row && &row != &answer.rows[*waiver.row]) return false;
  if (!waiver.plan.empty() && !matches_path(waiver.plan, file_of(row))) return false;
  if (!waiver.bound) return true;
  const auto over = excess(answer, row);
  return over && *over <= *waiver.bound;
}

// The remark on a line of a file or on the line above: its rule and reason.
struct Inline {
  std::string rule;
  std::string reason;
};
std::optional<Inline> inline_at(const std::string& text, std::uint32_t line) {
  std::uint32_t at_line = 1;
  std::size_t at = 0;
  std::optional<Inline> found;
  while (at <= text.size() && at_line <= line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at_line == line || at_line + 1 == line) {
      const std::string_view written = std::string_view(text).substr(at, end - at);
      const std::size_t mark = written.find(kMark);
      const std::size_t hash = written.find('#');
      // The line above counts only where it is nothing but the remark.
      const bool is_alone = written.find_first_not_of(" \t") == hash;
      if (mark != std::string_view::npos && hash < mark && (at_line == line || is_alone)) {
        const std::string_view rest = written.substr(mark + kMark.size());
        const std::size_t blank = std::min(rest.find(' '), rest.size());
        std::string reason(rest.substr(blank));
        reason.erase(0, std::min(reason.find_first_not_of(' '), reason.size()));
        while (!reason.empty() && (reason.back() == '\r' || reason.back() == ' '))
          reason.pop_back();
        found = Inline{std::string(rest.substr(0, blank)), reason};
      }
    }
    at = end + 1;
    ++at_line;
  }
  return found;
}

void apply_inline(provenance::Answer& answer, const FileSet& set) {
  for (provenance::Row& row : answer.rows) {
    std::vector<base::Finding> added;
    for (base::Finding& note : row.findings) {
      if (note.level == Severity::note || note.span.line == 0) continue;
      for (const PlanFile& file : set.files) {
        if (file.path != note.span.file || file.text.find(kMark) == std::string::npos) continue;
        const auto remark = inline_at(file.text, note.span.line);
        if (!remark || remark->rule != note.rule) continue;
        if (remark->reason.empty()) {
          base::Finding fault;
          fault.rule = "waiver-expired";
          fault.level = Severity::error;
          fault.message =
              "the remark that ignores " + note.rule + " gives no reason, so it is not kept";
          fault.span = note.span;
          added.push_back(std::move(fault));
        } else {
          waive(note, remark->reason, base::Waived::in_source);
        }
      }
    }
    row.findings.insert(row.findings.end(), added.begin(), added.end());
  }
}

bool matches_from(std::string_view pattern, std::string_view path) {
  while (!pattern.empty()) {
    if (pattern.starts_with("**")) {
      pattern.remove_prefix(2);
      if (pattern.starts_with('/')) pattern.remove_prefix(1);
      for (std::size_t at = 0; at <= path.size(); ++at) {
        if ((at == 0 || path[at - 1] == '/' || pattern.empty()) &&
            matches_from(pattern, path.substr(at))) {
          return true;
        }
      }
      return false;
    }
    if (pattern[0] == '*') {
      pattern.remove_prefix(1);
      for (std::size_t at = 0; at <= path.size(); ++at) {
        if (matches_from(pattern, path.substr(at))) return true;
        if (at < path.size() && path[at] == '/') return false;
      }
      return false;
    }
    if (path.empty() || (pattern[0] != '?' && pattern[0] != path[0])) return false;
    pattern.remove_prefix(1);
    path.remove_prefix(1);
  }
  return path.empty();
}

}  // namespace

bool matches_path(std::string_view pattern, std::string_view path) {
  while (path.starts_with("./"))
    path.remove_prefix(2);
  if (std::count(pattern.begin(), pattern.end(), '*') > 8) return false;
  if (pattern.find('/') == std::string_view::npos) path = path.substr(path.rfind('/') + 1);
  return matches_from(pattern, path);
}

base::Result<std::vector<Waiver>> read_waivers(const Document& document, const Value& list) {
  ULLAGE_CHECK(expect(document, list, Type::array, "waivers"));
  std::vector<Waiver> waivers;
  for (const Value& item : list.items) {
    ULLAGE_TRY(Waiver waiver, read_one(document, item));
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

void apply_waivers(provenance::Answer& answer, std::vector<Waiver>& waivers, const FileSet& set,
                   std::int64_t today) {
  apply_inline(answer, set);
  for (Waiver& waiver : waivers) {
    const auto until = base::day_number(waiver.expires);
    const bool is_over = until && *until < today;
    for (provenance::Row& row : answer.rows) {
      std::vector<base::Finding> added;
      for (base::Finding& note : row.findings) {
        if (!covers(waiver, note, answer, row)) continue;
        waiver.used = true;
        if (!is_over) {
          waive(note, waiver.reason, base::Waived::in_file);
          continue;
        }
        base::Finding fault;
        fault.rule = "waiver-expired";
        fault.level = Severity::error;
        fault.message = "the waiver of " + waiver.rule + " (" + waiver.reason + ") ran out on " +
                        waiver.expires;
        fault.span = waiver.where;
        added.push_back(std::move(fault));
      }
      row.findings.insert(row.findings.end(), added.begin(), added.end());
    }
    if (waiver.used || answer.rows.empty()) continue;
    base::Finding unused;
    unused.rule = "waiver-unused";
    unused.level = Severity::note;
    unused.message = "the waiver of " + waiver.rule + " (" + waiver.reason + ") covers nothing";
    unused.span = waiver.where;
    provenance::Row& row = waiver.row ? answer.rows[*waiver.row] : answer.rows.back();
    row.findings.push_back(std::move(unused));
  }
}

}  // namespace ullage::plan

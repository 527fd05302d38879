// Lays findings out as one SARIF log.
#include "report/sarif.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "report/json_writer.hpp"

namespace ullage::report {
namespace {

using Layout = JsonWriter::Layout;

std::string_view level_of(base::Severity level) {
  switch (level) {
    case base::Severity::note:
      return "note";
    case base::Severity::warning:
      return "warning";
    case base::Severity::error:
      return "error";
  }
  return "error";
}

// The path as a URI reference: bytes that such a reference cannot hold are percent-encoded.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~/@+,=";
  std::string uri;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += kDigits[byte >> 4U];
    uri += kDigits[byte & 0xFU];
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.key(name);
  json.begin_object(Layout::one_line);
  json.member("text", text);
  json.end_object();
}

void write_rule(JsonWriter& json, const base::Rule& rule) {
  json.begin_object();
  json.member("id", rule.id);
  write_text(json, "shortDescription", rule.help);
  json.key("defaultConfiguration");
  json.begin_object(Layout::one_line);
  json.member("level", level_of(rule.level));
  json.end_object();
  json.end_object();
}

void write_location(JsonWriter& json, const base::Span& span) {
  json.key("locations");
  json.begin_array();
  json.begin_object();
  json.key("physicalLocation");
  json.begin_object();
  json.key("artifactLocation");
  json.begin_object(Layout::one_line);
  json.member("uri", uri_of(span.file));
  json.end_object();
  if (span.line != 0) {
    json.key("region");
    json.begin_object(Layout::one_line);
    json.member("startLine", exact::Rational(span.line));
    if (span.column != 0) json.member("startColumn", exact::Rational(span.column));
    json.end_object();
  }
  json.end_object();
  json.end_object();
  json.end_array();
}

// What makes the finding the same one in the next run, whatever moved in the file.
void write_fingerprint(JsonWriter& json, const base::Finding& finding,
                       std::set<std::string>& used) {
  json.key("partialFingerprints");
  json.begin_object(Layout::one_line);
  json.member("ullage/v1", fingerprint_of(finding, used));
  json.end_object();
}

void write_suppression(JsonWriter& json, const base::Finding& finding) {
  json.key("suppressions");
  json.begin_array();
  json.begin_object(Layout::one_line);
  json.member("kind", finding.waived == base::Waived::in_source ? "inSource" : "external");
  json.member("justification", finding.reason);
  json.end_object();
  json.end_array();
}

}  // namespace

std::string fingerprint_of(const base::Finding& finding, std::set<std::string>& used) {
  std::string path = finding.span.file;
  while (path.starts_with("./"))
    path.erase(0, 2);
  const std::string& about = finding.subject.empty() ? finding.message : finding.subject;
  std::string print = base::sha256(finding.rule + '\0' + path + '\0' + about);
  for (int copy = 2; !used.insert(print).second; ++copy)
    print = base::sha256(print + std::to_string(copy));
  return print;
}

std::string to_sarif(std::span<const base::Rule> rules, std::span<const base::Finding> findings,
                     const std::string& version) {
  JsonWriter json;
  json.begin_object();
  json.member("version", "2.1.0");
  json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.key("runs");
  json.begin_array();
  json.begin_object();
  json.key("tool");
  json.begin_object();
  json.key("driver");
  json.begin_object();
  json.member("name", "ullage");
  json.member("version", version);
  json.key("rules");
  json.begin_array();
  for (const base::Rule& rule : rules)
    write_rule(json, rule);
  json.end_array();
  json.end_object();
  json.end_object();
  json.key("results");
  json.begin_array();
  std::set<std::string> used;
  for (const base::Finding& finding : findings) {
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const base::Rule& r) { return r.id == finding.rule; });
    base::require(rule != rules.end(), "a finding of no rule: " + finding.rule);
    json.begin_object();
    json.member("ruleId", finding.rule);
    json.member("ruleIndex", exact::Rational(rule - rules.begin()));
    json.member("level", level_of(finding.level));
    const std::string hint = finding.hint.empty() ? "" : " (" + finding.hint + ")";
    write_text(json, "message", finding.message + hint);
    if (!finding.span.file.empty()) write_location(json, finding.span);
    write_fingerprint(json, finding, used);
    if (finding.waived != base::Waived::no) write_suppression(json, finding);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace ullage::report

// Writes both.
#include "report/findings_xml.hpp"

#include <algorithm>
#include <set>

#include "report/json_writer.hpp"
#include "report/sarif.hpp"

namespace ullage::report {
namespace {

// Text and attributes alike; characters that XML has no way to hold become U+FFFD.
std::string xml(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        if (static_cast<unsigned char>(letter) < 0x20) {
          out += "\xEF\xBF\xBD";
        } else {
          out += letter;
        }
    }
  }
  return out;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml(value) + "\"";
}

std::size_t count(std::span<const TestCase> cases, std::string TestCase::*field) {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [field](const TestCase& one) { return !(one.*field).empty(); }));
}

std::string counts(std::span<const TestCase> cases) {
  return attribute("tests", std::to_string(cases.size())) +
         attribute("failures", std::to_string(count(cases, &TestCase::failure))) +
         attribute("errors", "0") +
         attribute("skipped", std::to_string(count(cases, &TestCase::skipped)));
}

std::string case_text(const TestCase& one) {
  std::string text = "    <testcase" + attribute("name", one.name) +
                     attribute("classname", one.suite) + attribute("file", one.file);
  if (one.line > 0) text += attribute("line", std::to_string(one.line));
  if (one.failure.empty() && one.skipped.empty()) return text + "/>\n";
  const bool failed = !one.failure.empty();
  text += failed ? ">\n      <failure" + attribute("message", one.failure) +
                       attribute("type", one.name) + "/>\n"
                 : ">\n      <skipped" + attribute("message", one.skipped) + "/>\n";
  return text + "    </testcase>\n";
}

std::string_view severity_of(base::Severity level) {
  switch (level) {
    case base::Severity::note:
      return "info";
    case base::Severity::warning:
      return "minor";
    case base::Severity::error:
      return "major";
  }
  return "major";
}

}  // namespace

std::string to_junit(std::span<const TestCase> cases) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                     attribute("name", "ullage") + counts(cases) + ">\n";
  for (std::size_t first = 0; first < cases.size();) {
    std::size_t last = first;
    while (last < cases.size() && cases[last].suite == cases[first].suite)
      ++last;
    const auto suite = cases.subspan(first, last - first);
    text += "  <testsuite" + attribute("name", suite.front().suite) + counts(suite) +
            attribute("file", suite.front().file) + ">\n";
    for (const TestCase& one : suite)
      text += case_text(one);
    text += "  </testsuite>\n";
    first = last;
  }
  return text + "</testsuites>\n";
}

std::string to_gitlab(std::span<const base::Finding> findings) {
  std::set<std::string> used;
  JsonWriter json;
  json.begin_array();
  for (const base::Finding& finding : findings) {
    std::string path = finding.span.file;
    while (path.starts_with("./"))
      path.erase(0, 2);
    const std::string print = fingerprint_of(finding, used);
    json.begin_object();
    json.member("description", finding.message);
    json.member("check_name", finding.rule);
    json.member("fingerprint", print);
    json.member("severity", severity_of(finding.level));
    json.key("location");
    json.begin_object();
    json.member("path", path);
    json.key("lines");
    json.begin_object();
    json.member("begin", exact::Rational(std::max<std::uint32_t>(finding.span.line, 1)));
    json.end_object();
    json.end_object();
    json.end_object();
  }
  json.end_array();
  return std::move(json).finish();
}

}  // namespace ullage::report

// Rule value-unresolved.
#include <algorithm>

#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

bool decides(std::string_view what) {
  for (const std::string_view name :
       {"tp", "pp", "dp", "ep", "cp", "context", "devices", "nodes", "quantization", "dtype",
        "kv_dtype", "sequence", "microbatch", "the rest of the configuration", "zero",
        "concurrency", "cores"}) {
    if (what == name) return true;
  }
  return false;
}

void apply(Subject& subject) {
  std::vector<std::string> said;
  for (const Unresolved& unresolved : subject.workload.unresolved) {
    const bool is_answered = (unresolved.what == "model" && subject.choice.model) ||
                             (unresolved.what == "devices" && subject.choice.devices) ||
                             ((unresolved.what == "quantization" || unresolved.what == "dtype") &&
                              subject.choice.weights);
    if (is_answered) continue;
    const std::string variable = base::printable(unresolved.variable, 80);
    const std::string text = unresolved.what + " is left to " + variable;
    if (std::find(said.begin(), said.end(), text) != said.end()) continue;
    said.push_back(text);
    const bool is_name = std::all_of(variable.begin(), variable.end(), [](char letter) {
      return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
             (letter >= '0' && letter <= '9') || letter == '_';
    });
    subject.note("value-unresolved", Severity::warning,
                 text + (is_name ? ": give it with --set " + variable + "=VALUE"
                                 : ", which is no value: give the rendered file"),
                 unresolved.where);
    if (decides(unresolved.what)) subject.open.push_back(text);
  }
}

}  // namespace

const PlanRule kValueUnresolved{
    .id = "value-unresolved",
    .level = Severity::warning,
    .help =
        "a value is left to a variable or a template that nobody gives: nothing is "
        "guessed for it",
    .formula = "every value that decides is a number or a name after expansion",
    .citation = "",
    .remedy =
        "--set NAME=VALUE, a .env file beside, or the rendered file (helm template "
        "… | ullage check -)",
    .apply = apply};

}  // namespace ullage::plan

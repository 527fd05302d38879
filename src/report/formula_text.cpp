// Finds the names of inputs in a formula's words.
#include "report/formula_text.hpp"

#include <vector>

#include "report/value_text.hpp"

namespace ullage::report {
namespace {

using provenance::Graph;
using provenance::Node;

// What Graph::sum writes where its caller gives no formula.
constexpr std::string_view kSumOfParts = "sum of its parts";
constexpr std::size_t kMostParts = 8;

// An input that a formula may name. Inputs of one name are taken in their order.
struct Named {
  std::string_view name;
  std::string value;
  bool used = false;
};

std::string operand(const Node& node) {
  if (!node.value) return "unknown";
  std::string text = exact_text(*node.value, node.unit);
  const bool needs_parentheses = node.value->sign() < 0 || text.find('/') < text.find(' ');
  return needs_parentheses ? "(" + text + ")" : text;
}

bool is_word(char character) {
  return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
         (character >= 'a' && character <= 'z') || character == '_';
}

bool stands_alone(std::string_view formula, std::size_t at, std::size_t length) {
  const bool starts = at == 0 || !is_word(formula[at - 1]) || !is_word(formula[at]);
  const std::size_t end = at + length;
  return starts && (end == formula.size() || !is_word(formula[end]) || !is_word(formula[end - 1]));
}

// The longest input name that stands at `at`; of equal names the first one not yet used.
Named* name_at(std::vector<Named>& inputs, std::string_view formula, std::size_t at) {
  Named* best = nullptr;
  for (Named& input : inputs) {
    if (input.name.empty() || !formula.substr(at).starts_with(input.name)) continue;
    if (!stands_alone(formula, at, input.name.size())) continue;
    const bool is_longer = best == nullptr || input.name.size() > best->name.size();
    const bool is_next = best != nullptr && input.name == best->name && best->used && !input.used;
    if (is_longer || is_next) best = &input;
  }
  return best;
}

// The formula with every name replaced; empty where it holds none.
std::string with_values(std::string_view formula, std::vector<Named>& inputs) {
  std::string text;
  bool any = false;
  for (std::size_t at = 0; at < formula.size();) {
    Named* input = name_at(inputs, formula, at);
    if (input == nullptr) {
      text += formula[at++];
      continue;
    }
    text += input->value;
    at += input->name.size();
    input->used = true;
    any = true;
  }
  return any ? text : std::string();
}

}  // namespace

std::string with_numbers(const Graph& graph, const Node& node) {
  std::vector<Named> inputs;
  std::string sum;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Node& input = graph[node.inputs[i]];
    const std::string_view name = i < node.terms.size() ? node.terms[i] : input.name;
    inputs.push_back({name, operand(input)});
    if (!sum.empty()) sum += " + ";
    sum += inputs.back().value;
  }
  std::string text = sum;
  if (node.formula != kSumOfParts) {
    text = with_values(node.formula, inputs);
  } else if (inputs.size() > kMostParts) {
    text.clear();
  }
  return node.value && text == operand(node) ? std::string() : text;
}

}  // namespace ullage::report

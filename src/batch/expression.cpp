// Recursive descent, then Kleene's logic of three values.
#include "batch/expression.hpp"

#include <algorithm>
#include <array>

#include "batch/record.hpp"
#include "units/quantity.hpp"

namespace ullage::batch {

struct Expression::Node {
  enum class Kind : std::uint8_t { all, any, negation, comparison };
  Kind kind = Kind::comparison;
  std::vector<std::shared_ptr<const Node>> parts;  // of all but comparisons
  std::string name;
  std::string comparator;
  std::string text;                       // the value as written
  std::optional<exact::Rational> number;  // where it is one
};

namespace {

using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;

enum class Truth : std::uint8_t { no, unknown, yes };

constexpr std::size_t kDepth = 64;

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

std::optional<exact::Rational> number_in(const std::string& text) {
  if (auto plain = exact::Rational::parse(text)) return std::move(*plain);
  if (auto size = units::parse_size(text)) return std::move(*size);
  if (auto count = units::parse_count(text)) return std::move(*count);
  if (text.ends_with('%')) {
    if (auto share = units::parse_percent(text)) return std::move(*share);
  }
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  base::Result<NodePtr> parse() {
    ULLAGE_TRY(NodePtr node, any(0));
    skip_space();
    if (at_ < text_.size()) return fault("nothing was expected here", "join conditions by and, or");
    return node;
  }

 private:
  base::Diagnostic fault(const std::string& message, std::string hint) const {
    return {
        .code = base::Code::usage,
        .message = "--where, character " + std::to_string(column_at(text_, at_)) + ": " + message,
        .span = {},
        .hint = std::move(hint),
        .notes = {}};
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_]))
      ++at_;
  }

  // Takes the text where it stands here; a word only as a whole one.
  bool take(std::string_view wanted) {
    skip_space();
    if (!text_.substr(at_).starts_with(wanted)) return false;
    const std::size_t end = at_ + wanted.size();
    const bool word = wanted.front() >= 'a' && wanted.front() <= 'z';
    if (word && end < text_.size() && !is_space(text_[end]) && text_[end] != '(') return false;
    at_ = end;
    return true;
  }

  base::Result<NodePtr> joined(Node::Kind kind, std::string_view word, std::string_view sign,
                               std::size_t depth) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    do {
      NodePtr part;
      if (kind == Node::Kind::any) {
        ULLAGE_TRY(part, joined(Node::Kind::all, "and", "&&", depth));
      } else {
        ULLAGE_TRY(part, one(depth));
      }
      node->parts.push_back(std::move(part));
    } while (take(word) || take(sign));
    if (node->parts.size() == 1) return node->parts.front();
    return NodePtr(std::move(node));
  }

  base::Result<NodePtr> any(std::size_t depth) {
    if (depth > kDepth) return fault("too many parentheses", {});
    return joined(Node::Kind::any, "or", "||", depth);
  }

  base::Result<NodePtr> one(std::size_t depth) {
    if (depth > kDepth) return fault("too many parentheses", {});
    if (take("not") || (!text_.substr(at_).starts_with("!=") && take("!"))) {
      auto node = std::make_shared<Node>();
      node->kind = Node::Kind::negation;
      ULLAGE_TRY(NodePtr part, one(depth + 1));
      node->parts.push_back(std::move(part));
      return NodePtr(std::move(node));
    }
    if (take("(")) {
      ULLAGE_TRY(NodePtr node, any(depth + 1));
      if (!take(")")) return fault("a parenthesis is not closed", {});
      return node;
    }
    return comparison();
  }

  std::string word_until(std::string_view ends) {
    skip_space();
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && ends.find(text_[at_]) == ends.npos)
      ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  base::Result<NodePtr> comparison() {
    auto node = std::make_shared<Node>();
    node->name = word_until("=!<>()&|");
    if (node->name.empty()) {
      return fault("a name was expected", "verdict == fits and devices_min <= 8");
    }
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">", "="}) {
      if (!take(sign)) continue;
      node->comparator = sign == "=" ? "==" : sign;
      break;
    }
    if (node->comparator.empty()) {
      return fault("a comparison was expected behind " + base::printable(node->name),
                   "== != < <= > >=");
    }
    skip_space();
    bool quoted = false;
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const std::size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string_view::npos) return fault("a quotation is not closed", {});
      node->text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      quoted = true;
    } else {
      node->text = word_until("()&|");
      if (node->text.empty()) return fault("a value was expected", "8, 10GB, 8k, fits");
    }
    if (!quoted) node->number = number_in(node->text);
    const bool order = node->comparator != "==" && node->comparator != "!=";
    if (order && !node->number) {
      return fault(base::printable(node->text) + " is no number",
                   "words are compared by == and !=");
    }
    return NodePtr(std::move(node));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Truth of(bool holds) {
  return holds ? Truth::yes : Truth::no;
}

Truth compare(const Node& node, const Operand& operand) {
  const bool equal = node.comparator == "==";
  if (!node.number && node.text == "unknown") {
    return of((operand.kind == Operand::Kind::unknown || operand.text == "unknown") == equal);
  }
  if (operand.kind == Operand::Kind::absent || operand.kind == Operand::Kind::unknown) {
    return Truth::unknown;
  }
  std::optional<exact::Rational> number;
  if (operand.kind == Operand::Kind::number) {
    number = operand.number;
  } else if (node.number) {
    number = number_in(operand.text);
  }
  if (!node.number || !number) {
    const bool order = node.comparator != "==" && node.comparator != "!=";
    if (order) return Truth::unknown;
    return of((operand.kind == Operand::Kind::text && operand.text == node.text) == equal);
  }
  const auto order = *number <=> *node.number;
  if (equal) return of(order == 0);
  if (node.comparator == "!=") return of(order != 0);
  if (node.comparator == "<") return of(order < 0);
  if (node.comparator == "<=") return of(order <= 0);
  if (node.comparator == ">") return of(order > 0);
  return of(order >= 0);
}

Truth evaluate(const Node& node, const Lookup& row) {
  switch (node.kind) {
    case Node::Kind::comparison:
      return compare(node, row(node.name));
    case Node::Kind::negation: {
      const Truth part = evaluate(*node.parts.front(), row);
      return part == Truth::unknown ? part : of(part == Truth::no);
    }
    case Node::Kind::all: {
      Truth all = Truth::yes;
      for (const NodePtr& part : node.parts)
        all = std::min(all, evaluate(*part, row));
      return all;
    }
    case Node::Kind::any: {
      Truth any = Truth::no;
      for (const NodePtr& part : node.parts)
        any = std::max(any, evaluate(*part, row));
      return any;
    }
  }
  return Truth::unknown;
}

void collect(const Node& node, std::vector<std::string>& names) {
  if (node.kind == Node::Kind::comparison) names.push_back(node.name);
  for (const NodePtr& part : node.parts)
    collect(*part, names);
}

}  // namespace

base::Result<Expression> Expression::parse(std::string_view text) {
  ULLAGE_TRY(NodePtr root, Parser(text).parse());
  return Expression(std::move(root));
}

bool Expression::holds(const Lookup& row) const {
  return evaluate(*root_, row) == Truth::yes;
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  collect(*root_, names);
  return names;
}

}  // namespace ullage::batch

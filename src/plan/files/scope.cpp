// Looks variables up and puts them into texts.
#include "plan/files/scope.hpp"

#include <algorithm>

namespace ullage::plan {
namespace {

constexpr std::size_t kLongest = 1u << 20;  // bytes of an expanded text
constexpr int kDeepest = 32;                // defaults within defaults

bool is_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// Adds what a variable stands for, or keeps `written` and says that it is missing. Of a value whose
// own parts are missing the rest is known.
void put(Word& out, const Word* value, std::string_view written, std::string_view name) {
  if (value == nullptr) {
    out.text += written;
    out.missing.emplace_back(name);
    return;
  }
  if (out.text.size() + value->text.size() > kLongest) return;
  out.text += value->text;
  out.missing.insert(out.missing.end(), value->missing.begin(), value->missing.end());
}

// The end of the parenthesis or brace that opens at `start`, behind it; npos where it stays open.
std::size_t closing(std::string_view text, std::size_t start, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t at = start; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == open) {
      ++depth;
    } else if (text[at] == close && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

// The NAME of `$(NAME)`, which Kubernetes would have filled before a shell sees it; commands are
// hardly ever spelt in capitals. Empty for other texts.
std::string_view kubernetes_name(std::string_view written) {
  if (!written.starts_with("$(") || !written.ends_with(')')) return {};
  const std::string_view name = written.substr(2, written.size() - 3);
  const bool is_variable = !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'A' && letter <= 'Z') || is_digit(letter) || letter == '_';
  });
  return is_variable ? name : std::string_view();
}

// Whole-number arithmetic by recursive descent.
class Arithmetic {
 public:
  Arithmetic(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

  std::optional<exact::Rational> value() {
    auto found = sum(0);
    skip();
    if (at_ != text_.size()) return std::nullopt;
    return found;
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }
  bool take(char letter) {
    skip();
    if (at_ >= text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }

  std::optional<exact::Rational> sum(int depth) {
    auto left = product(depth);
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return left;
      const auto right = product(depth);
      if (!left || !right) return std::nullopt;
      left = plus ? *left + *right : *left - *right;
    }
  }

  std::optional<exact::Rational> product(int depth) {
    auto left = operand(depth);
    for (;;) {
      const bool times = take('*');
      const bool over = !times && take('/');
      if (!times && !over && !take('%')) return left;
      const auto right = operand(depth);
      if (!left || !right) return std::nullopt;
      if (times) {
        left = *left * *right;
        continue;
      }
      const auto ratio = exact::Rational::ratio(*left, *right);
      if (!ratio) return std::nullopt;
      const exact::Rational whole = ratio->sign() < 0 ? ratio->ceil() : ratio->floor();
      left = over ? whole : *left - whole * *right;
    }
  }

  std::optional<exact::Rational> operand(int depth) {
    if (depth > 32) return std::nullopt;
    if (take('(')) {
      auto inner = sum(depth + 1);
      return take(')') ? inner : std::nullopt;
    }
    if (take('-')) {
      const auto inner = operand(depth + 1);
      if (!inner) return std::nullopt;
      return -*inner;
    }
    take('$');
    const bool braced = take('{');
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_]))
      ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (braced && !take('}')) return std::nullopt;
    if (word.empty()) return std::nullopt;
    std::string_view digits = word;
    if (!is_digit(word[0])) {
      const Word* found = scope_.find(word);
      if (found == nullptr || !found->resolved()) return std::nullopt;
      digits = found->text;
    }
    const auto number = exact::Rational::parse(digits);
    if (!number || !number->is_whole()) return std::nullopt;
    return *number;
  }

  std::string_view text_;
  const Scope& scope_;
  std::size_t at_ = 0;
};

Word expand_at(const Word& word, const Scope& scope, int depth);

// `NAME`, `NAME:-default` … between the braces.
void put_braced(Word& out, std::string_view inner, std::string_view written, const Scope& scope,
                int depth) {
  std::size_t end = 0;
  while (end < inner.size() && is_name(inner[end]))
    ++end;
  const std::string_view name = inner.substr(0, end);
  std::string_view rest = inner.substr(end);
  const Word* value = scope.find(name);
  if (name.empty() || rest.empty()) {
    put(out, name.empty() ? nullptr : value, written, name.empty() ? inner : name);
    return;
  }
  const bool colon = rest.starts_with(':');
  if (colon) rest.remove_prefix(1);
  const char how = rest.empty() ? ' ' : rest[0];
  const bool is_set = value != nullptr && !(colon && value->resolved() && value->text.empty());
  if (how == '-' || how == '=') {
    if (is_set) {
      put(out, value, written, name);
    } else {
      const Word fallback = expand_at({std::string(rest.substr(1)), out.where}, scope, depth + 1);
      put(out, &fallback, written, name);
    }
  } else if (how == '+') {
    if (is_set) {
      const Word instead = expand_at({std::string(rest.substr(1)), out.where}, scope, depth + 1);
      put(out, &instead, written, name);
    }
  } else if (how == '?' && is_set) {
    put(out, value, written, name);
  } else {
    put(out, nullptr, written, name);
  }
}

Word expand_at(const Word& word, const Scope& scope, int depth) {
  if (word.text.find_first_of("$`") == std::string::npos) return word;
  Word out{{}, word.where, word.missing};
  if (depth > kDeepest) {
    put(out, nullptr, word.text, "a default that is nested too deeply");
    return out;
  }
  const std::string_view text = word.text;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("$$")) {
      out.text += '$';
      at += 2;
    } else if (rest.starts_with("$((")) {
      const std::size_t end = closing(text, at + 1, '(', ')');
      if (end == std::string_view::npos || end < at + 5) {
        put(out, nullptr, rest, rest);
        return out;
      }
      const std::string_view inner = text.substr(at + 3, end - at - 5);
      if (const auto value = evaluate(inner, scope)) {
        out.text += value->to_string();
      } else {
        put(out, nullptr, text.substr(at, end - at), inner);
      }
      at = end;
    } else if (rest.starts_with("$(") || rest[0] == '`') {
      const std::size_t end =
          rest[0] == '`' ? text.find('`', at + 1) + 1 : closing(text, at + 1, '(', ')');
      const std::size_t stop = end == std::string_view::npos || end == 0 ? text.size() : end;
      const std::string_view written = text.substr(at, stop - at);
      if (const std::string_view name = kubernetes_name(written); !name.empty()) {
        put(out, scope.find(name), written, name);
      } else {
        put(out, nullptr, written, written);
      }
      at = stop;
    } else if (rest.starts_with("${")) {
      const std::size_t end = closing(text, at + 1, '{', '}');
      const std::size_t stop = end == std::string_view::npos ? text.size() : end;
      const std::string_view inner =
          text.substr(at + 2, (end == std::string_view::npos ? stop : stop - 1) - at - 2);
      const Word* value = scope.find(inner);
      if (value != nullptr && at == 0 && stop == text.size()) out.where = value->where;
      put_braced(out, inner, text.substr(at, stop - at), scope, depth);
      at = stop;
    } else if (rest[0] == '$' && rest.size() > 1 && is_name(rest[1])) {
      std::size_t end = 1;
      // $1 is one digit, $NAME as long as it goes.
      while (end < rest.size() && is_name(rest[end]) && !(end > 1 && is_digit(rest[1])))
        ++end;
      const std::string_view name = rest.substr(1, end - 1);
      const Word* value = scope.find(name);
      if (value != nullptr && end == text.size()) out.where = value->where;
      put(out, value, rest.substr(0, end), name);
      at += end;
    } else {
      out.text += text[at++];
    }
  }
  return out;
}

}  // namespace

void Scope::set(const std::string& name, Word value) {
  lists_.erase(name);
  values_.insert_or_assign(name, std::move(value));
}

void Scope::set_list(const std::string& name, std::vector<Word> items) {
  values_.erase(name);
  lists_.insert_or_assign(name, std::move(items));
}

void Scope::lose(const std::string& name) {
  lists_.erase(name);
  values_.insert_or_assign(name, Word{"$" + name, {}, {name}});
}

const Word* Scope::find(std::string_view name) const {
  if (const auto set = overrides_->find(name); set != overrides_->end()) return &set->second;
  if (const auto known = values_.find(name); known != values_.end()) return &known->second;
  return nullptr;
}

const std::vector<Word>* Scope::find_list(std::string_view name) const {
  const auto known = lists_.find(name);
  return known == lists_.end() ? nullptr : &known->second;
}

Scope Scope::merged(const Scope& one, const Scope& other) {
  Scope both = one;
  for (const auto& [name, value] : other.values_) {
    const auto mine = one.values_.find(name);
    if (mine == one.values_.end() || mine->second.text != value.text) both.lose(name);
  }
  for (const auto& [name, value] : one.values_) {
    if (other.values_.find(name) == other.values_.end()) both.lose(name);
  }
  return both;
}

Word expand_kubernetes(const Word& word, const Scope& scope) {
  if (word.text.find('$') == std::string::npos) return word;
  Word out{{}, word.where, word.missing};
  const std::string_view text = word.text;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("$$")) {
      out.text += '$';
      at += 2;
      continue;
    }
    const std::size_t end = rest.starts_with("$(") ? rest.find(')') : std::string_view::npos;
    const std::string_view name =
        end == std::string_view::npos ? std::string_view() : rest.substr(2, end - 2);
    const bool named = !name.empty() && std::all_of(name.begin(), name.end(), is_name);
    if (!named) {
      out.text += text[at++];
      continue;
    }
    const Word* value = scope.find(name);
    // A word that is the variable alone stands where the variable is given.
    if (value != nullptr && name.size() + 3 == text.size()) out.where = value->where;
    put(out, value, rest.substr(0, end + 1), name);
    at += end + 1;
  }
  return out;
}

Word expand_shell(const Word& word, const Scope& scope) {
  return expand_at(word, scope, 0);
}

Word expand_field(const Word& word, const Scope& scope) {
  Word out = expand_shell(word, scope);
  for (const std::string_view mark : {"{{", "{%"}) {
    const std::size_t at = out.text.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t end = out.text.find('}', at);
    out.missing.push_back(out.text.substr(at, end == std::string::npos ? end : end + 2 - at));
  }
  const bool is_placeholder = out.text.size() > 2 && out.text.front() == '<' &&
                              out.text.back() == '>' && out.text.find(' ') == std::string::npos;
  if (is_placeholder) out.missing.push_back(out.text);
  return out;
}

std::optional<exact::Rational> evaluate(std::string_view expression, const Scope& scope) {
  return Arithmetic(expression, scope).value();
}

}  // namespace ullage::plan

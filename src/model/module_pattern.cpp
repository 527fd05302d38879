// Matches names of modules.
#include "model/module_pattern.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>

namespace ullage::model {
namespace {

constexpr std::size_t kLongest = 1'000;
constexpr int kMostSteps = 100'000;
constexpr int kDeepest = 50;

constexpr std::array<std::string_view, 8> kWrappers{"model.language_model.",
                                                    "language_model.model.",
                                                    "language_model.",
                                                    "model.decoder.",
                                                    "model.transformer.",
                                                    "model.",
                                                    "backbone.",
                                                    "transformer."};

std::string_view without_wrapper(std::string_view name) {
  for (const std::string_view wrapper : kWrappers) {
    if (name.starts_with(wrapper)) return name.substr(wrapper.size());
  }
  return name;
}

struct Item;
using Sequence = std::vector<Item>;

// One part of an expression with how often it may stand there.
struct Item {
  std::bitset<256> set;            // a character; empty for a group
  std::vector<Sequence> branches;  // a group's alternatives
  bool at_start = false;           // ^
  bool at_end = false;             // $
  int least = 1;
  bool many = false;
};

}  // namespace

struct NameExpression::Tree {
  std::vector<Sequence> branches;
};

namespace {

base::Diagnostic fault(std::string_view text, const std::string& why) {
  return {.code = base::Code::syntax,
          .message = "re:" + base::printable(text) + " is no expression: " + why,
          .span = {},
          .hint = "characters, [classes], (groups|of|them), . * + ?",
          .notes = {}};
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  base::Result<std::vector<Sequence>> branches(int depth) {
    if (depth > kDeepest) return fault(text_, "it is nested too deeply");
    std::vector<Sequence> found(1);
    while (at_ < text_.size() && text_[at_] != ')') {
      if (text_[at_] == '|') {
        ++at_;
        found.emplace_back();
        continue;
      }
      ULLAGE_TRY(Item item, one(depth));
      ULLAGE_CHECK(repeat(item));
      found.back().push_back(std::move(item));
    }
    return found;
  }
  bool done() const { return at_ == text_.size(); }

 private:
  base::Result<void> repeat(Item& item) {
    if (at_ == text_.size()) return {};
    const char c = text_[at_];
    if (c == '{') return fault(text_, "counts in braces are not read");
    if (c != '*' && c != '+' && c != '?') return {};
    if (item.at_start || item.at_end) return fault(text_, "an anchor is repeated");
    item.least = c == '+' ? 1 : 0;
    item.many = c != '?';
    ++at_;
    if (at_ < text_.size() && text_[at_] == '?') ++at_;  // lazy: matches the same names
    return {};
  }

  base::Result<Item> one(int depth) {
    const char c = text_[at_++];
    Item item;
    if (c == '^') {
      item.at_start = true;
    } else if (c == '$') {
      item.at_end = true;
    } else if (c == '.') {
      item.set.set();
    } else if (c == '(') {
      if (text_.substr(at_).starts_with("?:")) at_ += 2;
      if (at_ < text_.size() && text_[at_] == '?') {
        return fault(text_, "look-ahead is not read");
      }
      ULLAGE_TRY(item.branches, branches(depth + 1));
      if (at_ == text_.size()) return fault(text_, "a group is not closed");
      ++at_;
    } else if (c == '[') {
      ULLAGE_CHECK(character_class(item));
    } else if (c == '\\') {
      if (at_ == text_.size()) return fault(text_, "it ends with a backslash");
      escape(text_[at_++], item.set);
    } else if (c == '*' || c == '+' || c == '?') {
      return fault(text_, "nothing stands before " + std::string(1, c));
    } else {
      item.set.set(static_cast<unsigned char>(c));
    }
    return item;
  }

  static void escape(char c, std::bitset<256>& set) {
    if (c != 'd' && c != 'w') {
      set.set(static_cast<unsigned char>(c));
      return;
    }
    for (unsigned char digit = '0'; digit <= '9'; ++digit)
      set.set(digit);
    if (c == 'd') return;
    for (unsigned char letter = 'a'; letter <= 'z'; ++letter)
      set.set(letter);
    for (unsigned char letter = 'A'; letter <= 'Z'; ++letter)
      set.set(letter);
    set.set('_');
  }

  base::Result<void> character_class(Item& item) {
    const bool inverted = at_ < text_.size() && text_[at_] == '^';
    if (inverted) ++at_;
    while (at_ < text_.size() && text_[at_] != ']') {
      const char c = text_[at_++];
      if (c == '\\' && at_ < text_.size()) {
        escape(text_[at_++], item.set);
      } else if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        const auto last = static_cast<unsigned char>(text_[at_ + 1]);
        for (unsigned int i = static_cast<unsigned char>(c); i <= last; ++i)
          item.set.set(i);
        at_ += 2;
      } else {
        item.set.set(static_cast<unsigned char>(c));
      }
    }
    if (at_ == text_.size()) return fault(text_, "a class is not closed");
    ++at_;
    if (inverted) item.set.flip();
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

using Next = std::function<bool(std::size_t)>;

class Matcher {
 public:
  explicit Matcher(std::string_view name) : name_(name) {}

  bool any(const std::vector<Sequence>& branches, std::size_t at, const Next& next) {
    return std::any_of(branches.begin(), branches.end(),
                       [&](const Sequence& branch) { return sequence(branch, 0, at, next); });
  }

 private:
  bool sequence(const Sequence& items, std::size_t index, std::size_t at, const Next& next) {
    if (++steps_ > kMostSteps) return false;
    if (index == items.size()) return next(at);
    return times(items, index, at, 0, next);
  }

  // The item at `index`, which stood `count` times so far.
  bool times(const Sequence& items, std::size_t index, std::size_t at, int count,
             const Next& next) {
    if (++steps_ > kMostSteps) return false;
    const Item& item = items[index];
    if (item.at_start) return at == 0 && sequence(items, index + 1, at, next);
    if (item.at_end) return at == name_.size() && sequence(items, index + 1, at, next);
    if ((count == 0 || item.many) && once(item, at, [&](std::size_t after) {
          return (after > at || count == 0) && times(items, index, after, count + 1, next);
        })) {
      return true;
    }
    return count >= item.least && sequence(items, index + 1, at, next);
  }

  bool once(const Item& item, std::size_t at, const Next& next) {
    if (!item.branches.empty()) return any(item.branches, at, next);
    return at < name_.size() && item.set.test(static_cast<unsigned char>(name_[at])) &&
           next(at + 1);
  }

  std::string_view name_;
  int steps_ = 0;
};

// `*` stands for any characters.
bool matches_wildcard(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

NameExpression::NameExpression(std::unique_ptr<Tree> tree) : tree_(std::move(tree)) {}
NameExpression::NameExpression(NameExpression&&) noexcept = default;
NameExpression& NameExpression::operator=(NameExpression&&) noexcept = default;
NameExpression::~NameExpression() = default;

base::Result<NameExpression> NameExpression::parse(std::string_view text) {
  if (text.size() > kLongest) return fault(text, "it is too long");
  Parser parser(text);
  auto tree = std::make_unique<Tree>();
  ULLAGE_TRY(tree->branches, parser.branches(0));
  if (!parser.done()) return fault(text, "a group is closed that was not opened");
  return NameExpression(std::move(tree));
}

bool NameExpression::matches(std::string_view name) const {
  return Matcher(name).any(tree_->branches, 0, [](std::size_t) { return true; });
}

base::Result<ModuleList> ModuleList::parse(const std::vector<std::string>& entries) {
  ModuleList list;
  for (const std::string& entry : entries) {
    if (entry.starts_with("re:")) {
      ULLAGE_TRY(auto expression, NameExpression::parse(std::string_view(entry).substr(3)));
      list.expressions_.push_back(std::move(expression));
    } else if (entry.find('*') != std::string::npos) {
      list.wildcards_.push_back(entry);
    } else {
      list.plain_.insert(std::string(without_wrapper(entry)));
    }
  }
  return list;
}

bool ModuleList::names(std::string_view name) const {
  const auto plain = [&](std::string_view part) {
    if (!plain_.contains(part)) return false;
    used_.insert(std::string(part));
    return true;
  };
  if (plain(name)) return true;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
       dot = name.find('.', dot + 1)) {
    if (plain(name.substr(0, dot)) || plain(name.substr(dot + 1))) return true;
  }
  if (wildcards_.empty() && expressions_.empty()) return false;
  std::vector<std::string> whole{std::string(name)};
  for (const std::string_view wrapper : kWrappers)
    whole.push_back(std::string(wrapper) + std::string(name));
  return std::any_of(whole.begin(), whole.end(), [&](const std::string& full) {
    for (const std::string& wildcard : wildcards_) {
      if (matches_wildcard(wildcard, full) || matches_wildcard(wildcard + ".*", full)) return true;
    }
    return std::any_of(expressions_.begin(), expressions_.end(),
                       [&](const NameExpression& expression) { return expression.matches(full); });
  });
}

std::vector<std::string> ModuleList::unused() const {
  std::vector<std::string> entries;
  std::set_difference(plain_.begin(), plain_.end(), used_.begin(), used_.end(),
                      std::back_inserter(entries));
  return entries;
}

}  // namespace ullage::model

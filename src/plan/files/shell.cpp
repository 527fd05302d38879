// A walk over the tokens.
#include "plan/files/shell.hpp"

#include <algorithm>

#include "plan/files/shell_lexer.hpp"

namespace ullage::plan {
namespace {

constexpr std::size_t kMostCommands = 20000;
constexpr int kDeepest = 16;        // scripts within scripts
constexpr int kDeepestBlock = 200;  // loops and conditions within each other

bool is_identifier(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_';
  });
}

// Behind the field that starts at `at`: a blank ends it, except within $(…) and `…`.
std::size_t field_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  bool in_ticks = false;
  for (; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '`') in_ticks = !in_ticks;
    if (letter == '(' && (depth > 0 || (at > 0 && text[at - 1] == '$'))) ++depth;
    if (letter == ')' && depth > 0) --depth;
    const bool is_blank = letter == ' ' || letter == '\t' || letter == '\n';
    if (is_blank && depth == 0 && !in_ticks) break;
  }
  return at;
}

// What of the missing variables a field needs: those it names, or all where it names others.
std::vector<std::string> missing_in(std::string_view field,
                                    const std::vector<std::string>& missing) {
  if (field.find_first_of("$`{<") == std::string_view::npos) return {};
  std::vector<std::string> named;
  for (const std::string& variable : missing) {
    if (field.find(variable) != std::string_view::npos) named.push_back(variable);
  }
  return named.empty() ? missing : named;
}

// The fields of an unquoted variable.
void fields(const Word& word, std::vector<Word>& words) {
  std::size_t at = 0;
  while (at < word.text.size()) {
    const std::size_t start = word.text.find_first_not_of(" \t\n", at);
    if (start == std::string::npos) return;
    const std::size_t end = field_end(word.text, start);
    std::string text = word.text.substr(start, end - start);
    std::vector<std::string> missing = missing_in(text, word.missing);
    words.push_back({std::move(text), word.where, std::move(missing)});
    at = end;
  }
}

// The words that a token becomes: an array's items, the fields of an unquoted variable, or one.
void expand_token(const Token& token, const Scope& scope, std::vector<Word>& words) {
  if (token.pieces.size() == 1 && token.pieces[0].quote != Quote::single) {
    std::string_view text = token.pieces[0].text;
    for (const std::string_view end : {"[@]}", "[*]}"}) {
      if (!text.starts_with("${") || !text.ends_with(end)) continue;
      const auto* items = scope.find_list(text.substr(2, text.size() - 6));
      if (items != nullptr) {
        words.insert(words.end(), items->begin(), items->end());
        return;
      }
    }
  }
  Word word{{}, token.where};
  bool splits = false;
  for (const Piece& piece : token.pieces) {
    Word part{piece.text, token.where};
    if (piece.quote != Quote::single) {
      const Word out = expand_shell(part, scope);
      splits = splits || (piece.quote == Quote::none && out.text != piece.text);
      part = out;
    }
    word.text += part.text;
    word.missing.insert(word.missing.end(), part.missing.begin(), part.missing.end());
    if (token.pieces.size() == 1) word.where = part.where;
  }
  if (!splits || word.text.find_first_of(" \t\n") == std::string::npos) {
    if (!(splits && word.text.empty())) words.push_back(std::move(word));
    return;
  }
  fields(word, words);
}

}  // namespace

// One walk over the tokens of one text.
class ShellRun {
 public:
  ShellRun(ShellReader& reader, std::vector<Token> tokens)
      : reader_(reader), tokens_(std::move(tokens)) {}

  void run() { block({}); }

 private:
  using Truth = std::optional<bool>;

  const Token& now() const {
    static const Token end;
    return at_ < tokens_.size() ? tokens_[at_] : end;
  }
  bool at_end() const { return at_ >= tokens_.size(); }

  // Runs commands up to one of the words, which stays. The truth of the last command.
  Truth block(const std::vector<std::string_view>& until) {
    if (nested_ >= kDeepestBlock) {
      at_ = tokens_.size();
      return {};
    }
    ++nested_;
    const Truth last = commands(until);
    --nested_;
    return last;
  }

  Truth commands(const std::vector<std::string_view>& until) {
    Truth last;
    while (!at_end()) {
      const Token& token = now();
      if (token.kind != Token::Kind::word) {
        ++at_;
        continue;
      }
      const std::string_view word = token.bare();
      if (std::find(until.begin(), until.end(), word) != until.end()) return last;
      if (word == "if") {
        ++at_;
        conditional();
        last = {};
      } else if (word == "for" || word == "select") {
        ++at_;
        for_loop();
        last = {};
      } else if (word == "while" || word == "until") {
        ++at_;
        block({"do"});
        ++at_;
        block({"done"});
        ++at_;
      } else if (word == "{" || word == "}" || word == "!" || word == "then" || word == "do" ||
                 word == "done" || word == "fi" || word == "function" || word == "esac") {
        ++at_;
      } else {
        last = command();
      }
    }
    return last;
  }

  // Behind `if` or `elif`.
  void conditional() {
    const Truth truth = block({"then"});
    ++at_;
    const bool outer = active_;
    Scope before = reader_.scope_;
    active_ = outer && truth.value_or(true);
    block({"elif", "else", "fi"});
    Scope after_then = reader_.scope_;
    if (!truth) reader_.scope_ = before;
    active_ = outer && !truth.value_or(false);
    if (now().bare() == "elif") {
      ++at_;
      if (++nested_ < kDeepestBlock) {
        conditional();
      } else {
        at_ = tokens_.size();
      }
      --nested_;
    } else {
      if (now().bare() == "else") {
        ++at_;
        block({"fi"});
      }
      if (now().bare() == "fi") ++at_;
    }
    active_ = outer;
    if (!truth && outer) reader_.scope_ = Scope::merged(after_then, reader_.scope_);
  }

  void for_loop() {
    const std::string name(now().bare());
    ++at_;
    std::vector<Word> values;
    if (now().bare() == "in") {
      ++at_;
      while (!at_end() && now().kind == Token::Kind::word)
        expand(tokens_[at_++], values);
    }
    if (is_identifier(name) && active_) {
      if (values.size() == 1) {
        reader_.scope_.set(name, values[0]);
      } else {
        reader_.scope_.lose(name);
      }
    }
    block({"do"});
    ++at_;
    block({"done"});
    ++at_;
  }

  // A simple command with its assignments and redirections.
  Truth command() {
    ShellCommand made;
    bool exports = false;
    while (!at_end() && now().kind != Token::Kind::separator) {
      const Token& token = now();
      if (token.kind == Token::Kind::redirect) {
        redirection(made);
        continue;
      }
      if (token.kind != Token::Kind::word) {
        // A bracket ends the command; `name()` heads a function whose body is read in place.
        if (token.kind == Token::Kind::open && at_ + 1 < tokens_.size() &&
            tokens_[at_ + 1].kind == Token::Kind::close) {
          at_ += 2;
          return {};
        }
        break;
      }
      if ((made.words.empty() || exports) && assignment(token)) continue;
      if (made.words.empty() &&
          (token.bare() == "export" || token.bare() == "local" || token.bare() == "declare" ||
           token.bare() == "readonly" || token.bare() == "set")) {
        exports = token.bare() != "set";
        if (!exports) made.words.push_back({"set", token.where});
        ++at_;
        continue;
      }
      ++at_;
      expand(token, made.words);
    }
    if (!active_ || made.words.empty()) return {};
    return deliver(made);
  }

  Truth deliver(const ShellCommand& made) {
    if (++reader_.commands_ > kMostCommands) return {};
    const std::string& name = made.words[0].text;
    if (name == "[" || name == "[[" || name == "test") return truth_of(made.words);
    if (name == "true" || name == ":") return true;
    if (name == "false") return false;
    if (name == "unset") {
      for (std::size_t i = 1; i < made.words.size(); ++i)
        reader_.scope_.lose(made.words[i].text);
      return {};
    }
    const std::size_t script = inner_script(made.words);
    if (script > 0 && reader_.depth_ < kDeepest) {
      const Word& inner = made.words[script];
      const std::string text = inner.text;
      ScalarPlaces places(reader_.source_, inner.where.line, inner.where.column);
      reader_.read(text, places);
      return {};
    }
    reader_.command_(made, reader_.scope_);
    return {};
  }

  void redirection(ShellCommand& made) {
    const Token& mark = tokens_[at_++];
    if (mark.here) {
      Word text{*mark.here, mark.where};
      made.here = mark.expands ? expand_shell(text, reader_.scope_) : text;
      return;
    }
    if (at_end() || now().kind != Token::Kind::word) return;
    std::vector<Word> target;
    expand(tokens_[at_++], target);
    if (mark.mark.starts_with('>') && !target.empty()) made.writes = target[0];
  }

  // NAME=value, NAME+=value, NAME=(items).
  bool assignment(const Token& token) {
    if (token.pieces.empty() || token.pieces[0].quote != Quote::none) return false;
    const std::string& first = token.pieces[0].text;
    const std::size_t equals = first.find('=');
    if (equals == std::string::npos) return false;
    const bool appends = equals > 0 && first[equals - 1] == '+';
    const std::string name = first.substr(0, appends ? equals - 1 : equals);
    if (!is_identifier(name)) return false;
    ++at_;
    const bool is_list =
        equals + 1 == first.size() && token.pieces.size() == 1 && now().kind == Token::Kind::open;
    if (is_list) {
      list(name, appends);
      return true;
    }
    Word value{{}, token.where};
    for (std::size_t i = 0; i < token.pieces.size(); ++i) {
      const Piece& piece = token.pieces[i];
      Word part{i == 0 ? first.substr(equals + 1) : piece.text, token.where};
      if (piece.quote != Quote::single) part = expand_shell(part, reader_.scope_);
      value.text += part.text;
      value.missing.insert(value.missing.end(), part.missing.begin(), part.missing.end());
      if (token.pieces.size() == 1) value.where = part.where;
    }
    if (!active_) return true;
    if (appends) {
      if (const Word* known = reader_.scope_.find(name)) {
        value.text = known->text + value.text;
        value.missing.insert(value.missing.begin(), known->missing.begin(), known->missing.end());
      }
    }
    reader_.scope_.set(name, std::move(value));
    return true;
  }

  void list(const std::string& name, bool appends) {
    ++at_;
    std::vector<Word> items;
    if (appends) {
      if (const auto* known = reader_.scope_.find_list(name)) items = *known;
    }
    while (!at_end() && now().kind != Token::Kind::close) {
      const Token& token = tokens_[at_++];
      if (token.kind == Token::Kind::word) expand(token, items);
    }
    if (!at_end()) ++at_;
    if (active_) reader_.scope_.set_list(name, std::move(items));
  }

  void expand(const Token& token, std::vector<Word>& words) {
    expand_token(token, reader_.scope_, words);
  }

  static Truth truth_of(const std::vector<Word>& words) {
    std::vector<const Word*> operands;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].text == "]" || words[i].text == "]]") break;
      operands.push_back(&words[i]);
    }
    for (const Word* operand : operands) {
      if (!operand->resolved()) return {};
    }
    if (operands.size() == 2 && operands[0]->text == "-z") return operands[1]->text.empty();
    if (operands.size() == 2 && operands[0]->text == "-n") return !operands[1]->text.empty();
    if (operands.size() != 3) return {};
    const std::string& left = operands[0]->text;
    const std::string& how = operands[1]->text;
    const std::string& right = operands[2]->text;
    if (how == "=" || how == "==") return left == right;
    if (how == "!=") return left != right;
    const auto a = exact::Rational::parse(left);
    const auto b = exact::Rational::parse(right);
    if (!a || !b) return {};
    if (how == "-eq") return *a == *b;
    if (how == "-ne") return *a != *b;
    if (how == "-lt") return *a < *b;
    if (how == "-le") return *a <= *b;
    if (how == "-gt") return *a > *b;
    if (how == "-ge") return *a >= *b;
    return {};
  }

  ShellReader& reader_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nested_ = 0;
  bool active_ = true;
};

std::size_t inner_script(const std::vector<Word>& words) {
  for (std::size_t i = 0; i + 2 < words.size() && i < 8; ++i) {
    const std::string_view name =
        std::string_view(words[i].text).substr(words[i].text.rfind('/') + 1);
    if (name != "sh" && name != "bash" && name != "zsh" && name != "dash") continue;
    for (std::size_t j = i + 1; j + 1 < words.size(); ++j) {
      const std::string& flag = words[j].text;
      if (!flag.starts_with('-')) break;
      if (!flag.starts_with("--") && flag.ends_with('c')) return j + 1;
    }
  }
  return 0;
}

void ShellReader::start(const std::vector<Word>& words, const SourceText& source) {
  if (words.empty()) return;
  const std::size_t script = inner_script(words);
  if (script == 0) {
    command_({words, std::nullopt, std::nullopt}, scope_);
    return;
  }
  const std::string text = words[script].text;
  ScalarPlaces places(source, words[script].where.line, words[script].where.column);
  read(text, places);
}

void ShellReader::read(std::string_view text, ScalarPlaces& places) {
  ++depth_;
  source_ = places.source();
  ShellRun(*this, shell_tokens(text, places)).run();
  --depth_;
}

std::vector<Word> shell_words(std::string_view text, ScalarPlaces& places, const Scope& scope) {
  std::vector<Word> words;
  for (const Token& token : shell_tokens(text, places)) {
    if (token.kind == Token::Kind::word) expand_token(token, scope, words);
  }
  return words;
}

}  // namespace ullage::plan

// Reads letters into tokens.
#include "plan/files/shell_lexer.hpp"

#include <algorithm>

namespace ullage::plan {
namespace {

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r';
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class Lexer {
 public:
  Lexer(std::string_view text, ScalarPlaces& places) : text_(text), places_(places) {}

  std::vector<Token> tokens() {
    while (at_ < text_.size())
      step();
    settle_here();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    const char letter = peek();
    if (letter == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2u : 3u;
    } else if (is_blank(letter)) {
      ++at_;
    } else if (letter == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (letter == '\n') {
      ++at_;
      add(Token::Kind::separator, "\n");
      settle_here();
    } else if (letter == ';' || letter == '|' || letter == '&') {
      separator();
    } else if (letter == '(' || letter == ')') {
      ++at_;
      add(letter == '(' ? Token::Kind::open : Token::Kind::close, std::string(1, letter));
    } else if (letter == '<' || letter == '>') {
      redirect();
    } else {
      word();
    }
  }

  void add(Token::Kind kind, std::string mark) {
    Token token;
    token.kind = kind;
    token.mark = std::move(mark);
    tokens_.push_back(std::move(token));
  }

  void separator() {
    const char letter = peek();
    if (letter == '&' && peek(1) == '>') {  // &> file
      at_ += 2;
      if (peek() == '>') ++at_;
      add(Token::Kind::redirect, ">");
      return;
    }
    std::string mark(1, letter);
    ++at_;
    while (peek() == letter || peek() == '&') {
      mark += peek();
      ++at_;
    }
    add(Token::Kind::separator, mark);
  }

  void redirect() {
    if (text_.substr(at_).starts_with("<(") || text_.substr(at_).starts_with(">(")) {
      ++at_;  // what a process substitution runs is read like a group
      return;
    }
    // A number that touches the mark names a descriptor: `2>log`. With a blank it is a word: `-n 2
    // >log`.
    const bool touches = at_ > 0 && !is_blank(text_[at_ - 1]);
    if (touches && !tokens_.empty() && tokens_.back().kind == Token::Kind::word &&
        is_number(tokens_.back().bare())) {
      tokens_.pop_back();
    }
    std::string mark;
    while (peek() == '<' || peek() == '>' || peek() == '&' || peek() == '|') {
      mark += peek();
      ++at_;
    }
    if (mark == "<<" || mark == "<<-") {
      if (peek() == '-') ++at_;
      here();
      return;
    }
    if (mark.ends_with('&')) {  // 2>&1: the number belongs to it
      while (peek() >= '0' && peek() <= '9')
        ++at_;
      if (peek() == '-') ++at_;
      return;
    }
    add(Token::Kind::redirect, mark);
  }

  // `<<EOF`: its text starts behind this line.
  void here() {
    while (is_blank(peek()))
      ++at_;
    std::string end;
    bool quoted = false;
    while (at_ < text_.size() && !is_blank(peek()) && peek() != '\n' && peek() != ';' &&
           peek() != '>' && peek() != '|') {
      if (peek() == '\'' || peek() == '"' || peek() == '\\') {
        quoted = true;
      } else {
        end += peek();
      }
      ++at_;
    }
    add(Token::Kind::redirect, "<<");
    tokens_.back().expands = !quoted;
    waiting_.emplace_back(tokens_.size() - 1, end);
  }

  // Takes the texts of the here-documents of the line that has just ended.
  void settle_here() {
    for (const auto& [index, end] : waiting_) {
      std::string content;
      while (at_ < text_.size()) {
        const std::size_t stop = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, stop - at_);
        at_ = std::min(stop + 1, text_.size());
        std::string_view trimmed = line;
        while (!trimmed.empty() && is_blank(trimmed.front()))
          trimmed.remove_prefix(1);
        while (!trimmed.empty() && is_blank(trimmed.back()))
          trimmed.remove_suffix(1);
        if (trimmed == end) break;
        content += std::string(line) + "\n";
      }
      tokens_[index].here = std::move(content);
    }
    waiting_.clear();
  }

  void word() {
    const std::size_t start = at_;
    Token token;
    token.kind = Token::Kind::word;
    while (at_ < text_.size() && take_piece(token)) {
    }
    if (at_ == start) ++at_;
    // The longest stretch that stands in the file as it stands here.
    std::string_view written = text_.substr(start, at_ - start);
    written = written.substr(0, written.find_first_of("\n\\"));
    token.where = places_.at(written.substr(0, 80));
    tokens_.push_back(std::move(token));
  }

  static void put(Token& token, Quote quote, std::string text) {
    if (!token.pieces.empty() && token.pieces.back().quote == quote) {
      token.pieces.back().text += text;
    } else {
      token.pieces.push_back({std::move(text), quote});
    }
  }

  // One more piece of the word; false at its end.
  bool take_piece(Token& token) {
    const char letter = peek();
    if (is_blank(letter) || letter == '\n' || letter == ';' || letter == '|' || letter == '&' ||
        letter == '<' || letter == '>' || letter == ')') {
      return false;
    }
    if (letter == '(') {
      // `NAME=(` and `name()` end the word in front of the bracket.
      return false;
    }
    if (letter == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      const std::size_t stop = std::min(end, text_.size());
      put(token, Quote::single, std::string(text_.substr(at_ + 1, stop - at_ - 1)));
      at_ = std::min(stop + 1, text_.size());
      return true;
    }
    if (letter == '"') {
      double_quotes(token);
      return true;
    }
    if (letter == '\\') {
      if (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')) {
        at_ += peek(1) == '\n' ? 2u : 3u;
        return true;
      }
      put(token, Quote::single, std::string(1, peek(1)));
      at_ = std::min(at_ + 2, text_.size());
      return true;
    }
    if (letter == '$' || letter == '`') {
      put(token, Quote::none, expansion());
      return true;
    }
    put(token, Quote::none, std::string(1, letter));
    ++at_;
    return true;
  }

  void double_quotes(Token& token) {
    ++at_;
    std::string text;
    while (at_ < text_.size() && peek() != '"') {
      if (peek() == '\\' && (peek(1) == '"' || peek(1) == '\\' || peek(1) == '`')) {
        text += peek(1);
        at_ += 2;
      } else if (peek() == '\\' && peek(1) == '\n') {
        at_ += 2;
      } else if (peek() == '\\' && peek(1) == '$') {
        put(token, Quote::double_quotes, std::move(text));
        put(token, Quote::single, "$");
        text.clear();
        at_ += 2;
      } else if (peek() == '$' || peek() == '`') {
        text += expansion();
      } else {
        text += peek();
        ++at_;
      }
    }
    if (at_ < text_.size()) ++at_;
    put(token, Quote::double_quotes, std::move(text));
  }

  // `$NAME`, `${…}`, `$(…)` as written; brackets inside count.
  std::string expansion() {
    const std::size_t start = at_;
    const char letter = peek();
    ++at_;
    if (letter == '`') {
      at_ = std::min(text_.find('`', at_), text_.size());
      at_ = std::min(at_ + 1, text_.size());
    } else if (peek() == '(' || peek() == '{') {
      const char open = peek();
      const char close = open == '(' ? ')' : '}';
      std::size_t depth = 0;
      for (; at_ < text_.size(); ++at_) {
        if (peek() == '\\') {
          ++at_;
        } else if (peek() == '\'' && open == '(') {
          at_ = std::min(text_.find('\'', at_ + 1), text_.size());
        } else if (peek() == open) {
          ++depth;
        } else if (peek() == close && --depth == 0) {
          break;
        }
      }
      at_ = std::min(at_ + 1, text_.size());
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  ScalarPlaces& places_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
  std::vector<std::pair<std::size_t, std::string>> waiting_;  // `<<` and its end word
};

}  // namespace

std::vector<Token> shell_tokens(std::string_view text, ScalarPlaces& places) {
  return Lexer(text, places).tokens();
}

}  // namespace ullage::plan

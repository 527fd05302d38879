// Text to words, words to lines.
#include "report/wrap.hpp"

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "report/characters.hpp"

namespace ullage::report {
namespace {

// A stretch of one role within a word, in the characters of the text that it was cut from.
struct Piece {
  std::string_view bytes;
  Role role = Role::plain;
};

// What is never broken: pieces that follow one another.
struct Word {
  std::size_t first_piece = 0;
  std::size_t pieces = 0;
  std::size_t width = 0;
  bool space_before = false;
};

bool is_printable_ascii(std::string_view text) {
  for (const char character : text) {
    if (character < ' ' || character > '~') return false;
  }
  return true;
}

// The text where it is a single run of printable ASCII that its layout leaves as it is: no space at
// either end, none beside another. Most cells are.
std::optional<std::string_view> unchanged(const Text& text) {
  if (text.runs().size() != 1) return std::nullopt;
  const std::string_view bytes = text.runs().front().text;
  if (bytes.front() == ' ' || bytes.back() == ' ' || !is_printable_ascii(bytes) ||
      bytes.find("  ") != std::string_view::npos) {
    return std::nullopt;
  }
  return bytes;
}

// Cuts text into words. Their bytes stand in the text or in `cleaned_`, so that no word is copied
// before it is laid out: notes are long, and laying them out is most of what rendering costs.
class Words {
 public:
  void add(const Run& run) {
    const std::string_view text =
        is_printable_ascii(run.text) ? run.text : cleaned_.emplace_back(one_line(run.text));
    for (std::size_t at = 0; at < text.size();) {
      // Most text is ASCII: a stretch without spaces is one step.
      const std::size_t end = end_of_ascii(text, at);
      if (end > at) {
        add_stretch(text.substr(at, end - at), end - at, false, run.role);
        at = end;
        continue;
      }
      const base::Utf8Character character = base::utf8_character(text, at);
      add_character(text.substr(at, character.length), character.code_point, run.role);
      at += character.length;
    }
  }

  const std::vector<Word>& words() const { return words_; }
  const Piece* pieces_of(const Word& word) const { return pieces_.data() + word.first_piece; }

 private:
  void add_character(std::string_view bytes, std::uint32_t code_point, Role role) {
    if (code_point == ' ') {
      space_ = true;
      return;
    }
    const std::size_t width = column_width(code_point);
    add_stretch(bytes, width, width == 2, role);
  }

  static std::size_t end_of_ascii(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] > ' ' && text[at] < '\x7f')
      ++at;
    return at;
  }

  void add_stretch(std::string_view bytes, std::size_t width, bool is_wide, Role role) {
    if (words_.empty() || space_ || ((is_wide || after_wide_) && width != 0)) {
      words_.push_back({.first_piece = pieces_.size(),
                        .pieces = 0,
                        .width = 0,
                        .space_before = space_ && !words_.empty()});
    }
    space_ = false;
    if (width != 0) after_wide_ = is_wide;
    Word& word = words_.back();
    pieces_.push_back({bytes, role});
    ++word.pieces;
    word.width += width;
  }

  std::deque<std::string> cleaned_;  // a deque, so that views into it stay
  std::vector<Piece> pieces_;
  std::vector<Word> words_;
  bool space_ = false;
  bool after_wide_ = false;
};

void append(StyledLine& line, std::string_view bytes, Role role) {
  if (line.runs.empty() || line.runs.back().role != role) line.runs.push_back({"", role});
  line.runs.back().text += bytes;
}

void append(StyledLine& line, const Word& word, const Piece* pieces) {
  if (word.space_before && line.width > 0) {
    // Between two roles the space is plain, so that no underline runs into it.
    const bool is_inside = line.runs.back().role == pieces->role;
    append(line, " ", is_inside ? pieces->role : Role::plain);
    ++line.width;
  }
  for (std::size_t i = 0; i < word.pieces; ++i)
    append(line, pieces[i].bytes, pieces[i].role);
  line.width += word.width;
}

}  // namespace

std::vector<StyledLine> wrap(const Text& text, std::size_t width) {
  if (const auto bytes = unchanged(text); bytes && (width == 0 || bytes->size() <= width)) {
    return {{.runs = text.runs(), .width = bytes->size()}};
  }
  Words words;
  for (const Run& run : text.runs())
    words.add(run);
  std::vector<StyledLine> lines(1);
  for (const Word& word : words.words()) {
    const std::size_t space = word.space_before && lines.back().width > 0 ? 1 : 0;
    const bool fits = width == 0 || lines.back().width + space + word.width <= width;
    if (!fits && lines.back().width > 0) lines.emplace_back();
    append(lines.back(), word, words.pieces_of(word));
  }
  return lines;
}

std::size_t one_line_width(const Text& text) {
  if (const auto bytes = unchanged(text)) return bytes->size();
  return wrap(text, 0).front().width;
}

}  // namespace ullage::report

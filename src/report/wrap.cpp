// Text to words, words to lines.
#include "report/wrap.hpp"

#include "base/utf8.hpp"
#include "report/characters.hpp"

namespace ullage::report {
namespace {

// What is never broken. A word may hold stretches of several roles.
struct Word {
  std::vector<Run> runs;
  std::size_t width = 0;
  bool space_before = false;
};

class Words {
 public:
  void add(const Run& run) {
    const std::string text = one_line(run.text);
    for (std::size_t at = 0; at < text.size();) {
      // Most text is ASCII: a stretch without spaces is one step.
      const std::size_t end = end_of_ascii(text, at);
      if (end > at) {
        add_stretch(std::string_view(text).substr(at, end - at), end - at, false, run.role);
        at = end;
        continue;
      }
      const base::Utf8Character character = base::utf8_character(text, at);
      add_character(std::string_view(text).substr(at, character.length), character.code_point,
                    run.role);
      at += character.length;
    }
  }

  std::vector<Word> take() { return std::move(words_); }

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
      words_.push_back({.runs = {}, .width = 0, .space_before = space_ && !words_.empty()});
    }
    space_ = false;
    if (width != 0) after_wide_ = is_wide;
    Word& word = words_.back();
    if (word.runs.empty() || word.runs.back().role != role) word.runs.push_back({"", role});
    word.runs.back().text += bytes;
    word.width += width;
  }

  std::vector<Word> words_;
  bool space_ = false;
  bool after_wide_ = false;
};

void append(StyledLine& line, const Run& run) {
  if (!line.runs.empty() && line.runs.back().role == run.role) {
    line.runs.back().text += run.text;
  } else {
    line.runs.push_back(run);
  }
}

void append(StyledLine& line, const Word& word) {
  if (word.space_before && line.width > 0) {
    // Between two roles the space is plain, so that no underline runs into it.
    const bool is_inside = line.runs.back().role == word.runs.front().role;
    append(line, Run{" ", is_inside ? word.runs.front().role : Role::plain});
    ++line.width;
  }
  for (const Run& run : word.runs)
    append(line, run);
  line.width += word.width;
}

}  // namespace

std::vector<StyledLine> wrap(const Text& text, std::size_t width) {
  Words words;
  for (const Run& run : text.runs())
    words.add(run);
  std::vector<StyledLine> lines(1);
  for (const Word& word : words.take()) {
    const std::size_t space = word.space_before && lines.back().width > 0 ? 1 : 0;
    const bool fits = width == 0 || lines.back().width + space + word.width <= width;
    if (!fits && lines.back().width > 0) lines.emplace_back();
    append(lines.back(), word);
  }
  return lines;
}

}  // namespace ullage::report

// The text of a JSON file as its parser sees it, with the current offset known.
//
// The parser would turn numbers into floating point: 1e400 would fail and 2^64 lose digits. So
// every number of two or more characters (one digit is harmless), and the tokens NaN, Infinity and
// -Infinity that JSON does not know, are shown to it as a string of the same length. The reader
// takes their text from the original.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace ullage::document {

class JsonFeed {
 public:
  explicit JsonFeed(std::string_view text) : text_(text) { look(); }

  bool at_end() const { return offset_ == text_.size(); }
  std::size_t offset() const { return offset_; }
  // The byte that the parser is shown; not at the end.
  char current() const {
    if (offset_ >= stand_in_end_) return text_[offset_];
    return offset_ == stand_in_begin_ || offset_ + 1 == stand_in_end_ ? '"' : '0';
  }
  void advance() {
    if (offset_ >= stand_in_end_) pass(text_[offset_]);
    ++offset_;
    if (!in_string_ && offset_ >= stand_in_end_) look();
  }

  // The text of the number that starts at `start`, where the parser saw a string or a number.
  std::string_view number_at(std::size_t start) const;

 private:
  // Follows the quotes of the text itself.
  void pass(char letter) {
    if (!in_string_) {
      in_string_ = letter == '"';
    } else if (escaped_) {
      escaped_ = false;
    } else if (letter == '\\') {
      escaped_ = true;
    } else if (letter == '"') {
      in_string_ = false;
    }
  }
  // Finds out whether a number starts here.
  void look();

  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t stand_in_begin_ = 0;  // the number that is shown as a string
  std::size_t stand_in_end_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

// The feed as the input iterator that the parser wants; the default one is the end.
class JsonIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  JsonIterator() = default;
  explicit JsonIterator(JsonFeed& feed) : feed_(&feed) {}

  char operator*() const { return feed_->current(); }
  JsonIterator& operator++() {
    feed_->advance();
    return *this;
  }
  void operator++(int) { feed_->advance(); }
  bool operator==(const JsonIterator& other) const { return ended() == other.ended(); }

 private:
  bool ended() const { return feed_ == nullptr || feed_->at_end(); }

  JsonFeed* feed_ = nullptr;
};

}  // namespace ullage::document

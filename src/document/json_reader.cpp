// JSON by nlohmann's event parser: it checks the grammar and decodes strings; the tree, its places
// and the text of its numbers are ours.
#include <nlohmann/json.hpp>

#include "document/json_fault.hpp"
#include "document/json_feed.hpp"
#include "document/read.hpp"
#include "document/tree_builder.hpp"

namespace ullage::document {
namespace {

using nlohmann::json;

// Receives the parser's events. Each comes when the parser has read the token that causes it, and
// for a number one character more; so a token starts behind the white space, comma and colon that
// follow the token before.
class Handler {
 public:
  Handler(std::string_view text, const JsonFeed& feed, TreeBuilder& tree)
      : text_(text), feed_(feed), tree_(tree), places_(text), end_(byte_order_mark(text)) {}

  bool null() { return after(tree_.scalar(Type::null, {}, start(4))); }
  bool boolean(bool truth) { return after(tree_.boolean(truth, start(truth ? 4 : 5))); }
  bool number_integer(json::number_integer_t) { return number(feed_.number_at(next_token())); }
  bool number_unsigned(json::number_unsigned_t) { return number(feed_.number_at(next_token())); }
  bool number_float(json::number_float_t, const std::string&) {
    return number(feed_.number_at(next_token()));
  }
  bool string(std::string& characters) {
    const std::size_t at = next_token();
    if (text_[at] != '"') return number(feed_.number_at(at));
    return after(tree_.scalar(Type::string, std::move(characters), start(feed_.offset() - at)));
  }
  bool start_object(std::size_t) { return open(Type::object, JsonSpot::object_opened); }
  bool start_array(std::size_t) { return open(Type::array, JsonSpot::array_opened); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    const std::size_t at = next_token();
    if (text_[at] != '"') {
      return tree_.refuse(base::Code::syntax, "a number cannot be a key", places_.at(at),
                          "a key needs double quotes");
    }
    spot_ = JsonSpot::key;
    return tree_.key(std::move(name), start(feed_.offset() - at));
  }
  bool binary(json::binary_t&) { return false; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) { return false; }

  JsonSpot spot() const { return spot_; }
  // Where the last good token ends.
  std::size_t end() const { return end_; }

 private:
  std::size_t next_token() const { return text_.find_first_not_of(" \t\r\n,:", end_); }

  // The place of the next token, which has `length` bytes and now counts as read.
  Place start(std::size_t length) {
    const std::size_t at = next_token();
    end_ = at + length;
    return places_.at(at);
  }

  bool number(std::string_view digits) {
    return after(tree_.scalar(Type::number, std::string(digits), start(digits.size())));
  }

  bool open(Type type, JsonSpot spot) {
    spot_ = spot;
    return tree_.open(type, start(1));
  }

  bool close() {
    start(1);
    return after(tree_.close());
  }

  bool after(bool taken) {
    const std::optional<Type> container = tree_.container();
    spot_ = !container                  ? JsonSpot::whole
            : container == Type::object ? JsonSpot::object_value
                                        : JsonSpot::array_value;
    return taken;
  }

  std::string_view text_;
  const JsonFeed& feed_;
  TreeBuilder& tree_;
  Places places_;
  std::size_t end_;
  JsonSpot spot_ = JsonSpot::start;
};

}  // namespace

base::Result<Document> read_json(std::string_view text, std::string file, const Limits& limits) {
  if (auto refusal = refuse_length(text, file, limits)) return *std::move(refusal);
  TreeBuilder tree(file, limits, RepeatedKey::once_if_equal);
  JsonFeed feed(text);
  Handler handler(text, feed, tree);
  bool accepted = false;
  try {
    accepted = json::sax_parse(JsonIterator(feed), JsonIterator(), &handler);
  } catch (const json::exception&) {
    accepted = false;  // explained below like every other fault of the text
  }
  if (tree.fault()) return *tree.fault();
  // A NUL byte ends the text for the parser; for us it is a byte that may not stand there.
  if (!accepted || skip_json_space(text, handler.end()) != text.size()) {
    return explain_json_fault(text, file, handler.spot(), handler.end());
  }
  return std::move(tree).finish();
}

}  // namespace ullage::document

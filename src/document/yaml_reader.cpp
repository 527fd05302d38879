// YAML by yaml-cpp's event parser: it knows indentation, quoting and folding; the tree, the types
// of plain scalars and what is refused are ours.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "document/number_text.hpp"
#include "document/read.hpp"
#include "document/tree_builder.hpp"
#include "document/yaml_text.hpp"

namespace ullage::document {
namespace {

using base::Code;
using base::Diagnostic;

// Leaves the parser from inside an event; the tree holds the reason.
struct Refused {};

Place place_of(const YAML::Mark& mark) {
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

struct Wording {
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view kIndentHint =
    "entries of one mapping or list start in the same column; put text with ': ' in it in quotes";
constexpr std::string_view kEscapeHint = "write a backslash itself as \\\\, or use single quotes";
constexpr Wording kTab{"a tab indents this line", "YAML indents with spaces only"};
constexpr Wording kAnchor{
    "anchors and aliases are not accepted here",
    "write the content out, or put text that starts with '&' or '*' in quotes"};
constexpr Wording kTag{"tags are not accepted here", "put text that starts with '!' in quotes"};
constexpr Wording kVersion{"this YAML version is not accepted", "remove the %YAML line"};

// The parser's marks at the end of a text may lie behind it, or be empty.
std::size_t offset_in(std::string_view text, const YAML::Mark& mark) {
  return mark.pos < 0 ? text.size() : std::min(static_cast<std::size_t>(mark.pos), text.size());
}

// Whose text it is: ours, with what a catalogue may hold, or anybody's.
enum class Dialect : std::uint8_t { own, foreign };

// Receives the parser's events.
class Handler final : public YAML::EventHandler {
 public:
  // `text` must be free of a byte order mark, so that the parser's offsets are ours.
  Handler(std::string_view text, TreeBuilder& tree, Dialect dialect)
      : text_(text), tree_(tree), dialect_(dialect) {}

  bool has_document() const { return has_document_; }
  // Whether the tree's fault stands although the parser was let go on behind it.
  bool is_unread() const { return unread_; }

  // Always leaves at a second document: on some broken texts the parser reports one after the
  // other without end.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (unread_) throw Refused{};
    if (has_document_) refuse_rest(mark);
    has_document_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (unread_ || key_depth_ > 0) return;
    refuse_properties(mark, anchor);
    const bool is_written = is_written_null(text_, offset_of(mark));
    if (tree_.wants_key()) {
      if (is_written) refuse({"null cannot be a key", "put it in quotes"}, mark);
      refuse({"a key is missing here", "write the key before its ':', or remove a comma"}, mark);
    }
    if (is_written) {
      refuse_tab(mark);
      take(tree_.scalar(Type::null, {}, place_of(mark)));
      keep(anchor);
      return;
    }
    // A null that is left out has no character of its own: it stands where its key or its array
    // stands.
    const bool in_array = !open_.empty() && tree_.container() == Type::array;
    if (in_array && open_.back().is_flow) {
      refuse({"an entry is missing here", "remove one of the commas"}, mark);
    }
    const Place implied = open_.empty() ? place_of(mark) : in_array ? open_.back().place : key_;
    take(tree_.scalar(Type::null, {}, implied));
    keep(anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (unread_ || key_depth_ > 0) return;
    if (dialect_ == Dialect::own) refuse(kAnchor, mark);
    if (tree_.wants_key()) refuse({"an alias cannot be a key", "write the key out"}, mark);
    const auto known = anchored_.find(anchor);
    if (known == anchored_.end()) {
      refuse({"this alias stands inside its own anchor", "write the content out"}, mark);
    }
    take(tree_.graft(known->second, place_of(mark)));
  }

  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& characters) override {
    if (unread_ || key_depth_ > 0) return;
    refuse_properties(mark, anchor);
    refuse_tab(mark);
    const std::size_t start = offset_of(mark);
    const char first = start < text_.size() ? text_[start] : ' ';
    const bool is_quoted = first == '"' || first == '\'';
    const bool is_block = first == '|' || first == '>';
    if (is_quoted && quoted_end(text_, start) == std::string_view::npos) refuse_open_quote(mark);
    if (tree_.wants_key()) {
      if (characters == "<<" && !is_quoted && dialect_ == Dialect::own) {
        refuse({"merge keys are not accepted here", "write the merged keys out"}, mark);
      }
      key_ = place_of(mark);
      take(tree_.key(characters, key_));
    } else if (is_quoted || is_block) {
      take(tree_.scalar(Type::string, characters, place_of(mark)));
      keep(anchor);
    } else {
      plain(characters, place_of(mark));
      keep(anchor);
    }
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(Type::array, mark, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(Type::object, mark, anchor, style);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Place place;
    bool is_flow;
    YAML::anchor_t anchor;
  };

  std::size_t offset_of(const YAML::Mark& mark) const { return offset_in(text_, mark); }

  void take(bool taken) const {
    if (!taken) throw Refused{};
  }

  [[noreturn]] void refuse(const Wording& wording, const YAML::Mark& mark) {
    tree_.refuse(Code::syntax, std::string(wording.message), place_of(mark),
                 std::string(wording.hint));
    throw Refused{};
  }

  // The parser's mark of a node stands on its anchor or tag where it has one.
  void refuse_properties(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (dialect_ == Dialect::foreign) return;
    const std::size_t start = offset_of(mark);
    const char first = start < text_.size() ? text_[start] : ' ';
    if (anchor != YAML::NullAnchor || first == '&') refuse(kAnchor, mark);
    if (first == '!') {
      refuse(kTag, mark);
    }
  }

  // Inside brackets, indentation means nothing and tabs are white space like any other.
  void refuse_tab(const YAML::Mark& mark) {
    const bool in_flow = !open_.empty() && open_.back().is_flow;
    if (in_flow || !is_indented_by_tab(text_, offset_of(mark))) return;
    refuse(kTab, mark);
  }

  [[noreturn]] void refuse_rest(const YAML::Mark& mark) {
    if (text_.substr(offset_of(mark)).starts_with("---")) {
      refuse({"a second document starts here", "one file holds one document"}, mark);
    }
    refuse({"the document has ended before this", "indent it like the entries that it belongs to"},
           mark);
  }

  // The parser takes the end of the text for the closing quote.
  [[noreturn]] void refuse_open_quote(const YAML::Mark& mark) {
    tree_.refuse(Code::syntax,
                 "the text ends inside the string that starts at line " +
                     std::to_string(mark.line + 1) + ", column " + std::to_string(mark.column + 1),
                 Places(text_).at(text_.size()), "a closing quote is missing");
    throw Refused{};
  }

  void plain(const std::string& characters, Place place) {
    if (characters == "true" || characters == "false") {
      take(tree_.boolean(characters == "true", place));
      return;
    }
    if (dialect_ == Dialect::foreign && (characters == "True" || characters == "False")) {
      take(tree_.boolean(characters == "True", place));
      return;
    }
    const bool is_number = number_length(characters) == characters.size();
    take(tree_.scalar(is_number ? Type::number : Type::string, characters, place));
  }

  void open(Type type, const YAML::Mark& mark, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    if (unread_) return;
    if (key_depth_ > 0) {
      ++key_depth_;
      return;
    }
    refuse_properties(mark, anchor);
    refuse_tab(mark);
    if (tree_.wants_key() && dialect_ == Dialect::foreign && style == YAML::EmitterStyle::Flow) {
      bracket_key(mark);
      return;
    }
    if (tree_.wants_key()) {
      // A bracket that is never closed looks like the start of a key to the parser, so the rest is
      // left to it: only if it finds no fault, this one is it.
      tree_.refuse(Code::syntax, "a key must be a word, not an array or an object", place_of(mark),
                   "write it as text in quotes");
      unread_ = true;
      return;
    }
    take(tree_.open(type, place_of(mark)));
    open_.push_back({place_of(mark), style == YAML::EmitterStyle::Flow, anchor});
  }

  // A bracket in the place of a key is the text up to its closing one; the events inside it pass.
  void bracket_key(const YAML::Mark& mark) {
    const std::size_t start = offset_of(mark);
    std::size_t depth = 0;
    std::size_t end = start;
    for (; end < text_.size() && text_[end] != '\n'; ++end) {
      if (text_[end] == '{' || text_[end] == '[') ++depth;
      if ((text_[end] == '}' || text_[end] == ']') && --depth == 0) break;
    }
    key_ = place_of(mark);
    take(tree_.key(std::string(text_.substr(start, end - start + 1)), key_));
    key_depth_ = 1;
  }

  void close() {
    if (unread_) return;
    if (key_depth_ > 0) {
      --key_depth_;
      return;
    }
    const YAML::anchor_t anchor = open_.back().anchor;
    open_.pop_back();
    take(tree_.close());
    keep(anchor);
  }

  // Remembers what an anchor stands on.
  void keep(YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchored_[anchor] = tree_.finished();
  }

  std::string_view text_;
  TreeBuilder& tree_;
  Dialect dialect_;
  std::map<YAML::anchor_t, Value> anchored_;
  std::size_t key_depth_ = 0;  // brackets open inside one that stands as a key
  std::vector<Open> open_;
  Place key_;
  bool has_document_ = false;
  bool unread_ = false;
};

struct Translation {
  std::string_view theirs;  // how the parser's message starts
  Wording ours;
};

namespace theirs = YAML::ErrorMsg;

const std::array kTranslations{
    Translation{
        theirs::END_OF_MAP_FLOW,
        {"expected ',' or '}' after the entry of '{'", "a comma or the closing '}' is missing"}},
    Translation{
        theirs::END_OF_SEQ_FLOW,
        {"expected ',' or ']' after the entry of '['", "a comma or the closing ']' is missing"}},
    Translation{theirs::END_OF_MAP, {"expected the next key of the mapping", kIndentHint}},
    Translation{theirs::END_OF_SEQ, {"expected the next '- ' of the list", kIndentHint}},
    Translation{theirs::MAP_VALUE, {"a ':' cannot stand here", kIndentHint}},
    Translation{theirs::MAP_KEY, {"a key cannot stand here", kIndentHint}},
    Translation{theirs::BLOCK_ENTRY, {"a '- ' cannot stand here", kIndentHint}},
    Translation{theirs::FLOW_END,
                {"a closing bracket stands here without its opening one",
                 "remove it, or put text that holds it in quotes"}},
    Translation{theirs::UNKNOWN_TOKEN,
                {"plain text cannot start with this character", "put the text in quotes"}},
    Translation{theirs::EOF_IN_SCALAR,
                {"the text ends inside a quoted string", "a closing quote is missing"}},
    Translation{theirs::DOC_IN_SCALAR,
                {"a document marker stands inside a string",
                 "indent the line, or close the quote before it"}},
    Translation{theirs::CHAR_IN_SCALAR,
                {"this character cannot stand in plain text", "put the text in quotes"}},
    Translation{theirs::INVALID_ESCAPE, {"the string holds an unknown escape", kEscapeHint}},
    Translation{theirs::INVALID_HEX,
                {"the string holds an escape without its hexadecimal digits", kEscapeHint}},
    Translation{theirs::INVALID_UNICODE,
                {"the string escapes a code point that is no character",
                 "write a character beyond U+FFFF as \\U and eight hexadecimal digits"}},
    Translation{theirs::CHAR_IN_BLOCK,
                {"a block of text cannot start so",
                 "only '+', '-', a digit or a comment may follow '|' or '>'"}},
    Translation{theirs::ZERO_INDENT_IN_BLOCK,
                {"a block of text cannot be indented by 0",
                 "write no digit behind '|' or '>', or a digit from 1"}},
    Translation{theirs::TAB_IN_INDENTATION, kTab},
    Translation{theirs::UNKNOWN_ANCHOR, kAnchor},
    Translation{theirs::MULTIPLE_ANCHORS, kAnchor},
    Translation{theirs::ALIAS_CONTENT, kAnchor},
    Translation{theirs::ALIAS_NOT_FOUND, kAnchor},
    Translation{theirs::ANCHOR_NOT_FOUND, kAnchor},
    Translation{theirs::CHAR_IN_ALIAS, kAnchor},
    Translation{theirs::CHAR_IN_ANCHOR, kAnchor},
    Translation{theirs::MULTIPLE_TAGS, kTag},
    Translation{theirs::TAG_WITH_NO_SUFFIX, kTag},
    Translation{theirs::CHAR_IN_TAG_HANDLE, kTag},
    Translation{theirs::END_OF_VERBATIM_TAG, kTag},
    Translation{theirs::YAML_MAJOR_VERSION, kVersion},
    Translation{theirs::YAML_VERSION, kVersion},
    Translation{theirs::YAML_DIRECTIVE_ARGS, kVersion},
    Translation{theirs::REPEATED_YAML_DIRECTIVE,
                {"the YAML version is stated twice", "remove one of the %YAML lines"}},
    Translation{theirs::BAD_FILE,
                {"too many lists and mappings are nested in each other here",
                 "check that this is the intended file"}},
};

// The parser's fault in our words. Its offset is right where its line and column are not.
Diagnostic reword(const YAML::Exception& fault, std::string_view text, const std::string& file) {
  const std::size_t at = offset_in(text, fault.mark);
  Wording wording{fault.msg, "check the text against YAML 1.2"};
  for (const Translation& candidate : kTranslations) {
    if (std::string_view(fault.msg).starts_with(candidate.theirs)) {
      wording = candidate.ours;
      break;
    }
  }
  if (is_indented_by_tab(text, at)) wording = kTab;
  const bool is_cut = at >= text.size() && wording.message.starts_with("expected");
  const Place place = Places(text).at(at);
  return {.code = Code::syntax,
          .message = (is_cut ? "the text ends too soon: " : "") + std::string(wording.message),
          .span = {file, place.line, place.column},
          .hint = std::string(wording.hint)};
}

base::Result<Document> read_one(std::string_view text, const std::string& file,
                                const Limits& limits, Dialect dialect) {
  if (auto refusal = refuse_yaml_text(text, file)) return *std::move(refusal);
  text.remove_prefix(byte_order_mark(text));
  TreeBuilder tree(file, limits, RepeatedKey::refused);
  Handler handler(text, tree, dialect);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(handler)) {
    }
  } catch (const Refused&) {
    return *tree.fault();
  } catch (const YAML::Exception& fault) {
    return reword(fault, text, file);
  }
  if (handler.is_unread()) return *tree.fault();
  if (handler.has_document()) return std::move(tree).finish();
  const bool is_blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  return Diagnostic{.code = Code::syntax,
                    .message = is_blank ? "the text is empty" : "the text holds comments only",
                    .span = {file, 1, 1},
                    .hint = "it should hold YAML"};
}

// Puts what `<<` names into the mappings that hold it; their own keys win, earlier ones before
// later ones. Places are moved down by `lines`.
void settle(Value& value, std::uint32_t lines) {
  value.line += lines;
  for (Value& item : value.items)
    settle(item, lines);
  for (Member& member : value.members) {
    member.line += lines;
    settle(member.value, lines);
  }
  if (value.type != Type::object || value.find("<<") == nullptr) return;
  std::vector<Member> members;
  std::vector<Member> merged;
  for (Member& member : value.members) {
    if (member.key != "<<") {
      members.push_back(std::move(member));
    } else if (member.value.type == Type::array) {
      for (Value& item : member.value.items)
        std::move(item.members.begin(), item.members.end(), std::back_inserter(merged));
    } else {
      std::move(member.value.members.begin(), member.value.members.end(),
                std::back_inserter(merged));
    }
  }
  value.members = std::move(members);
  for (Member& member : merged) {
    if (value.find(member.key) == nullptr) value.members.push_back(std::move(member));
  }
}

// The pieces between `---` lines with the number of lines before each: such a line ends whatever
// stands before it, a block of text too.
std::vector<std::pair<std::string_view, std::uint32_t>> pieces_of(std::string_view text) {
  std::vector<std::pair<std::string_view, std::uint32_t>> pieces;
  std::size_t start = 0;
  std::uint32_t first = 0;
  std::uint32_t line = 0;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view written = text.substr(at, end - at);
    const bool is_marker =
        written.starts_with("---") &&
        (written.size() == 3 || written[3] == ' ' || written[3] == '\r' || written[3] == '\t');
    if (is_marker && at > start) {
      pieces.emplace_back(text.substr(start, at - start), first);
      start = at;
      first = line;
    }
    at = end + 1;
  }
  if (start < text.size()) pieces.emplace_back(text.substr(start), first);
  return pieces;
}

// Whether a piece holds nothing but comments and markers.
bool is_bare(std::string_view piece) {
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t end = std::min(piece.find('\n', at), piece.size());
    std::string_view written = piece.substr(at, end - at);
    if (written.starts_with("---") || written.starts_with("...")) written.remove_prefix(3);
    const std::size_t first = written.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && written[first] != '#') return false;
    at = end + 1;
  }
  return true;
}

}  // namespace

base::Result<Document> read_yaml(std::string_view text, std::string file, const Limits& limits) {
  if (auto refusal = refuse_length(text, file, limits)) return *std::move(refusal);
  return read_one(text, file, limits, Dialect::own);
}

std::vector<base::Result<Document>> read_yaml_documents(std::string_view text,
                                                        const std::string& file,
                                                        const Limits& limits) {
  std::vector<base::Result<Document>> documents;
  if (auto refusal = refuse_length(text, file, limits)) {
    documents.emplace_back(*std::move(refusal));
    return documents;
  }
  text.remove_prefix(byte_order_mark(text));
  for (const auto& [piece, lines] : pieces_of(text)) {
    if (is_bare(piece)) continue;
    base::Result<Document> document = read_one(piece, file, limits, Dialect::foreign);
    if (!document) {
      Diagnostic fault = std::move(document).error();
      if (fault.span.line > 0) fault.span.line += lines;
      documents.emplace_back(std::move(fault));
      continue;
    }
    settle(document->root, lines);
    documents.push_back(std::move(document));
  }
  return documents;
}

}  // namespace ullage::document

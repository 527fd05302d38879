// Trees to compact bytes and back.
#include "document/compact.hpp"

#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include "document/read.hpp"

namespace ullage::document {
namespace {

constexpr std::string_view kMagic("UVT\x01", 4);
constexpr std::size_t kDepth = 256;
constexpr std::uint64_t kSmallestNode = 3;    // type, line, column
constexpr std::uint64_t kSmallestMember = 6;  // key, line, column and a node

enum class Tag : std::uint8_t { null, no, yes, number, string, array, object };

Tag tag_of(const Value& value) {
  switch (value.type) {
    case Type::null:
      return Tag::null;
    case Type::boolean:
      return value.boolean ? Tag::yes : Tag::no;
    case Type::number:
      return Tag::number;
    case Type::string:
      return Tag::string;
    case Type::array:
      return Tag::array;
    case Type::object:
      return Tag::object;
  }
  return Tag::null;
}

void put(std::string& bytes, std::uint64_t number) {
  while (number >= 0x80) {
    bytes += static_cast<char>((number & 0x7F) | 0x80);
    number >>= 7;
  }
  bytes += static_cast<char>(number);
}

class Encoder {
 public:
  void node(const Value& value, std::size_t depth) {
    const Tag tag = tag_of(value);
    nodes_ += static_cast<char>(tag);
    put(nodes_, value.line);
    put(nodes_, value.column);
    if (tag == Tag::number || tag == Tag::string) put(nodes_, index_of(value.text));
    if (tag != Tag::array && tag != Tag::object) return;
    base::require(depth < kDepth, "a tree nested too deep for the compact form");
    put(nodes_, tag == Tag::array ? value.items.size() : value.members.size());
    for (const Value& item : value.items)
      node(item, depth + 1);
    for (const Member& member : value.members) {
      put(nodes_, index_of(member.key));
      put(nodes_, member.line);
      put(nodes_, member.column);
      node(member.value, depth + 1);
    }
  }

  std::string finish() const {
    std::string bytes(kMagic);
    put(bytes, strings_.size());
    for (const std::string_view text : strings_) {
      put(bytes, text.size());
      bytes += text;
    }
    return bytes + nodes_;
  }

 private:
  std::uint64_t index_of(std::string_view text) {
    const auto [entry, is_new] = indices_.emplace(text, strings_.size());
    if (is_new) strings_.push_back(text);
    return entry->second;
  }

  std::string nodes_;
  std::vector<std::string_view> strings_;  // in the order of their first use
  std::unordered_map<std::string_view, std::uint64_t> indices_;
};

// Reads in one pass, at the start of every command: so faults are kept aside and each step only
// says whether it went well. What a count promises is held against the bytes that are left before
// anything is reserved: `nodes_left_` is what they can hold in all, shared by every open container.
class Decoder {
 public:
  Decoder(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  base::Result<Value> file() {
    Value root;
    const bool decoded = magic() && strings() && tree(root);
    if (!decoded) return *std::move(fault_);
    return root;
  }

 private:
  std::size_t remaining() const { return bytes_.size() - at_; }

  bool damaged(const std::string& reason) {
    fault_ = base::Diagnostic{.code = base::Code::syntax,
                              .message = "damaged at byte " + std::to_string(at_) + ": " + reason,
                              .span = {.file = file_},
                              .hint = "build it again from its source"};
    return false;
  }

  bool magic() {
    if (!bytes_.starts_with(kMagic)) {
      return damaged("it does not start as a compact tree of version 1");
    }
    at_ = kMagic.size();
    return true;
  }

  bool number(std::uint64_t& target) {
    if (at_ < bytes_.size() && static_cast<std::uint8_t>(bytes_[at_]) < 0x80) {
      target = static_cast<std::uint8_t>(bytes_[at_++]);
      return true;
    }
    return long_number(target);
  }

  bool long_number(std::uint64_t& target) {
    constexpr unsigned kLongest = 10;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < kLongest && i < remaining(); ++i) {
      const auto byte = static_cast<std::uint8_t>(bytes_[at_ + i]);
      // The tenth byte has room for the 64th bit only.
      if (i == kLongest - 1 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7Fu) << (7 * i);
      if (byte < 0x80) {
        target = value;
        at_ += i + 1;
        return true;
      }
    }
    return damaged("a number that is cut short or does not fit in 64 bits");
  }

  bool place(std::uint32_t& line, std::uint32_t& column) {
    std::uint64_t wide_line = 0;
    std::uint64_t wide_column = 0;
    if (!number(wide_line) || !number(wide_column)) return false;
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();
    if (wide_line > kLargest || wide_column > kLargest) return damaged("a position beyond 2^32");
    line = static_cast<std::uint32_t>(wide_line);
    column = static_cast<std::uint32_t>(wide_column);
    return true;
  }

  bool strings() {
    std::uint64_t count = 0;
    if (!number(count)) return false;
    if (count > remaining()) return damaged("more strings than bytes");
    strings_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t length = 0;
      if (!number(length)) return false;
      if (length > remaining()) return damaged("a string longer than the bytes that are left");
      strings_.push_back(bytes_.substr(at_, length));
      at_ += length;
    }
    return true;
  }

  bool tree(Value& root) {
    nodes_left_ = remaining() / kSmallestNode;
    if (!node(root, 0)) return false;
    return at_ == bytes_.size() || damaged("bytes follow the tree");
  }

  // A string may be used many times; together they are no more than a text that can be read.
  bool text(std::string& target) {
    std::uint64_t index = 0;
    if (!number(index)) return false;
    if (index >= strings_.size()) return damaged("a string that is not in the table");
    const std::string_view found = strings_[index];
    if (found.size() > text_left_) return damaged("more text than a document may hold");
    text_left_ -= found.size();
    target = found;
    return true;
  }

  bool count(std::uint64_t smallest, std::uint64_t& target) {
    if (!number(target)) return false;
    if (target > nodes_left_ || target > remaining() / smallest) {
      return damaged("more values than bytes");
    }
    nodes_left_ -= target;
    return true;
  }

  bool node(Value& value, std::size_t depth) {
    std::uint64_t tag = 0;
    if (!number(tag)) return false;
    if (tag > static_cast<std::uint64_t>(Tag::object)) return damaged("a type that does not exist");
    constexpr std::array kTypes{Type::null,   Type::boolean, Type::boolean, Type::number,
                                Type::string, Type::array,   Type::object};
    value.type = kTypes[tag];
    value.boolean = tag == static_cast<std::uint64_t>(Tag::yes);
    if (!place(value.line, value.column)) return false;
    switch (value.type) {
      case Type::null:
      case Type::boolean:
        return true;
      case Type::number:
      case Type::string:
        return text(value.text);
      case Type::array:
      case Type::object:
        break;
    }
    if (depth >= kDepth) return damaged("containers nested too deep");
    return value.type == Type::array ? items(value, depth) : members(value, depth);
  }

  bool items(Value& value, std::size_t depth) {
    std::uint64_t wanted = 0;
    if (!count(kSmallestNode, wanted)) return false;
    value.items.resize(wanted);
    for (Value& item : value.items) {
      if (!node(item, depth + 1)) return false;
    }
    return true;
  }

  bool members(Value& value, std::size_t depth) {
    std::uint64_t wanted = 0;
    if (!count(kSmallestMember, wanted)) return false;
    value.members.resize(wanted);
    for (Member& member : value.members) {
      const bool decoded =
          text(member.key) && place(member.line, member.column) && node(member.value, depth + 1);
      if (!decoded) return false;
    }
    return true;
  }

  std::string_view bytes_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::vector<std::string_view> strings_;
  std::uint64_t nodes_left_ = 0;
  std::uint64_t text_left_ = Limits{}.bytes;
  std::optional<base::Diagnostic> fault_;
};

}  // namespace

std::string encode(const Value& value) {
  Encoder encoder;
  encoder.node(value, 0);
  return encoder.finish();
}

base::Result<Value> decode(std::string_view bytes, const std::string& file) {
  return Decoder(bytes, file).file();
}

}  // namespace ullage::document

// Trees to compact bytes and back.
#include "document/compact.hpp"

#include <array>
#include <limits>
#include <unordered_map>

#include "base/byte_reader.hpp"
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

// Reads in one pass. What a count promises is held against the bytes that are left before anything
// is reserved: `nodes_left_` is what they can hold in all, shared by every open container.
class Decoder {
 public:
  Decoder(std::string_view bytes, const std::string& file) : reader_(bytes, file), file_(file) {}

  base::Result<Value> file() {
    ULLAGE_TRY(const std::string_view magic, reader_.take(kMagic.size()));
    if (magic != kMagic) return damaged("it does not start as a compact tree of version 1");
    ULLAGE_CHECK(strings());
    nodes_left_ = reader_.remaining() / kSmallestNode;
    Value root;
    ULLAGE_CHECK(node(root, 0));
    if (!reader_.at_end()) return damaged("bytes follow the tree");
    return root;
  }

 private:
  base::Diagnostic damaged(const std::string& reason) const {
    return {.code = base::Code::syntax,
            .message = "damaged at byte " + std::to_string(reader_.offset()) + ": " + reason,
            .span = {.file = file_},
            .hint = "build it again from its source"};
  }

  base::Result<void> strings() {
    ULLAGE_TRY(const std::uint64_t count, reader_.varint());
    if (count > reader_.remaining()) return damaged("more strings than bytes");
    strings_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      ULLAGE_TRY(const std::uint64_t length, reader_.varint());
      ULLAGE_TRY(const std::string_view text, reader_.take(length));
      strings_.push_back(text);
    }
    return {};
  }

  // A string may be used many times; together they are no more than a text that can be read.
  base::Result<void> text(std::string& target) {
    ULLAGE_TRY(const std::uint64_t index, reader_.varint());
    if (index >= strings_.size()) return damaged("a string that is not in the table");
    const std::string_view found = strings_[index];
    if (found.size() > text_left_) return damaged("more text than a document may hold");
    text_left_ -= found.size();
    target = found;
    return {};
  }

  base::Result<void> number32(std::uint32_t& target) {
    ULLAGE_TRY(const std::uint64_t number, reader_.varint());
    if (number > std::numeric_limits<std::uint32_t>::max())
      return damaged("a position beyond 2^32");
    target = static_cast<std::uint32_t>(number);
    return {};
  }

  base::Result<std::uint64_t> count(std::uint64_t smallest) {
    ULLAGE_TRY(const std::uint64_t count, reader_.varint());
    if (count > nodes_left_ || count > reader_.remaining() / smallest) {
      return damaged("more values than bytes");
    }
    nodes_left_ -= count;
    return count;
  }

  base::Result<void> node(Value& value, std::size_t depth) {
    ULLAGE_TRY(const std::uint8_t tag, reader_.u8());
    if (tag > static_cast<std::uint8_t>(Tag::object)) return damaged("a type that does not exist");
    constexpr std::array kTypes{Type::null,   Type::boolean, Type::boolean, Type::number,
                                Type::string, Type::array,   Type::object};
    value.type = kTypes[tag];
    value.boolean = tag == static_cast<std::uint8_t>(Tag::yes);
    ULLAGE_CHECK(number32(value.line));
    ULLAGE_CHECK(number32(value.column));
    if (value.type == Type::number || value.type == Type::string) return text(value.text);
    if (value.type != Type::array && value.type != Type::object) return {};
    if (depth >= kDepth) return damaged("containers nested too deep");
    return value.type == Type::array ? items(value, depth) : members(value, depth);
  }

  base::Result<void> items(Value& value, std::size_t depth) {
    ULLAGE_TRY(const std::uint64_t wanted, count(kSmallestNode));
    value.items.resize(wanted);
    for (Value& item : value.items)
      ULLAGE_CHECK(node(item, depth + 1));
    return {};
  }

  base::Result<void> members(Value& value, std::size_t depth) {
    ULLAGE_TRY(const std::uint64_t wanted, count(kSmallestMember));
    value.members.resize(wanted);
    for (Member& member : value.members) {
      ULLAGE_CHECK(text(member.key));
      ULLAGE_CHECK(number32(member.line));
      ULLAGE_CHECK(number32(member.column));
      ULLAGE_CHECK(node(member.value, depth + 1));
    }
    return {};
  }

  base::ByteReader reader_;
  const std::string& file_;
  std::vector<std::string_view> strings_;
  std::uint64_t nodes_left_ = 0;
  std::uint64_t text_left_ = Limits{}.bytes;
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

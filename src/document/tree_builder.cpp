// Events to tree.
#include "document/tree_builder.hpp"

#include <algorithm>
#include <unordered_map>

namespace ullage::document {
namespace {

// Most objects are small, and for those looking at every pair is faster than hashing.
constexpr std::size_t kSmallObject = 8;

bool is_small_without_repeats(const std::vector<Member>& members) {
  if (members.size() > kSmallObject) return false;
  for (std::size_t i = 1; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members[i].key == members[j].key) return false;
    }
  }
  return true;
}

struct Size {
  std::size_t nodes = 1;
  std::size_t depth = 0;  // containers in each other, the value itself among them
};

Size size_of(const Value& value) {
  Size size;
  const auto take = [&size](const Value& inner) {
    const Size one = size_of(inner);
    size.nodes += one.nodes;
    size.depth = std::max(size.depth, one.depth);
  };
  for (const Value& item : value.items)
    take(item);
  for (const Member& member : value.members)
    take(member.value);
  if (value.type == Type::array || value.type == Type::object) ++size.depth;
  return size;
}

}  // namespace

TreeBuilder::TreeBuilder(std::string file, const Limits& limits, RepeatedKey repeated)
    : limits_(limits), repeated_(repeated) {
  document_.file = std::move(file);
}

bool TreeBuilder::scalar(Type type, std::string text, Place place) {
  Value* value = next(type, place);
  if (value == nullptr) return false;
  value->text = std::move(text);
  finished_ = value;
  return true;
}

bool TreeBuilder::boolean(bool truth, Place place) {
  Value* value = next(Type::boolean, place);
  if (value == nullptr) return false;
  value->boolean = truth;
  finished_ = value;
  return true;
}

bool TreeBuilder::open(Type type, Place place) {
  if (open_.size() >= limits_.depth) {
    return refuse(base::Code::syntax,
                  "more than " + std::to_string(limits_.depth) +
                      " arrays and objects are nested in each other here",
                  place, "check that this is the intended file");
  }
  Value* value = next(type, place);
  if (value == nullptr) return false;
  open_.push_back(value);
  return true;
}

bool TreeBuilder::close() {
  base::require(!open_.empty() && !key_pending_, "a container closed that is not open");
  Value& closed = *open_.back();
  open_.pop_back();
  finished_ = &closed;
  return closed.type != Type::object || settle_keys(closed);
}

bool TreeBuilder::graft(const Value& value, Place place) {
  const Size size = size_of(value);
  if (open_.size() + size.depth > limits_.depth) {
    return refuse(base::Code::syntax,
                  "with what this stands for, more than " + std::to_string(limits_.depth) +
                      " arrays and objects are nested in each other",
                  place, "check that this is the intended file");
  }
  if (size.nodes > limits_.nodes - std::min(limits_.nodes, nodes_)) {
    return refuse(base::Code::syntax,
                  "with what this stands for, the text holds more than " +
                      std::to_string(limits_.nodes) + " values",
                  place, "check that this is the intended file");
  }
  Value* slot = next(value.type, place);
  if (slot == nullptr) return false;
  nodes_ += size.nodes - 1;
  *slot = value;
  finished_ = slot;
  return true;
}

bool TreeBuilder::key(std::string name, Place place) {
  base::require(wants_key(), "a key where none may stand");
  open_.back()->members.push_back(
      {.key = std::move(name), .value = {}, .line = place.line, .column = place.column});
  key_pending_ = true;
  return true;
}

bool TreeBuilder::refuse(base::Code code, std::string message, Place place, std::string hint) {
  fault_ = base::Diagnostic{.code = code,
                            .message = std::move(message),
                            .span = {document_.file, place.line, place.column},
                            .hint = std::move(hint)};
  return false;
}

std::optional<Type> TreeBuilder::container() const {
  if (open_.empty()) return std::nullopt;
  return open_.back()->type;
}

bool TreeBuilder::wants_key() const {
  return container() == Type::object && !key_pending_;
}

Document TreeBuilder::finish() && {
  base::require(nodes_ > 0 && open_.empty() && !fault_, "an unfinished tree was taken");
  return std::move(document_);
}

// The slot of the next value: the root, the value of the pending key, or a new item.
Value* TreeBuilder::next(Type type, Place place) {
  base::require(!wants_key(), "a value where a key must stand");
  if (nodes_ >= limits_.nodes) {
    refuse(base::Code::syntax,
           "the text holds more than " + std::to_string(limits_.nodes) + " values", place,
           "check that this is the intended file");
    return nullptr;
  }
  ++nodes_;
  Value* value = &document_.root;
  if (key_pending_) {
    value = &open_.back()->members.back().value;
  } else if (!open_.empty()) {
    value = &open_.back()->items.emplace_back();
  }
  key_pending_ = false;
  value->type = type;
  value->line = place.line;
  value->column = place.column;
  return value;
}

bool TreeBuilder::settle_keys(Value& object) {
  std::vector<Member>& members = object.members;
  if (is_small_without_repeats(members)) return true;
  std::vector<bool> is_repeat(members.size(), false);
  {
    std::unordered_map<std::string_view, std::size_t> first;
    first.reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto [entry, is_new] = first.emplace(members[i].key, i);
      if (is_new) continue;
      if (!settle_repeat(members[entry->second], members[i])) return false;
      is_repeat[i] = true;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (is_repeat[i]) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
  return true;
}

bool TreeBuilder::settle_repeat(const Member& first, const Member& second) {
  const bool equal = same_content(first.value, second.value);
  if (repeated_ == RepeatedKey::once_if_equal && equal) return true;
  return refuse(base::Code::duplicate_key,
                "the key \"" + base::printable(second.key, 80) +
                    "\" is given twice; first on line " + std::to_string(first.line) +
                    (equal ? ", with the same content" : ", with other content"),
                {second.line, second.column}, "remove one of the two");
}

std::optional<base::Diagnostic> refuse_length(std::string_view text, const std::string& file,
                                              const Limits& limits) {
  // Lines and columns have 32 bits, and the YAML parser's offsets 31.
  const std::size_t limit = std::min<std::size_t>(limits.bytes, 0x7FFFFFFF);
  if (text.size() <= limit) return std::nullopt;
  return base::Diagnostic{.code = base::Code::file_unreadable,
                          .message = "the text has " + std::to_string(text.size()) +
                                     " bytes, more than the limit of " + std::to_string(limit),
                          .span = {.file = file},
                          .hint = "check that this is the intended file"};
}

}  // namespace ullage::document

// How the events of a parser become one Document: limits, unique keys and places are kept here,
// the same for every format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/places.hpp"
#include "document/read.hpp"
#include "document/value.hpp"

namespace ullage::document {

// What a key that stands twice in an object means.
enum class RepeatedKey : std::uint8_t {
  once_if_equal,  // kept once where both say the same, else refused
  refused
};

// Takes events in the order of the text. Each returns false on a fault, after which only `fault`
// may be called.
class TreeBuilder {
 public:
  TreeBuilder(std::string file, const Limits& limits, RepeatedKey repeated);

  // A value that holds no others.
  bool scalar(Type type, std::string text, Place place);
  bool boolean(bool truth, Place place);
  // Start and end of an array or an object.
  bool open(Type type, Place place);
  bool close();
  // A copy of a whole value, with the places that it has.
  bool graft(const Value& value, Place place);
  // The value that was finished last; it moves with the next event.
  const Value& finished() const { return *finished_; }
  // A key of the innermost open object.
  bool key(std::string name, Place place);
  // Ends the building with a fault that the reader found.
  bool refuse(base::Code code, std::string message, Place place, std::string hint);

  // The type of the innermost open container, if one is open.
  std::optional<Type> container() const;
  // Whether the next event must be a key or the end of the object.
  bool wants_key() const;

  const std::optional<base::Diagnostic>& fault() const { return fault_; }
  // The finished tree; every container must be closed.
  Document finish() &&;

 private:
  Value* next(Type type, Place place);
  bool settle_keys(Value& object);
  bool settle_repeat(const Member& first, const Member& second);

  Limits limits_;
  RepeatedKey repeated_;
  Document document_;
  // The open containers. A container grows only while nothing inside it is open, so the addresses
  // of the open ones hold.
  std::vector<Value*> open_;
  const Value* finished_ = nullptr;
  bool key_pending_ = false;
  std::size_t nodes_ = 0;
  std::optional<base::Diagnostic> fault_;
};

// Why a text of that length is not read at all, or nothing.
std::optional<base::Diagnostic> refuse_length(std::string_view text, const std::string& file,
                                              const Limits& limits);

}  // namespace ullage::document

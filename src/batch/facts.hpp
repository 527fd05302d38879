// What rows of `fit` have in common, resolved once: a model in a format, a device with its reserve,
// a model's cache. Each is made by the same functions that answer a single question; only their
// values are kept, in tables of bounded size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "batch/number.hpp"
#include "plan/fit.hpp"

namespace ullage::batch {

// A result of a row: it is not there, nobody knows it, or it has a value.
struct Value {
  enum class State : std::uint8_t { absent, unknown, known };
  State state = State::absent;
  Number number;

  static Value of(const Number& number) { return {State::known, number}; }
  bool known() const { return state == State::known; }
};

// `covered` is false where only the exact way can answer: errors, figures that nobody knows and
// that decide, numbers beyond 64 bits.
struct ModelFacts {
  bool covered = false;
  Value parameters, active_parameters, bits, floor, payload;
  Number used;  // what required memory counts: the payload, else the floor
  std::shared_ptr<const catalog::Entry> card;
  bool cache_depends_on_chip = false;  // a statement of the card sets its format
  std::vector<std::string> sources;    // ids, sorted
};

struct DeviceFacts {
  bool covered = false;
  std::string name;  // as answers show it
  const catalog::Entry* chip = nullptr;
  Value capacity, chips;
  Number reserve;
  Number budget;  // capacity × (1 − reserve)
  std::vector<std::string> sources;
};

// Equal layers, as memory::CacheClass has them on one device that holds the whole model.
struct CacheLayers {
  bool recurrent = false;
  bool keeps_tokens = true;
  Number entry;  // bytes of all layers for one entry, or for one sequence
  std::optional<Number> window;
  std::optional<Number> compress;
};

struct CacheFacts {
  bool covered = false;
  Number weights;  // as loaded
  std::vector<CacheLayers> layers;
  std::vector<std::string> sources;
};

// A table that forgets everything when it is full, so that its size is bounded whatever comes.
// What it gives holds until the next `put`.
template <class T>
class Table {
 public:
  explicit Table(std::size_t most) : most_(most) {}

  const T* find(std::string_view key) {
    if (last_ != nullptr && key == last_key_) return last_;
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    last_key_ = found->first;
    last_ = &found->second;
    return last_;
  }
  // Whether the next `put` forgets everything.
  bool full() const { return entries_.size() >= most_; }
  void clear() {
    last_ = nullptr;
    entries_.clear();
  }
  const T* put(std::string_view key, T value) {
    if (full()) clear();
    return &entries_.insert_or_assign(std::string(key), std::move(value)).first->second;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, T, Hash, std::equal_to<>> entries_;
  std::size_t most_;
  std::string_view last_key_;
  const T* last_ = nullptr;
};

// The makers. `request` holds the model, its weights, the device, capacity, reserve and cache
// format of the row, as the command read them.
ModelFacts model_facts(const plan::FitRequest& request, catalog::Catalogue& catalogue,
                       const base::FileSystem& files);
DeviceFacts device_facts(const plan::FitRequest& request, catalog::Catalogue& catalogue);
// `chip` is the device's, `context` any.
CacheFacts cache_facts(const plan::FitRequest& request, const catalog::Entry* chip,
                       catalog::Catalogue& catalogue, const base::FileSystem& files);

// The facts of a literal model from those of another literal with the same weights.
bool literal_facts(std::string_view model, const ModelFacts& other, ModelFacts& facts);

}  // namespace ullage::batch

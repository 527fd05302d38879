// The figures of an entry. Those of the embedded catalogue are decoded one by one, each when it is
// first asked for: most questions need one figure of forty.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provenance/graph.hpp"
#include "provenance/source.hpp"

namespace ullage::catalog {

// One figure of an entry: claims (the pinned one first), or the reason why there is none.
struct FigureFact {
  std::string name;  // `memory_capacity`, `dense_bf16`
  units::Unit unit;
  std::vector<provenance::Claim> claims;
  provenance::Absence absence = provenance::Absence::none;
  std::string unknown;  // where there is no claim: what was looked at
  std::string note;
  base::Span span;

  bool known() const { return !claims.empty(); }
  // Whether a claim disagrees with the pinned one.
  bool conflicted() const;
};

// In the order of the file. A look-up reads one figure, a loop reads them all; pointers hold until
// the list changes. Reading on demand is not safe between threads: `read_all` before sharing.
class FigureList {
 public:
  // Reads the figure at an index of the deferred names.
  using Reader = std::function<FigureFact(std::size_t)>;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = FigureFact;
    using difference_type = std::ptrdiff_t;
    using pointer = const FigureFact*;
    using reference = const FigureFact&;

    Iterator() = default;
    Iterator(const FigureList* list, std::size_t index) : list_(list), index_(index) {}
    reference operator*() const { return (*list_)[index_]; }
    pointer operator->() const { return &(*list_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++index_;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const FigureList* list_ = nullptr;
    std::size_t index_ = 0;
  };

  std::size_t size() const { return slots_.size(); }
  bool empty() const { return slots_.empty(); }
  const FigureFact& operator[](std::size_t index) const;
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, slots_.size()}; }

  // The figure of that name, or nullptr.
  const FigureFact* find(std::string_view name) const;
  // Adds a figure, or replaces the one of its name in its place.
  void set(FigureFact fact);
  // Takes the place of an empty list: these names, which `read` yields. The names and what `read`
  // refers to outlive the list and its copies.
  void defer(const std::vector<std::string_view>& names, Reader read);
  void read_all() const;

 private:
  struct Slot {
    std::string_view deferred_name;  // of a figure that has not been read
    mutable std::optional<FigureFact> fact;
    std::string_view name() const { return fact ? std::string_view(fact->name) : deferred_name; }
  };

  std::optional<std::size_t> index_of(std::string_view name) const;

  std::vector<Slot> slots_;
  Reader read_;
};

}  // namespace ullage::catalog

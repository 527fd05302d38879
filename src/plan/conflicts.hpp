// Conflicts in words, one note for all figures about which the same is said.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/note.hpp"

namespace ullage::plan {

// Collects what is said of the figures of one entry. Figures of which the same is said, such as a
// rate that one cell prints for three precisions, come together.
class Conflicts {
 public:
  explicit Conflicts(std::string id) : id_(std::move(id)) {}

  void add(std::string_view figure, std::string text);

  // Notes `conflict` that begin `ID FIGURE, FIGURE: `, in the order of their first figures.
  std::vector<base::Note> notes() const;

 private:
  struct Said {
    std::string figures;
    std::string text;
  };

  std::string id_;
  std::vector<Said> said_;
};

}  // namespace ullage::plan

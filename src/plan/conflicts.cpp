// Groups figures by what is said of them.
#include "plan/conflicts.hpp"

#include <algorithm>

namespace ullage::plan {

void Conflicts::add(std::string_view figure, std::string text) {
  const auto same =
      std::find_if(said_.begin(), said_.end(), [&](const Said& said) { return said.text == text; });
  if (same != said_.end()) {
    same->figures += ", " + std::string(figure);
  } else {
    said_.push_back({std::string(figure), std::move(text)});
  }
}

std::vector<base::Note> Conflicts::notes() const {
  std::vector<base::Note> notes;
  for (const Said& said : said_) {
    notes.push_back(
        {"conflict", base::Severity::warning, id_ + " " + said.figures + ": " + said.text});
  }
  return notes;
}

}  // namespace ullage::plan

// Derives the natural short forms of ids.
#include "catalog/names.hpp"

#include <algorithm>
#include <array>

#include "base/spelling.hpp"

namespace ullage::catalog {
namespace {

constexpr std::array<std::string_view, 8> kVendors{"nvidia", "aws",   "amd", "google",
                                                   "intel",  "azure", "gcp", "oci"};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += '-';
    text += part;
  }
  return text;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// `80gb`
bool is_capacity(std::string_view part) {
  return part.size() > 2 && part.ends_with("gb") &&
         std::all_of(part.begin(), part.end() - 2, is_digit);
}

// `sxm5` is a generation of `sxm`.
std::string without_generation(const std::string& part) {
  return part.starts_with("sxm") ? "sxm" : part;
}

void add(std::vector<Name>& names, std::string spelled, NameRank rank) {
  std::string folded = fold(spelled);
  const bool known = std::any_of(names.begin(), names.end(),
                                 [&](const Name& name) { return name.folded == folded; });
  if (!folded.empty() && !known) {
    names.push_back({std::move(folded), std::move(spelled), rank});
  }
}

void add_hardware_forms(std::vector<Name>& names, std::string_view own) {
  std::vector<std::string> parts = split(own, '-');
  const bool vendor = std::find(kVendors.begin(), kVendors.end(), parts.front()) != kVendors.end();
  if (vendor && parts.size() > 1) parts.erase(parts.begin());
  std::vector<std::string> plain;
  std::vector<std::string> short_form;
  std::vector<std::string> generation_kept;
  for (const std::string& part : parts) {
    plain.push_back(without_generation(part));
    if (is_capacity(part)) continue;
    short_form.push_back(without_generation(part));
    generation_kept.push_back(part);
  }
  for (const auto& form : {parts, plain, generation_kept, short_form}) {
    add(names, join(form), NameRank::derived);
    if (vendor)
      add(names, std::string(own.substr(0, own.find('-') + 1)) + join(form), NameRank::derived);
  }
  if (!short_form.empty()) add(names, short_form.front(), NameRank::derived);
}

}  // namespace

std::string fold(std::string_view name) {
  std::string folded = base::lower(name);
  for (char& c : folded) {
    if (c == ' ' || c == '_') c = '-';
  }
  return folded;
}

std::vector<Name> names_of(EntryKind kind, std::string_view id,
                           const std::vector<std::string>& aliases) {
  std::vector<Name> names;
  add(names, std::string(id), NameRank::own);
  for (const std::string& alias : aliases)
    add(names, alias, NameRank::own);
  const std::size_t own = names.size();
  for (std::size_t i = 0; i < own; ++i) {
    const std::string folded = names[i].folded;
    if (kind != EntryKind::model) {
      add_hardware_forms(names, folded);
    } else if (const auto slash = folded.find('/'); slash != std::string::npos) {
      const std::string spelled = names[i].spelled;
      add(names, spelled.substr(slash + 1), NameRank::derived);
    }
  }
  return names;
}

bool parts_within(std::string_view word, std::string_view name) {
  const std::vector<std::string> have = split(name, '-');
  for (const std::string& part : split(word, '-')) {
    if (std::find(have.begin(), have.end(), part) == have.end()) return false;
  }
  return true;
}

}  // namespace ullage::catalog

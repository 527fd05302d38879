// How a name that a person types finds its entry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/entry.hpp"

namespace ullage::catalog {

// How much a name is the entry's own: its id or a listed alias, or a form derived from them by
// leaving out the vendor, the generation of a form factor or the capacity. A derived form that fits
// several entries is ambiguous; an own name never is.
enum class NameRank : std::uint8_t { own, derived };

struct Name {
  std::string folded;
  std::string spelled;  // as suggestions show it
  NameRank rank;
};

// Lower case, with blanks and underscores as hyphens: `H100_SXM 80GB` is `h100-sxm-80gb`.
std::string fold(std::string_view name);

// Every name under which an entry is found, without duplicates, own names first.
//   nvidia-h100-sxm5-80gb: itself, its aliases; h100-sxm5-80gb, h100-sxm-80gb, h100-sxm5, h100-sxm,
//   h100 meta-llama/Llama-3.1-8B (alias of a card): itself; llama-3.1-8b
std::vector<Name> names_of(EntryKind kind, std::string_view id,
                           const std::vector<std::string>& aliases);

// Whether every hyphen-separated part of `word` is a part of `name` (both folded): `h100` and
// `h100-80gb` are in `nvidia-h100-pcie-80gb`.
bool parts_within(std::string_view word, std::string_view name);

}  // namespace ullage::catalog

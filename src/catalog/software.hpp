// Look-ups in what software does on a chip.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/entry.hpp"

namespace ullage::catalog {

// The names that `lists:` and `figures:` of a stack may have, and what they mean.
struct SoftwareFactName {
  std::string_view name;
  std::string_view help;
};
const std::vector<SoftwareFactName>& software_list_names();

enum class Support : std::uint8_t { supported, unsupported, unknown };

// What the stack's sources say of a version of it (`2.28`, by number, part by part); of the newest
// one where `version` is empty. Unknown where no source decides.
Support support_of(const Software& software, std::string_view version = {});

// The list of that name that holds where `setting` has `value` (`lnc`, `2`): one that names the
// setting so, else one that does not name it. The first of several, since it is the pinned one;
// nullptr where there is none.
const ListFact* list_of(const Software& software, std::string_view name,
                        std::string_view setting = {}, std::string_view value = {});

// The numbers of a list, such as tensor-parallel degrees, in its order; empty where it is unknown.
std::vector<std::int64_t> numbers_of(const ListFact& fact);

// The figure of that name, or nullptr.
const FigureFact* figure_of(const Software& software, std::string_view name);

// The stacks of a list that `engine` names.
std::vector<const Software*> stacks_of(const std::vector<Software>& software,
                                       std::string_view engine);

// -1, 0 or 1: dotted numbers part by part (`2.9` before `2.28`), a leading `v` left out.
int compare_versions(std::string_view a, std::string_view b);

}  // namespace ullage::catalog

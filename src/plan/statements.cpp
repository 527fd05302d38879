// Families of a chip against those of a statement.
#include "plan/statements.hpp"

#include <algorithm>

namespace ullage::plan {

bool applies(const catalog::Statement& statement, const catalog::Entry& chip) {
  return std::any_of(
      statement.applies_to.begin(), statement.applies_to.end(), [&](const std::string& target) {
        return target == "*" || target == chip.id || target == chip.part_of ||
               std::find(chip.families.begin(), chip.families.end(), target) != chip.families.end();
      });
}

}  // namespace ullage::plan

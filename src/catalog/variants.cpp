// Copies what two cards share.
#include "catalog/variants.hpp"

#include <algorithm>
#include <array>

namespace ullage::catalog {
namespace {

constexpr std::array<std::string_view, 5> kOfCheckpoint{"checkpoint_bytes", "minimum_memory",
                                                        "parameters_stored", "tensors", "shards"};
constexpr std::array<std::string_view, 2> kAttributesOfShape{"attention", "model_type"};

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void replace_keys(document::Value& config, const document::Value& own) {
  for (const document::Member& member : own.members) {
    const auto known =
        std::find_if(config.members.begin(), config.members.end(),
                     [&](const document::Member& other) { return other.key == member.key; });
    if (known == config.members.end()) {
      config.members.push_back(member);
    } else {
      *known = member;
    }
  }
}

}  // namespace

bool is_of_shape(std::string_view figure) {
  return !is_in(kOfCheckpoint, figure);
}

void inherit(const Entry& base, Entry& variant) {
  if (variant.families.empty()) variant.families = base.families;
  for (const FigureFact& fact : base.figures) {
    if (is_of_shape(fact.name) && variant.figures.find(fact.name) == nullptr) {
      variant.figures.set(fact);
    }
  }
  for (const TextFact& fact : base.attributes) {
    if (is_in(kAttributesOfShape, fact.name) && variant.attribute(fact.name) == nullptr) {
      variant.attributes.push_back(fact);
    }
  }
  variant.statements.insert(variant.statements.end(), base.statements.begin(),
                            base.statements.end());
  if (!base.architecture) return;
  Architecture shape = *base.architecture;
  if (variant.architecture) replace_keys(shape.config.root, variant.architecture->config.root);
  variant.architecture = std::move(shape);
}

}  // namespace ullage::catalog

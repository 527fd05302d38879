// What a parallel degree has to divide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalogue.hpp"
#include "model/model.hpp"

namespace ullage::plan {

struct Degrees {
  std::int64_t tensor = 1;
  std::int64_t pipeline = 1;
  std::int64_t expert = 1;
  std::int64_t data = 1;
  std::int64_t context = 1;
};

// What is the same for every layout of a model on a device.
struct LayoutRules {
  std::optional<exact::Rational> heads;   // attention heads
  std::vector<exact::Rational> kv_heads;  // of each kind of layer that divides them
  std::optional<exact::Rational> experts;
  std::int64_t layers = 0;                  // 0 where nobody says
  std::vector<exact::Rational> row_inputs;  // inputs of row-parallel matrices
  std::int64_t group = 1;                   // inputs that share a scale in the weight format
  std::string format;
  std::vector<std::int64_t> legal_tensor;  // degrees that the stack takes; empty: any
  std::string legal_source;
  std::optional<std::int64_t> domain;  // ranks that a scale-up domain joins
};
LayoutRules layout_rules(const model::Model& model, const std::string& weight_format,
                         std::string_view engine, const catalog::Entry& chip,
                         catalog::Catalogue& catalogue);

// Why the degrees are not possible, in words without the degree itself; empty where they are.
std::string refusal(const LayoutRules& rules, const Degrees& degrees);

}  // namespace ullage::plan

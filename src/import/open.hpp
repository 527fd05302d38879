// From what a person types as MODEL to a model: card, literal, configuration, standard input.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.hpp"
#include "catalog/catalogue.hpp"
#include "model/model.hpp"

namespace ullage::import {

struct OpenContext {
  catalog::Catalogue& catalogue;
  const base::FileSystem& files;
  provenance::Graph& graph;
  std::optional<std::string> assume;  // --assume FAMILY
};

// Reads MODEL in the order of the contract: `-`, a literal (`70B`, `320B:18B`), a card id or alias
// with or without `@version`, a path to a config.json, to its folder or to a card's YAML. Errors:
// unknown_name with suggestions; unsupported_architecture naming the model_type and what is
// supported; every fault of a file at its place.
base::Result<model::Model> open_model(OpenContext& context, const std::string& name);

// The parts of a literal, or nothing where the text is none.
struct Literal {
  exact::Rational total;
  std::optional<exact::Rational> active;
};
// `70B`, `1.5T`, `0.016777216B`, `320B:18B` with K, M, B or T. Error out_of_range where it is no
// whole number of parameters, zero, or more active than total.
base::Result<std::optional<Literal>> parse_literal(std::string_view text);

}  // namespace ullage::import

// From the tensors that headers list to the inventory of a model, and to the sums that a
// configuration beside them is compared with.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "import/stored_tensors.hpp"
#include "import/tensor_names.hpp"
#include "model/model.hpp"

namespace ullage::import {

struct HeaderReading {
  NameReading (*read_name)(std::string_view) = read_checkpoint_name;
  // Layers that are prediction modules, by number: `model.layers.61` of a model of 61 layers.
  std::set<std::uint64_t> prediction_layers;
  // How many of the experts a token passes, where metadata says it.
  std::optional<model::Extent> chosen;
};

// One group as it was understood.
struct ReadGroup {
  const StoredGroup* group = nullptr;
  NameReading reading;
  // Weights in one stored element: 8 where an int32 holds eight of 4 bits, else 1. Nothing where
  // the header does not tell.
  std::optional<exact::Rational> packing = exact::Rational(1);
};
std::vector<ReadGroup> read_groups(const StoredTensors& tensors, const HeaderReading& how);

struct StoredSum {
  exact::Rational elements;
  exact::Rational bytes;
  std::uint64_t tensors = 0;
};

// What the headers hold. `parameters` has the weights by component, copies of table and head
// inside prediction layers apart.
struct HeaderSums {
  std::map<model::Component, exact::Rational> parameters;
  exact::Rational copies;
  StoredSum scales;
  StoredSum buffers;
  std::string unknown_packing;  // a tensor whose weights cannot be counted; empty where all can
  std::map<std::string, StoredSum> by_format;
  bool uniform = true;  // every tensor is a weight, as many as elements, in one format
};
HeaderSums sums_of(const std::vector<ReadGroup>& groups, const HeaderReading& how);

// Layers that hold `eh_proj` or `enorm`: prediction modules that stand behind the model's own.
std::set<std::uint64_t> prediction_layers_of(const StoredTensors& tensors);

// The tensor inventory of a checkpoint without a configuration; scales and buffers are bytes and
// no part of it. A model without a head uses its table as one.
model::Inventory list_tensors(provenance::Graph& graph, const std::vector<ReadGroup>& groups,
                              const HeaderReading& how);

// Sets the model's stored parts and their sum; `where` names the files.
void set_stored_parts(provenance::Graph& graph, const HeaderSums& sums, const std::string& where,
                      const exact::Rational& padding, model::Model& model);

// Sets the format in which the weights are stored, where it is one, else why there is none and the
// floor over all of them.
void set_native_format(provenance::Graph& graph, const std::vector<ReadGroup>& groups,
                       const HeaderSums& sums, const HeaderReading& how, const std::string& where,
                       model::Model& model);

}  // namespace ullage::import

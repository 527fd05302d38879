// Numbers of a GGUF file's metadata as figures.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/gguf.hpp"
#include "model/inventory.hpp"
#include "provenance/graph.hpp"

namespace ullage::import {

class GgufMetadata {
 public:
  GgufMetadata(const GgufFile& file, provenance::Graph& graph);

  // `general.architecture`: the prefix of the keys that describe the shape; empty where absent.
  const std::string& architecture() const { return architecture_; }
  // Whether the key `architecture.key` stands in the file.
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // A whole number of at least 1 under `architecture.key`, or nothing where it is absent or 0.
  // Errors: wrong_type, out_of_range at the key's byte.
  base::Result<std::optional<model::Extent>> count(std::string_view key);
  // Likewise, for each of `layers` layers: one number for all of them, or a list of at least as
  // many. Zero stands for none.
  base::Result<std::vector<std::optional<model::Extent>>> per_layer(std::string_view key,
                                                                    std::size_t layers);
  const GgufValue* find(std::string_view key) const;

  // A number that follows from others.
  model::Extent derived(std::string name, exact::Rational value, std::string formula,
                        std::vector<provenance::FigureId> inputs);
  // A number counted over layers, with what was counted.
  model::Extent counted(std::string name, std::size_t number, std::string what);

  base::Diagnostic fault(base::Code code, std::string_view key, std::string message) const;

 private:
  base::Result<std::optional<model::Extent>> extent(std::string_view key, const GgufValue& value,
                                                    std::int64_t number, std::string locator);

  const GgufFile& file_;
  provenance::Graph& graph_;
  std::string architecture_;
};

}  // namespace ullage::import

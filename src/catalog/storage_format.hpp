// How weights are stored: bits per element, scales and zero points by group, and every spelling.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "document/value.hpp"
#include "exact/rational.hpp"

namespace ullage::catalog {

class Fields;

struct StorageFormat {
  std::string name;                            // `fp8-block`
  std::vector<std::string> spellings;          // `float8_e4m3fn` …
  std::optional<exact::Rational> bits;         // of one element, without scales; nothing for a mix
  std::optional<exact::Rational> stored_bits;  // with scales and zero points, where that is exact
  std::uint64_t group = 1;                     // elements that share a scale
  std::optional<exact::Rational> head_bits;    // of a head's own scale, for each token of a cache
  std::string mix;                             // why there is no single width
  std::string source;
  std::string locator;
  std::string note;
  std::uint32_t line = 0;
};

class StorageFormats {
 public:
  // Reads the table; the first fault stops it.
  static base::Result<StorageFormats> load(const document::Document& document);

  // The format of a name or spelling (case and `_`/`-` alike). Error unknown_name with suggestions.
  base::Result<const StorageFormat*> find(std::string_view name) const;
  const std::vector<StorageFormat>& all() const { return formats_; }
  // The format that a GGUF file means by a number of `enum ggml_type`, or nullptr.
  const StorageFormat* of_ggml_type(std::uint32_t number) const;

 private:
  void load_ggml_types(Fields file);

  std::vector<StorageFormat> formats_;
  std::map<std::string, std::size_t, std::less<>> by_spelling_;
  std::map<std::uint32_t, std::size_t> by_ggml_type_;
};

}  // namespace ullage::catalog

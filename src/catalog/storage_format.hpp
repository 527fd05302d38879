// How weights are stored: bits per element, scales and zero points by group, and every spelling.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "catalog/quantization_rules.hpp"
#include "document/value.hpp"
#include "exact/rational.hpp"

namespace ullage::catalog {

class Fields;

// Along which axis of a matrix codes are packed into words.
enum class Packing : std::uint8_t { none, inputs, outputs };

// A rule of a mix: which tensors take another format, in which layers and models. Later rules win.
struct Bump {
  std::string tensors;               // output, attn_v, attn_k, attn_output, ffn_down
  std::string layers;                // empty: all; `more`, `others`, `first-4`, `first-eighth` …
  std::int64_t experts = 0;          // only in models of that many; 0: in all
  std::int64_t heads_a_kv_head = 0;  // only in models of at least that many; 0: in all
  std::string size;                  // only in models of that size class; empty: in all
  std::string to;
};

// What a file that is called by a format's name holds, where that is not the format alone.
struct FileMix {
  std::string base;
  std::vector<Bump> bumps;
};

struct StorageFormat {
  std::string name;                            // `fp8-block`
  std::vector<std::string> spellings;          // `float8_e4m3fn` …
  std::optional<exact::Rational> bits;         // of one element, without scales; nothing for a mix
  std::optional<exact::Rational> stored_bits;  // with scales and zero points, where that is exact
  std::uint64_t group = 1;                     // elements that share a scale
  std::optional<exact::Rational> head_bits;    // of a head's own scale, for each token of a cache
  std::string mix;                             // why there is no single width
  // What a matrix of this format stores beside its codes, in bits: for each group, block, row (an
  // output), column (an input) and tensor. `bits` alone says all where `stored_bits` equals it.
  exact::Rational scale_bits;
  exact::Rational zero_point_bits;
  bool grouped = false;         // `group` counts inputs of a row; false: no groups
  bool row_groups = false;      // one group a row
  std::int64_t block_rows = 0;  // 0: groups lie in rows
  std::int64_t block_columns = 0;
  bool flat = false;        // groups run on over the ends of rows
  bool fills_rows = false;  // a row holds whole groups only
  exact::Rational row_bits;
  exact::Rational column_bits;
  exact::Rational tensor_bits;
  exact::Rational outer_bits;  // for each `outer_group` scales
  std::int64_t outer_group = 0;
  Packing packing = Packing::none;
  std::int64_t word_bits = 0;  // of a word that codes are packed into
  std::string record;          // a text stored with each tensor, with ROWS, COLUMNS and DTYPE
  std::string falls_to;        // the format of rows that its groups do not fill
  std::string convention;      // what files of this format keep; empty: nobody says
  std::optional<FileMix> file;
  std::vector<std::string> takes;  // parameters that a name may give: `gptq:bits=3,group=row`
  std::string source;
  std::string locator;
  std::string note;
  std::uint32_t line = 0;
};

// Where the parts of an embedded table come from: a question needs one or two of its formats.
struct FormatParts {
  std::vector<std::string_view> names;  // of the formats, in the order of the file
  std::function<std::optional<std::size_t>(std::string_view folded)> index_of;
  std::function<document::Document(std::size_t)> format;  // the table with this one format only
  std::function<document::Document()> rest;               // the table without its formats
};

// Not safe between threads where the parts are read on demand: look up what is needed before.
class StorageFormats {
 public:
  // Reads the table; the first fault stops it.
  static base::Result<StorageFormats> load(const document::Document& document);
  // A table that `load` accepted, whose parts are read when they are first asked for.
  static StorageFormats on_demand(FormatParts parts);

  // The format of a name or spelling (case and `_`/`-` alike), with parameters behind a colon where
  // it takes them: `awq:group=64`. Errors: unknown_name with suggestions; usage for a parameter
  // that the format does not take or a value that it cannot have.
  base::Result<const StorageFormat*> find(std::string_view name) const;
  std::vector<const StorageFormat*> all() const;
  // The format that a GGUF file means by a number of `enum ggml_type`, or nullptr.
  const StorageFormat* of_ggml_type(std::uint32_t number) const;

  const QuantizationRules& rules() const { return rest().rules; }

 private:
  base::Result<const StorageFormat*> variant(const StorageFormat& format,
                                             std::string_view parameters) const;
  // What stands beside the formats.
  struct Rest {
    QuantizationRules rules;
    std::map<std::uint32_t, std::size_t> by_ggml_type;
  };

  std::optional<std::size_t> index_of(std::string_view folded) const;
  const StorageFormat& at(std::size_t index) const;
  const Rest& rest() const;
  Rest load_rest(Fields& file) const;
  std::map<std::uint32_t, std::size_t> load_ggml_types(Fields& file) const;
  void check_references(Fields& file) const;

  mutable std::vector<std::unique_ptr<StorageFormat>> formats_;  // null: not read yet
  mutable std::optional<Rest> rest_;
  // Formats with parameters, made when they are first named.
  mutable std::map<std::string, std::unique_ptr<StorageFormat>, std::less<>> variants_;
  std::map<std::string, std::size_t, std::less<>> by_spelling_;  // of a table that is read whole
  std::optional<FormatParts> parts_;
};

}  // namespace ullage::catalog

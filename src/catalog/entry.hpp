// What the catalogue holds, after loading: hardware entries, model cards, sources, storage formats.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/figure_list.hpp"
#include "document/value.hpp"

namespace ullage::catalog {

using provenance::agree;

// A fact in words: `NeuronCore-v3`, `HBM3e`.
struct TextFact {
  std::string name;
  std::string value;  // empty where unknown
  std::string unknown;
  std::string printed;
  std::string source;
  std::vector<std::string> also;
  std::string locator;
  std::string note;
};

// A factor that a statement gives: "6.7 times the FP8 rate of Trainium1".
struct Comparison {
  std::string with;            // id of the other device
  std::string figure;          // of this entry
  std::string against;         // of the other device: the same name unless the statement mixes two
  std::string factor;          // as the source prints it
  exact::Rational value;       // of `factor`
  exact::Rational last_place;  // one step of its last digit
};

// A sentence of a source that commands show and no arithmetic uses: a vendor comparison, a software
// rule ("BF16 KV cache on Hopper"). `applies_to` names device families, ids or `*`; `sets` what it
// decides (`kv_dtype: bf16`).
struct Statement {
  std::string text;
  std::string source;
  std::string locator;
  std::string date;  // from when the statement holds, where the source says so
  std::vector<std::string> applies_to;
  std::map<std::string, std::string> sets;
  std::vector<Comparison> compares;
  std::string note;
};

// The shape of a model in the words of a Hugging Face config, with where it stands.
struct Architecture {
  document::Document config;
  std::string source;
  std::string locator;
};

enum class EntryKind : std::uint8_t { chip, instance, system, model, partition };
std::string_view name_of(EntryKind kind);

// Whether a figure of the kind is a sum over the chips that it holds.
inline bool holds_chips(EntryKind kind) {
  return kind == EntryKind::instance || kind == EntryKind::system;
}

// Several values that a source lists: tensor-parallel degrees, storage formats. `when` names what
// they hold for (`lnc: 2`).
struct ListFact {
  std::string name;
  std::vector<std::string> values;  // empty where unknown
  std::map<std::string, std::string> when;
  std::string unknown;
  std::string printed;
  std::string source;
  std::vector<std::string> also;
  std::string locator;
  provenance::Relation relation = provenance::Relation::pinned;
  std::string note;
};

// What one software stack does on one chip, as sources state it. Look-ups are in software.hpp.
struct Software {
  std::string id;      // `nxd-inference`
  std::string name;    // `NxD Inference`
  std::string engine;  // what `--engine` calls it; empty where it is none
  std::string counts;  // of what `from` and `until` are versions: `Neuron SDK`
  TextFact support;    // `supported`, `unsupported`, or unknown
  std::string from;    // the first version with support, and the last; empty where not stated
  std::string until;
  std::vector<ListFact> lists;
  FigureList figures;
  std::vector<Statement> statements;
};

// One version of one entry. Hardware and model cards share the shape; `architecture` is for models.
// A partition of a chip is an entry too; so is a slice of several chips, as a system of them.
struct Entry {
  std::string id;  // of a partition or slice: `CHIP:PARTITION`
  EntryKind kind = EntryKind::chip;
  std::string name;
  std::string vendor;          // of a model: its publisher
  std::string version;         // the day on which the entry was reviewed, YYYY-MM-DD
  TextFact status;             // documented, preview, announced, retired
  std::string chip;            // of an instance or system: what it contains
  std::string instance;        // of a system: the machine that it consists of, where known
  std::string variant_of;      // of a model: the card whose shape it has, where it is another
  std::string part_of;         // of a partition: the id of its chip
  std::string partition_kind;  // of a partition or slice: mig, logical-core, slice
  std::vector<std::string> families;  // groups that statements match: hopper, neuroncore-v3
  std::vector<std::string> aliases;
  FigureList figures;
  std::vector<TextFact> attributes;
  std::vector<Statement> statements;
  std::optional<Architecture> architecture;  // of a model
  std::vector<provenance::Source> sources;   // of a model: those that its file states itself
  // Of a chip. What the program embeds is loaded without them: see Catalogue::complete.
  std::vector<Entry> partitions;
  std::vector<Software> software;
  std::string file;
  bool overlaid = false;    // whether a folder of the user's added to it
  std::string memory_text;  // memory_text_of an overlaid entry, for its listing
  std::string chips_text;   // chips_text_of it

  const FigureFact* figure(std::string_view figure_name) const { return figures.find(figure_name); }
  const TextFact* attribute(std::string_view attribute_name) const;
};

// The pinned memory_capacity as the entry writes it (`96 GiB`), empty where it is unknown: what
// listings carry.
std::string memory_text_of(const Entry& entry);
// The pinned number of chips likewise.
std::string chips_text_of(const Entry& entry);

}  // namespace ullage::catalog

// The shape of the catalogue that the build embeds: one blob of bytes and small sorted tables over
// it, free of pointers so that the loader of the program has nothing to relocate.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ullage::catalog {

struct Slice {
  std::uint32_t offset;
  std::uint32_t length;
};

struct EmbeddedEntry {
  Slice id;
  Slice version;
  Slice name;
  Slice vendor;
  Slice file;
  Slice status;  // `documented`
  Slice memory;  // the pinned memory_capacity as the entry writes it, `96 GiB`; empty where unknown
  Slice chip;  // of an instance or system: the chip that it holds, and how many, as it writes them
  Slice chips;
  Slice compact;  // document::encode of the parsed file, `figures` without its members, no sections
  Slice raw;      // the file as written
  // Of a chip, empty where it has none, and apart so that nobody pays for them who does not ask.
  // The sections are mappings of one member, so that the place of its key is kept.
  Slice partitions;
  Slice software;
  Slice partition_list;  // a line a partition: name, kind, memory and chips as written, with tabs
  std::uint32_t first_figure;  // in `figures`, one after the other
  std::uint16_t figure_count;
  std::uint8_t kind;  // catalog::EntryKind
};

// One member of an entry's `figures`.
struct EmbeddedFigure {
  Slice name;
  Slice compact;  // of a mapping with this one figure, so that the place of its key is kept
};

// A folded name and the entry that it may mean; sorted by name, then by rank.
struct EmbeddedName {
  Slice name;
  Slice spelled;
  std::uint16_t entry;
  std::uint8_t rank;  // catalog::NameRank
};

struct EmbeddedSource {
  Slice id;
  Slice file;
  Slice compact;  // of a mapping with this one source, so that the place of its key is kept
};

struct EmbeddedFormat {
  Slice name;
  Slice compact;  // of the table of formats with this one only
};

// A folded spelling and the format that it means; sorted.
struct EmbeddedFormatName {
  Slice name;
  std::uint16_t format;
};

struct Embedded {
  std::string_view blob;
  std::span<const EmbeddedEntry> entries;  // sorted by id, the newest version first
  std::span<const EmbeddedFigure> figures;
  std::span<const EmbeddedName> names;
  std::span<const EmbeddedSource> sources;  // sorted by id
  std::span<const EmbeddedFormat> formats;  // of data/models/formats.yaml, in its order
  std::span<const EmbeddedFormatName> format_names;
  Slice formats_rest;        // compact form of that file, `formats` without its members
  Slice labels;              // compact form of data/hardware/labels.yaml
  std::string_view version;  // the newest review date
  std::string_view digest;   // sha256 over every file, in path order

  std::string_view text(Slice slice) const { return blob.substr(slice.offset, slice.length); }
};

// The catalogue in this program; defined by the generated file.
const Embedded& embedded_catalogue();

}  // namespace ullage::catalog

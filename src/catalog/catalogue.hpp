// The catalogue as commands see it: names to entries, ids to sources, with the user's overlay on
// top.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.hpp"
#include "catalog/device_labels.hpp"
#include "catalog/embedded.hpp"
#include "catalog/entry.hpp"
#include "catalog/names.hpp"
#include "catalog/storage_format.hpp"

namespace ullage::catalog {

// One line of a listing; nothing of the entry is parsed for it.
struct Listing {
  std::string_view id;
  std::string_view version;
  std::string_view name;
  std::string_view vendor;
  std::string_view file;
  std::string_view status;  // `documented`
  std::string_view memory;  // the pinned memory_capacity as written, `96 GiB`; empty where unknown
  std::string_view chip;    // of an instance or system: what it holds, ID or ID@VERSION
  std::string_view chips;   // how many, as written
  EntryKind kind;
  bool current;  // the newest version of its id
  bool overlaid;
};

// One partition of a chip; nothing of it is parsed for it.
struct PartitionListing {
  std::string_view name;    // `1g.10gb`
  std::string_view kind;    // mig, logical-core, slice
  std::string_view memory;  // as written, `9.75 GiB`; empty where unknown, and of slices
  std::string_view chips;   // of a slice
};

// Loads entries only when they are asked for. Returned pointers live as long as the catalogue.
class Catalogue {
 public:
  explicit Catalogue(const Embedded& embedded);
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;
  ~Catalogue();

  // Reads a folder (`*.yaml`, recursively) over the catalogue. A whole entry stands for the version
  // that it names; one without vendor and status adds to that version claim by claim: its pin wins,
  // the claims that were there stay as claims. The first fault stops it (docs/data-format.md).
  base::Result<void> overlay(const base::FileSystem& files, const std::string& folder);
  // What overlays changed, one sentence each, for the notes of every answer.
  const std::vector<std::string>& overlay_changes() const { return overlay_changes_; }

  // The newest review date, with `+overlay` where there is one.
  std::string version() const;
  // `sha256:…` over every embedded file, and over the overlay's where there is one.
  std::string digest() const;

  // The chip, instance or system that `name` means: an id, an alias or a natural short form, with
  // or without `@version`; or the partition of a chip, `CHIP:PARTITION`. Errors: unknown_name with
  // suggestions, ambiguous_name with every reading.
  base::Result<const Entry*> hardware(std::string_view name);
  // The card that `name` means, likewise.
  base::Result<const Entry*> model(std::string_view name);
  // A chip, instance, system or model card.
  base::Result<const Entry*> any(std::string_view name);

  // Every version of every entry, sorted by id, the newest version first.
  const std::vector<Listing>& listings() const { return listings_; }
  // The listing of that id, `ID` or `ID@VERSION`; nullptr where there is none.
  const Listing* listing(std::string_view id) const;
  // The entry of a listing.
  base::Result<const Entry*> load(const Listing& listing);
  // The entry's file as written; of a partition that of its chip.
  std::string_view raw(const Entry& entry) const;

  // The partitions of a chip in the order of its file, without loading it.
  std::vector<PartitionListing> partitions(const Listing& chip) const;
  std::vector<PartitionListing> partitions(const Entry& chip) const;
  // Loads what `load` leaves out of an entry, its `partitions` and `software`, and returns it.
  const Entry& complete(const Entry& entry);
  // What software does on the device: on its chip where it is an instance, system or partition.
  const std::vector<Software>& software(const Entry& device);

  // Every embedded file as it was read, in path order, without what overlays add.
  std::vector<document::Document> documents() const;

  // The source with that id, or nullptr.
  const provenance::Source* source(std::string_view id);
  std::vector<std::string> source_ids() const;
  // Takes in the sources that a card states itself. Error duplicate_key where one has the id of
  // another source that is not the same text.
  base::Result<void> adopt(const Entry& card);
  // Gives a card that is a variant what it takes from its base (variants.hpp). Errors: reference
  // where no card has that id, or it is a variant itself.
  base::Result<void> complete_variant(Entry& card);

  const StorageFormats& formats();
  const DeviceLabels& labels();

 private:
  struct Record;
  struct OverlayName {
    std::string spelled;
    std::size_t entry;
    NameRank rank;
  };

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  // `chips`: what may mean a chip means no instance or system.
  base::Result<const Entry*> resolve(std::string_view name, bool hardware, bool models,
                                     bool chips = false);
  base::Result<const Entry*> resolve_partition(std::string_view chip, std::string_view partition);
  // The record of the entry, or of the chip that it is a partition of; kNowhere for another's.
  std::size_t record_of(const Entry& entry) const;
  void load_partitions_of(std::size_t index);
  void load_software_of(std::size_t index);
  base::Result<const Entry*> load(std::size_t index);
  base::Diagnostic unresolved(std::string_view name, bool hardware, bool models) const;
  std::span<const EmbeddedFigure> figures_of(const EmbeddedEntry& entry) const;
  void defer_figures(const EmbeddedEntry& embedded, Entry& entry);
  bool wanted(std::size_t index, bool hardware, bool models) const;
  Listing listing_of(const EmbeddedEntry& entry) const;
  Listing listing_of(const Entry& entry) const;
  void list_entries();
  base::Result<void> overlay_document(const document::Document& document, const std::string& text);

  const Embedded& embedded_;
  std::deque<Record> records_;  // embedded entries first, then the overlay's, as listings_
  std::vector<Listing> listings_;
  std::multimap<std::string, OverlayName, std::less<>> overlay_names_;
  std::map<std::string, provenance::Source, std::less<>> sources_;
  std::vector<std::string> overlay_changes_;
  std::string overlay_bytes_;
  std::unique_ptr<StorageFormats> formats_;
  std::unique_ptr<DeviceLabels> labels_;
};

}  // namespace ullage::catalog

// The rules that a catalogue's files must keep, beyond what one file needs to load: each fault with
// its rule, level and place.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "catalog/catalogue.hpp"

namespace ullage::catalog {

// Every rule in the order of documentation: the codes of the loaders' faults, then the rules over
// loaded files, `aggregate` (plan/aggregate_check.hpp) among them.
const std::vector<base::Rule>& lint_rules();
// The rule of that id; Defect where there is none.
const base::Rule& lint_rule(std::string_view id);

// A finding of the rule, at its level.
base::Finding finding(std::string_view rule, std::string message, base::Span span,
                      std::string hint = {});

struct LintAges {
  std::int64_t today = 0;                 // a base::day_number
  std::optional<std::int64_t> most = {};  // days after which a source is stale; nothing: no limit
};

// An entry with the document that it was read from.
struct LintedEntry {
  const document::Document* document;
  Entry entry;
};

// Files that are checked together. Reads them one by one, then checks what they say of each other
// and of the rest of the catalogue.
class Lint {
 public:
  explicit Lint(Catalogue& catalogue) : catalogue_(catalogue) {}
  Lint(const Lint&) = delete;
  Lint& operator=(const Lint&) = delete;

  // A file as text; one that is no YAML is a finding.
  void add(const std::string& file, std::string_view text);
  void add(document::Document document);

  // Loads everything that was added and applies every rule but `aggregate`.
  void check(const LintAges& ages);

  // Further findings, of rules that live elsewhere.
  void report(std::vector<base::Finding> findings);
  // All of them: in the order in which the files were added, within a file by line and column.
  std::vector<base::Finding> findings() const;

  const std::deque<document::Document>& documents() const { return documents_; }
  // What loaded without a fault.
  const std::vector<LintedEntry>& entries() const { return entries_; }
  // The chip, instance or system that a reference means, the files at hand before the catalogue's;
  // nullptr where there is none.
  const Entry* hardware(std::string_view reference);
  // The newest model card of that id, likewise.
  const Entry* model(std::string_view id);
  std::size_t sources() const { return sources_.size(); }

 private:
  struct LintedSource {
    const document::Document* document;
    const document::Member* member;
    std::optional<provenance::Source> source;  // nothing where it has a fault
  };

  void load_sources_of(const document::Document& document);
  void load_formats_of(const document::Document& document);
  void load_entry_of(const document::Document& document);
  const provenance::Source* source(std::string_view id);
  // Entries of the catalogue whose id is in none of the files.
  std::vector<const Entry*> others();
  const TextFact* sparsity_patterns(const Entry& entry);
  void check_identities();
  void check_names();
  void check_base(const LintedEntry& linted);
  void check_references();
  void check_sources(const LintAges& ages);
  void check_versions(const LintAges& ages);
  std::int64_t latest_day(const LintAges& ages) const;
  void accept(std::vector<base::Diagnostic> faults);

  Catalogue& catalogue_;
  std::deque<document::Document> documents_;
  std::vector<std::string> files_;  // every file in the order added, unparsed ones too
  std::vector<LintedEntry> entries_;
  std::vector<LintedEntry> faulty_;         // what could be read of the others: checked alone only
  std::set<std::string, std::less<>> ids_;  // of every file, loaded or not
  std::set<std::string, std::less<>> broken_;  // ids of files that did not load
  std::map<std::string, LintedSource, std::less<>> sources_;
  std::vector<base::Finding> findings_;
};

// The rules over one entry alone: numbers against what is printed, what a card leaves out. Used by
// Lint.
void lint_entry(const LintedEntry& linted, const StorageFormats& formats,
                std::vector<base::Finding>& findings);

// Rates with sparsity against dense ones. `patterns` is the attribute `sparsity_patterns` that
// holds for the entry: its own, else its chip's; nullptr where neither has one. Used by Lint.
void lint_rates(const LintedEntry& linted, const TextFact* patterns,
                std::vector<base::Finding>& findings);

// The partitions of a chip against it, and their names. `whole` is the entry that the file adds to,
// nullptr where it stands alone. Used by Lint.
void lint_partitions(const LintedEntry& linted, const Entry* whole,
                     std::vector<base::Finding>& findings);

// `stored_bits` of the table of storage formats against its own parts. Used by Lint.
void lint_formats(const document::Document& document, std::vector<base::Finding>& findings);

}  // namespace ullage::catalog

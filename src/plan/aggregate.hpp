// What a vendor prints for an instance or system against what its parts make of it: chips × chip,
// instances × instance, and the figures of one chip that a machine's page repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/note.hpp"
#include "catalog/catalogue.hpp"

namespace ullage::plan {

// The parts of an instance or system, as far as the catalogue has them.
struct Parts {
  const catalog::Entry* chip = nullptr;      // what it holds
  const catalog::Entry* instance = nullptr;  // a system only: the machine that it consists of
};

// The parts that the entry names. Nothing for a chip or card, and for a name without an entry.
Parts parts_of(catalog::Catalogue& catalogue, const catalog::Entry& entry);

// How one figure of a whole follows from its parts.
struct PartSum {
  std::string_view name;                       // of the whole
  const catalog::FigureFact* count = nullptr;  // `chips`, `instances`; nullptr: the figure of one
  const catalog::FigureFact* part = nullptr;   // of one part
  const catalog::Entry* of = nullptr;          // whose figure `part` is
  exact::Rational value;                       // count × part, pinned claims; both are known
};

// The sum behind a figure of the entry, or nothing where its parts do not determine it or one of
// them is unknown.
std::optional<PartSum> part_sum(const catalog::Entry& entry, const Parts& parts,
                                std::string_view name);

// What is known of the reason for which a printed total differs from its parts.
enum class Cause : std::uint8_t {
  unknown,
  related,  // it stands beside the pinned claim, and its relation says how: an older version,
            // another scope, a computation, a third party
  derived,  // whoever wrote the entry computed it, and says how
  noted,    // a note of the claim or of the figure names its number
};

// A printed claim that lies more than half of its last digit away from the sum.
struct DifferingClaim {
  const provenance::Claim* claim = nullptr;
  Cause cause = Cause::unknown;
};

// A figure whose printed claims differ from its parts.
struct AggregateDifference {
  PartSum sum;
  const catalog::FigureFact* printed = nullptr;
  std::vector<DifferingClaim> differing;  // in the order of `printed`

  // Whether the cause of every claim is known; what is not is a finding of lint.
  bool explained() const;
};

// Every difference of the entry, in the order of the figure table. Links whose directions are
// stated and differ are not compared.
std::vector<AggregateDifference> aggregate_differences(const catalog::Entry& entry,
                                                       const Parts& parts);

// The difference in words, without the figure's name: `64 × 1299 TFLOPS of one trainium2 = 83136
// TFLOP/s; neuron-trn2-arch prints 83.2 PFLOPS (…)`.
std::string in_words(const AggregateDifference& difference);

// The sum in the unit in which the claim is written: `41.008 PFLOP/s`.
std::string in_unit_of(const provenance::Claim& claim, const exact::Rational& sum);

// One note `conflict` for all figures whose difference reads the same.
std::vector<base::Note> notes_of(const catalog::Entry& entry,
                                 const std::vector<AggregateDifference>& differences);

}  // namespace ullage::plan

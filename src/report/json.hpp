// The answer as one JSON object (schema ullage/result/1).
#pragma once

#include <string>

#include "provenance/answer.hpp"
#include "report/reach.hpp"

namespace ullage::report {

// What computed the answer.
struct ToolInfo {
  std::string version;
  std::string catalogue_version;
  std::string catalogue_digest;  // `sha256:…`
};

// One JSON object and a newline. Figures are those that the results rest on, named f1, f2, … in the
// order in which they first stand in the text: the results, then their inputs. Sources are those
// that these figures, the facts in words and the notes cite, sorted by id. A value that is no whole
// number stands as 17 significant digits beside `exact`. A figure with a range also has `low` and
// `high`, beside `low_exact` and `high_exact` likewise. Equal answers give equal bytes. Defect
// where one row names a result or a fact twice or a cited source does not exist.
std::string to_json(const provenance::Answer& answer, const ToolInfo& tool,
                    const SourceLookup& sources);

}  // namespace ullage::report

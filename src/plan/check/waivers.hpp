// What a project accepts although a rule speaks: waivers in a file, and remarks in the plans
// themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/value.hpp"
#include "plan/files/file_set.hpp"
#include "provenance/answer.hpp"

namespace ullage::plan {

struct Waiver {
  std::string rule;
  std::string plan;  // path, with * and ** as in shells; empty: every plan
  std::string reason;
  std::string expires;                   // date; empty: never
  std::optional<exact::Rational> bound;  // how far over the budget is accepted, as a share
  std::optional<std::size_t> row;        // of the answer, where a plan holds the waiver itself
  base::Span where;
  bool used = false;
};

// `waivers:` of ullage/waivers/1, of a configuration or of a plan of our own. Errors at their
// place: an unknown rule, a missing reason, a date that is none.
base::Result<std::vector<Waiver>> read_waivers(const document::Document& document,
                                               const document::Value& list);

// Turns the notes that waivers and inline remarks cover into notes of level `note`. Adds the error
// `waiver-expired` where one has run out on `today`, the note `waiver-unused` where nothing was
// covered, and an error where an inline remark gives no reason.
void apply_waivers(provenance::Answer& answer, std::vector<Waiver>& waivers, const FileSet& set,
                   std::int64_t today);

// Whether a path is one of a pattern: `*` stands for letters of one folder's name, `**` for
// folders too. A pattern without a slash is matched against the last part of the path.
bool matches_path(std::string_view pattern, std::string_view path);

}  // namespace ullage::plan

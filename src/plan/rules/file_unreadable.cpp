// Rule file-unreadable.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

}  // namespace

const PlanRule kFileUnreadable{
    .id = "file-unreadable",
    .level = Severity::error,
    .help =
        "one document cannot be read: what it would deploy is not checked, so it "
        "never passes",
    .formula =
        "the document is YAML, JSON, TOML or a shell script without syntax errors "
        "and duplicate keys",
    .citation = "",
    .remedy =
        "mend the place that the note names; the other documents are checked all "
        "the same",
    .apply = nullptr};

}  // namespace ullage::plan

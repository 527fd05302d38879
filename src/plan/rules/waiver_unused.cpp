// Rule waiver-unused.
#include "plan/rules/rules.hpp"

namespace ullage::plan {
namespace {

using base::Severity;

}  // namespace

const PlanRule kWaiverUnused{
    .id = "waiver-unused",
    .level = Severity::note,
    .help = "a waiver covers nothing: what it accepted is gone, or its rule or path is misspelt",
    .formula = "some note has the rule, path and bound of the waiver",
    .citation = "",
    .remedy = "remove it",
    .apply = nullptr};

}  // namespace ullage::plan

// Plans in our own format, ullage/plan/1.
#pragma once

#include <span>
#include <string_view>

#include "plan/files/file_set.hpp"
#include "plan/files/workload.hpp"

namespace ullage::plan {

// Whether a document says that it is one.
bool is_native_plan(const PlanDocument& document);

// Reads one plan. Errors at their place: unknown_key, duplicate_key and missing_key, wrong_type,
// `unit` for bare sizes, usage for settings that exclude each other or unknown result names.
base::Result<Workload> read_native_plan(const PlanDocument& document);

// The names that `expect:` may speak of.
std::span<const std::string_view> expectation_names();

}  // namespace ullage::plan

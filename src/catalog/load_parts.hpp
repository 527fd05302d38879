// The sections of a chip that the program loads only when they are asked for: its partitions, and
// what software does on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/load.hpp"

namespace ullage::catalog {

inline constexpr std::string_view kPartitions = "partitions";
inline constexpr std::string_view kSoftware = "software";

// Reads `partitions:` into `chip.partitions`. Each takes vendor, version, status and families of
// the chip; faults are collected.
void load_partitions(const document::Document& document, const document::Value& partitions,
                     const SourceLookup& source, Completeness completeness, Entry& chip,
                     std::vector<base::Diagnostic>& faults);

// Reads `software:` into `chip.software`.
void load_software(const document::Document& document, const document::Value& software,
                   const SourceLookup& source, Entry& chip, std::vector<base::Diagnostic>& faults);

// The name of a partition within its chip: `1g.10gb` of `nvidia-h100-sxm5-80gb:1g.10gb`; empty for
// other entries.
std::string_view partition_name(const Entry& entry);

// How partitions are compared: in lower case, without the `mig-` of Kubernetes resources, `.me` and
// `.gfx` as nvidia-smi writes them, `+me` and `+gfx`.
std::string fold_partition(std::string_view name);

}  // namespace ullage::catalog

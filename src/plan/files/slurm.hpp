// What a batch script asks Slurm for: its `#SBATCH` lines.
#pragma once

#include "plan/files/scope.hpp"

namespace ullage::plan {

struct SlurmRequest {
  std::optional<Number> nodes;
  std::optional<Number> devices;  // of all nodes
  std::optional<Number> devices_per_node;
};

// Reads the options, up to the first command as sbatch does, and gives the script the variables
// that Slurm sets from them (SLURM_NNODES, SLURM_GPUS_ON_NODE …).
SlurmRequest read_slurm(std::string_view script, const std::string& file, Scope& scope);

}  // namespace ullage::plan

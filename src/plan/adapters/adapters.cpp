// The table.
#include "plan/adapters/adapters.hpp"

namespace ullage::plan {

const std::vector<Adapter>& adapters() {
  // Kinds with telling keys first; what any YAML mapping might hold comes last.
  static const std::vector<Adapter> kAdapters{
      {"shell", takes_shell, read_shell},
      {"kserve", takes_kserve, read_kserve},
      {"dynamo", takes_dynamo, read_dynamo},
      {"ray-serve", takes_ray, read_ray},
      {"kaito", takes_kaito, read_kaito},
      {"kubernetes", takes_kubernetes, read_kubernetes},
      {"compose", takes_compose, read_compose},
      {"helm-values", takes_helm_values, read_helm_values},
      {"llm-d", takes_llm_d, read_llm_d},
      {"skypilot", takes_skypilot, read_skypilot},
      {"torchtitan", takes_torchtitan, read_torchtitan},
      {"nxd-training", takes_nxd_training, read_nxd_training},
      {"nemo", takes_nemo, read_nemo},
      {"accelerate", takes_accelerate, read_accelerate},
      {"deepspeed", takes_deepspeed, read_deepspeed},
      {"axolotl", takes_axolotl, read_axolotl},
      {"llamafactory", takes_llamafactory, read_llamafactory},
      {"torchtune", takes_torchtune, read_torchtune},
      {"maxtext", takes_maxtext, read_maxtext},
      {"nanotron", takes_nanotron, read_nanotron},
      {"engine", takes_engine_config, read_engine_config},
  };
  return kAdapters;
}

}  // namespace ullage::plan

// The adapters: for each kind of file, whether a document is one, and what it says.
#pragma once

#include "plan/adapters/reading.hpp"

namespace ullage::plan {

bool takes_kubernetes(const PlanDocument& document);
std::vector<Workload> read_kubernetes(const Reading& reading, const PlanDocument& document);
bool takes_kserve(const PlanDocument& document);
std::vector<Workload> read_kserve(const Reading& reading, const PlanDocument& document);
bool takes_dynamo(const PlanDocument& document);
std::vector<Workload> read_dynamo(const Reading& reading, const PlanDocument& document);
bool takes_ray(const PlanDocument& document);
std::vector<Workload> read_ray(const Reading& reading, const PlanDocument& document);
bool takes_kaito(const PlanDocument& document);
std::vector<Workload> read_kaito(const Reading& reading, const PlanDocument& document);
bool takes_compose(const PlanDocument& document);
std::vector<Workload> read_compose(const Reading& reading, const PlanDocument& document);
bool takes_skypilot(const PlanDocument& document);
std::vector<Workload> read_skypilot(const Reading& reading, const PlanDocument& document);
bool takes_helm_values(const PlanDocument& document);
std::vector<Workload> read_helm_values(const Reading& reading, const PlanDocument& document);
bool takes_llm_d(const PlanDocument& document);
std::vector<Workload> read_llm_d(const Reading& reading, const PlanDocument& document);
bool takes_shell(const PlanDocument& document);
std::vector<Workload> read_shell(const Reading& reading, const PlanDocument& document);
bool takes_torchtitan(const PlanDocument& document);
std::vector<Workload> read_torchtitan(const Reading& reading, const PlanDocument& document);
bool takes_nxd_training(const PlanDocument& document);
std::vector<Workload> read_nxd_training(const Reading& reading, const PlanDocument& document);
bool takes_nemo(const PlanDocument& document);
std::vector<Workload> read_nemo(const Reading& reading, const PlanDocument& document);
bool takes_accelerate(const PlanDocument& document);
std::vector<Workload> read_accelerate(const Reading& reading, const PlanDocument& document);
bool takes_deepspeed(const PlanDocument& document);
std::vector<Workload> read_deepspeed(const Reading& reading, const PlanDocument& document);
bool takes_axolotl(const PlanDocument& document);
std::vector<Workload> read_axolotl(const Reading& reading, const PlanDocument& document);
bool takes_llamafactory(const PlanDocument& document);
std::vector<Workload> read_llamafactory(const Reading& reading, const PlanDocument& document);
bool takes_torchtune(const PlanDocument& document);
std::vector<Workload> read_torchtune(const Reading& reading, const PlanDocument& document);
bool takes_maxtext(const PlanDocument& document);
std::vector<Workload> read_maxtext(const Reading& reading, const PlanDocument& document);
bool takes_nanotron(const PlanDocument& document);
std::vector<Workload> read_nanotron(const Reading& reading, const PlanDocument& document);
bool takes_engine_config(const PlanDocument& document);
std::vector<Workload> read_engine_config(const Reading& reading, const PlanDocument& document);

}  // namespace ullage::plan

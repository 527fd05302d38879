// The table of families.
#include "import/family.hpp"

#include <algorithm>

#include "import/families/families.hpp"

namespace ullage::import {

const std::vector<Family>& families() {
  static const std::vector<Family> table{
      {"llama", "dense decoder, grouped-query attention", "transformers models/llama", read_llama},
      {"mistral", "dense decoder, grouped-query attention", "transformers models/mistral",
       read_mistral},
      {"mixtral", "mixture of experts, grouped-query attention", "transformers models/mixtral",
       read_mixtral},
      {"qwen2", "dense decoder, q/k/v biases (also Qwen2.5)", "transformers models/qwen2",
       read_qwen2},
      {"qwen2_moe", "mixture of experts with a shared expert", "transformers models/qwen2_moe",
       read_qwen2_moe},
      {"qwen3", "dense decoder, q/k norms", "transformers models/qwen3", read_qwen3},
      {"qwen3_moe", "mixture of experts, q/k norms", "transformers models/qwen3_moe",
       read_qwen3_moe},
  };
  return table;
}

const Family* find_family(std::string_view model_type) {
  const auto& table = families();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Family& f) { return f.model_type == model_type; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace ullage::import

vllm serve "abc $(x `y

#!/bin/bash
set -e
A=(--model Qwen/Qwen3-8B)
B=${C:-$((2 * 4))}
if [ "$B" -gt 4 ]; then
  exec vllm serve "${A[@]}" \
    --tensor-parallel-size $B
else
  echo no
fi

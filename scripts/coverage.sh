#!/usr/bin/env bash
# Runs the tests with instrumentation and prints how much of each file of src/ they reach.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

profiles=build/coverage/profiles
rm -rf "$profiles"
cmake --workflow --preset coverage >&2
llvm-profdata-14 merge --sparse "$profiles"/*.profraw --output build/coverage/all.profdata
# Each test program holds other parts of the rooms; all of them together hold everything.
objects=()
while IFS= read -r -d '' program; do
  objects+=(--object "$program")
done < <(find build/coverage -type f -executable ! -name '*.so' ! -path '*/CMakeFiles/*' ! -name ullage -print0)
llvm-cov-14 report build/coverage/ullage "${objects[@]}" --instr-profile build/coverage/all.profdata \
  --ignore-filename-regex '/(tests|build|usr)/'

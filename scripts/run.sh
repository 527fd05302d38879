#!/usr/bin/env bash
# From a fresh clone to an answer: installs what is missing, builds the program and asks it the first question.
#
#   scripts/run.sh [ARGUMENT...]     without arguments: fit glm-5.3-flash --on trainium2
#
# The answer goes to standard output, progress to standard error. Later runs build only what changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'run: %s\n' "$*" >&2; }

scripts/install_dependencies.sh

# A folder that scripts/test.sh configured keeps its tests.
if [[ ! -f build/release/build.ninja ]]; then
  say "configuring build/release"
  cmake --preset release -DULLAGE_BUILD_TESTS=OFF >&2
fi
say "building build/release/ullage"
cmake --build --preset release --target ullage >&2

question=("$@")
((${#question[@]} > 0)) || question=(fit glm-5.3-flash --on trainium2)
say "build/release/ullage ${question[*]}"
build/release/ullage "${question[@]}"
if (($# == 0)); then
  say "where each number comes from: build/release/ullage ${question[*]} --explain"
fi

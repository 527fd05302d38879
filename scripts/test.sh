#!/usr/bin/env bash
# Installs what is missing, builds the program (which checks every catalogue entry) and its tests, and runs all of
# them: units, laws, code that must not compile, golden cases, commands in the documents, replayed fuzz corpora,
# rules about files.
#
#   scripts/test.sh [CTEST_FLAG...]     such as -R golden, or --label-exclude slow
#
# The last line on standard output is `N passed, N failed`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'test: %s\n' "$*" >&2; }

scripts/install_dependencies.sh --with-tests

say "configuring build/release"
cmake --preset release -DULLAGE_BUILD_TESTS=ON >&2
say "building build/release"
cmake --build --preset release >&2

say "running the tests"
report=build/release/tests.xml
rm -f "$report"
status=0
ctest --preset release --parallel "$(nproc)" --output-junit "$PWD/$report" \
  --test-output-size-passed 1000000 "$@" >&2 || status=$?
python3 scripts/count_tests.py "$report"
exit "$status"

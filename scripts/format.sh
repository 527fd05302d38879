#!/usr/bin/env bash
# Formats all C++ files with clang-format 14, whose output the repository holds.
#
#   scripts/format.sh [--check]     --check changes nothing and fails where a file would change
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

formatter=
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
    formatter=$candidate
    break
  fi
done
if [[ -z $formatter ]]; then
  echo "format: no clang-format 14 here; apt-get install clang-format-14" >&2
  exit 2
fi

case ${1-} in
  --check) mode=(--dry-run --Werror) ;;
  "") mode=(-i) ;;
  *)
    echo "format: unknown flag $1; there is --check" >&2
    exit 2
    ;;
esac
folders=(src tests cmake)
[[ ! -d include ]] || folders+=(include)
find "${folders[@]}" \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 "$formatter" "${mode[@]}"

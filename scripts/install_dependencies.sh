#!/usr/bin/env bash
# Installs the Debian packages that a build needs, as far as they are missing.
#
#   scripts/install_dependencies.sh [--with-tests] [--with-ci]
#
# --with-tests adds what the tests need, --with-ci also the second compiler and the linters.
# Root is used directly, else sudo. Where there is no apt, the list is printed and nothing is done.
set -euo pipefail

say() { printf 'dependencies: %s\n' "$*" >&2; }

packages=(g++ cmake ninja-build python3
  libcli11-dev libfmt-dev nlohmann-json3-dev libyaml-cpp-dev libboost-dev libmd-dev zlib1g-dev libzstd-dev)
tests=(doctest-dev)
ci=(clang-14 libclang-rt-14-dev llvm-14 clang-format-14 clang-tidy-14 git)

for flag in "$@"; do
  case $flag in
    --with-tests) packages+=("${tests[@]}") ;;
    --with-ci) packages+=("${tests[@]}" "${ci[@]}") ;;
    *)
      say "unknown flag $flag; there are --with-tests and --with-ci"
      exit 2
      ;;
  esac
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "no apt here; these Debian packages, or what your system calls them, must be installed: ${packages[*]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  say "all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    say "neither root nor sudo; ask an administrator for: apt-get install ${missing[*]}"
    exit 1
  fi
  as_root=(sudo)
fi

say "installing ${missing[*]}"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes "$@" >&2; }
apt update
apt install --no-install-recommends "${missing[@]}"

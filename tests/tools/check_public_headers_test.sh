#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# check_public_headers_test.sh CHECK_PUBLIC_HEADERS: a tree of three headers, and what is said of lists of them.
set -eu

check=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

mkdir -p "$scratch/docs" "$scratch/isotrope/network" "$scratch/isotrope/mpi"
echo '| `isotrope/network/parse.hpp` | names | `isotrope/mpi/isotrope_mpi.h` | C |' >"$scratch/docs/api.md"
echo '#include "isotrope/network/group.hpp"' >"$scratch/isotrope/network/parse.hpp"
echo '#include <vector>' >"$scratch/isotrope/network/group.hpp"
echo '#pragma once' >"$scratch/isotrope/network/torus.hpp"

# expect MESSAGE HEADER...: what is reported of these installed headers begins with MESSAGE; '' where nothing is wrong.
expect() {
  expected=$1
  shift
  if message=$("$check" "$scratch" "$@" 2>&1); then
    [ -n "$expected$message" ] || return 0
  else
    [ -z "$expected" ] || [ "${message#"$expected"}" = "$message" ] || return 0
  fi
  echo "$*: expected '$expected', got '$message'"
  failures=$((failures + 1))
}

parse=isotrope/network/parse.hpp group=isotrope/network/group.hpp torus=isotrope/network/torus.hpp
expect '' $parse $group
expect "$parse: includes $group, which is not installed: add it to PUBLIC_HEADERS of isotrope/network/CMakeLists.txt" \
  $parse
expect "$torus: no installed header includes it and docs/api.md does not name it" $parse $group $torus
expect "docs/api.md: $parse is not installed" $group
expect "isotrope/network/ring.hpp: cannot be read" $parse $group isotrope/network/ring.hpp
expect "41 headers are installed, and 40 are allowed" $(seq 41)

[ "$failures" -eq 0 ]

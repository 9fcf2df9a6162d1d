#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# check_layers_test.sh CHECK_LAYERS: trees of one file each, with the verdict that tools/check-layers must give.
set -eu

check_layers=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# expect VERDICT FILE HEADER: a tree whose only FILE includes HEADER must be accepted or refused.
expect() {
  rm -rf "${scratch:?}"/*
  mkdir -p "$scratch/$(dirname "$2")"
  echo "#include \"$3\"" >"$scratch/$2"
  if message=$("$check_layers" "$scratch" 2>&1); then verdict=accepted; else verdict=refused; fi
  if [ "$verdict" != "$1" ] || { [ "$verdict" = refused ] && [ "${message#"$2:1: "}" = "$message" ]; }; then
    echo "$2 including $3: expected $1, got $verdict: $message"
    failures=$((failures + 1))
  fi
}

expect accepted isotrope/network/torus.cpp isotrope/network/network.hpp
expect accepted isotrope/network/torus.cpp isotrope/base/error.hpp
expect accepted isotrope/planner/plan.cpp isotrope/algorithm/bst.hpp
expect accepted isotrope/algorithm/bst.cpp isotrope/bound/lower_bounds.hpp
expect accepted isotrope/bound/degree.cpp isotrope/schedule/bound.hpp
expect accepted app/main.cpp isotrope/planner/plan.hpp
expect accepted app/main.cpp app/plan_command.hpp
expect accepted tests/verify/verify_test.cpp isotrope/algorithm/bst.hpp
expect accepted tests/verify/verify_test.cpp tests/verify/broken_plans.hpp
expect accepted tests/verify/verify_test.cpp broken_plans.hpp
expect accepted tests/cli/cli_test.cpp isotrope/planner/plan.hpp

expect refused isotrope/base/error.hpp isotrope/network/network.hpp
expect refused isotrope/schedule/plan.hpp isotrope/verify/verify.hpp
expect refused isotrope/verify/verify.cpp isotrope/algorithm/bst.hpp
expect refused isotrope/bound/degree.cpp isotrope/algorithm/bst.hpp
expect refused isotrope/schedule/plan.cpp isotrope/bound/lower_bounds.hpp
expect refused isotrope/planner/plan.cpp app/plan_command.hpp
expect refused isotrope/planner/plan.cpp tests/verify/broken_plans.hpp
expect refused tests/network/torus_test.cpp isotrope/schedule/task.hpp
expect refused isotrope/helpers/misc.cpp isotrope/base/error.hpp
expect refused isotrope/network/torus.cpp network.hpp
expect refused tests/network/torus_test.cpp ../schedule/task.hpp

exit "$failures"

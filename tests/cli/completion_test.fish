#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# completion_test.fish PROGRAM: what fish offers behind parts of command lines.
set -eu

command -v fish >/dev/null || { echo 'fish is not installed'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" completion fish >"$folder/isotrope.fish"

# offers LINE WORD...: descriptions, behind a tab, are left out.
offers() {
  line=$1
  shift
  expected=$(printf '%s\n' "$@")
  found=$(HOME=$folder XDG_CONFIG_HOME=$folder fish --no-config -c "source $folder/isotrope.fish; complete -C '$line'" |
    cut -f 1)
  [ "$found" = "$expected" ] || { echo "$line: offers '$found', not '$expected'"; exit 1; }
}

offers 'isotrope pl' plan
offers 'isotrope plan --net' --network
offers 'isotrope plan --network tor' torus:
offers 'isotrope plan --collective all' allgather allreduce alltoall
offers 'isotrope export --format m' msccl mscclpp
offers 'isotrope completion z' zsh
offers 'isotrope verify /etc/os-rel' /etc/os-release

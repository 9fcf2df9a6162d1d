#!/bin/bash
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# completion_test.bash PROGRAM: what bash offers behind parts of command lines, and that the program takes the words.
set -u

program=$1
source <("$program" completion bash)
failed=0

# offers EXPECTED WORD...: the last word is the one to complete. Bash makes words of colons and equals signs.
offers() {
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _isotrope
  [ "${COMPREPLY[*]}" = "$expected" ] || { echo "$*: offers '${COMPREPLY[*]}', not '$expected'"; failed=1; }
}

offers 'plan' isotrope pl
offers 'compare-algorithms compare compare-networks' isotrope compa
offers '--network' isotrope plan --net
offers 'torus:' isotrope plan --network tor
offers 'tpu:v5e-4x8' isotrope network tpu:v5e-4x8
offers 'allgather alltoall allreduce' isotrope plan --collective all
offers 'bucket' isotrope plan --algorithm buck
offers 'hypercube:' isotrope plan --network = hyp
offers '' isotrope plan --network torus : 4
offers '' isotrope plan --root ''
offers 'bash zsh fish' isotrope completion ''
offers 'plan' isotrope help pl
offers '/etc/os-release' isotrope verify /etc/os-rel
offers '--json' isotrope optimality-table --js

# words OPTION: all words that are offered behind it.
words() {
  COMP_WORDS=(isotrope plan "$1" '') COMP_CWORD=3
  _isotrope
  echo "${COMPREPLY[@]}"
}

for option in --ports --objective; do
  for word in $(words "$option"); do
    "$program" plan hypercube:3 --collective alltoall "$option" "$word" >/dev/null || failed=1
  done
done
for word in $(words --order); do
  "$program" plan hypercube:3 --collective scatter --ports one --algorithm balanced-spanning-tree-scatter \
    --order "$word" 2>&1 >/dev/null | grep 'unknown' && failed=1
done
exit "$failed"

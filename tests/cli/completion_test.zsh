#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# completion_test.zsh PROGRAM: what zsh makes of parts of command lines, in a terminal of its own.
set -eu

command -v zsh >/dev/null || { echo 'zsh is not installed'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" completion zsh >"$folder/_isotrope"

cat >"$folder/driver" <<'DRIVER'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word; PS1=re''ady"
zpty -r -m shell seen '*ready*' || exit 1

# completes LINE EXPECTED: a tab behind LINE makes EXPECTED of it; control-U clears the line.
completes() {
  zpty -w -n shell $'\x15'"$1"$'\t'
  zpty -r -m shell seen "*$2*" || { print "$1: no $2"; exit 1; }
}

completes 'isotrope pla' 'isotrope plan'
completes 'isotrope plan --netw' '--network'
completes 'isotrope plan --network hyperc' 'hypercube:'
completes 'isotrope plan --collective allt' 'alltoall'
completes 'isotrope export --format msc' 'msccl'
completes 'isotrope network hexm' 'hexmesh:'
completes 'isotrope verify /etc/os-rel' '/etc/os-release'
zpty -d shell
DRIVER
# A word that is never completed would be waited for.
HOME=$folder timeout 60 zsh -f "$folder/driver" "$folder" || { echo 'a line was not completed'; exit 1; }

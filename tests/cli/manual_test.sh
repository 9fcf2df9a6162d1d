#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# manual_test.sh PROGRAM: there is a page for every command, with every option of its help, and mandoc warns of nothing.
set -eu

command -v mandoc >/dev/null || { echo 'mandoc is not installed'; exit 77; }
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" manual -o "$folder"
mandoc -T lint -W warning "$folder"/*.1

commands=$("$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\)[ ,].*/\1/p')
[ -n "$commands" ]
[ "$(ls "$folder" | wc -l)" -eq "$(($(echo "$commands" | wc -l) + 1))" ]
for command in $commands; do
  page=$(mandoc -T ascii "$folder/isotrope-$command.1" | sed 's/.\x08//g')
  for option in $("$program" "$command" --help | sed -n 's/^  \(-[^ ]*\) .*/\1/p' | tr , ' '); do
    echo "$page" | grep -q -e "$option" || { echo "isotrope-$command.1 has no $option"; exit 1; }
  done
done
"$program" manual plan | cmp - "$folder/isotrope-plan.1"

for wrong in "manual plan -o $folder" 'manual paln' 'completion tcsh'; do
  if "$program" $wrong 2>/dev/null; then
    echo "isotrope $wrong is not refused"
    exit 1
  fi
done

#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# readme_examples_test.sh ROOT: checks that the programs in README equal those in examples/, from their first include on.
set -eu

cd "$1"

# shown LANGUAGE FIRST_LINE: prints the code block of README in this language that begins with this line.
shown() {
  awk -v fence="\`\`\`$1" -v first="$2" '
    $0 == fence { waiting = 1; next }
    waiting { waiting = 0; inside = $0 == first }
    $0 == "```" { inside = 0 }
    inside' README.md
}

# same LANGUAGE FILE
same() {
  first=$(grep -m 1 '^#include' "$2")
  program=$(sed -n '/^#include/,$p' "$2")
  [ "$(shown "$1" "$first")" = "$program" ] || {
    echo "$2 is not what README shows"
    exit 1
  }
}

same cpp examples/mpi_allreduce.cpp
same c examples/mpi_allreduce.c

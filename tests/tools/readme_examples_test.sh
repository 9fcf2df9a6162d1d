#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# readme_examples_test.sh ROOT: checks that the programs in README and in the tutorial equal those in examples/, from their first
# include on.
set -eu

cd "$1"

# shown PAGE LANGUAGE FIRST_LINE: prints the code blocks of the page in this language that begin with this line.
shown() {
  awk -v fence="\`\`\`$2" -v first="$3" '
    $0 == fence { waiting = 1; next }
    waiting { waiting = 0; inside = $0 == first }
    $0 == "```" { inside = 0 }
    inside' "$1"
}

# same PAGE LANGUAGE FILE
same() {
  first=$(grep -m 1 '^#include' "$3")
  program=$(sed -n '/^#include/,$p' "$3")
  [ "$(shown "$1" "$2" "$first")" = "$program" ] || {
    echo "$3 is not what $1 shows"
    exit 1
  }
}

same README.md cpp examples/mpi_allreduce.cpp
same README.md c examples/mpi_allreduce.c
same docs/tutorial-cpp.md cpp examples/plan.cpp
same docs/tutorial-cpp.md cpp examples/verify.cpp

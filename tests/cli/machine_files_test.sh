#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Every machine file that is installed is read: machine_files_test.sh PROGRAM FILE...
set -eu
program=$1
shift
[ $# -gt 0 ] || { echo "no machine files" >&2; exit 1; }
for file; do
  grep -q '"name"' "$file" || { echo "$file: no name" >&2; exit 1; }
  "$program" plan --network torus:4x4 --collective allreduce --bytes 64KiB --machine "$file" >/dev/null ||
    { echo "$file: not read" >&2; exit 1; }
done

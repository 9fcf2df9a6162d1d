#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# pkg_config_test.sh PREFIX COMPILER SOURCE [FLAGS...]: compiles, links and runs SOURCE by the words of pkg-config alone.
set -eu

prefix=$1 compiler=$2 source=$3
shift 3
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$compiler" -std=c++20 "$@" "$source" -o "$folder/consumer" $(pkg-config --cflags --libs isotrope)
output=$(LD_LIBRARY_PATH=$prefix/lib "$folder/consumer")
[ "$output" = '16 rounds, optimal' ] || { echo "printed '$output'"; exit 1; }

# The modules of the MPI runtimes at least name libraries that pkg-config finds.
for module in "$prefix"/lib/pkgconfig/isotrope-*.pc; do
  [ ! -f "$module" ] || pkg-config --libs "$(basename "$module" .pc)" >/dev/null
done

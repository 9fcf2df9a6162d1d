#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# components_test.sh CMAKE BUILD: component cli is the program with its pages and nothing for developers; the installation of a
# part that is not built says so before it copies a file. Component checker is isotrope-checker, if there is one.
set -eu

cmake=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$cmake" --install "$build" --prefix "$folder/cli" --component cli >/dev/null
for file in bin/isotrope share/man/man1/isotrope-plan.1 share/bash-completion/completions/isotrope \
  share/zsh/site-functions/_isotrope share/fish/vendor_completions.d/isotrope.fish share/doc/isotrope/LICENSE \
  share/doc/isotrope/CITATION.cff share/isotrope/machines/testbed.json; do
  [ -f "$folder/cli/$file" ] || { echo "component cli has no $file"; exit 1; }
done
[ ! -e "$folder/cli/include" ] && [ ! -e "$folder/cli/lib" ] || { echo 'component cli has more'; exit 1; }
"$folder/cli/bin/isotrope" --version | grep -q '^MPI '

# A copy of the installation's script, for a build that lacks a library.
mkdir "$folder/build"
sed "s|$build/isotrope_installed.txt|$folder/build/list|; s|set(build $build)|set(build $folder/build)|" \
  "$build/cmake_install.cmake" >"$folder/build/cmake_install.cmake"
echo "development $folder/build/libmissing.a" >"$folder/build/isotrope_installed.txt"
if "$cmake" --install "$folder/build" --prefix "$folder/none" >"$folder/log" 2>&1; then
  echo 'a part that is not built is not noticed'
  exit 1
fi
grep -q 'libmissing.a is not built' "$folder/log"
[ ! -e "$folder/none" ] || { echo 'a part was copied'; exit 1; }

# The same for isotrope-checker, which Coq builds elsewhere: a stand-in is installed, a missing one is named.
checker=$(sed -n 's/^ISOTROPE_CHECKER:FILEPATH=//p' "$build/CMakeCache.txt")
sed "s|$checker|$folder/build/isotrope-checker|" "$build/cmake_install.cmake" >"$folder/build/cmake_install.cmake"
if "$cmake" --install "$folder/build" --prefix "$folder/none" --component checker >"$folder/log" 2>&1; then
  echo 'a checker that is not built is not noticed'
  exit 1
fi
grep -q 'isotrope-checker is not built' "$folder/log"
[ ! -e "$folder/none" ] || { echo 'something was copied'; exit 1; }
printf '#!/bin/sh\necho stand-in\n' >"$folder/build/isotrope-checker"
"$cmake" --install "$folder/build" --prefix "$folder/checker" --component checker >/dev/null
[ "$("$folder/checker/bin/isotrope-checker")" = stand-in ] || { echo 'the checker is not installed'; exit 1; }
[ "$(find "$folder/checker" -type f | wc -l)" = 1 ] || { echo 'component checker has more'; exit 1; }

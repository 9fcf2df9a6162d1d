#!/bin/sh
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# install_packages_test.sh INSTALL_PACKAGES: what tools/install-packages says and calls, with stand-ins for dpkg, apt,
# sudo and id, so that nothing is installed.
set -eu

install_packages=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
for tool in sh dirname awk sort sed grep mktemp rm tail env cat; do
  ln -s "$(command -v $tool)" "$scratch/$tool"
done

# stand_in NAME BODY: the command NAME of the machine under test.
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/$1"
  chmod +x "$scratch/$1"
}

# expect STATUS TEXT SECTION: the exit status, and the last line of what it prints, for one section.
expect() {
  status=0
  output=$(PATH=$scratch "$install_packages" "$3" 2>&1 </dev/null) || status=$?
  last=$(echo "$output" | tail -n 1)
  if [ "$status" != "$1" ] || [ "$last" != "$2" ]; then
    echo "section $3: expected status $1 and '$2', got status $status and '$last'"
    failures=$((failures + 1))
  fi
}

expect 0 'install-packages: not Debian, so nothing is installed; needed are the equivalents of: gcovr' coverage

stand_in dpkg-query 'echo installed gcovr'
expect 0 '' coverage
expect 1 "install-packages: packages.txt has no section 'nonsense'; see its '# ...' lines" nonsense

stand_in dpkg-query 'exit 1'
expect 1 'install-packages: cannot install without apt; missing: gcovr' coverage

stand_in apt-get 'exit 1'
stand_in id 'echo 1000'
expect 1 'install-packages: needs root or sudo for: apt-get install gcovr' coverage
stand_in sudo 'exit 1'
expect 1 'install-packages: needs root or sudo for: apt-get install gcovr' coverage

stand_in id 'echo 0'
expect 1 'install-packages: apt could not install: gcovr' coverage
stand_in apt-get 'exit 0'
expect 0 'Installing gcovr' coverage

exit "$failures"

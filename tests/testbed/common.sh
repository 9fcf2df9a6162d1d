# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Read by the tests: testbed is the folder of its scripts, and isotrope the program in the folder given second.
testbed=$1
export ISOTROPE=$2/isotrope
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  cat out err >&2 || true
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# run ARGUMENTS...: stdout in the file out, stderr in err, the exit status in status.
run() {
  status=0
  "$testbed/run" "$@" >out 2>err || status=$?
}

# Skips the test if the machine does not permit emulated hosts.
need_hosts() {
  run --network ring:2 --once -- true
  if [ $status -eq 2 ] && grep -q 'does not permit emulated hosts\|is missing' err; then
    echo "skipped: $(cat err)"
    exit 77
  fi
  [ $status -eq 0 ] || fail "a network of two hosts ended with status $status"
}

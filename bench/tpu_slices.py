#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Plans, verifies and executes the collectives on the published TPU slices, and prints rounds over bound.

    tpu_slices.py build/release/bin/isotrope [--most-nodes N] [--generation v5e]

One line per network and collective, one packet per block, all ports. Slices of several generations with the same
network count once. Plans of more nodes than N (default 512) are verified, not executed. Exit status 1 if a plan is not
valid or a run not correct.
"""

import argparse
import json
import subprocess
import sys

COLLECTIVES = ["broadcast", "scatter", "gather", "reduce", "allgather", "alltoall", "reduce-scatter", "allreduce"]


def answer(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, check=False)
    if not done.stdout:
        return {"error": done.stderr.strip()}
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--most-nodes", type=int, default=512)
    parser.add_argument("--generation", default="")
    options = parser.parse_args()
    slices = answer(options.program, "catalog", "--networks")["networks"]
    networks = {s["network"]: s["nodes"] for s in slices if s["name"].startswith(options.generation)}
    wrong, cells, optimal = [], 0, 0
    for network, nodes in networks.items():
        for collective in COLLECTIVES:
            problem = ["--network", network, "--collective", collective]
            command = ["run", *problem, "--bytes", "64"] if nodes <= options.most_nodes else ["plan", *problem]
            found = answer(options.program, *command)
            right = found.get("valid") and found.get("correct", True)
            cells += 1
            if not right:
                wrong.append(f"{collective} on {network}")
                print(f"{network:24} {collective:15} {found.get('error', 'not valid')}", flush=True)
                continue
            optimal += found["rounds"] == found["bound"]["value"]
            print(f"{network:24} {collective:15} {found['rounds']:7} / {found['bound']['value']}", flush=True)
    print(f"{len(slices)} slices, {len(networks)} networks, {cells} plans, {optimal} of them at the bound")
    if wrong:
        sys.exit("not valid, or not correct: " + ", ".join(wrong))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""random_plans PROGRAM [PLANS [SEED [LIMIT]]]: plans by size on random networks and machines.

Each plan is of a random collective and size (1 byte to 100 MB) on a network of up to some 300 nodes, for a machine with random times, ports,
overheads, cut-through and ranks a node. `isotrope plan` verifies what it makes. Printed are plans that are not valid, ends by anything but exit status
0 or 2 (a refusal in words), and plans that take longer than LIMIT seconds (default 10); then the number of plans, the median and the longest time.
"""
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLLECTIVES = ["broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter", "alltoall", "allreduce", "barrier", "scan"]


def extents(pick):
    return "x".join(str(pick.randint(2, 6)) for _ in range(pick.randint(1, 3)))


def circulant(pick):
    nodes = pick.randint(9, 60)
    return f"circulant:{nodes}:" + ",".join(map(str, [1] + sorted(pick.sample(range(2, nodes // 2), pick.randint(0, 2)))))


def network(pick):
    return pick.choice([
        lambda: f"ring:{pick.randint(2, 60)}",
        lambda: f"line:{pick.randint(2, 40)}",
        lambda: f"torus:{extents(pick)}",
        lambda: f"mesh:{extents(pick)}",
        lambda: f"hypercube:{pick.randint(1, 7)}",
        lambda: f"hexmesh:{pick.randint(2, 6)}",
        lambda: f"complete:{pick.randint(2, 40)}",
        lambda: circulant(pick),
        lambda: "twisted-torus:" + pick.choice(["4x8", "2x4", "4x4x8", "3x6"]),
        lambda: pick.choice(["line:4", "ring:5", "torus:3x3", "hypercube:2"]) + "x" +
                pick.choice(["complete:4", "complete:3", "ring:6", "line:3"]),
        lambda: f"{pick.choice(['ring:6', 'torus:3x4', 'line:5'])}@{pick.randint(2, 4)}",
    ])()


def machine(pick):
    result = {"format": "isotrope-machine/1", "startup_s": 10 ** pick.uniform(-7, -3), "byte_time_s": 10 ** pick.uniform(-11, -6),
              "ports": pick.choice(["all", "all", "one", "half", 1])}
    if pick.random() < 0.5:
        result["overhead_s"] = 10 ** pick.uniform(-7, -4)
    if pick.random() < 0.3:
        result["receive_overhead_s"] = 10 ** pick.uniform(-7, -4)
    if pick.random() < 0.3:
        result |= {"cut_through": True, "hop_time_s": 1e-8}
    if pick.random() < 0.2:
        result["ranks_per_node"] = pick.randint(2, 5)
    return result


def main():
    program = sys.argv[1]
    plans, seed, limit = (int(value) for value in (sys.argv[2:] + ["200", "1", "10"][len(sys.argv) - 2:]))
    pick = random.Random(seed)
    times, faults = [], 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "machine.json"
        for _ in range(plans):
            wanted = machine(pick)
            file.write_text(json.dumps(wanted))
            command = ["plan", "--network", network(pick), "--collective", pick.choice(COLLECTIVES),
                       "--bytes", str(int(10 ** pick.uniform(0, 8))), "--machine"]
            start = time.monotonic()
            done = subprocess.run([program, *command, str(file)], capture_output=True, text=True)
            times.append(time.monotonic() - start)
            valid = done.returncode == 2 or (done.returncode == 0 and "verdict       valid" in done.stdout)
            if not valid or times[-1] > limit:
                faults += not valid
                print(f"{times[-1]:.1f} s, status {done.returncode}: {' '.join(command)} {json.dumps(wanted)}", flush=True)
    print(f"{plans} plans, {faults} not valid; median {statistics.median(times):.3f} s, longest {max(times):.1f} s")
    sys.exit(faults > 0)


main()

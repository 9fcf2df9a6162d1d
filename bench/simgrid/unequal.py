#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Times collectives with blocks of unequal sizes in SimGrid (unequal.cpp): Isotrope and SMPI's algorithms over the bound.

    unequal.py BIN [--networks torus:4x4,...] [--collectives alltoallv,...] [--means 65536,...] [--overhead 0] [--seeds 1]

BIN contains simgrid_platform and simgrid_unequal.so. Every link has 1e9 byte/s and 1 us, as for judge.py. A cell shows the
time of Isotrope over the bound, and that of the best SMPI algorithm over it, the mean over seeds.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from judge import MODEL, Platform

TRAFFICS = {"alltoallv": ["uniform", "zipf-row", "zipf-column", "hot-receiver", "hot-sender", "sparse", "permutation",
                          "experts"],
            "allgatherv": ["uniform", "zipf-row", "single", "quarter"],
            "reduce_scatter": ["uniform", "zipf-row", "single", "quarter"]}

# SMPI's algorithms for blocks of unequal sizes; the fastest counts.
ALGORITHMS = {"alltoallv": ["ompi_basic_linear", "ring", "pair_light_barrier", "bruck"],
              "allgatherv": ["ring", "GB", "ompi_neighborexchange", "ompi_bruck", "mpich_rdb"],
              "reduce_scatter": ["ompi_basic_recursivehalving", "ompi_ring", "mpich_pair", "mpich_noncomm"]}


def run(platform, collective, traffic, mean, seed, algorithm, timeout):
    config = [*MODEL, "smpi/shared-malloc:off", f"smpi/{collective}:{algorithm}"]
    if float(platform.overhead) > 0:
        config += [f"smpi/{which}:0:{platform.overhead}:0" for which in ("os", "ois", "or")]
    command = ["smpirun", "-np", str(platform.nodes), "-hostfile", platform.folder / "hosts", "-platform",
               platform.folder / "platform.xml", *("--cfg=" + each for each in config), "--log=root.thres:error",
               platform.tools / "simgrid_unequal.so", platform.network, collective, traffic, str(mean), str(seed)]
    environment = dict(os.environ, ISOTROPE_MACHINE=str(platform.folder / "machine.json"))
    try:
        done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None
    found = re.search(r"^([\d.]+) ([\d.]+) ([\d.]+) .*(right|wrong)$", done.stdout, re.MULTILINE)
    if not found:
        return None
    if found[4] == "wrong":
        sys.exit(f"unequal: wrong data: {' '.join(map(str, command))}")
    return float(found[1]), float(found[2]), float(found[3])


def cell(platform, collective, traffic, mean, arguments):
    own, best = [], []
    for seed in range(1, arguments.seeds + 1):
        times = [each for algorithm in ALGORITHMS[collective][:arguments.algorithms]
                 if (each := run(platform, collective, traffic, mean, seed, algorithm, arguments.timeout))]
        if not times:
            return "failed"
        bound = times[0][2]
        own.append(times[0][0] / bound)
        best.append(min(time for _, time, _ in times) / bound)
    return f"{sum(own) / len(own):.2f} / {sum(best) / len(best):.2f}"


def options():
    def names(text):
        return text.split(",")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--networks", type=names, default=["torus:4x4", "torus:8x8", "torus:4x4x4", "hypercube:4",
                                                           "hypercube:6"])
    parser.add_argument("--collectives", type=names, default=list(TRAFFICS))
    parser.add_argument("--traffics", type=names)
    parser.add_argument("--means", type=names, default=["65536"])
    parser.add_argument("--overhead", default="0", help="seconds per message at both ends")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--algorithms", type=int, default=9, help="how many of SMPI's are tried")
    parser.add_argument("--timeout", type=float, default=600)
    return parser.parse_args()


def main():
    arguments = options()
    with tempfile.TemporaryDirectory() as folder:
        for network in arguments.networks:
            platform = Platform(arguments.bin.resolve(), network, arguments.overhead, pathlib.Path(folder))
            for mean in arguments.means:
                print(f"\n{network}, mean {mean} B, overhead {arguments.overhead} s: Isotrope / best of SMPI, over the bound")
                for collective in arguments.collectives:
                    for traffic in arguments.traffics or TRAFFICS[collective]:
                        if traffic in TRAFFICS[collective]:
                            print(f"  {collective:<15} {traffic:<13} "
                                  f"{cell(platform, collective, traffic, mean, arguments)}", flush=True)


if __name__ == "__main__":
    main()

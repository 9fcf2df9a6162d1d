#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Time of a reproducible allreduce of doubles over that of the plain one, in SimGrid's simulated time.

    reproducible.py BIN [--networks torus:4x4,...] [--sizes 1024,...] [--overhead SECONDS]

BIN contains simgrid_platform and simgrid_reproducible.so. Platforms and model are those of judge.py. Every cell has the
ratio; the bits of all reproducible sums are compared with those of the serial function. Fails if any differ.
"""

import argparse
import pathlib
import sys
import tempfile

import judge

NETWORKS = "torus:4x4 torus:8x8 hypercube:4".split()
SIZES = [8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22]


class Sums(judge.Platform):
    def command(self, collective, contestant, sizes):
        # smpirun's options are those of the judge; the program is another.
        options = super().command(collective, "isotrope", sizes)
        options = options[:options.index(self.tools / "simgrid_judge.so")]
        return [*options, self.tools / "simgrid_reproducible.so", contestant, self.network, ",".join(map(str, sizes))]

    def folds(self, collective, size):
        return False

    def times(self, kind, sizes):
        found, reason = judge.Judge(timeout=1800).run(self.command("allreduce", kind, sizes), self)
        if [size for size, _, verdict in found if verdict == "right"] != sizes:
            sys.exit(f"reproducible: {self.network}, {kind}: wrong bits or {reason}: {found}")
        return [us for _, us, _ in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--networks", type=lambda names: names.split(","), default=NETWORKS)
    parser.add_argument("--sizes", type=lambda sizes: [int(size) for size in sizes.split(",")], default=SIZES)
    parser.add_argument("--overhead", default="0")
    arguments = parser.parse_args()
    print("| |", " | ".join(str(size) for size in arguments.sizes), "|")
    print("|-" * (len(arguments.sizes) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for network in arguments.networks:
            platform = Sums(arguments.bin, network, arguments.overhead, pathlib.Path(folder))
            plain, reproducible = (platform.times(kind, arguments.sizes) for kind in ("plain", "reproducible"))
            ratios = [f"{ours / theirs:.2f}" for ours, theirs in zip(reproducible, plain)]
            print(f"| {network} |", " | ".join(ratios), "|", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Times collectives in all parts of a machine at once, in SimGrid, over the bound of one part alone.

    parts.py BIN [--network torus:8x8] [--parts ring:8@8,ring:8@1] [--sizes 65536,...] [--overhead SECONDS]

BIN contains simgrid_platform and simgrid_judge.so. Platforms and model are those of judge.py. NETWORK@STRIDE is a part: ranks
r, r + STRIDE, r + 2 STRIDE, ...; of torus:8x8, ring:8@8 are the columns and ring:8@1 the rows. All data are checked.
"""

import argparse
import pathlib
import sys
import tempfile

import judge

SIZES = [64, 1 << 10, 1 << 16, 1 << 20]
COLLECTIVES = ["broadcast", "scatter", "gather", "reduce", "allgather", "reduce-scatter", "allreduce", "alltoall"]


class Part:
    """One kind of parts of a machine."""

    def __init__(self, whole, name, folder):
        self.whole = whole
        self.network, _, self.stride = name.partition("@")
        self.own = judge.Platform(whole.tools, self.network, whole.overhead, folder)

    def times(self, collective, sizes):
        command = self.whole.command(collective, "isotrope", sizes)
        command[command.index(self.whole.network)] = self.network
        found, reason = judge.Judge(timeout=1800).run([*command, self.stride], self.whole)
        if [size for size, _, verdict in found if verdict == "right"] != sizes:
            sys.exit(f"parts: {self.network}@{self.stride}, {collective}: wrong data or {reason}: {found}")
        return [us for _, us, _ in found]

    def bound_us(self, collective, size):
        # What a root sends or takes in a gather or a reduce is that of a scatter or a broadcast, backwards.
        return self.own.bound_us({"gather": "scatter", "reduce": "broadcast"}.get(collective, collective), size)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--network", default="torus:8x8")
    parser.add_argument("--parts", type=lambda names: names.split(","), default=["ring:8@8", "ring:8@1"])
    parser.add_argument("--sizes", type=lambda sizes: [int(size) for size in sizes.split(",")], default=SIZES)
    parser.add_argument("--overhead", default="0")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        whole = judge.Platform(arguments.bin, arguments.network, arguments.overhead, pathlib.Path(folder))
        for number, name in enumerate(arguments.parts):
            own_folder = pathlib.Path(folder) / f"part{number}"
            own_folder.mkdir()
            part = Part(whole, name, own_folder)
            print(f"\nall {name} of {arguments.network} at once, over the bound of one\n")
            print("| |", " | ".join(judge.size_text(size) for size in arguments.sizes), "|")
            print("|-" * (len(arguments.sizes) + 1) + "|")
            for collective in COLLECTIVES:
                times = part.times(collective, arguments.sizes)
                ratios = [f"{us / part.bound_us(collective, size):.2f}" for us, size in zip(times, arguments.sizes)]
                print(f"| {collective} |", " | ".join(ratios), "|", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Compares Isotrope's collectives with those of SimGrid (SMPI) and with rivals from the literature, in simulated time,
which is exact and repeatable.

    judge.py BIN [--all] [--networks hypercube:3,...] [--collectives ...] [--sizes 64,...] [--overheads 0,1e-6]
                 [--against stock,rivals]

BIN contains simgrid_platform, simgrid_judge.so, simgrid_planner.so and simgrid_rivals.so. Every network is a platform with
links of 1e9 byte/s and 1 us, in SimGrid's plain fluid model without protocol factors (CM02). A size is the number of bytes of
a block; for broadcast, reduce and allreduce, of the vector.

    isotrope  the MPI runtime, which plans for the machine file of the platform
    stock     SMPI's algorithms for the collective: with --all all of them, otherwise a selection that contains the
              best ones of such a run. The fastest counts. The notes list algorithms that deliver wrong data, abort,
              deadlock or exceed the time limit; these do not count.
    rival     message patterns of published algorithms (rivals/catalogue.hpp), as MPI programs of their own: Swing,
              Bine, Trivance, bucket and others. A rival counts only on the networks to which it applies.
    bound     the bandwidth bound, plus one latency per hop of the diameter (allreduce: both twice; alltoall: the
              bandwidth bound alone)

With an overhead of o seconds, each message occupies its sender for o seconds, and its receiver too.
"""

import argparse
import collections
import concurrent.futures
import csv
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

NETWORKS = "hypercube:3 hypercube:4 hypercube:6 torus:4x4 torus:8x8 torus:4x4x4 hexmesh:3".split()
SIZES = [64, 1 << 10, 1 << 16, 1 << 20]
LATENCY_US = 1.0

# SMPI's names of the collectives.
SMPI = {"broadcast": "bcast", "scatter": "scatter", "gather": "gather", "reduce": "reduce", "allgather": "allgather",
        "alltoall": "alltoall", "reduce-scatter": "reduce_scatter", "allreduce": "allreduce"}
COLLECTIVES = ["broadcast", "scatter", "allgather", "reduce-scatter", "allreduce", "alltoall"]

# The algorithms that were best or second best in some case of a run over all algorithms: for sizes below `LARGE` bytes,
# and for larger ones.
LARGE = 1 << 16
SMALL_FAVOURITES = {
    "broadcast": ["flattree", "ompi", "impi", "mvapich2_knomial_intra_node"],
    "scatter": ["default", "mpich"],
    "allgather": ["default", "2dmesh", "3dmesh", "rdb", "bruck", "smp_simple"],
    "reduce-scatter": ["default", "ompi_basic_recursivehalving", "mpich_noncomm", "impi", "ompi_ring"],
    "allreduce": ["default", "rdb", "rab1", "rab2", "redbcast", "impi"],
    "alltoall": ["basic_linear", "2dmesh", "bruck"]}
LARGE_FAVOURITES = {
    "broadcast": ["impi", "scatter_rdb_allgather", "ompi_split_bintree"],
    "scatter": ["default"],
    "allgather": ["default", "smp_simple", "ompi_neighborexchange"],
    "reduce-scatter": ["ompi_basic_recursivehalving", "mpich_noncomm", "ompi_ring"],
    "allreduce": ["rab2", "mvapich2", "smp_rsag_rab"],
    "alltoall": ["basic_linear"]}

# Targets for the ratio to the bound, by size.
LIMITS = {"broadcast": {1 << 16: 1.25, 1 << 20: 1.10},
          "alltoall": {1 << 16: 1.02, 1 << 20: 1.02},
          **{name: {1 << 16: 1.10, 1 << 20: 1.10} for name in ("scatter", "allgather", "reduce-scatter", "allreduce")}}
LIMIT_TO_STOCK = 1.05
LIMIT_TO_RIVAL = 1.005

RIVAL = "rival:"  # the prefix of their names in the CSV
DOES_NOT_APPLY = "does not apply"

MODEL = ["network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0", "network/loopback-bw:1e15",
         "smpi/simulate-computation:no", "smpi/wtime:0", "smpi/iprobe:0", "smpi/test:0", "surf/precision:1e-12"]
# Before the time that is measured: in this gather SMPI's algorithms build their communicators, and the default allgather,
# in which the runtime learns about its ranks, takes minutes for 512 of them.
BEFORE_STOCK, BEFORE_OTHERS = "smpi/gather:mvapich2_two_level", "smpi/allgather:bruck"

CHECKED_BYTES = 1 << 30  # larger buffers share one memory (fold), and their data are not checked

Line = collections.namedtuple("Line", "network overhead collective contestant bytes us note")


class Platform:
    """The platform files of a network, and the facts that simgrid_platform prints."""

    def __init__(self, tools, network, overhead, folder):
        self.network, self.overhead, self.tools = network, overhead, tools
        self.folder = folder / re.sub("[^\\w.-]", "_", f"{network}_{overhead}")
        self.folder.mkdir()
        out = subprocess.run([tools / "simgrid_platform", network, overhead, self.folder], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
        self.facts = dict(line.split() for line in out.splitlines())
        self.nodes, self.diameter = int(self.facts["nodes"]), int(self.facts["diameter"])

    def bound_us(self, collective, size):
        startups = {"alltoall": 0, "allreduce": 2}.get(collective, 1) * self.diameter
        return float(self.facts[collective]) * size / 1e3 + startups * LATENCY_US

    def folds(self, collective, size):
        blocks = {"alltoall": 2 * self.nodes, "allgather": self.nodes, "reduce-scatter": self.nodes}.get(collective, 2)
        return self.nodes * blocks * size > CHECKED_BYTES

    def command(self, collective, contestant, sizes):
        fold = self.folds(collective, sizes[0])
        config = MODEL + ["smpi/shared-malloc:" + ("global" if fold else "off")]
        if contestant == "isotrope" or is_rival(contestant):
            config.append(BEFORE_OTHERS)
        else:
            config += [BEFORE_STOCK, f"smpi/{SMPI[collective]}:{contestant}"]
        if float(self.overhead) > 0:
            config += [f"smpi/{which}:0:{self.overhead}:0" for which in ("os", "ois", "or")]
        return ["smpirun", "-np", str(self.nodes), "-hostfile", self.folder / "hosts",
                "-platform", self.folder / "platform.xml", *("--cfg=" + each for each in config),
                "--log=root.thres:error", *self.program(contestant), self.network, collective,
                "fold" if fold else "check", ",".join(map(str, sizes))]

    def program(self, contestant):
        if is_rival(contestant):
            return self.tools / "simgrid_rivals.so", contestant[len(RIVAL):]
        return self.tools / "simgrid_judge.so", "isotrope" if contestant == "isotrope" else "stock"


def is_rival(contestant):
    return contestant.startswith(RIVAL)


def reason_of_failure(code, output, timed_out):
    if timed_out:
        return "timeout"
    if "deadlock" in output.lower():
        return "deadlock"
    if "CRITICAL" in output or code != 0:
        return "abort"
    return DOES_NOT_APPLY if DOES_NOT_APPLY in output else "no result"


class Judge:
    def __init__(self, timeout):
        self.timeout = timeout

    def lines(self, platform, collective, contestant, sizes):
        """One line per size. A size that fails after others is repeated alone: the others may have left messages."""
        result, left = [], list(sizes)
        while left:
            fold = platform.folds(collective, left[0])
            together = [size for size in left if platform.folds(collective, size) == fold]
            done, reason = self.run(platform.command(collective, contestant, together), platform)
            if reason == DOES_NOT_APPLY:
                return result + [Line(platform.network, platform.overhead, collective, contestant, size, 0.0, reason)
                                 for size in left]
            right = list(itertools.takewhile(lambda each: each[2] == "right", done))
            result += [Line(platform.network, platform.overhead, collective, contestant, size, us, "")
                       for size, us, _ in right]
            if not right:
                note = "wrong data" if done else reason
                result.append(Line(platform.network, platform.overhead, collective, contestant, left[0], 0.0, note))
            left = left[max(len(right), 1):]
        return result

    def run(self, command, platform):
        environment = dict(os.environ, ISOTROPE_MACHINE=str(platform.folder / "machine.json"))
        timed_out = False
        with subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", start_new_session=True) as process:
            try:
                output, _ = process.communicate(timeout=self.timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)  # smpirun is a script: end its children too
                output, timed_out = process.communicate()[0], True
        found = re.findall(r"^(\d+) ([\d.]+) (right|wrong)$", output, re.MULTILINE)
        return [(int(size), float(us), verdict) for size, us, verdict in found], \
            reason_of_failure(process.returncode, output, timed_out)


def algorithms_of(platform, collective):
    """SMPI lists its algorithms in the error message for an unknown one."""
    command = platform.command(collective, "none-of-that-name", [64])
    output = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
    names = re.search(r"Valid algorithms: ([^.]*)\.", output)
    if names is None:
        sys.exit(f"judge: SMPI lists no algorithms for {collective}:\n{output}")
    return [name for name in names[1].split(", ") if name != "automatic"]  # "automatic" runs all the others


def rivals_of(platform, collective):
    command = ["smpirun", "-np", "1", "-hostfile", platform.folder / "hosts", "-platform",
               platform.folder / "platform.xml", "--log=root.thres:error", platform.tools / "simgrid_rivals.so", "names",
               collective]
    output = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return [RIVAL + name for name in re.findall(r"^[a-z-]+$", output, re.MULTILINE)]


def selected(platform, collective, contestant, size):
    """Whether the selection contains this line. At 1 MiB overheads no longer matter."""
    if float(platform.overhead) and size >= 1 << 20:
        return False
    favourites = (SMALL_FAVOURITES if size < LARGE else LARGE_FAVOURITES).get(collective)
    return contestant == "isotrope" or is_rival(contestant) or favourites is None or contestant in favourites


def base_name(rival):
    """Without the ports that it uses."""
    return re.sub("-(two|all)$", "", rival[len(RIVAL):])


class Progress:
    def __init__(self, total):
        self.total, self.done, self.lock = total, 0, threading.Lock()

    def step(self, what):
        with self.lock:
            self.done += 1
            if sys.stderr.isatty():
                end = "\n" if self.done == self.total else ""
                print(f"\r\033[K{self.done}/{self.total} {what}", end=end, file=sys.stderr, flush=True)


def compete(jobs, judge, workers):
    """Yields the lines of each job. A job is (platform, collective, contestant, sizes); jobs that need much memory run
    alone."""
    progress = Progress(len(jobs))

    def work(job):
        lines = judge.lines(*job)
        progress.step(" ".join(str(each) for each in (job[0].network, *job[1:3])))
        return lines

    def large(job):
        return job[0].folds(job[1], max(job[3]))

    for chosen, at_once in ((filter(lambda job: not large(job), jobs), workers), (filter(large, jobs), 1)):
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            yield from pool.map(work, chosen)


def size_text(size):
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


def fastest(lines):
    return min(lines, key=lambda line: line.us, default=None)


def named_time(line):
    return f"{line.us:.2f} ({line.contestant.removeprefix(RIVAL)})" if line else "none"


def ratio_text(own, other):
    return f"{own / other:.3f}" if own is not None and other else ""


class Table:
    """The results for one network, collective and overhead."""

    def __init__(self, platform, collective, lines):
        self.platform, self.collective, self.lines = platform, collective, lines
        self.missed = []

    def rows(self):
        for size in sorted({line.bytes for line in self.lines}):
            here = [line for line in self.lines if line.bytes == size and not line.note]
            own = next((line.us for line in here if line.contestant == "isotrope"), None)
            others = [line for line in here if line.contestant != "isotrope"]
            yield size, own, fastest(line for line in others if not is_rival(line.contestant)), \
                fastest(line for line in others if is_rival(line.contestant)), \
                self.platform.bound_us(self.collective, size)

    def print(self):
        overhead = float(self.platform.overhead) * 1e6
        suffix = f", overhead of {overhead:g} us per message" if overhead else ""
        print(f"\n### {self.collective}, {self.platform.network}{suffix}")
        print("\n| size | Isotrope, us | best of SMPI, us | best rival, us | bound, us | ratio to bound | ratio to SMPI "
              "| ratio to rival |\n|-|-|-|-|-|-|-|-|")
        for size, own, stock, rival, bound in self.rows():
            if own is None:
                self.missed.append(f"{self.name(size)}: Isotrope failed")
            shown = "failed" if own is None else f"{own:.2f}"
            print(f"| {size_text(size)} | {shown} | {named_time(stock)} | {named_time(rival)} | {bound:.2f} "
                  f"| {ratio_text(own, bound)} | {ratio_text(own, stock and stock.us)} "
                  f"| {ratio_text(own, rival and rival.us)} |")
            if own is not None:
                self.judge(size, own / bound if bound else 0.0, own / stock.us if stock else 0.0)
                self.compare(size, own, rival)

    def compare(self, size, own, rival):
        if rival and own > LIMIT_TO_RIVAL * rival.us:
            self.missed.append(f"{self.name(size)}: {own:.2f} us, {rival.contestant} {rival.us:.2f} us")

    def judge(self, size, to_bound, to_best):
        limit = LIMITS.get(self.collective, {}).get(size)
        if limit and float(self.platform.overhead) == 0 and to_bound > limit:
            self.missed.append(f"{self.name(size)}: {to_bound:.3f} times the bound, target {limit}")
        if to_best > LIMIT_TO_STOCK:
            self.missed.append(f"{self.name(size)}: {to_best:.3f} times the best of SMPI, target {LIMIT_TO_STOCK}")

    def name(self, size):
        overhead = " with overhead" if float(self.platform.overhead) else ""
        return f"{self.collective}, {self.platform.network}, {size_text(size)}{overhead}"


def print_notes(lines):
    reasons = collections.defaultdict(list)
    for line in lines:
        if line.note and line.note != DOES_NOT_APPLY:
            where = f"{line.network} {size_text(line.bytes)}" + (" with overhead" if float(line.overhead) else "")
            reasons[line.collective, line.contestant, line.note].append(where)
    print("\n### Notes\n")
    for (collective, contestant, note), places in sorted(reasons.items()):
        print(f"- {collective} {contestant}: {note} ({', '.join(places)})")
    if not reasons:
        print("- none")


def read_known(path):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Line(**{**row, "bytes": int(row["bytes"]), "us": float(row["us"])})


def write_csv(path, lines):
    partial = path.with_name(path.name + ".partial")
    with open(partial, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Line._fields)
        writer.writerows(sorted(lines))
    partial.replace(path)


def options():
    def names(text):
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--networks", type=lambda text: re.split(",(?=[a-z])", text), default=NETWORKS)
    parser.add_argument("--collectives", type=names, default=COLLECTIVES)
    parser.add_argument("--sizes", type=lambda text: sorted(map(int, names(text))), default=SIZES)
    parser.add_argument("--overheads", type=names, default=["0", "1e-6"], help="seconds per message")
    parser.add_argument("--all", action="store_true", help="all algorithms of SMPI")
    parser.add_argument("--known", type=pathlib.Path, help="a CSV of an earlier run: do not repeat its lines of SMPI")
    parser.add_argument("--resume", action="store_true", help="keep the lines of the file of --csv, but repeat timeouts")
    parser.add_argument("--against", type=names, default=["stock", "rivals"], help="stock, rivals or both (default)")
    parser.add_argument("--without", type=names, default=[], help="rivals to leave out, in all their forms, such as ring")
    parser.add_argument("--csv", type=pathlib.Path,
                        help="write the lines to this file during the run; --known reads them")
    parser.add_argument("--jobs", type=int, default=2, help="processes at the same time (default 2)")
    parser.add_argument("--timeout", type=float, default=60, help="time limit of a process in seconds (default 60)")
    return parser.parse_args()


def kept_lines(wanted):
    if wanted.resume and wanted.csv.exists():
        return [line for line in read_known(wanted.csv) if line.note != "timeout"]
    known = list(read_known(wanted.known)) if wanted.known else []
    return [line for line in known if line.contestant != "isotrope"]


def contestants(wanted, platform, collective):
    rivals = rivals_of(platform, collective) if "rivals" in wanted.against else []
    return ["isotrope",
            *(algorithms_of(platform, collective) if "stock" in wanted.against else []),
            *(each for each in rivals if base_name(each) not in wanted.without)]


def refuse_unknown(wanted, platform):
    names = {base_name(rival) for collective in wanted.collectives for rival in rivals_of(platform, collective)}
    if unknown := sorted(set(wanted.without) - names):
        sys.exit(f"judge: --without {','.join(unknown)}: no such rival; give some of {', '.join(sorted(names))}")


def jobs_of(wanted, platforms, known):
    done = {line[:5] for line in known}
    for collective in wanted.collectives:
        everyone = contestants(wanted, platforms[0], collective)
        for platform, contestant in itertools.product(platforms, everyone):
            key = (platform.network, platform.overhead, collective, contestant)
            sizes = [size for size in wanted.sizes if (*key, size) not in done and
                     (wanted.all or selected(platform, collective, contestant, size))]
            if sizes:
                yield platform, collective, contestant, sizes


def main():
    wanted = options()
    tools = wanted.bin.resolve()
    with tempfile.TemporaryDirectory() as folder:
        platforms = [Platform(tools, network, overhead, pathlib.Path(folder))
                     for network in wanted.networks for overhead in wanted.overheads]
        refuse_unknown(wanted, platforms[0])
        known = kept_lines(wanted)
        jobs = list(jobs_of(wanted, platforms, known))
        lines = known
        for more in compete(jobs, Judge(wanted.timeout), wanted.jobs):
            lines += more
            if wanted.csv:
                write_csv(wanted.csv, lines)
        missed = []
        for platform in platforms:
            for collective in wanted.collectives:
                table = Table(platform, collective,
                              [line for line in lines if line.bytes in wanted.sizes and
                               line[:3] == (platform.network, platform.overhead, collective)])
                table.print()
                missed += table.missed
        print_notes(lines)
        print("\n### Missed targets\n")
        for line in missed or ["none"]:
            print("- " + line)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("judge: interrupted")

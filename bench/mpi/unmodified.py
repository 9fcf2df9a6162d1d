#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs of others under the drop-in, and alone if they do not pass, and compares how they end.

    unmodified.py BUILD FLAVOUR LIST [--ranks 2,4,7,8,9,16] [--times 10] [--choose measure] [--machine FILE]
                  [--only PATTERN] [--seconds S] [--limit 40] [--slots 8] [--results FILE]

BUILD is a folder such as build/release, FLAVOUR openmpi or mpich. LIST has a program with its arguments in each line, for
that MPI library; paths are relative to the list. An outcome is one of these:

    pass      exit status 0, and no error in the output
    errors    MPICH's tests found errors
    bad       OSU's or IMB's validation failed
    exit      another exit status
    time      not over after --limit seconds

A program that does not pass runs alone, up to three times, until it ends in the same way once. One that never does is
reported, and the exit status is 1. Programs that reach the limit alone too are not run again. --slots is the number of
ranks that run at a time. --seconds ends a long campaign early. --results appends a line of JSON per run, with the seconds
under the drop-in; runs that are in FILE already count, so that the same command goes on with a campaign that ended early.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRONG_DATA = re.compile(r"\bFAIL\b|Validation.*Fail|DATA CORRUPT|Error\b.*(rank|sample)")


def network_of(ranks):
    if ranks & (ranks - 1) == 0:
        return f"hypercube:{ranks.bit_length() - 1}" if ranks > 1 else "ring:1"
    side = next((a for a in range(int(ranks ** 0.5), 1, -1) if ranks % a == 0), 1)
    return f"torus:{side}x{ranks // side}" if side > 1 else f"ring:{ranks}"


def outcome_of(status, output):
    if status == "time":
        return "time"
    if re.search(r"Found \d+ errors", output):
        return "errors"
    if status != 0:
        return "exit"
    return "bad" if WRONG_DATA.search(output) else "pass"


def descendants_of(pid):
    parents = [line.split() for line in subprocess.check_output(["ps", "-eo", "pid=,ppid="], text=True).splitlines()]
    found = [pid]
    for each in found:
        found += [int(child) for child, parent in parents if int(parent) == each]
    return found


def end(process):
    """Ranks may be sessions of their own: one that outlives its launcher would hold the pipe, and a processor."""
    started = descendants_of(process.pid)
    process.terminate()
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        pass
    for pid in started:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def run(command, environment, limit):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               env=environment, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit)
        status = process.returncode
    except subprocess.TimeoutExpired:
        end(process)
        output, _ = process.communicate()
        status = "time"
    output = output.decode(errors="replace")
    return outcome_of(status, output), output


class Campaign:
    def __init__(self, arguments):
        self.given = arguments
        self.environment = dict(os.environ, MPICH_YIELD=str(arguments.build / "bin/bench_yield.so"))
        self.free = arguments.slots
        self.changed = threading.Condition()
        self.alone = collections.defaultdict(set)  # outcomes by program and ranks
        self.counts = collections.Counter()
        self.earlier = collections.Counter()  # runs of an earlier campaign by program and ranks
        if arguments.results and arguments.results.exists():
            for line in arguments.results.read_text().splitlines():
                self.take_over(json.loads(line))

    def take_over(self, earlier):
        job = tuple(earlier["program"]), earlier["ranks"]
        self.earlier[job] += 1
        if earlier["kind"] == "as alone":
            self.alone[job].add(earlier["outcome"])

    def lines(self):
        try:
            return self.given.list.read_text().splitlines()
        except UnicodeDecodeError:
            sys.exit(f"unmodified: {self.given.list} is no text: give a file with a program in each line")

    def programs(self):
        folder = self.given.list.resolve().parent
        for line in self.lines():
            if line.strip() and re.search(self.given.only, line):
                program, *arguments = line.split()
                if not os.access(folder / program, os.X_OK):
                    sys.exit(f"unmodified: {folder / program} is no program: give paths relative to {self.given.list}")
                yield str(folder / program), *arguments

    def launch(self, program, ranks, with_drop_in):
        variables = []
        if with_drop_in:
            preloaded = [str(self.given.build / "lib" / self.given.flavour / "libisotrope_pmpi.so")]
            if self.given.flavour != "openmpi":
                preloaded.append(self.environment["MPICH_YIELD"])
            variables = [f"LD_PRELOAD={':'.join(preloaded)}", f"ISOTROPE_NETWORK={network_of(ranks)}",
                         f"ISOTROPE_CHOOSE={self.given.choose}"]
            if self.given.machine:
                variables.append(f"ISOTROPE_MACHINE={self.given.machine.resolve()}")
        command = [ROOT / "tests/mpi/run", self.given.flavour, str(ranks), "env", *variables, *program]
        return run(command, self.environment, self.given.limit)

    def judge(self, program, ranks):
        known = self.alone[program, ranks]
        if known == {"time"}:
            self.record("left out", program, ranks, "time", 0, "")
            return
        start = time.monotonic()
        outcome, output = self.launch(program, ranks, True)
        seconds = time.monotonic() - start
        for _ in range(3):
            if outcome == "pass" or outcome in known:
                break
            known.add(self.launch(program, ranks, False)[0])
        kind = "pass" if outcome == "pass" else "as alone" if outcome in known else "differs"
        self.record(kind, program, ranks, outcome, seconds, output)

    def record(self, kind, program, ranks, outcome, seconds, output):
        with self.changed:
            self.counts[kind] += 1
            if kind == "differs":
                print(f"{ranks} ranks, {' '.join(program)}: {outcome}, alone {sorted(self.alone[program, ranks])}\n"
                      f"{output[-2000:]}", flush=True)
            if self.given.results:
                with self.given.results.open("a") as file:
                    file.write(json.dumps({"program": program, "ranks": ranks, "outcome": outcome, "kind": kind,
                                           "seconds": round(seconds, 2)}) + "\n")

    def take(self, slots):
        with self.changed:
            self.changed.wait_for(lambda: self.free >= slots)
            self.free -= slots

    def give_back(self, slots):
        with self.changed:
            self.free += slots
            self.changed.notify_all()

    def job(self, program, ranks, slots):
        try:
            self.judge(program, ranks)
        finally:
            self.give_back(slots)

    def run_all(self):
        end = time.monotonic() + self.given.seconds
        jobs = [(program, ranks) for program in self.programs() for ranks in self.given.ranks]
        threads = []
        for turn in range(self.given.times):
            random.Random(turn).shuffle(jobs)
            for program, ranks in jobs:
                if self.earlier[program, ranks] > turn:
                    continue
                slots = min(ranks, self.given.slots)
                self.take(slots)
                if time.monotonic() > end:
                    self.give_back(slots)
                    break
                threads.append(threading.Thread(target=self.job, args=(program, ranks, slots)))
                threads[-1].start()
        for thread in threads:
            thread.join()
        print(f"{self.given.flavour}: {sum(self.counts.values())} runs, {sum(self.earlier.values())} earlier, "
              f"of {len(jobs) * self.given.times}, "
              f"{', '.join(f'{count} {kind}' for kind, count in sorted(self.counts.items()))}")
        return 1 if self.counts["differs"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("flavour", choices=["openmpi", "mpich"])
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("--ranks", type=lambda text: [int(each) for each in text.split(",")], default=[2, 4, 7, 8, 9, 16])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--choose", default="measure")
    parser.add_argument("--machine", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--limit", type=float, default=40)
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--results", type=pathlib.Path)
    arguments = parser.parse_args()
    if not (arguments.build / "lib" / arguments.flavour).is_dir():
        parser.error(f"{arguments.build} has no drop-in for {arguments.flavour}: run make mpi")
    if not arguments.list.is_file():
        parser.error(f"{arguments.list} is no file: give a list of programs")
    return Campaign(arguments).run_all()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Allreduces by broadcasts and their own time mirror (isotrope/algorithm/allreduce/mirrored_broadcasts.hpp), found by a SAT solver: tells on
small networks whether the search of the planner or the lower bound is weak.

    bench/mirrored_sat.py build/release/bin/isotrope mesh:3x3 18 --ports one -o plan.json

looks for a schedule of 18 rounds for a vector of a block per node, writes it as a plan file, and lets the program verify it. With --symmetric
the schedule is the same after every translation along closed axes and reflection of open ones of even extent, which divides the problem by
their number. Without a schedule there is none of this kind: mirrored, of these rounds, and symmetric if that was wanted.

Variables: hop b a t, packet b goes over arc a in round t; held b v t, node v has it at the start of round t; root b v. Packet 2 i is the
mirror of packet 2 i + 1; the last one of an odd number is its own. Needs `cadical`, which `tools/install-packages bench`
installs.
Exit status 0 if a schedule was found, 1 if there is none, 2 if the solver reached its time limit.
"""
import argparse
import itertools
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path


class Network:
    """Nodes by number; arcs (from, port, to) that exist; symmetries as (images of nodes, images of ports), the identity first."""

    def __init__(self, plan):
        self.head = {key: plan[key] for key in ("network", "open_axes") if key in plan}
        self.moduli = plan["network"]["moduli"]
        self.generators = plan["network"]["generators"]
        self.open = set(plan.get("open_axes", []))
        self.size = math.prod(self.moduli)
        self.points = list(itertools.product(*map(range, self.moduli)))
        self.number = {point: node for node, point in enumerate(self.points)}
        self.arcs = [(v, p, self.neighbour(v, p)) for v in range(self.size) for p in range(len(self.generators)) if self.exists(v, p)]

    def neighbour(self, node, port):
        return self.number[tuple((x + g) % m for x, g, m in zip(self.points[node], self.generators[port], self.moduli))]

    def exists(self, node, port):
        inside = (0 <= self.points[node][a] + step(self.generators[port][a], self.moduli[a]) < self.moduli[a] for a in self.open)
        return all(inside)

    def axes(self):
        translations = [a for a, m in enumerate(self.moduli) if a not in self.open and m > 1]
        return translations, [a for a in sorted(self.open) if self.moduli[a] % 2 == 0]

    def symmetries(self, translations, reflections):
        ports = {tuple(g): p for p, g in enumerate(self.generators)}
        result = []
        for shift in itertools.product(*(range(self.moduli[a]) for a in translations)):
            for turned in itertools.product((False, True), repeat=len(reflections)):
                by, flips = dict(zip(translations, shift)), dict(zip(reflections, turned))
                move = lambda x: tuple(m - 1 - c if flips.get(a) else (c + by.get(a, 0)) % m for a, (c, m) in enumerate(zip(x, self.moduli)))
                turn = lambda g: tuple((-c) % m if flips.get(a) else c for a, (c, m) in enumerate(zip(g, self.moduli)))
                result.append(([self.number[move(x)] for x in self.points], [ports[turn(g)] for g in self.generators]))
        return result


def step(coordinate, modulus):
    return coordinate - modulus if coordinate == modulus - 1 else coordinate


class Formula:
    def __init__(self):
        self.variables = 0
        self.clauses = []

    def new(self):
        self.variables += 1
        return self.variables

    def add(self, *literals):
        self.clauses.append(literals)

    def at_most_one(self, literals):
        before = None  # whether one of those so far is true
        for literal in literals:
            if before is not None:
                self.add(-before, -literal)
            now = self.new()
            self.add(-literal, now)
            if before is not None:
                self.add(-before, now)
            before = now

    def solve(self, seconds):
        """The true variables, or None if there is no solution. Raises TimeoutError."""
        with tempfile.NamedTemporaryFile("w", suffix=".cnf") as file:
            file.write(f"p cnf {self.variables} {len(self.clauses)}\n")
            file.writelines(" ".join(map(str, clause)) + " 0\n" for clause in self.clauses)
            file.flush()
            done = subprocess.run(["cadical", "-q", "-t", str(seconds), file.name], capture_output=True, text=True)
        if done.returncode not in (10, 20):
            raise TimeoutError
        if done.returncode == 20:
            return None
        return {int(word) for line in done.stdout.splitlines() if line.startswith("v ") for word in line[2:].split() if int(word) > 0}


class Mirror:
    def __init__(self, network, rounds, one_port, symmetries):
        self.network, self.rounds, self.one_port, self.symmetries = network, rounds, one_port, symmetries
        self.packets = network.size // len(symmetries)
        self.formula = formula = Formula()
        times, nodes = range(rounds), range(network.size)
        self.hop = [[[formula.new() for _ in times] for _ in network.arcs] for _ in range(self.packets)]
        self.held = [[[formula.new() for _ in range(rounds + 1)] for _ in nodes] for _ in range(self.packets)]
        self.root = [[formula.new() for _ in nodes] for _ in range(self.packets)]
        self.into = [[a for a, arc in enumerate(network.arcs) if arc[2] == v] for v in nodes]
        self.of = [[a for a, arc in enumerate(network.arcs) if arc[0] == v] for v in nodes]
        first = {min(images[v] for images, _ in symmetries) for v in nodes}
        for packet in range(self.packets):
            self.broadcast(packet, first)
        for packet in range(self.packets):
            self.pair(packet, self.partner(packet))
        self.slots(first)

    def partner(self, packet):
        return min(packet ^ 1, self.packets - 1)

    def broadcast(self, packet, roots):
        """Every node but the root, one of `roots`, receives the packet once, from a node that has it."""
        add, hop, held, root = self.formula.add, self.hop[packet], self.held[packet], self.root[packet]
        add(*(root[v] for v in roots))
        self.formula.at_most_one(root)
        for v in range(self.network.size):
            add(held[v][self.rounds])
            add(-held[v][0], root[v])
            if v not in roots:
                add(-root[v])
            for t in range(self.rounds):
                add(-held[v][t], held[v][t + 1])
                add(-held[v][t + 1], held[v][t], root[v], *(hop[a][t] for a in self.into[v]))
                for a in self.into[v]:
                    add(-hop[a][t], held[self.network.arcs[a][0]][t])
                    add(-hop[a][t], -held[v][t])
                    add(-hop[a][t], held[v][t + 1])
                    add(-hop[a][t], -root[v])

    def pair(self, packet, partner):
        """The same root, and beginnings that are `rounds` apart from 0 together."""
        for v in range(self.network.size):
            if packet != partner:
                self.formula.add(-self.root[packet][v], self.root[partner][v])
            for t in range(self.rounds):
                self.formula.add(-self.root[packet][v], -self.held[packet][v][t], -self.held[partner][v][self.rounds - 1 - t])

    def slots(self, first):
        """One packet a link and round, and a message sent and one received a node and round over one port, mirrored hops included."""
        arcs = {(u, p): a for a, (u, p, _) in enumerate(self.network.arcs)}
        opposite = [next(b for b in self.into[arc[0]] if self.network.arcs[b][0] == arc[2]) for arc in self.network.arcs]
        images = [[arcs[nodes[u], ports[p]] for nodes, ports in self.symmetries] for u, p, _ in self.network.arcs]
        carried = lambda a, t: [self.hop[b][image][t] for b in range(self.packets) for image in images[a]]
        # In the middle round a hop may be the mirror of an image of its own; it is listed twice, and so excluded.
        both = lambda forward, backward, t: ([x for a in forward for x in carried(a, t)]
                                             + [x for a in backward for x in carried(a, self.rounds - 1 - t)])
        for v in first:
            for t in range(self.rounds):
                if self.one_port:
                    self.formula.at_most_one(both(self.of[v], self.into[v], t))
                    continue
                for a in self.of[v]:
                    self.formula.at_most_one(both([a], [opposite[a]], t))

    def plan(self, true, axes):
        """The plan file of a solution."""
        network = self.network
        back = {(u, w): p for u, p, w in network.arcs}
        rounds = [[] for _ in range(self.rounds)]
        for packet in range(self.packets):
            for a, (u, p, w) in enumerate(network.arcs):
                for t in range(self.rounds):
                    if self.hop[packet][a][t] in true:
                        rounds[t].append([packet, u, p])
                        rounds[self.rounds - 1 - t].append([self.partner(packet), w, back[w, u]])
        roots = [next(v for v in range(network.size) if self.root[b][v] in true) for b in range(self.packets)]
        packets = [[root, "all", roots[:b].count(root), 0] for b, root in enumerate(roots)]
        replication = {"translations": axes[0], "reflections": axes[1]} if len(self.symmetries) > 1 else "none"
        stage = {"flow": "reduce-then-copy", "replication": replication, "packets": packets, "hops": rounds}
        ports = {"ports": {"model": "one-port"}} if self.one_port else {}
        return {"format": "isotrope-plan/2", **network.head, "collective": "allreduce", **ports, "stages": [stage]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("network")
    parser.add_argument("rounds", type=int)
    parser.add_argument("--ports", choices=["all", "one"], default="all")
    parser.add_argument("--symmetric", action="store_true")
    parser.add_argument("--seconds", type=int, default=600, help="time limit of the solver")
    parser.add_argument("-o", "--output", type=Path, default=Path("plan.json"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.json"
        subprocess.run([options.program, "plan", "--network", options.network, "--collective", "broadcast", "-o", file], check=True,
                       stdout=subprocess.DEVNULL)
        network = Network(json.loads(file.read_text()))
    axes = network.axes() if options.symmetric else ([], [])
    mirror = Mirror(network, options.rounds, options.ports == "one", network.symmetries(*axes))
    what = f"{options.network}, {options.rounds} rounds"
    try:
        true = mirror.formula.solve(options.seconds)
    except TimeoutError:
        print(f"{what}: not decided in {options.seconds} s")
        return 2
    if true is None:
        print(f"{what}: no such schedule")
        return 1
    options.output.write_text(json.dumps(mirror.plan(true, axes)) + "\n")
    return subprocess.run([options.program, "verify", options.output]).returncode


sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Plans on graphs without symmetry, from network files: rounds over bounds and seconds of planning.

    any_graph.py build/release/bin/isotrope [COLLECTIVE ...]

Graphs: Petersen's, a dragonfly of 36 routers, the undirected de Bruijn graph of 64 nodes, a grid of 100 nodes without a
block of 4, random graphs of degree up to 4 (two random circles) of 64, 256 and 1,024 nodes, and one of 64 with random
rates of 1 to 3. Every plan is verified; the smaller ones are executed. Exit status 1 if a plan is wrong.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

COLLECTIVES = ["broadcast", "scatter", "allgather", "alltoall", "reduce-scatter", "allreduce"]
MOST_RUN = 256


def petersen():
    outer = [(i, (i + 1) % 5) for i in range(5)]
    inner = [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
    return 10, outer + inner + [(i, i + 5) for i in range(5)]


def dragonfly(routers=4, global_links=2):
    """Groups of routers that are all joined, and one link between every two groups."""
    groups = routers * global_links + 1
    edges = [(g * routers + a, g * routers + b) for g in range(groups) for b in range(routers) for a in range(b)]
    for g in range(groups):
        for h in range(g):
            ports = ((h - g - 1) % groups // global_links, (g - h - 1) % groups // global_links)
            edges.append((h * routers + ports[1], g * routers + ports[0]))
    return groups * routers, edges


def de_bruijn(bits=6):
    nodes = 1 << bits
    return nodes, [(v, (2 * v + b) % nodes) for v in range(nodes) for b in (0, 1) if v != (2 * v + b) % nodes]


def grid_with_a_hole(side=10):
    places = [(x, y) for x in range(side) for y in range(side) if not (x in (4, 5) and y in (4, 5))]
    number = {place: i for i, place in enumerate(places)}
    steps = [(number[x, y], number[x + dx, y + dy]) for x, y in places for dx, dy in ((1, 0), (0, 1))
             if (x + dx, y + dy) in number]
    return len(places), steps


def two_circles(nodes, seed=1):
    draw = random.Random(seed)
    edges = []
    for _ in range(2):
        order = draw.sample(range(nodes), nodes)
        edges += zip(order, order[1:] + order[:1])
    return nodes, edges


def write(path, nodes, edges, rates=None):
    distinct = sorted({(min(e), max(e)) for e in edges})
    links = [[a, b] + ([rates.randint(1, 3)] if rates else []) for a, b in distinct]
    path.write_text(json.dumps({"format": "isotrope-network/1", "nodes": nodes, "links": links}))


def answer(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout)


def main():
    program, collectives = sys.argv[1], sys.argv[2:] or COLLECTIVES
    graphs = {"petersen": petersen(), "dragonfly of 36": dragonfly(), "de Bruijn of 64": de_bruijn(),
              "grid of 96": grid_with_a_hole(), "random of 64": two_circles(64), "random of 64, rates": two_circles(64),
              "random of 256": two_circles(256), "random of 1024": two_circles(1024)}
    print("rounds/bound, and seconds of planning in brackets if above 0.1")
    print(f"{'':22}" + "".join(f"{c:>18}" for c in collectives))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        network, plan = pathlib.Path(folder, "network.json"), pathlib.Path(folder, "plan.cbor")
        for name, (nodes, edges) in graphs.items():
            write(network, nodes, edges, random.Random(2) if "rates" in name else None)
            row = f"{name:22}"
            for collective in collectives:
                made = answer(program, "plan", "--network", str(network), "--collective", collective, "-o", str(plan))
                right = answer(program, "verify", str(plan))["valid"]
                if nodes <= MOST_RUN:
                    right = right and answer(program, "run", str(plan), "--bytes", "64")["correct"]
                wrong += not right
                seconds = f" ({made['seconds']:.1f})" if made["seconds"] > 0.1 else ""
                row += f"{str(made['rounds']) + '/' + str(made['bound']['value']) + seconds:>18}"
            print(row, flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()

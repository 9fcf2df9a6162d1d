# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""An algorithm of your own: a broadcast along a ring, one way. The planner checks it and compares it with others."""
import isotrope


def chain(network, problem):
    """Part p leaves the i-th node after the root in round p + i: P + N - 2 rounds."""
    links = network.order - 1
    return [[(t - i, (problem.root + i) % network.order, 0) for i in range(links) if 0 <= t - i < problem.parts]
            for t in range(problem.parts + links - 1)]


def on_rings(network, problem):
    return None if network.name.startswith("ring:") else "it needs a ring"


isotrope.register_algorithm(chain, name="chain", collective="broadcast", supports=on_rings, reversed="chain-reduce")

plan = isotrope.plan("ring:6", "broadcast", ports="one", parts=4, algorithm="chain")
print(f"{plan.algorithm}: {plan.rounds} rounds, valid: {isotrope.verify(plan).valid}, bound: {plan.bound.value}")
print("backwards:", isotrope.plan("ring:6", "reduce", algorithm="chain-reduce").rounds, "rounds")
try:
    isotrope.plan("torus:3x3", "broadcast", algorithm="chain")
except isotrope.Error as error:
    print(error)

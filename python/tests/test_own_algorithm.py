# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Algorithms written in Python. The catalogue of the whole process changes, so names differ from test to test."""
import numpy
import pytest

import isotrope


def star(network, problem):
    """On a complete network the root sends every part over all of its links: P rounds."""
    return [[(part, problem.root, port) for port in range(network.degree)] for part in range(problem.parts)]


def only_complete(network, problem):
    if problem.sends < network.degree:
        return "it needs all ports"
    return None if network.diameter == 1 else "it needs a link between every two nodes"


def ring_exchange(network, problem):
    """Node 0's packet to d goes d hops up; a link carries a packet a round: N (N - 1) / 2 rounds."""
    return [numpy.array([[d, hop, 0]]) for d in range(1, network.order) for hop in range(d)]


def test_is_planned_verified_compared_and_reversed():
    isotrope.register_algorithm(star, name="star", collective="broadcast", supports=only_complete,
                                reversed="star-reduce", then_forward="star-allreduce", claim="P rounds")

    plan = isotrope.plan("complete:5", "broadcast", root=3, parts=2, algorithm="star")
    assert (plan.algorithm, plan.rounds) == ("star", 2) and isotrope.verify(plan)
    assert plan.stages[0].round(1).tolist() == [(1, 3, port) for port in range(4)]

    assert isotrope.plan("complete:5", "reduce", algorithm="star-reduce").rounds == 1
    assert isotrope.plan("complete:5", "allreduce", algorithm="star-allreduce").rounds == 2
    assert isotrope.algorithms("broadcast")[-1] == "star"
    names = {row["algorithm"] for row in isotrope.compare("complete:5", "broadcast", bytes=[64, 4096])}
    assert "star" in names
    assert isotrope.plan("torus:4x4", "broadcast").algorithm != "star"
    with pytest.raises(isotrope.Error, match="it needs a link between every two nodes"):
        isotrope.plan("torus:4x4", "broadcast", algorithm="star")


def test_a_symmetric_collective_lists_the_packets_of_node_0():
    def on_rings(network, problem):
        return problem.parts == 1 and network.name.startswith("ring:")
    isotrope.register_algorithm(ring_exchange, name="one-way", collective="alltoall", supports=on_rings)

    plan = isotrope.plan("ring:5", "alltoall", algorithm="one-way")

    assert plan.rounds == 10 and isotrope.verify(plan).transmissions == 5 * 10
    with pytest.raises(isotrope.Error, match="its function `supports` says no"):
        isotrope.plan("torus:3x3", "alltoall", algorithm="one-way")


@pytest.mark.parametrize("rounds, words", [
    ([[(0, 0, 0)]], "its schedule is not valid: .*"),
    ([[(0, 1, 0)]], "its schedule is not valid: .*holds"),
    ([[(0, 0, 0), (0, 0, 0)]], "its schedule is not valid"),
    ([[(1, 0, 0)]], r"round 0, hop 0: packet 1, and there are 0\.\.0"),
    ([[(0, 0, 0)], [(0, 9, 0)]], r"round 1, hop 0: node 9, and there are 0\.\.3"),
    ([[(0, 0, -1)]], r"round 0, hop 0: port -1, and there are 0\.\.2"),
    ([[(0, 0)]], r"round 0 is no list of hops: give triples"),
    ([[(0.5, 0, 0)]], r"round 0 is no list of hops"),
])
def test_wrong_rounds_are_refused(rounds, words, request):
    name = request.node.name
    armed = [True]  # so that the algorithm takes no part in other tests
    isotrope.register_algorithm(lambda network, problem: rounds, name=name, collective="broadcast",
                                supports=lambda network, problem: armed[0])

    with pytest.raises(isotrope.Error, match=words) as refused:
        isotrope.plan("complete:4", "broadcast", algorithm=name)

    armed[0] = False
    assert str(refused.value).startswith(f"algorithm {name} for broadcast on complete:4: ")


def test_an_exception_of_the_function_comes_through():
    def fails(network, problem):
        raise KeyError("mine")
    isotrope.register_algorithm(fails, name="fails", collective="gather",
                                supports=lambda network, problem: network.name == "ring:7")
    with pytest.raises(KeyError, match="mine"):
        isotrope.plan("ring:7", "gather", algorithm="fails")


def test_names_are_unique_and_collectives_known():
    with pytest.raises(isotrope.Error, match="has an algorithm binomial-tree-broadcast for broadcast already"):
        isotrope.register_algorithm(star, name="binomial-tree-broadcast", collective="broadcast")
    with pytest.raises(isotrope.Error, match="without a name"):
        isotrope.register_algorithm(star, name="", collective="broadcast")
    with pytest.raises(isotrope.Error, match="collective allreduce: an algorithm of its own gives broadcast"):
        isotrope.register_algorithm(star, name="mine", collective="allreduce")
    with pytest.raises(isotrope.Error, match="did you mean"):
        isotrope.register_algorithm(star, name="mine", collective="brodcast")

# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Bad input raises isotrope.Error with the words of the program."""
import subprocess

import networkx
import pytest

import isotrope


def refusal(program, *arguments):
    """The program's line on stderr."""
    result = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert result.returncode == 2
    return result.stderr


def test_error_is_a_value_error():
    assert issubclass(isotrope.Error, ValueError)


@pytest.mark.parametrize("network, collective, keywords, options", [
    ("tours:4x4", "alltoall", {}, []),
    ("torus:4x0", "alltoall", {}, []),
    ("torus:4x4", "alltoal", {}, []),
    ("torus:4x4", "alltoall", {"ports": "many"}, ["--ports", "many"]),
    ("torus:4x4", "alltoall", {"ports": 9}, ["--ports", "9"]),
    ("torus:4x4", "broadcast", {"root": 16}, ["--root", "16"]),
    ("torus:4x4", "broadcast", {"algorithm": "binomal-tree"}, ["--algorithm", "binomal-tree"]),
    ("torus:4x4", "scatter", {"order": "upside-down"}, ["--order", "upside-down"]),
    ("torus:4x4", "task", {}, []),
])
def test_refuses_in_the_words_of_the_program(program, network, collective, keywords, options):
    with pytest.raises(isotrope.Error) as refused:
        isotrope.plan(network, collective, **keywords)

    said = refusal(program, "plan", "--network", network, "--collective", collective, *options)
    assert str(refused.value) in said


def test_refuses_failures_in_the_words_of_the_program(program):
    with pytest.raises(isotrope.Error) as refused:
        isotrope.network("ring:4", failed_links=[(0, 2)])
    assert str(refused.value) in refusal(program, "plan", "--network", "ring:4", "--collective", "broadcast",
                                         "--failed-links", "0-2")


@pytest.mark.parametrize("call, words", [
    (lambda: isotrope.plan("ring:4", "alltoall", bytes="7 quarts"), "size '7 quarts': give 1 B to 1 TiB"),
    (lambda: isotrope.plan("ring:4", "alltoall", bytes=0), "give 1 B to 1 TiB"),
    (lambda: isotrope.plan("ring:4", "alltoall", objective="dely"), "objective 'dely': did you mean delay"),
    (lambda: isotrope.plan("ring:4", "alltoall", merge=0), "merge 0: give 1 to 4294967295, or 'all'"),
    (lambda: isotrope.plan("ring:4", "alltoall", parts=0), "parts 0: give 1 to 4294967295"),
    (lambda: isotrope.plan("ring:4", "alltoall", time_limit=0), "time_limit 0: give a time above 0"),
    (lambda: isotrope.plan("ring:4", "alltoall", packet=8), r"packet 8 without a size: give bytes= or counts="),
    (lambda: isotrope.plan("ring:4", "alltoall", bytes=8, packet=8, parts=2), "packet 8 beside parts"),
    (lambda: isotrope.plan("ring:4", "alltoall", bytes=8, packet=64), "packet 64: larger than the message of 8 B"),
    (lambda: isotrope.plan("ring:4", "alltoall", pack=(1, 0)), r"pack \(1, 0\): give \(sends, load\)"),
    (lambda: isotrope.plan("ring:4", "alltoallv"), "its blocks have sizes of their own; give counts="),
    (lambda: isotrope.plan("ring:4", "alltoall", counts={(0, 1): 8}), "counts beside alltoall"),
    (lambda: isotrope.plan("ring:4", "alltoallv", counts={(0, 1): 8}, bytes=8), "counts beside bytes"),
    (lambda: isotrope.plan("ring:4", "alltoallv", counts={(0, 4): 8}), r"the nodes are 0\.\.3"),
    (lambda: isotrope.plan("ring:4", "alltoallv", counts=[[0, 1], [1, 0]]), r"of shape \(4, 4\)"),
    (lambda: isotrope.plan("ring:4", "alltoallv", counts={(0, 0): 8}), "no block of 1 byte or more"),
    (lambda: isotrope.plan("ring:4", "alltoallv", counts={(0, 1): 1 << 40}, packet=1), "give packet"),
    (lambda: isotrope.plan("ring:4", "alltoallv", counts="no such counts.txt"), "no such counts.txt"),
    (lambda: isotrope.compare("ring:4", "alltoall", bytes=[8, 4]), "give sizes in ascending order"),
    (lambda: isotrope.compare("ring:4", "alltoall", bytes=[]), "give sizes in ascending order"),
    (lambda: isotrope.simulate("ring:4", "broadcast"), "simulate routes packets with one destination each"),
    (lambda: isotrope.simulate("ring:4", "alltoall", policy="newest"), "newest"),
    (lambda: isotrope.simulate("ring:4", "alltoall", runs=0), "runs 0: give 1 to"),
    (lambda: isotrope.network("ring:4").neighbour(4, 0), r"node 4: the nodes of ring:4 are 0\.\.3"),
    (lambda: isotrope.network("ring:4").neighbour(0, 2), "port 2: ring:4 has 2 ports a node"),
    (lambda: isotrope.network(isotrope.network("ring:4"), failed_nodes=[1]), "give them with its name"),
    (lambda: isotrope.network(7), "network 7: give a name, a network file or a graph of NetworkX"),
    (lambda: isotrope.network(networkx.Graph([(0, 1), (2, 3)])), "the graph"),
    (lambda: isotrope.machine().network, "this machine has no network"),
    (lambda: isotrope.machine("no such file"), "no such file"),
    (lambda: isotrope.load("no such plan.json"), "no such plan.json"),
    (lambda: isotrope.plan("ring:4", "alltoall").svg(round=99), r"round 99: the rounds of the plan are 0\.\.1"),
])
def test_refuses(call, words):
    with pytest.raises(isotrope.Error, match=words):
        call()

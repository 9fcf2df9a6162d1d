# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Planning, bounds, checking, simulation and comparison from Python."""
import json
import subprocess

import numpy
import pandas
import pytest

import isotrope


def test_plans_the_total_exchange_of_a_torus():
    # Along the axis of 8, node 0 sends to 16 nodes each at distances 1, 2, 3, 4, 3, 2, 1: 256 hops over 2 ports.
    plan = isotrope.plan("torus:4x4x8", "alltoall")

    assert (plan.rounds, plan.bound.value, plan.optimal) == (128, 128, True)
    assert (plan.collective, plan.root, plan.parts, plan.ports) == ("alltoall", None, 1, "all-port")
    assert plan.network == isotrope.network("torus:4x4x8")
    assert repr(plan) == "<isotrope.Plan alltoall on torus:4x4x8, all-port: 128 rounds, optimal>"


@pytest.mark.parametrize("collective", ["broadcast", "scatter", "gather", "reduce", "allgather", "alltoall",
                                        "reduce-scatter", "allreduce", "scan", "barrier", "neighborhood:1:2"])
def test_every_plan_is_valid(collective):
    report = isotrope.verify(isotrope.plan("torus:3x4", collective))

    assert report and report.valid and report.claims_hold and report.violations == []


def test_plans_for_a_size_as_the_program_does(program, tmp_path):
    plan = isotrope.plan("torus:4x4x8", "allreduce", bytes="1MiB", ports="one", explain=True)

    answer = json.loads(subprocess.run(
        [program, "plan", "--network", "torus:4x4x8", "--collective", "allreduce", "--bytes", "1MiB", "--ports", "one",
         "--explain", "--json"], check=True, capture_output=True, text=True).stdout)
    assert plan.bytes == 1 << 20
    assert plan.algorithm == answer["algorithm"]
    assert plan.rounds == answer["rounds"]
    assert plan.predicted_s == pytest.approx(answer["predicted_s"], rel=1e-12)
    assert plan.time_bound_s == pytest.approx(answer["time_bound"]["seconds"], rel=1e-12)
    assert plan.algorithm in plan.explanation


def test_keywords_reach_the_planner():
    assert isotrope.plan("hypercube:3", "broadcast", root=5).root == 5
    assert isotrope.plan("hypercube:3", "broadcast", parts=7).parts == 7
    assert isotrope.plan("hypercube:3", "alltoall", merge="all").aggregated
    assert isotrope.plan("hypercube:3", "alltoall", ports=2).ports == "2-port"
    assert isotrope.plan("hypercube:4", "alltoall", algorithm="farthest-first-total-exchange").rounds == 8


def test_plans_around_failures():
    network = isotrope.network("torus:4x4", failed_nodes=[5], failed_links=[(0, 1)])

    plan = isotrope.plan(network, "alltoall")

    assert isotrope.verify(plan).valid
    assert plan.network.failed_nodes == [5] and plan.network.failed_links == [(0, 1)]
    assert "without node 5 and link 0-1" in repr(plan)


def test_bounds_come_largest_first():
    bounds = isotrope.bound("hypercube:4", "alltoall")

    assert bounds[0].value == 8  # N/2
    assert [bound.value for bound in bounds] == sorted((bound.value for bound in bounds), reverse=True)
    assert all(bound.kind and bound.because for bound in bounds)


def test_simulates_from_the_same_seeds_alike():
    found = isotrope.simulate("hypercube:4", "alltoall", seed=3, runs=4)

    assert found.runs == 4
    assert 8 <= found.rounds.smallest <= found.rounds.mean <= found.rounds.largest <= 8 + 4 - 1
    assert isotrope.simulate("hypercube:4", "alltoall", seed=3, runs=4).rounds.mean == found.rounds.mean
    assert isotrope.simulate("hypercube:4", "alltoall", runs=1).rounds.confidence_95 is None


def test_a_comparison_is_a_table_for_pandas():
    comparison = isotrope.compare("hypercube:4", "broadcast", bytes=["8", 1 << 20], ports="one")

    table = pandas.DataFrame(comparison)
    assert list(table.columns) == ["bytes", "algorithm", "seconds", "rounds", "segments", "bound_s", "fastest"]
    assert set(table["bytes"]) == {8, 1 << 20}
    assert table.groupby("bytes")["fastest"].sum().tolist() == [1, 1]
    best = table[table.fastest].set_index("bytes").seconds
    assert (best == table.groupby("bytes").seconds.min()).all()
    assert (table.seconds >= table.bound_s).all()
    assert comparison.fastest()[1 << 20] != comparison.fastest()[8]
    assert all(8 < crossover["bytes"] <= 1 << 20 for crossover in comparison.crossovers) and comparison.crossovers
    assert comparison._repr_html_().count("<tr>") == 1 + len(comparison)


def test_compares_named_algorithms_alone():
    names = ["binomial-tree-broadcast", "disjoint-trees-broadcast"]
    rows = isotrope.compare("hypercube:4", "broadcast", bytes=[64], algorithms=names)
    assert {row["algorithm"] for row in rows} == set(names)


def test_a_machine_file_gives_times_ports_and_network(tmp_path):
    file = tmp_path / "machine.json"
    file.write_text(json.dumps({"format": "isotrope-machine/1", "startup_s": 1e-6, "byte_time_s": 1e-9,
                                "ports": "one", "network": "torus:4x4", "failed_nodes": [3]}))

    machine = isotrope.machine(file, startup=5e-6)

    assert (machine.startup, machine.byte_time, machine.ports) == (5e-6, 1e-9, "one-port")
    assert machine.network.failed_nodes == [3]
    assert isotrope.plan(machine.network, "broadcast", bytes=4096, machine=machine).ports == "one-port"
    assert isotrope.plan("torus:4x4", "broadcast", machine=file, ports="all").ports == "all-port"


def test_several_ranks_a_node_are_planned_on_their_places(tmp_path):
    file = tmp_path / "machine.json"
    file.write_text(json.dumps({"format": "isotrope-machine/1", "startup_s": 1e-6, "byte_time_s": 1e-9,
                                "ports": "all", "ranks_per_node": 2}))

    assert isotrope.plan("ring:4", "alltoall", bytes=1024, machine=file).network.order == 8


def test_plans_blocks_of_unequal_sizes_as_the_program_does(program, tmp_path):
    file = tmp_path / "counts.txt"
    file.write_text("0 1 65536\n0 5 100\n3 2 9000\n7 7 5\n")
    matrix = numpy.zeros((8, 8), dtype=int)
    matrix[0, 1], matrix[0, 5], matrix[3, 2], matrix[7, 7] = 65536, 100, 9000, 5

    plans = [isotrope.plan("hypercube:3", "alltoallv", counts=counts, packet="4KiB")
             for counts in (file, matrix, {(0, 1): "64KiB", (0, 5): 100, (3, 2): 9000, (7, 7): 5})]

    answer = json.loads(subprocess.run(
        [program, "plan", "--network", "hypercube:3", "--collective", "alltoallv", "--counts", file, "--packet", "4KiB",
         "--json"], check=True, capture_output=True, text=True).stdout)
    for plan in plans:
        assert isotrope.verify(plan).valid and plan.collective == "task" and plan.bytes == 4096
        assert (plan.algorithm, plan.rounds) == (answer["algorithm"], answer["rounds"])
        assert plan.predicted_s == pytest.approx(answer["predicted_s"], rel=1e-12)
        assert len(plan.stages[0].packets()) == 16 + 1 + 3


def test_unequal_blocks_have_the_root_of_their_collective():
    assert isotrope.plan("ring:4", "gatherv", counts={(0, 2): 10, (1, 2): 20}, root=2).collective == "task"
    with pytest.raises(isotrope.Error, match="but the root of the scatterv is 0"):
        isotrope.plan("ring:4", "scatterv", counts={(1, 0): 10})


def test_packets_of_a_size_as_the_program_has_them(program):
    for collective, size, packet in [("broadcast", "1MiB", "64KiB"), ("scatter", "64KiB", "128KiB")]:
        plan = isotrope.plan("hypercube:4", collective, bytes=size, packet=packet)
        answer = json.loads(subprocess.run(
            [program, "plan", "--network", "hypercube:4", "--collective", collective, "--bytes", size, "--packet", packet,
             "--json"], check=True, capture_output=True, text=True).stdout)
        assert (plan.algorithm, plan.rounds, plan.parts) == (answer["algorithm"], answer["rounds"], answer["parts"])
        assert isotrope.verify(plan).valid


def test_packed_steps_keep_their_limits(program):
    plan = isotrope.plan("torus:4x4", "alltoall", pack=(4, 4))

    answer = json.loads(subprocess.run(
        [program, "plan", "--network", "torus:4x4", "--collective", "alltoall", "--pack", "4,4", "--json"], check=True,
        capture_output=True, text=True).stdout)
    assert isotrope.verify(plan).valid and plan.rounds == answer["rounds"]

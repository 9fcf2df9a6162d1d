# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Hops as arrays, graphs, files and figures of plans."""
import gc
import html
import json
import re
import subprocess
import xml.etree.ElementTree

import networkx
import numpy
import pytest

import isotrope
from isotrope import _isotrope


def test_hops_are_views_of_the_memory_of_the_plan():
    stage = isotrope.plan("torus:4x4", "alltoall").stages[0]

    hops = stage.hops
    assert hops.dtype == numpy.dtype([("packet", "u4"), ("from", "u4"), ("port", "u4")])
    assert hops.__array_interface__["data"] == stage.hops.__array_interface__["data"]
    assert hops.__array_interface__["data"] == stage.round(0).__array_interface__["data"]
    assert not hops.flags.owndata and not hops.flags.writeable
    with pytest.raises(ValueError):
        hops["port"][0] = 1


def test_a_view_keeps_its_plan_alive():
    hops = isotrope.plan("torus:4x4", "alltoall").stages[0].hops
    before = hops.tolist()
    gc.collect()
    for _ in range(20):
        isotrope.plan("torus:4x4", "broadcast")
    assert hops.tolist() == before


def test_rounds_divide_the_hops():
    stage = isotrope.plan("torus:4x8", "alltoall").stages[0]

    assert len(stage) == stage.rounds == len(stage.ends)
    assert stage.ends[-1] == len(stage.hops)
    numpy.testing.assert_array_equal(numpy.concatenate([stage.round(t) for t in range(len(stage))]), stage.hops)
    with pytest.raises(IndexError, match=f"round {len(stage)}: the stage has {len(stage)} rounds"):
        stage.round(len(stage))


def test_an_exchange_by_hand():
    # ring:3: node 0 sends a packet to each neighbour, over one port each, in one round.
    stage = isotrope.plan("ring:3", "alltoall").stages[0]

    assert (stage.flow, stage.replication, stage.rounds) == ("move", "all", 1)
    assert sorted(stage.round(0).tolist()) == [(1, 0, 0), (2, 0, 1)]
    assert sorted(stage.receivers().tolist()) == [1, 2]
    assert stage.packets()[1:].tolist() == [[0, 1, 1, 0], [0, 2, 2, 0]]


def test_the_expanded_plan_uses_no_link_twice_in_a_round():
    plan = isotrope.plan("torus:3x3", "alltoall").expanded()
    report = isotrope.verify(plan)
    assert report.valid and report.hops == report.transmissions

    for t in range(plan.rounds):
        hops = plan.stages[0].round(t)
        links = hops["from"].astype(numpy.uint64) * 4 + hops["port"]
        assert len(numpy.unique(links)) == len(links)


def test_a_broadcast_as_a_graph_reaches_every_node():
    plan = isotrope.plan("torus:4x4", "broadcast", root=6)

    graph = plan.to_networkx()

    assert graph.number_of_edges() == plan.hops
    assert networkx.descendants(graph, 6) == set(range(16)) - {6}
    assert {round for _, _, round in graph.edges(data="round")} == set(range(plan.rounds))


def test_rounds_of_a_graph_count_over_the_stages():
    plan = isotrope.plan("hypercube:3", "allreduce", algorithm="reduction-and-broadcast")
    assert len(plan.stages) == 2
    rounds = {round for _, _, round in plan.to_networkx().edges(data="round")}
    assert rounds == set(range(plan.rounds))


def test_networks_and_graphs_of_networkx():
    torus = isotrope.network("torus:4x4").to_networkx()
    assert networkx.is_isomorphic(networkx.Graph(torus), networkx.grid_2d_graph(4, 4, periodic=True))

    petersen = isotrope.network(networkx.petersen_graph())
    assert (petersen.order, petersen.diameter, petersen.is_symmetric) == (10, 2, False)
    assert petersen.average_distance == pytest.approx(15 / 9)
    assert isotrope.verify(isotrope.plan(petersen, "allgather")).valid
    assert networkx.is_isomorphic(networkx.Graph(petersen.to_networkx()), networkx.petersen_graph())


def test_networks_tell_neighbours_distances_and_links():
    ring = isotrope.network("ring:5")
    assert (ring.name, ring.order, ring.degree, ring.generators) == ("ring:5", 5, 2, [1, 4])
    assert ring.neighbour(4, 0) == 0 and ring.distance(0, 3) == 2
    assert ring.links().shape == (10, 3) and ring.links()[0].tolist() == [0, 0, 1]

    cut = isotrope.network("ring:5", failed_links=[(0, 4)])
    assert cut.distance(0, 4) == 4 and len(cut.links()) == 8 and cut.diameter == 4
    assert repr(cut) == "<isotrope.Network ring:5 without link 0-4: 5 nodes, 2 ports a node>"


@pytest.mark.parametrize("name", ["plan.json", "plan.cbor"])
def test_saves_and_loads(tmp_path, name):
    plan = isotrope.plan("hexmesh:3", "allreduce")
    plan.save(tmp_path / name)

    again = isotrope.load(str(tmp_path / name))

    assert repr(again) == repr(plan)
    for before, after in zip(plan.stages, again.stages):
        numpy.testing.assert_array_equal(before.hops, after.hops)
    assert isotrope.verify(again)


def test_a_changed_plan_is_refused_as_a_value(tmp_path):
    isotrope.plan("ring:4", "alltoall").save(tmp_path / "plan.json")
    document = json.loads((tmp_path / "plan.json").read_text())
    document["stages"][0]["hops"].pop()
    (tmp_path / "plan.json").write_text(json.dumps(document))

    report = isotrope.verify(isotrope.load(tmp_path / "plan.json"))

    assert not report and not report.valid
    assert "delivery" in {violation.rule for violation in report.violations}


def test_pictures_are_svg():
    network, plan = isotrope.network("torus:4x4"), isotrope.plan("torus:4x4", "broadcast")
    for picture in (network.svg(), network._repr_svg_(), plan.svg(), plan.svg(round=1)):
        assert xml.etree.ElementTree.fromstring(picture).tag.endswith("svg")
    assert plan.svg() != plan.svg(round=1)
    assert plan.svg(round=1) in plan.html(round=1) and "binomial" not in plan.html(round=1)
    assert f"<td>{plan.algorithm}</td>" in plan.html()


def test_a_large_network_is_drawn_as_a_slice():
    assert "nodes 0 to 63 of 4096" in isotrope.network("hypercube:12")._repr_svg_()
    assert "nodes 64 to 127 of 4096" in isotrope.plan("hypercube:12", "broadcast", root=100).svg()


def test_what_is_too_large_to_draw_has_no_picture():
    assert isotrope.network("ring:5000")._repr_svg_() is None
    plan = isotrope.plan("ring:5000", "broadcast")
    assert "<svg" not in plan.html(round=None).split("<iframe")[0] and "ring:5000" in plan._repr_html_()
    with pytest.raises(isotrope.Error, match="draw"):
        plan.svg()


def test_a_notebook_shows_the_page_that_proves_the_plan(program):
    plan = isotrope.plan("torus:4x4", "alltoall")
    page = plan.page()

    assert page.startswith("<!doctype html>") and "alltoall on torus:4x4" in page
    frame = re.search('<iframe srcdoc="([^"]*)"', plan._repr_html_())
    if _isotrope.PAGES_PROVE:
        assert html.unescape(frame.group(1)) == page
    else:
        assert frame is None and plan.svg() in plan._repr_html_()
    written = subprocess.run([program, "view", "--network", "torus:4x4", "--collective", "alltoall"], check=True,
                             capture_output=True, text=True).stdout
    assert written == page


def test_a_plan_that_no_page_holds_is_shown_by_its_facts():
    plan = isotrope.plan("hypercube:17", "broadcast")

    with pytest.raises(isotrope.Error, match="a page holds at most"):
        plan.page()
    assert "<iframe" not in plan._repr_html_() and "<td>17</td>" in plan._repr_html_()

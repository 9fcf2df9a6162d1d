# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Networks and plans as graphs of NetworkX and as HTML."""
from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from . import _isotrope
from ._isotrope import Error, Network, Plan, Stage

if TYPE_CHECKING:
    import networkx
    import numpy


def node_link_form(graph: "networkx.Graph") -> str:
    """The graph as a network file."""
    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise Error(f"network {graph!r}: give a name, a network file or a graph of NetworkX")
    import networkx
    return json.dumps(networkx.node_link_data(graph))


def network_graph(network: Network) -> "networkx.MultiGraph":
    """Nodes 0..N-1 without those that have failed; an edge for every link, with the port of its lower node."""
    import networkx
    graph = networkx.MultiGraph(name=network.name)
    failed = set(network.failed_nodes)
    graph.add_nodes_from(node for node in range(network.order) if node not in failed)
    links = network.links()
    for a, port, b in links[links[:, 0] < links[:, 2]].tolist():
        graph.add_edge(a, b, port=port)
    return graph


def plan_graph(plan: Plan) -> "networkx.MultiDiGraph":
    """An edge for every listed hop, with stage, round (of the whole plan), packet and port.

    A plan that stores the hops of node 0's packets gives these; plan.expanded().to_networkx() has all.
    """
    import networkx
    graph = networkx.MultiDiGraph(name=f"{plan.collective} on {plan.network.name}")
    graph.add_nodes_from(range(plan.network.order))
    before = 0
    for number, stage in enumerate(plan.stages):
        columns = (stage.hops["from"], stage.receivers(), _rounds_of_hops(stage) + before, stage.hops["packet"],
                   stage.hops["port"])
        for start, end, round, packet, port in zip(*(column.tolist() for column in columns)):
            graph.add_edge(start, end, stage=number, round=round, packet=packet, port=port)
        before += stage.rounds
    return graph


def _rounds_of_hops(stage: Stage) -> "numpy.ndarray[Any, Any]":
    import numpy
    return numpy.searchsorted(stage.ends, numpy.arange(len(stage.hops)), side="right")


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same keys as a table of HTML."""
    if not rows:
        return "<table></table>"
    head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(_in_words(value))}</td>" for value in row.values()) + "</tr>"
                   for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def plan_page(plan: Plan, round: int | None = None) -> str:
    """The facts of a plan, and the page that plays and proves it, or its picture."""
    facts: dict[str, Any] = {"collective": plan.collective, "network": plan.network.name, "ports": plan.ports}
    if plan.algorithm:
        facts["algorithm"] = plan.algorithm
    facts["rounds"] = plan.rounds
    if plan.bound is not None:
        facts["bound"] = f"{plan.bound.value} ({plan.bound.kind}: {plan.bound.because})"
    facts["optimal"] = {True: "yes", False: "not shown", None: "not stated"}[plan.optimal]
    if plan.predicted_s is not None:
        facts["predicted"] = f"{plan.predicted_s:.4g} s for {plan.bytes} bytes"
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in facts.items())
    return f"<div><table>{rows}</table>{_page(plan, round) or _picture(plan, round)}</div>"


def _page(plan: Plan, round: int | None) -> str:
    """The page in a frame of its own; "" if a picture serves better: of a round, or if no page can prove the plan."""
    if round is not None or not _isotrope.PAGES_PROVE:
        return ""
    try:
        page = plan.page()
    except Error:  # too large for a page
        return ""
    return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:42em;border:0" title="{escape(plan.collective)}"></iframe>'


def _picture(plan: Plan, round: int | None) -> str:
    if round is not None:
        return plan.svg(round)
    try:
        return plan.svg()
    except Error:  # too large to draw
        return ""


def _in_words(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)

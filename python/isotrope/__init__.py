# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Collective communication on symmetric direct networks: planned, proved, executed.

    >>> import isotrope
    >>> plan = isotrope.plan("torus:4x4x8", "alltoall")
    >>> plan.rounds, plan.bound.value, plan.optimal
    (128, 128, True)
    >>> plan.stages[0].round(0)["port"]      # a view of the plan's memory, of dtype uint32
    array([...], dtype=uint32)

Sizes are in bytes, as MPI counts them: the whole vector of broadcast, reduce and allreduce, else one block. Times are in
seconds. Nodes, ports, packets and rounds count from 0. Bad input raises `Error`, with the words of the program.

Long work releases the global interpreter lock, ends on Ctrl-C, and calls `progress(share)` now and then with the share
done, 0..1.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _isotrope
from ._isotrope import (
    Bound, Error, Machine, Network, Plan, Problem, Report, Simulation, Stage, Summary, Violation, __version__,
)

if TYPE_CHECKING:
    import networkx
    from numpy.typing import NDArray

__all__ = [
    "Bound", "Comparison", "Error", "Machine", "Network", "Plan", "Problem", "Report", "Simulation", "Stage", "Summary",
    "Violation", "algorithms", "bound", "compare", "load", "machine", "network", "plan", "register_algorithm",
    "simulate", "verify", "__version__",
]

NetworkLike = Union[Network, str, "os.PathLike[str]", "networkx.Graph"]
MachineLike = Union[Machine, str, "os.PathLike[str]", None]
Size = Union[int, str]
Counts = Union["NDArray[Any]", Mapping["tuple[int, int]", Size], str, "os.PathLike[str]", Sequence[Sequence[int]], None]
Progress = Union[Callable[[float], Any], None]


def network(
    of: NetworkLike, *, failed_nodes: Iterable[int] = (), failed_links: Iterable[tuple[int, int]] = ()
) -> Network:
    """The network of a name ("torus:4x4x8"), of a network file ("mine.json"), or of a graph of NetworkX.

    Nodes of a graph are numbered in its order, or by their names if these are the numbers 0..N-1. `failed_links` are
    pairs of neighbours.
    """
    if isinstance(of, Network):
        if failed_nodes or failed_links:
            raise Error("failures beside a network that is made: give them with its name")
        return of
    nodes = ",".join(str(node) for node in failed_nodes)
    links = ",".join(f"{a}-{b}" for a, b in failed_links)
    if isinstance(of, (str, os.PathLike)):
        return _isotrope.named_network(os.fspath(of), nodes, links)
    from ._figures import node_link_form
    return _isotrope.described_network("the graph", node_link_form(of), nodes, links)


def machine(
    file: "Union[str, os.PathLike[str], None]" = None, *, startup: float | None = None, byte_time: float | None = None,
    internal_packet: int | None = None, overlap: float | None = None, overhead: float | None = None,
) -> Machine:
    """The machine of a machine file, or a cluster of today (2 us per start-up, 0.1 ns per byte), with these times.

    startup and overhead: seconds per message. byte_time: seconds per byte. internal_packet: bytes per start-up.
    overlap: 0..1.
    """
    base = _isotrope.cluster() if file is None else _isotrope.read_machine(os.fspath(file))
    return base.with_times(startup=startup, byte_time=byte_time, internal_packet=internal_packet, overlap=overlap,
                           overhead=overhead)


def plan(
    network: NetworkLike, collective: str, *, bytes: Size | None = None, machine: MachineLike = None,
    ports: str | int = "", root: int = 0, parts: int | None = None, merge: int | str | None = None,
    algorithm: str = "", order: str = "", objective: str = "completion", search_seed: int | None = None,
    time_limit: float | None = None, associative: bool = False, explain: bool = False, counts: Counts = None,
    packet: Size | None = None, pack: tuple[int, int] | None = None, progress: Progress = None,
) -> Plan:
    """Plans a collective and checks the plan: with the fewest rounds or, for `bytes`, the fastest for that size.

    collective: MPI's name or a paper's, such as "alltoall", "reduce-scatter" or "neighborhood:1:2".
    bytes: a size such as 65536 or "64KiB". machine: a Machine or a machine file; None: machine().
    ports: "all", "one", "half" or a number of ports; "": those of the machine file, or all.
    parts: every block is cut into so many. merge: the most packets in one message, or "all".
    algorithm: a name of algorithms(collective). order: of the root, in a scatter or gather along a tree.
    objective: "completion", "delay" or "no-wait".
    search_seed, time_limit (seconds): of a search. associative: the sums may round differently at different nodes.
    explain: work out all candidates, for Plan.explanation. progress: hears of the check.
    counts: of "alltoallv", "alltoallw", "scatterv" and "gatherv", the bytes of every block: an array of shape (N, N) by
    source and destination, a mapping (source, destination) -> size, or a file (docs/unequal-counts.md). The plan is then
    the fastest for its packets, and Plan.bytes is the size of one.
    packet: the size of a packet, instead of parts and merge; needs bytes or counts.
    pack: (sends, load): steps of so many packets of a node and on a link, with barriers.
    """
    network = _network(network)
    blocks = None
    if counts is not None:
        from ._counts import blocks_of
        if bytes is not None or parts is not None:
            raise Error(f"counts beside {'bytes' if bytes is not None else 'parts'}: give one of the two")
        blocks = blocks_of(counts, collective, network, root)
    elif collective in ("alltoallv", "alltoallw", "scatterv", "gatherv"):
        raise Error(f"collective {collective}: its blocks have sizes of their own; give counts=")
    if packet is not None and (parts is not None or merge is not None):
        raise Error(f"packet {packet} beside {'parts' if parts is not None else 'merge'}: give one of the two")
    if packet is not None and bytes is None and blocks is None:
        raise Error(f"packet {packet} without a size: give bytes= or counts=")
    return _isotrope.plan(
        network, collective, bytes=_size(bytes), machine=_machine(machine), ports=str(ports), root=root,
        parts=_count("parts", parts), merge=_merge(merge), algorithm=algorithm, order=order, objective=objective,
        search_seed=_count("search_seed", search_seed), time_limit=_seconds("time_limit", time_limit),
        associative=associative, explain=explain, counts=blocks, packet=_size(packet), pack=_pack(pack),
        progress=progress)


def verify(plan: Plan, *, progress: Progress = None) -> Report:
    """Checks a plan and its claims. The checker knows no algorithm; a plan that is not valid is a result, no error."""
    return _isotrope.verify(plan, progress=progress)


def bound(
    network: NetworkLike, collective: str, *, machine: MachineLike = None, ports: str | int = "", root: int = 0,
    parts: int | None = None, merge: int | str | None = None,
) -> list[Bound]:
    """The lower bounds on the rounds of every schedule, the largest first; arguments as plan()."""
    return _isotrope.bound(
        _network(network), collective, machine=_machine(machine), ports=str(ports), root=root,
        parts=_count("parts", parts), merge=_merge(merge))


def simulate(
    network: NetworkLike, collective: str, *, policy: str = "", ports: str | int = "", parts: int | None = None,
    seed: int = 1, runs: int = 10, progress: Progress = None,
) -> Simulation:
    """Routes packets online, without a plan, from the seeds seed, seed + 1, ..., and averages over the runs.

    policy: random, oldest, nearest, farthest or largest-residual, perhaps after "symmetric-".
    """
    return _isotrope.simulate(
        _network(network), collective, policy=policy, ports=str(ports), parts=_count("parts", parts), seed=seed,
        runs=_count("runs", runs), progress=progress)


class Comparison(list[dict[str, Any]]):
    """A list of rows, as pandas.DataFrame takes them: bytes, algorithm, seconds, rounds, segments, bound_s, fastest.

    bound_s: the lower bound on the time in seconds. fastest: whether no other algorithm is faster at this size.
    """

    crossovers: list[dict[str, Any]]
    """The sizes from which on another algorithm is the fastest: bytes, seconds, slower, faster."""

    def __init__(self, rows: Iterable[dict[str, Any]], crossovers: list[dict[str, Any]]) -> None:
        super().__init__(rows)
        self.crossovers = crossovers

    def fastest(self) -> dict[int, str]:
        """By size, the name of the fastest algorithm."""
        return {row["bytes"]: row["algorithm"] for row in self if row["fastest"]}

    def _repr_html_(self) -> str:
        from ._figures import table
        return table(self)


def compare(
    network: NetworkLike, collective: str, *, bytes: Sequence[Size], machine: MachineLike = None, ports: str | int = "",
    root: int = 0, algorithms: Sequence[str] = (), associative: bool = False, progress: Progress = None,
) -> Comparison:
    """The predicted time of every algorithm that applies, or of those named, at every size.

    bytes: ascending sizes. Other arguments as plan().
    """
    sizes = [_isotrope.parse_size(str(size)) for size in bytes]
    if not sizes or sizes != sorted(set(sizes)):
        raise Error(f"bytes {list(bytes)}: give sizes in ascending order")
    rows, crossovers = _isotrope.compare(
        _network(network), collective, bytes=sizes, machine=_machine(machine), ports=str(ports), root=root,
        algorithms=list(algorithms), associative=associative, progress=progress)
    return Comparison(rows, crossovers)


def load(file: "Union[str, os.PathLike[str]]", *, progress: Progress = None) -> Plan:
    """Reads a plan file, JSON or CBOR. Checks form and ranges; verify() checks the plan."""
    return _isotrope.load(file, progress=progress)


def algorithms(collective: str) -> list[str]:
    """The names of all algorithms for a collective, registered ones at the end."""
    return _isotrope.algorithms(collective)


def register_algorithm(
    rounds: Callable[[Network, Problem], Iterable[Any]], *, name: str, collective: str,
    supports: Callable[[Network, Problem], bool | str | None] | None = None, networks: str = "any", ports: str = "any",
    source: str = "", claim: str = "", aliases: Sequence[str] = (), around_failures: bool = False, reversed: str = "",
    then_forward: str = "",
) -> None:
    """Adds an algorithm of your own to the catalogue: plan() and compare() then choose among all.

    rounds(network, problem) returns the rounds; each is a list of hops (packet, from, port), or an integer array of shape
    (hops, 3). A rooted collective, and every one if something has failed, lists the hops of all packets. The others list
    those of node 0's packets, in relative addresses, and every other node does the same. Packets are
    those that the collective implies (docs/plan-file.md): packet = part of broadcast, reduce, allgather and
    reduce-scatter, and (to - origin) * parts + part of scatter and alltoall.

    Every schedule is checked like all others; one that is not valid raises Error where it is planned.

    supports(network, problem) returns None or True, else False or the reason in words. `networks`, `ports`, `source` and
    `claim` are words for the catalogue. around_failures: problems may have failed nodes and links.
    reversed, then_forward: names of algorithms that follow: broadcast -> reduce, scatter -> gather,
    allgather -> reduce-scatter; and, by the reversal followed by the algorithm, allreduce.
    """
    traits = dict(name=name, collective=collective, supports=supports, networks=networks, ports=ports, source=source,
                  claim=claim, aliases=list(aliases), around_failures=around_failures, reversed=reversed,
                  then_forward=then_forward)
    for add in _catalogues:
        add(rounds, **traits)
    _own_algorithms.append((rounds, traits))


# isotrope.mpi has a catalogue of its own, since it is a module with the libraries of its own.
_catalogues: list[Callable[..., None]] = [_isotrope.register_algorithm]
_own_algorithms: list[tuple[Any, dict[str, Any]]] = []


def _network(given: NetworkLike) -> Network:
    return given if isinstance(given, Network) else network(given)


def _machine(given: MachineLike) -> Machine | None:
    return given if given is None or isinstance(given, Machine) else machine(given)


def _size(given: Size | None) -> int | None:
    return given if given is None else _isotrope.parse_size(str(given))


def _merge(given: int | str | None) -> int | None:
    return _isotrope.UNBOUNDED if given == "all" else _count("merge", given)


def _count(name: str, given: Any) -> Any:
    if given is None or (isinstance(given, int) and 1 <= given <= 2**32 - 1):
        return given
    raise Error(f"{name} {given}: give 1 to {2**32 - 1}" + (", or 'all'" if name == "merge" else ""))


def _pack(given: tuple[int, int] | None) -> tuple[int, int] | None:
    if given is None:
        return None
    if len(given) != 2 or not all(isinstance(limit, int) and 1 <= limit <= 2**32 - 1 for limit in given):
        raise Error(f"pack {given}: give (sends, load), both 1 to {2**32 - 1}")
    return given


def _seconds(name: str, given: float | None) -> float | None:
    if given is None or given > 0:
        return given
    raise Error(f"{name} {given}: give a time above 0, in seconds")

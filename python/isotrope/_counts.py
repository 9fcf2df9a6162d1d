# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Blocks of unequal sizes, as plan(..., counts=...) takes them."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _isotrope
from ._isotrope import Error, Network

EXCHANGES = ("alltoallv", "alltoallw", "scatterv", "gatherv")


def blocks_of(counts: Any, collective: str, network: Network, root: int) -> "list[tuple[int, int, int]]":
    """(source, destination, bytes) of every block of a byte or more from one node to another, ascending.

    counts: a file, a mapping (source, destination) -> size, or an array of shape (N, N) of bytes.
    """
    if collective not in EXCHANGES:
        raise Error(f"counts beside {collective}: its blocks have one size; give one of {', '.join(EXCHANGES)}")
    if isinstance(counts, (str, os.PathLike)):
        entries: "Iterable[tuple[int, int, int]]" = _isotrope.read_counts(os.fspath(counts), network)
    elif isinstance(counts, Mapping):
        entries = [(source, to, _isotrope.parse_size(str(size)) if size else 0) for (source, to), size in counts.items()]
    else:
        entries = _entries_of_matrix(counts, network.order)
    blocks = sorted(entry for entry in entries if entry[2] > 0 and entry[0] != entry[1])
    _check(blocks, collective, network.order, root)
    return blocks


def _entries_of_matrix(counts: Any, order: int) -> "Iterable[tuple[int, int, int]]":
    import numpy
    matrix = numpy.asarray(counts)
    if matrix.shape != (order, order) or matrix.dtype.kind not in "iu" or (matrix.size and matrix.min() < 0):
        raise Error(f"counts of shape {matrix.shape} and type {matrix.dtype}: give bytes, integers of 0 or more, in an array"
                    f" of shape ({order}, {order}): source, destination")
    sources, destinations = numpy.nonzero(matrix)
    return zip(sources.tolist(), destinations.tolist(), matrix[sources, destinations].tolist())


def _check(blocks: "list[tuple[int, int, int]]", collective: str, order: int, root: int) -> None:
    if not blocks:
        raise Error("counts: no block of 1 byte or more")
    for source, to, _ in blocks:
        if not (0 <= source < order and 0 <= to < order):
            raise Error(f"counts: a block from {source} to {to}, but the nodes are 0..{order - 1}")
        end = {"scatterv": source, "gatherv": to}.get(collective, root)
        if end != root:
            raise Error(f"counts: a block from {source} to {to}, but the root of the {collective} is {root}; give root=, or"
                        " the collective alltoallv")
    if sum(size for _, _, size in blocks) > 2**62:
        raise Error("counts: more than 2^62 bytes in all")

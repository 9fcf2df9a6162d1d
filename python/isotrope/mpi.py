# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Collectives over communicators of mpi4py, with the plans of isotrope.plan().

    from mpi4py import MPI
    from isotrope.mpi import Communicator

    cube = Communicator(MPI.COMM_WORLD, "hypercube:3")
    cube.allreduce(send, receive, op=MPI.SUM)

Buffers are NumPy arrays, or anything with the buffer protocol, contiguous; MPI datatypes follow from their types. Counts
follow from their sizes. A send buffer of None is MPI.IN_PLACE. All ranks must make the same calls.

mpi4py and Isotrope must be built for the same MPI library.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from mpi4py import MPI

from . import Error, MachineLike, NetworkLike, _catalogues, _machine, _mpi, _network, _own_algorithms

__all__ = ["Communicator"]

for _rounds, _traits in _own_algorithms:
    _mpi.register_algorithm(_rounds, **_traits)
_catalogues.append(_mpi.register_algorithm)


class Communicator:
    """The ranks of a communicator of mpi4py, as nodes of a network."""

    def __init__(
        self, comm: MPI.Intracomm, network: NetworkLike | None = None, *, machine: MachineLike = None,
        check: bool = False, reproducible: bool = False, nodes: Sequence[int] | None = None,
    ) -> None:
        """All ranks of `comm` must call this.

        network: with as many nodes as there are ranks; None: that of the topology of `comm`.
        machine: the cost model to plan for; None: that of ISOTROPE_MACHINE, or of a shared memory.
        check: compare the arguments of all ranks before every collective.
        reproducible: sums of floating-point numbers have the same bits on every network.
        nodes: the node of every rank, each once; None: rank r is node r.
        """
        self._comm = comm  # has to outlive the next member
        self._communicator = _mpi.Communicator(
            comm.py2f(), None if network is None else _network(network), machine=_machine(machine), check=check,
            reproducible=reproducible, nodes=None if nodes is None else list(nodes))

    @property
    def rank(self) -> int:
        return self._communicator.rank

    @property
    def size(self) -> int:
        return self._communicator.size

    def broadcast(self, buffer: Any, root: int = 0) -> None:
        """Copies the root's buffer to all ranks."""
        self._run("broadcast", None, _elements(buffer), root)

    def scatter(self, send: Any, receive: Any, root: int = 0) -> None:
        """Rank r receives block r of the root's `send`, which has size * len(receive) elements; elsewhere it is None."""
        if receive is None:
            raise Error("scatter: no receive buffer; every rank receives a block")
        self._run("scatter", self._blocks("scatter", send) if self.rank == root else None, _elements(receive), root)

    def gather(self, send: Any, receive: Any, root: int = 0) -> None:
        """The root receives block r, of shape send's, from rank r in `receive`, which is None elsewhere."""
        self._run("gather", _elements(send), self._blocks("gather", receive) if self.rank == root else None, root,
                  in_place=send is None)

    def allgather(self, send: Any, receive: Any) -> None:
        """Every rank receives block r from rank r: `receive` has size * len(send) elements."""
        self._run("allgather", _elements(send), self._blocks("allgather", receive), in_place=send is None)

    def alltoall(self, send: Any, receive: Any) -> None:
        """Every rank sends block r of `send` to rank r, and receives block r of `receive` from it."""
        self._run("alltoall", self._blocks("alltoall", send), self._blocks("alltoall", receive), in_place=send is None)

    def reduce(self, send: Any, receive: Any, op: MPI.Op = MPI.SUM, root: int = 0) -> None:
        """The root receives the reduction of all `send`; elsewhere `receive` is None."""
        self._reduce("reduce", send, receive, op, root)

    def reduce_scatter(self, send: Any, receive: Any, op: MPI.Op = MPI.SUM) -> None:
        """Rank r receives block r of the reduction of all `send`, of size * len(receive) elements each.

        In place, `receive` holds what the rank sends, and then its block first.
        """
        received = self._blocks("reduce_scatter", receive) if send is None else _elements(receive)
        self._run("reduce-scatter", self._blocks("reduce_scatter", send), received, op=op, in_place=send is None)

    def allreduce(self, send: Any, receive: Any, op: MPI.Op = MPI.SUM) -> None:
        """Every rank receives the reduction of all `send`."""
        self._reduce("allreduce", send, receive, op)

    def scan(self, send: Any, receive: Any, op: MPI.Op = MPI.SUM) -> None:
        """Rank r receives the reduction of the `send` of ranks 0..r."""
        self._reduce("scan", send, receive, op)

    def exscan(self, send: Any, receive: Any, op: MPI.Op = MPI.SUM) -> None:
        """Rank r receives the reduction of the `send` of ranks 0..r-1; rank 0 keeps its `receive`."""
        self._reduce("exscan", send, receive, op)

    def barrier(self) -> None:
        """Returns when all ranks have called it."""
        self._run("barrier", None, None)

    def _reduce(self, collective: str, send: Any, receive: Any, op: MPI.Op, root: int = 0) -> None:
        sent, received = _elements(send), _elements(receive)
        if sent is not None and received is not None and sent.count != received.count:
            raise Error(f"{collective}: {sent.count} elements to send and {received.count} to receive; give as many")
        self._run(collective, sent, received, root, op, in_place=send is None)

    def _blocks(self, collective: str, buffer: Any) -> _mpi.Elements | None:
        """The elements of one of the blocks for all ranks that the buffer holds."""
        if buffer is None:
            return None
        count = _array(buffer).size
        if count % self.size != 0:
            raise Error(f"{collective}: a buffer of {count} elements for {self.size} ranks: "
                        f"give a multiple of {self.size}")
        return _elements(buffer, count // self.size)

    def _run(
        self, collective: str, send: _mpi.Elements | None, receive: _mpi.Elements | None, root: int = 0,
        op: MPI.Op = MPI.SUM, in_place: bool = False,
    ) -> None:
        self._communicator.run(collective, send, receive, root=root, operation=op.py2f(), in_place=in_place)


# Predefined datatypes, on which MPI's operations are defined.
_DATATYPES = {
    "b1": MPI.C_BOOL, "i1": MPI.INT8_T, "i2": MPI.INT16_T, "i4": MPI.INT32_T, "i8": MPI.INT64_T, "u1": MPI.UINT8_T,
    "u2": MPI.UINT16_T, "u4": MPI.UINT32_T, "u8": MPI.UINT64_T, "f4": MPI.FLOAT, "f8": MPI.DOUBLE,
    "f16": MPI.LONG_DOUBLE, "c8": MPI.C_FLOAT_COMPLEX, "c16": MPI.C_DOUBLE_COMPLEX,
}


def _datatype(dtype: "numpy.dtype[Any]") -> MPI.Datatype:
    datatype = _DATATYPES.get(f"{dtype.kind}{dtype.itemsize}")
    if datatype is None or not dtype.isnative:
        raise Error(f"a buffer of {dtype}: give numbers or truth values in the byte order of this machine")
    return datatype


def _array(buffer: Any) -> "numpy.ndarray[Any, Any]":
    try:
        array = buffer if isinstance(buffer, numpy.ndarray) else numpy.asarray(memoryview(buffer))
    except TypeError:
        kind = type(buffer).__name__
        raise Error(f"a buffer of type {kind}: give a contiguous NumPy array or another buffer") from None
    if not array.flags.c_contiguous:
        raise Error("a buffer with gaps: give a contiguous NumPy array or another buffer")
    return array


def _elements(buffer: Any, count: int | None = None) -> _mpi.Elements | None:
    if buffer is None:
        return None
    array = _array(buffer)
    return _mpi.Elements(array, array.size if count is None else count, _datatype(array.dtype).py2f())

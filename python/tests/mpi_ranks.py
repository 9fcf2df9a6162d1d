# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Collectives over mpi4py; every rank runs this. Rank 0 prints "right" at the end."""
import sys

import numpy
from mpi4py import MPI

import isotrope
from isotrope.mpi import Communicator


def refused(call, words):
    try:
        call()
    except isotrope.Error as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"not refused: {words}")


def check(network):
    world = MPI.COMM_WORLD
    comm = Communicator(world, network)
    rank, size = comm.rank, comm.size
    assert (rank, size) == (world.rank, world.size)
    ranks = numpy.arange(size)

    buffer = numpy.full(1000, rank, dtype=numpy.float32)
    comm.broadcast(buffer, root=size - 1)
    assert (buffer == size - 1).all()

    blocks = numpy.array([[rank * 100 + to, to] for to in range(size)], dtype=numpy.int64)
    received = numpy.empty_like(blocks)
    comm.alltoall(blocks, received)
    assert received.tolist() == [[origin * 100 + rank, rank] for origin in range(size)]
    comm.alltoall(None, blocks)
    assert blocks.tolist() == received.tolist()

    block = numpy.empty(2, dtype=numpy.int64)
    comm.scatter(received if rank == 1 else None, block, root=1)
    assert block.tolist() == [rank * 100 + 1, 1]
    gathered = numpy.empty((size, 2), dtype=numpy.int64) if rank == 2 else None
    comm.gather(block, gathered, root=2)
    if rank == 2:
        assert gathered[:, 0].tolist() == (ranks * 100 + 1).tolist()
    everything = numpy.empty((size, 2), dtype=numpy.int64)
    comm.allgather(block, everything)
    assert everything[:, 0].tolist() == (ranks * 100 + 1).tolist()

    values = numpy.arange(300.0) + rank
    total = numpy.arange(300.0) * size + ranks.sum()
    sums = numpy.empty_like(values)
    comm.allreduce(values, sums)
    assert (sums == total).all()
    in_place = values.copy()
    comm.allreduce(None, in_place)
    assert (in_place == total).all()
    largest = numpy.empty_like(values)
    comm.allreduce(values, largest, op=MPI.MAX)
    assert (largest == numpy.arange(300.0) + size - 1).all()
    at_root = numpy.empty_like(values) if rank == 0 else None
    comm.reduce(values, at_root, root=0)
    assert rank != 0 or (at_root == total).all()

    pieces = numpy.repeat(ranks, 3) * (rank + 1)
    piece = numpy.empty(3, dtype=pieces.dtype)
    comm.reduce_scatter(pieces, piece)
    assert (piece == rank * (ranks + 1).sum()).all()
    comm.reduce_scatter(None, pieces)
    assert (pieces[:3] == piece).all()

    prefix, before = numpy.empty(1), numpy.full(1, -1.0)
    comm.scan(numpy.array([1.0 + rank]), prefix)
    comm.exscan(numpy.array([1.0 + rank]), before)
    assert prefix[0] == (ranks[:rank + 1] + 1).sum()
    assert before[0] == ((ranks[:rank] + 1).sum() if rank > 0 else -1)

    complex_sum = numpy.empty(1, dtype=complex)
    comm.allreduce(numpy.array([1 + 2j]), complex_sum)
    assert complex_sum[0] == size * (1 + 2j)
    ones = bytearray(size)
    comm.allgather(bytes([rank]), ones)
    assert list(ones) == ranks.tolist()
    comm.barrier()

    refused(lambda: comm.alltoall(numpy.zeros(size + 1), numpy.zeros(size)),
            f"for {size} ranks: give a multiple of {size}")
    refused(lambda: comm.allreduce([1, 2], numpy.zeros(2)), "give a contiguous NumPy array")
    refused(lambda: comm.allreduce(numpy.zeros((4, 4))[:, 0], numpy.zeros(4)), "give a contiguous NumPy array")
    refused(lambda: comm.allreduce(numpy.zeros(4), numpy.zeros(5)), "4 elements to send and 5 to receive")
    refused(lambda: comm.broadcast(numpy.zeros(4), root=size), "root")
    refused(lambda: comm.broadcast(numpy.array(["a", "b"])), "give numbers or truth values")
    refused(lambda: comm.broadcast(numpy.zeros(4, dtype=">f8")), "in the byte order of this machine")
    try:
        comm.allgather(bytes([rank]), bytes(size))
    except ValueError:
        pass
    else:
        raise AssertionError("wrote to bytes")


def check_own_algorithm(network, name):
    """Every communicator made later asks the algorithm."""
    asked = []

    def supports(network, problem):
        asked.append(problem.collective)
        return "it is only asked"
    isotrope.register_algorithm(lambda network, problem: [], name=name, collective="broadcast", supports=supports)
    comm = Communicator(MPI.COMM_WORLD, network)
    comm.broadcast(numpy.zeros(10))
    assert asked and set(asked) == {"broadcast"}


def main():
    network = sys.argv[1]
    check_own_algorithm(network, "mine")
    check(network)
    check(isotrope.network(network))
    world = MPI.COMM_WORLD
    refused(lambda: Communicator(world, "ring:99"), "99")
    turned = Communicator(world, network, nodes=[(node + 1) % world.size for node in range(world.size)],
                          machine=isotrope.machine(startup=1e-5), reproducible=True)
    total = numpy.empty(1)
    turned.allreduce(numpy.array([0.1]), total)
    assert abs(total[0] - 0.1 * world.size) < 1e-12
    if world.rank == 0:
        print("right")


main()

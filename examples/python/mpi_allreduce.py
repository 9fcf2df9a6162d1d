# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""An allreduce over mpi4py: mpirun -n 8 python3 mpi_allreduce.py hypercube:3"""
import sys

import numpy
from mpi4py import MPI

from isotrope.mpi import Communicator

network = sys.argv[1]
comm = Communicator(MPI.COMM_WORLD, network)
numbers = numpy.full(1000, comm.rank, dtype=numpy.float64)
sums = numpy.empty_like(numbers)
comm.allreduce(numbers, sums, op=MPI.SUM)
if comm.rank == 0:
    print(f"{network}: every sum is {sums[0]:g}")

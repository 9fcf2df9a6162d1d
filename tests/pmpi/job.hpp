// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a communicator, the numbers that they send to each other, and the classes of errors.
#pragma once

#include <mpi.h>
#include <vector>

namespace isotrope::pmpi {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

inline int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// Number `i` of the block that `from` sends to `to`.
inline int number(int from, int to, int i) {
  return 100000 * from + 1000 * to + i;
}

/// The first `count` numbers of that block.
inline std::vector<int> block(int from, int to, int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(number(from, to, i));
  return numbers;
}

/// Blocks from all ranks, or to all ranks, one after the other.
inline std::vector<int> blocks_from_all(int size, int to, int count) {
  std::vector<int> numbers;
  for (int from = 0; from < size; ++from) {
    for (int i = 0; i < count; ++i) numbers.push_back(number(from, to, i));
  }
  return numbers;
}
inline std::vector<int> blocks_to_all(int from, int size, int count) {
  std::vector<int> numbers;
  for (int to = 0; to < size; ++to) {
    for (int i = 0; i < count; ++i) numbers.push_back(number(from, to, i));
  }
  return numbers;
}

}  // namespace isotrope::pmpi

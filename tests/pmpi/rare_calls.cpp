// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Many short allreduces, and then a few long ones: these must be chosen for too. Rank 0 prints "right" if all sums are.
#include <algorithm>
#include <cstdio>
#include <mpi.h>
#include <vector>

namespace {

bool has_right_sums(int calls, std::size_t length) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::vector<double> own(length, rank + 1);
  std::vector<double> sums(length);
  bool result = true;
  for (int i = 0; i < calls; ++i) {
    MPI_Allreduce(own.data(), sums.data(), static_cast<int>(length), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double expected = size * (size + 1) / 2.0;
    result = result && std::ranges::count(sums, expected) == static_cast<std::ptrdiff_t>(length);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  constexpr int many = 4000, few = 30;
  constexpr std::size_t length = std::size_t{1} << 15;
  const bool is_right = has_right_sums(many, 1) && has_right_sums(few, length);
  MPI_Finalize();
  if (rank == 0) std::puts(is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

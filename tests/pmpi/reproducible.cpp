// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of doubles and floats on communicators with and without a known network, whose ranks stand in different orders, by
// blocking and nonblocking calls, again and again. Rank 0 prints "right" if all have the bits of the serial function.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mpi.h>
#include <numeric>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "tests/sum/serial_sum.hpp"

namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

template <class Value>
std::vector<Value> contribution(int contributor, std::uint64_t count) {
  isotrope::SplitMix random(static_cast<std::uint64_t>(contributor) + 1);
  std::vector<Value> result;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto fraction = static_cast<Value>(static_cast<std::int64_t>(random()));
    result.push_back(std::ldexp(fraction, static_cast<int>(random.below(60)) - 90));
  }
  return result;
}

template <class Value>
bool is_block_of(const std::vector<Value>& wanted, const std::vector<Value>& got,
                 const std::vector<int>& counts, int rank) {
  const auto own = counts.begin() + rank;
  const int first = std::accumulate(counts.begin(), own, 0);
  return std::memcmp(got.data(), wanted.data() + first, static_cast<std::size_t>(*own) * sizeof(Value)) == 0;
}

// Of a vector, the first rank gets a third, the last one the rest, and the others nothing.
std::vector<int> unequal_counts(MPI_Comm comm, int count) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  std::vector<int> result(static_cast<std::size_t>(size), 0);
  result.front() += count / 3;
  result.back() += count - count / 3;
  return result;
}

// Whether blocking and nonblocking sums on `comm`, which has the ranks of the job in any order, are right.
template <class Value>
bool is_right(MPI_Comm comm, MPI_Datatype type, int count) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const auto length = static_cast<std::uint64_t>(count);
  const std::vector<Value> own = contribution<Value>(rank_in(MPI_COMM_WORLD), length);
  const std::vector<Value> wanted = isotrope::sum::serial_sum<Value>(size, length, contribution<Value>);
  const auto is_wanted = [&](const std::vector<Value>& got) {
    return std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof(Value)) == 0;
  };
  std::vector<Value> got(wanted.size());
  MPI_Request request = MPI_REQUEST_NULL;
  // The first call of a communicator does not block.
  MPI_Iallreduce(own.data(), got.data(), count, type, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  bool result = is_wanted(got);
  for (int repetition = 0; repetition < 10; ++repetition) {
    got = own;
    MPI_Allreduce(MPI_IN_PLACE, got.data(), count, type, MPI_SUM, comm);
    result = result && is_wanted(got);
    MPI_Bcast(got.data(), count, type, 0, comm);  // of others than sums, in between
    MPI_Reduce(own.data(), got.data(), count, type, MPI_SUM, 0, comm);
    result = result && (rank_in(comm) != 0 || is_wanted(got));
    const std::vector<int> counts = unequal_counts(comm, count);
    MPI_Reduce_scatter(own.data(), got.data(), counts.data(), type, MPI_SUM, comm);
    result = result && is_block_of(wanted, got, counts, rank_in(comm));
  }
  return result;
}

bool is_right(MPI_Comm comm) {
  bool result = true;
  for (const int count : {1, 20, 3000}) {
    result = is_right<double>(comm, MPI_DOUBLE, count) && result;
    result = is_right<float>(comm, MPI_FLOAT, count) && result;
  }
  return result;
}

bool all_are_right() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rank = rank_in(MPI_COMM_WORLD);
  bool result = is_right(MPI_COMM_WORLD);
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
  result = is_right(other) && result;
  MPI_Comm_free(&other);
  MPI_Comm_split(MPI_COMM_WORLD, 0, (rank * 3 + 1) % size, &other);
  result = is_right(other) && result;
  MPI_Comm_free(&other);
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &other);
  result = is_right(other) && result;
  MPI_Comm_free(&other);
  return result;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int right = all_are_right() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) std::puts(right != 0 ? "right" : "wrong");
  MPI_Finalize();
}

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of every collective that gives a request, nonblocking or persistent, with their buffers and the results they
// must have. The numbers sent differ from call to call and, if the call is repeated, from time to time.
#pragma once

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <vector>

#include <gtest/gtest.h>

#include "tests/pmpi/job.hpp"

#if MPI_VERSION >= 4
#define MPI_PERSISTENT(name) MPI_##name##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define MPI_PERSISTENT(name) MPIX_##name##_init
#endif

namespace isotrope::pmpi {

class RequestCall;

/// A collective: how a call fills its buffers, and the functions that begin it.
struct RequestFunction {
  void (*fill)(RequestCall& call);
  int (*start)(RequestCall& call, MPI_Comm comm);
  int (*init)(RequestCall& call, MPI_Comm comm);
};

class RequestCall {
 public:
  /// @param given_seed of the numbers and the number of ints in a block
  RequestCall(MPI_Comm comm, int given_seed, const RequestFunction& given)
      : rank(rank_in(comm)),
        size(size_of(comm)),
        seed(given_seed),
        root(given_seed % size),
        ints(1 + given_seed % 300),
        function(given) {
    function.fill(*this);
  }

  int start(MPI_Comm comm) { return function.start(*this, comm); }
  int init(MPI_Comm comm) { return function.init(*this, comm); }
  int wait() { return MPI_Wait(&request, MPI_STATUS_IGNORE); }
  /// New numbers in the same buffers.
  void refill() {
    ++seed;
    function.fill(*this);
  }
  void expect_right() const { EXPECT_EQ(received, expected) << "seed " << seed; }

  int of(int from, int to, int i) const { return number(from, to, i) + 7 * seed; }
  // The sum of the numbers that all ranks send to `to`.
  int sum(int to, int i) const {
    int result = 0;
    for (int from = 0; from < size; ++from) result += of(from, to, i);
    return result;
  }
  const int* equal_counts() {
    counts.assign(static_cast<std::size_t>(size), ints);
    return counts.data();
  }
  // How many ints the blocks of a rank have, if these differ: none for some. Lists them, and their places.
  int unequal(int of) const { return of % 3 * ints / 2; }
  void list_unequal() {
    counts.clear();
    places.clear();
    int place = 0;
    for (int other = 0; other < size; ++other) {
      counts.push_back(unequal(other));
      places.push_back(place);
      place += unequal(other);
    }
  }
  // Lists blocks of one size for or from all ranks, with places in ints or bytes.
  void list_equal(int count, int unit = 1) {
    counts.assign(static_cast<std::size_t>(size), count);
    places.clear();
    for (int other = 0; other < size; ++other) places.push_back(other * count * unit);
    types.assign(static_cast<std::size_t>(size), MPI_INT);
  }
  // Writes value(other, i) for blocks of unequal sizes.
  template <class Value>
  void unequal_blocks(std::vector<int>& numbers, const Value& value) const {
    numbers.clear();
    for (int other = 0; other < size; ++other) {
      for (int i = 0; i < unequal(other); ++i) numbers.push_back(value(other, i));
    }
  }
  // Writes value(i) for the block of a rank.
  template <class Value>
  void unequal_block(std::vector<int>& numbers, int of, const Value& value) const {
    numbers.clear();
    for (int i = 0; i < unequal(of); ++i) numbers.push_back(value(i));
  }
  // Writes value(i) for the ints of a block.
  template <class Value>
  void block(std::vector<int>& numbers, const Value& value) const {
    numbers.clear();
    for (int i = 0; i < ints; ++i) numbers.push_back(value(i));
  }
  // Writes value(other, i) for the blocks for or from all ranks.
  template <class Value>
  void blocks(std::vector<int>& numbers, const Value& value) const {
    numbers.clear();
    for (int other = 0; other < size; ++other) {
      for (int i = 0; i < ints; ++i) numbers.push_back(value(other, i));
    }
  }

  int rank, size, seed, root, ints;
  RequestFunction function;
  std::vector<int> sent, received, expected, counts, places;
  std::vector<int> other_counts, other_places;  // of what is received, if they differ
  std::vector<MPI_Datatype> types;
  MPI_Request request = MPI_REQUEST_NULL;
};

/// One of each collective, allreduce also in place.
const std::vector<RequestFunction>& request_functions();

// By name.
extern const RequestFunction request_alltoall, request_allreduce, request_reduce;

}  // namespace isotrope::pmpi

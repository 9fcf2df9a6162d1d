// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproducible reductions, compared bit by bit with a serial computation of every rank. The same reference holds for all
// networks, machines (which decide between the ways of a sum), orders of ranks and MPI libraries, so all agree.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/parse.hpp"

#include "tests/sum/serial_sum.hpp"
#include "trial.hpp"
#include "world.hpp"

namespace {

int types_committed = 0;

}  // namespace

// In place of the function of the library, which it calls.
int MPI_Type_commit(MPI_Datatype* type) {
  ++types_committed;
  return PMPI_Type_commit(type);
}

namespace isotrope::mpi {
namespace {

// Any bits in every third row of columns, else numbers of many scales.
double random_number(int contributor, std::uint64_t column) {
  SplitMix random(static_cast<std::uint64_t>(contributor) * 0x10001 + column * 977);
  if (column % 3 == 0) return std::bit_cast<double>(random());
  const auto fraction = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-62;
  return column % 3 == 1 ? fraction : std::ldexp(fraction, static_cast<int>(random.below(100)) - 50);
}

template <class Value>
std::vector<Value> contribution(int contributor, std::uint64_t count) {
  std::vector<Value> result(count);
  for (std::uint64_t i = 0; i < count; ++i) result[i] = static_cast<Value>(random_number(contributor, i));
  return result;
}

template <class Value>
bool same_bits(const std::vector<Value>& got, const std::vector<Value>& wanted) {
  return std::ranges::equal(std::as_bytes(std::span(got)), std::as_bytes(std::span(wanted)));
}

// Of contributors 0..contributors-1.
template <class Value>
std::vector<Value> serial_sum(int contributors, std::uint64_t count) {
  return sum::serial_sum<Value>(contributors, count, contribution<Value>);
}

// Machines on which overheads, bytes on links, and start-ups cost most.
std::vector<cost::Machine> machines() {
  cost::Machine slow_links = shared_memory();
  slow_links.byte_time_s = 1e-8;
  cost::Machine slow_starts = shared_memory();
  slow_starts.startup_s = 1e-3;
  return {shared_memory(), slow_links, slow_starts};
}

class Reproducible : public OnNetwork {
 protected:
  // A communicator of its own on this network, whose rank r is the rank `place_of` says of the job.
  static Communicator make(MPI_Comm of, const cost::Machine& machine) {
    CommunicatorOptions options{.machine = machine};
    options.reproducible = true;
    const network::MappedNetwork called = network_called(GetParam());
    options.nodes = nodes_of(called);
    return {of, called.named, options};
  }
};

// The vectors are so long that every way is taken: some 10 bytes, some pages.
constexpr std::array<std::uint64_t, 5> lengths{0, 1, 29, 1000, 6000};

template <class Value>
void expect_sums(Communicator& comm, MPI_Datatype type, int contributor, std::uint64_t per_element) {
  const int size = comm.size(), root = size / 2;
  for (const std::uint64_t length : lengths) {
    const auto count = static_cast<MPI_Count>(length);
    const std::uint64_t reals = length * per_element;
    const std::vector<Value> own = contribution<Value>(contributor, reals);
    const std::vector<Value> wanted = serial_sum<Value>(size, reals);

    std::vector<Value> got(reals);
    EXPECT_EQ(comm.allreduce(own.data(), got.data(), count, type, MPI_SUM), MPI_SUCCESS);
    EXPECT_TRUE(same_bits(got, wanted)) << "allreduce of " << length;
    got = own;
    EXPECT_EQ(comm.allreduce(MPI_IN_PLACE, got.data(), count, type, MPI_SUM), MPI_SUCCESS);
    EXPECT_TRUE(same_bits(got, wanted)) << "allreduce in place of " << length;

    got = own;
    const bool at_root = comm.rank() == root;
    EXPECT_EQ(comm.reduce(at_root ? MPI_IN_PLACE : own.data(), at_root ? got.data() : nullptr, count, type,
                          MPI_SUM, root),
              MPI_SUCCESS);
    EXPECT_TRUE(same_bits(got, at_root ? wanted : own)) << "reduce of " << length;
  }
}

template <class Value>
void expect_scattered_sums(Communicator& comm, MPI_Datatype type, int contributor) {
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  for (const std::uint64_t length : {1U, 29U, 700U}) {
    const std::vector<Value> own = contribution<Value>(contributor, length * ranks);
    const std::vector<Value> all = serial_sum<Value>(comm.size(), length * ranks);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(length) * comm.rank();
    const std::vector<Value> wanted(first, first + static_cast<std::ptrdiff_t>(length));
    std::vector<Value> got(length);
    const auto count = static_cast<MPI_Count>(length);
    EXPECT_EQ(comm.reduce_scatter_block(own.data(), got.data(), count, type, MPI_SUM), MPI_SUCCESS);
    EXPECT_TRUE(same_bits(got, wanted)) << "reduce-scatter of " << length;
    std::vector<Value> both = own;
    EXPECT_EQ(comm.reduce_scatter_block(MPI_IN_PLACE, both.data(), count, type, MPI_SUM), MPI_SUCCESS);
    both.resize(length);
    EXPECT_TRUE(same_bits(both, wanted)) << "reduce-scatter in place of " << length;
  }
}

// MPICH 4.0.2 moves wrong data after thousands of datatypes, which programs with many communicators would make.
TEST_P(Reproducible, communicators_of_as_many_ranks_share_datatypes) {
  const Communicator first = make(MPI_COMM_WORLD, shared_memory());
  const int before = types_committed;
  const Communicator second = make(MPI_COMM_WORLD, shared_memory());
  EXPECT_EQ(types_committed, before);
}

TEST_P(Reproducible, sums_are_those_of_the_serial_function_on_every_machine) {
  for (const cost::Machine& machine : machines()) {
    Communicator comm = make(MPI_COMM_WORLD, machine);
    expect_sums<double>(comm, MPI_DOUBLE, comm.rank(), 1);
    expect_sums<float>(comm, MPI_FLOAT, comm.rank(), 1);
    expect_sums<double>(comm, MPI_C_DOUBLE_COMPLEX, comm.rank(), 2);
    expect_sums<float>(comm, MPI_C_FLOAT_COMPLEX, comm.rank(), 2);
    expect_scattered_sums<double>(comm, MPI_DOUBLE, comm.rank());
    expect_scattered_sums<float>(comm, MPI_FLOAT, comm.rank());
  }
}

TEST_P(Reproducible, sums_do_not_depend_on_the_order_of_ranks) {
  SplitMix random(5);
  for (int order = 0; order < 20; ++order) {
    const auto key =
        static_cast<int>(random() >> 40) ^
        static_cast<int>(SplitMix(static_cast<std::uint64_t>(order * 1000 + world_rank()))() >> 40);
    MPI_Comm permuted = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &permuted);
    {
      Communicator comm = make(permuted, shared_memory());
      constexpr std::uint64_t length = 100;
      const std::vector<double> own = contribution<double>(world_rank(), length);
      std::vector<double> got(length);
      EXPECT_EQ(comm.allreduce(own.data(), got.data(), length, MPI_DOUBLE, MPI_SUM), MPI_SUCCESS);
      EXPECT_TRUE(same_bits(got, serial_sum<double>(comm.size(), length)));
    }
    MPI_Comm_free(&permuted);
  }
}

TEST_P(Reproducible, scans_sum_as_many_contributions_as_there_are) {
  Communicator comm = make(MPI_COMM_WORLD, shared_memory());
  constexpr std::uint64_t length = 30;
  const std::vector<double> own = contribution<double>(comm.rank(), length);
  std::vector<double> got(length);
  EXPECT_EQ(comm.scan(own.data(), got.data(), length, MPI_DOUBLE, MPI_SUM), MPI_SUCCESS);
  EXPECT_TRUE(same_bits(got, serial_sum<double>(comm.rank() + 1, length)));
  got = own;
  EXPECT_EQ(comm.exscan(MPI_IN_PLACE, got.data(), length, MPI_DOUBLE, MPI_SUM), MPI_SUCCESS);
  EXPECT_TRUE(same_bits(got, comm.rank() == 0 ? own : serial_sum<double>(comm.rank(), length)));
}

TEST_P(Reproducible, sums_may_overlap_and_be_started_again) {
  Communicator comm = make(MPI_COMM_WORLD, shared_memory());
  constexpr std::size_t calls = 6;
  constexpr std::uint64_t length = 3000;
  const std::vector<float> own = contribution<float>(comm.rank(), length);
  const std::vector<float> wanted = serial_sum<float>(comm.size(), length);
  std::vector<std::vector<float>> got(calls, std::vector<float>(length));
  std::vector<Request> requests(calls);
  for (std::size_t i = 0; i < calls; ++i)
    EXPECT_EQ(comm.iallreduce(own.data(), got[i].data(), length, MPI_FLOAT, MPI_SUM, requests[i]),
              MPI_SUCCESS);
  // Ranks complete them in different orders.
  for (std::size_t i = 0; i < calls; ++i)
    EXPECT_EQ(requests[(i + static_cast<std::size_t>(comm.rank())) % calls].wait(), MPI_SUCCESS);
  for (const auto& result : got) EXPECT_TRUE(same_bits(result, wanted));

  std::vector<float> sent(length), result(length);
  PersistentRequest request;
  EXPECT_EQ(comm.allreduce_init(sent.data(), result.data(), length, MPI_FLOAT, MPI_SUM, request),
            MPI_SUCCESS);
  for (const bool is_zero : {false, true, false}) {
    sent = is_zero ? std::vector<float>(length) : own;
    EXPECT_EQ(request.start(), MPI_SUCCESS);
    EXPECT_EQ(request.wait(), MPI_SUCCESS);
    EXPECT_TRUE(same_bits(result, is_zero ? std::vector<float>(length) : wanted));
  }
}

TEST_P(Reproducible, extremes_have_one_nan_and_signed_zeros) {
  Communicator comm = make(MPI_COMM_WORLD, shared_memory());
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const bool first = comm.rank() == 0, last = comm.rank() == comm.size() - 1;
  // A NaN with a sign on one rank; zeros of both signs, unless there is one rank; numbers.
  const std::vector<double> own{last ? -nan : 1, first ? -0.0 : 0.0, last ? 0.0 : -0.0,
                                first ? infinity : -1};
  const bool alone = comm.size() == 1;
  const std::vector<double> greatest{nan, alone ? -0.0 : 0.0, 0.0, infinity};
  const std::vector<double> least{nan, -0.0, alone ? 0.0 : -0.0, alone ? infinity : -1};
  std::vector<double> got(own.size());
  const auto count = static_cast<MPI_Count>(own.size());
  EXPECT_EQ(comm.allreduce(own.data(), got.data(), count, MPI_DOUBLE, MPI_MAX), MPI_SUCCESS);
  EXPECT_TRUE(same_bits(got, greatest));
  EXPECT_EQ(comm.allreduce(own.data(), got.data(), count, MPI_DOUBLE, MPI_MIN), MPI_SUCCESS);
  EXPECT_TRUE(same_bits(got, least));
  const std::vector<float> single(own.begin(), own.end());
  std::vector<float> got_single(own.size());
  EXPECT_EQ(comm.allreduce(single.data(), got_single.data(), count, MPI_FLOAT, MPI_MIN), MPI_SUCCESS);
  EXPECT_TRUE(same_bits(got_single, std::vector<float>(least.begin(), least.end())));
}

// Blocks of unequal sizes, some empty: the bits of the same elements of an allreduce.
template <class Value>
void expect_unequal_blocks(Communicator& comm, MPI_Datatype type, MPI_Op op) {
  std::vector<MPI_Count> counts;
  MPI_Count total = 0, first = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    counts.push_back(rank * rank % 4 * 37);
    if (rank < comm.rank()) first += counts.back();
    total += counts.back();
  }
  auto own = contribution<Value>(comm.rank(), static_cast<std::uint64_t>(total));
  // Which NaN a product has, the library says.
  if (op == MPI_PROD)
    std::ranges::replace_if(
        own, [](Value value) { return value != value; }, Value{1});
  std::vector<Value> all(own.size());
  EXPECT_EQ(comm.allreduce(own.data(), all.data(), total, type, op), MPI_SUCCESS);
  const auto mine = static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]);
  const std::vector<Value> wanted(all.begin() + first,
                                  all.begin() + first + static_cast<std::ptrdiff_t>(mine));
  std::vector<Value> got(mine);
  EXPECT_EQ(comm.reduce_scatter(own.data(), got.data(), counts.data(), type, op), MPI_SUCCESS);
  EXPECT_TRUE(same_bits(got, wanted));
  std::vector<Value> both = own;
  EXPECT_EQ(comm.reduce_scatter(MPI_IN_PLACE, both.data(), counts.data(), type, op), MPI_SUCCESS);
  both.resize(mine);
  EXPECT_TRUE(same_bits(both, wanted)) << "in place";
}

TEST_P(Reproducible, unequal_blocks_have_the_bits_of_an_allreduce) {
  Communicator comm = make(MPI_COMM_WORLD, shared_memory());
  for (const MPI_Op op : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD}) {
    expect_unequal_blocks<double>(comm, MPI_DOUBLE, op);
    expect_unequal_blocks<float>(comm, MPI_FLOAT, op);
  }
  expect_unequal_blocks<std::complex<double>>(comm, MPI_C_DOUBLE_COMPLEX, MPI_SUM);
}

// x_0 (x_1 (... x_(N-1))), whatever the way.
TEST_P(Reproducible, products_are_taken_in_the_order_of_ranks) {
  for (const cost::Machine& machine : machines()) {
    Communicator comm = make(MPI_COMM_WORLD, machine);
    for (const std::uint64_t length : {0U, 1U, 29U, 5000U}) {
      const auto factors = [&](int rank) {
        std::vector<double> result(length);
        for (std::uint64_t i = 0; i < length; ++i)
          result[i] =
              1 + static_cast<double>(SplitMix(i * 100 + static_cast<std::uint64_t>(rank))() >> 12) * 0x1p-52;
        return result;
      };
      std::vector<double> wanted = factors(comm.size() - 1);
      for (int rank = comm.size() - 2; rank >= 0; --rank) {
        const std::vector<double> left = factors(rank);
        for (std::uint64_t i = 0; i < length; ++i) wanted[i] = left[i] * wanted[i];
      }
      const std::vector<double> own = factors(comm.rank());
      std::vector<double> got(length);
      const auto count = static_cast<MPI_Count>(length);
      EXPECT_EQ(comm.allreduce(own.data(), got.data(), count, MPI_DOUBLE, MPI_PROD), MPI_SUCCESS);
      EXPECT_TRUE(same_bits(got, wanted)) << length;
      got = own;
      EXPECT_EQ(comm.reduce(own.data(), got.data(), count, MPI_DOUBLE, MPI_PROD, 0), MPI_SUCCESS);
      if (comm.rank() == 0) {
        EXPECT_TRUE(same_bits(got, wanted)) << length;
      }
    }
  }
}

// Datatypes with gaps, operations that do not commute, and vectors that cannot be cut evenly.
TEST_P(Reproducible, operations_of_the_user_keep_the_order_of_ranks) {
  const Shape six = sixes().front();
  for (const cost::Machine& machine : machines()) {
    Communicator comm = make(MPI_COMM_WORLD, machine);
    for (const Collective collective : reducing) {
      for (const int elements : {0, 1, 5, 300, 3001}) {
        for (const Op op : {Op::add, Op::compose}) {
          expect_right(comm, {.collective = collective,
                              .ints = 6 * elements,
                              .root = comm.size() / 2,
                              .in_place = elements % 2 == 1,
                              .sent = six,
                              .received = six,
                              .op = op});
        }
      }
    }
  }
}

NETWORKS_OF_THE_JOB(Reproducible);

}  // namespace
}  // namespace isotrope::mpi

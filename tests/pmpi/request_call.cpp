// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/pmpi/request_call.hpp"

namespace isotrope::pmpi {
namespace {

using Call = RequestCall;

// The two functions that begin a collective with the arguments `...`, the communicator last.
#define BEGIN(name, nonblocking_name, ...)                                                \
  [](Call& c, MPI_Comm comm) { return MPI_##nonblocking_name(__VA_ARGS__, &c.request); }, \
      [](Call& c, MPI_Comm comm) { return MPI_PERSISTENT(name)(__VA_ARGS__, MPI_INFO_NULL, &c.request); }

void clear(Call& c) {
  c.received.assign(c.expected.size(), -1);
}

void fill_broadcast(Call& c) {
  c.block(c.expected, [&](int i) { return c.of(c.root, 0, i); });
  clear(c);
  if (c.rank == c.root) c.block(c.received, [&](int i) { return c.of(c.root, 0, i); });
}
void fill_scatter(Call& c) {
  if (c.rank == c.root) c.blocks(c.sent, [&](int to, int i) { return c.of(c.root, to, i); });
  c.block(c.expected, [&](int i) { return c.of(c.root, c.rank, i); });
  clear(c);
}
void fill_gather(Call& c) {
  c.block(c.sent, [&](int i) { return c.of(c.rank, 0, i); });
  if (c.rank == c.root) c.blocks(c.expected, [&](int from, int i) { return c.of(from, 0, i); });
  clear(c);
}
void fill_allgather(Call& c) {
  c.block(c.sent, [&](int i) { return c.of(c.rank, 0, i); });
  c.blocks(c.expected, [&](int from, int i) { return c.of(from, 0, i); });
  clear(c);
}
void fill_alltoall(Call& c) {
  c.blocks(c.sent, [&](int to, int i) { return c.of(c.rank, to, i); });
  c.blocks(c.expected, [&](int from, int i) { return c.of(from, c.rank, i); });
  clear(c);
}
void fill_reduce(Call& c) {
  c.block(c.sent, [&](int i) { return c.of(c.rank, 0, i); });
  if (c.rank == c.root) c.block(c.expected, [&](int i) { return c.sum(0, i); });
  clear(c);
}
void fill_allreduce(Call& c) {
  c.block(c.sent, [&](int i) { return c.of(c.rank, 0, i); });
  c.block(c.expected, [&](int i) { return c.sum(0, i); });
  clear(c);
}
void fill_allreduce_in_place(Call& c) {
  c.block(c.received, [&](int i) { return c.of(c.rank, 0, i); });
  c.block(c.expected, [&](int i) { return c.sum(0, i); });
}
void fill_reduce_scatter(Call& c) {
  c.blocks(c.sent, [&](int to, int i) { return c.of(c.rank, to, i); });
  c.block(c.expected, [&](int i) { return c.sum(c.rank, i); });
  clear(c);
}
void fill_barrier(Call&) {}

// Blocks of unequal sizes: rank r receives, or contributes, unequal(r) ints.
void fill_scatterv(Call& c) {
  c.list_unequal();
  if (c.rank == c.root) c.unequal_blocks(c.sent, [&](int to, int i) { return c.of(c.root, to, i); });
  c.unequal_block(c.expected, c.rank, [&](int i) { return c.of(c.root, c.rank, i); });
  clear(c);
}
void fill_gatherv(Call& c) {
  c.list_unequal();
  c.unequal_block(c.sent, c.rank, [&](int i) { return c.of(c.rank, 0, i); });
  if (c.rank == c.root) c.unequal_blocks(c.expected, [&](int from, int i) { return c.of(from, 0, i); });
  clear(c);
}
void fill_allgatherv(Call& c) {
  c.list_unequal();
  c.unequal_block(c.sent, c.rank, [&](int i) { return c.of(c.rank, 0, i); });
  c.unequal_blocks(c.expected, [&](int from, int i) { return c.of(from, 0, i); });
  clear(c);
}
// Every rank sends unequal(r) ints to rank r, which receives as many from each.
void fill_alltoallv(Call& c) {
  c.list_equal(c.unequal(c.rank));
  c.other_counts = c.counts;
  c.other_places = c.places;
  c.list_unequal();
  c.unequal_blocks(c.sent, [&](int to, int i) { return c.of(c.rank, to, i); });
  c.expected.clear();
  for (int from = 0; from < c.size; ++from) {
    for (int i = 0; i < c.unequal(c.rank); ++i) c.expected.push_back(c.of(from, c.rank, i));
  }
  clear(c);
}
void fill_alltoallw(Call& c) {
  fill_alltoall(c);
  c.list_equal(c.ints, sizeof(int));
}
void fill_unequal_reduce_scatter(Call& c) {
  c.list_unequal();
  c.unequal_blocks(c.sent, [&](int to, int i) { return c.of(c.rank, to, i); });
  c.unequal_block(c.expected, c.rank, [&](int i) { return c.sum(c.rank, i); });
  clear(c);
}

const RequestFunction broadcast{fill_broadcast,
                                BEGIN(Bcast, Ibcast, c.received.data(), c.ints, MPI_INT, c.root, comm)};
const RequestFunction scatter{fill_scatter, BEGIN(Scatter, Iscatter, c.sent.data(), c.ints, MPI_INT,
                                                  c.received.data(), c.ints, MPI_INT, c.root, comm)};
const RequestFunction gather{fill_gather, BEGIN(Gather, Igather, c.sent.data(), c.ints, MPI_INT,
                                                c.received.data(), c.ints, MPI_INT, c.root, comm)};
const RequestFunction allgather{fill_allgather, BEGIN(Allgather, Iallgather, c.sent.data(), c.ints, MPI_INT,
                                                      c.received.data(), c.ints, MPI_INT, comm)};
const RequestFunction allreduce_in_place{
    fill_allreduce_in_place,
    BEGIN(Allreduce, Iallreduce, MPI_IN_PLACE, c.received.data(), c.ints, MPI_INT, MPI_SUM, comm)};
const RequestFunction reduce_scatter_block{
    fill_reduce_scatter, BEGIN(Reduce_scatter_block, Ireduce_scatter_block, c.sent.data(), c.received.data(),
                               c.ints, MPI_INT, MPI_SUM, comm)};
const RequestFunction reduce_scatter{fill_reduce_scatter,
                                     BEGIN(Reduce_scatter, Ireduce_scatter, c.sent.data(), c.received.data(),
                                           c.equal_counts(), MPI_INT, MPI_SUM, comm)};
const RequestFunction scatterv{
    fill_scatterv, BEGIN(Scatterv, Iscatterv, c.sent.data(), c.counts.data(), c.places.data(), MPI_INT,
                         c.received.data(), c.unequal(c.rank), MPI_INT, c.root, comm)};
const RequestFunction gatherv{
    fill_gatherv, BEGIN(Gatherv, Igatherv, c.sent.data(), c.unequal(c.rank), MPI_INT, c.received.data(),
                        c.counts.data(), c.places.data(), MPI_INT, c.root, comm)};
const RequestFunction allgatherv{fill_allgatherv,
                                 BEGIN(Allgatherv, Iallgatherv, c.sent.data(), c.unequal(c.rank), MPI_INT,
                                       c.received.data(), c.counts.data(), c.places.data(), MPI_INT, comm)};
const RequestFunction alltoallv{
    fill_alltoallv, BEGIN(Alltoallv, Ialltoallv, c.sent.data(), c.counts.data(), c.places.data(), MPI_INT,
                          c.received.data(), c.other_counts.data(), c.other_places.data(), MPI_INT, comm)};
const RequestFunction alltoallw{
    fill_alltoallw,
    BEGIN(Alltoallw, Ialltoallw, c.sent.data(), c.counts.data(), c.places.data(), c.types.data(),
          c.received.data(), c.counts.data(), c.places.data(), c.types.data(), comm)};
const RequestFunction unequal_reduce_scatter{
    fill_unequal_reduce_scatter, BEGIN(Reduce_scatter, Ireduce_scatter, c.sent.data(), c.received.data(),
                                       c.counts.data(), MPI_INT, MPI_SUM, comm)};
const RequestFunction barrier{fill_barrier, BEGIN(Barrier, Ibarrier, comm)};

}  // namespace

const RequestFunction request_alltoall{
    fill_alltoall,
    BEGIN(Alltoall, Ialltoall, c.sent.data(), c.ints, MPI_INT, c.received.data(), c.ints, MPI_INT, comm)};
const RequestFunction request_allreduce{
    fill_allreduce,
    BEGIN(Allreduce, Iallreduce, c.sent.data(), c.received.data(), c.ints, MPI_INT, MPI_SUM, comm)};
const RequestFunction request_reduce{fill_reduce, BEGIN(Reduce, Ireduce, c.sent.data(), c.received.data(),
                                                        c.ints, MPI_INT, MPI_SUM, c.root, comm)};

const std::vector<RequestFunction>& request_functions() {
  static const std::vector<RequestFunction> all{
      broadcast,
      scatter,
      gather,
      allgather,
      request_alltoall,
      request_reduce,
      request_allreduce,
      reduce_scatter,
      barrier,
      allreduce_in_place,
      reduce_scatter_block,
      scatterv,
      gatherv,
      allgatherv,
      alltoallv,
      alltoallw,
      unequal_reduce_scatter,
  };
  return all;
}

}  // namespace isotrope::pmpi

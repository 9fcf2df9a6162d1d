// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi/compared_call.hpp"

#include <cstring>

#include "app/mpi/job.hpp"

namespace isotrope::app {
namespace {

using schedule::Collective;

template <class Number>
void fill_with(std::vector<char>& buffer, std::size_t first) {
  constexpr std::size_t different = 61;
  for (std::size_t i = 0; i < buffer.size() / sizeof(Number); ++i) {
    const auto number = static_cast<Number>((first + i) % different);
    std::memcpy(buffer.data() + i * sizeof(Number), &number, sizeof(Number));
  }
}

void end_on(int code) {
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
}

bool adds(Collective collective) {
  return collective != Collective::barrier && reduces(collective);
}

std::size_t blocks_sent(Collective collective) {
  const bool all = collective == Collective::scatter || collective == Collective::alltoall ||
                   collective == Collective::reduce_scatter;
  return all ? static_cast<std::size_t>(job_size()) : 1;
}

std::size_t blocks_received(Collective collective) {
  const bool all = collective == Collective::gather || collective == Collective::allgather ||
                   collective == Collective::alltoall;
  return all ? static_cast<std::size_t>(job_size()) : 1;
}

}  // namespace

ComparedCall::ComparedCall(std::size_t sent_bytes, std::size_t received_bytes, bool floats)
    : send_(sent_bytes), receive_(received_bytes) {
  constexpr std::size_t apart = 17;  // of the first numbers of two buffers
  const std::size_t first = apart * static_cast<std::size_t>(2 * job_rank());
  const auto fill = floats ? fill_with<float> : fill_with<unsigned char>;
  fill(send_, first);
  fill(receive_, first + apart);
}

void ComparedCall::call_isotrope() {
  end_on(isotrope_code());
}

void ComparedCall::call_library() {
  end_on(library_code());
}

bool ComparedCall::gives_same_data() {
  const std::vector<char> before = receive_;
  call_library();
  const std::vector<char> wanted = receive_;
  receive_ = before;
  call_isotrope();
  return !receives_ || receive_ == wanted;
}

EqualCall::EqualCall(mpi::Communicator& comm, Collective collective, std::uint64_t bytes)
    : ComparedCall(bytes * blocks_sent(collective), bytes * blocks_received(collective), adds(collective)),
      comm_(comm) {
  const bool floats = adds(collective);
  const auto count = static_cast<MPI_Count>(floats ? bytes / sizeof(float) : bytes);
  const MPI_Datatype type = floats ? MPI_FLOAT : MPI_BYTE;
  arguments_ = {.collective = collective,
                .send = {send_.data(), count, type},
                .receive = {receive_.data(), count, type},
                .op = floats ? MPI_SUM : MPI_OP_NULL};
  if (collective == Collective::gather || collective == Collective::reduce) receives_ = job_rank() == 0;
  if (collective == Collective::exscan) receives_ = job_rank() != 0;
}

int EqualCall::library_code() {
  const auto& [collective, from, to, root, op] = arguments_;
  const int count = static_cast<int>(to.count);
  const MPI_Datatype type = to.type;
  const MPI_Comm world = MPI_COMM_WORLD;
  switch (collective) {
    case Collective::broadcast:
      return MPI_Bcast(to.address, count, type, root, world);
    case Collective::scatter:
      return MPI_Scatter(from.address, count, type, to.address, count, type, root, world);
    case Collective::gather:
      return MPI_Gather(from.address, count, type, to.address, count, type, root, world);
    case Collective::reduce:
      return MPI_Reduce(from.address, to.address, count, type, op, root, world);
    case Collective::allgather:
      return MPI_Allgather(from.address, count, type, to.address, count, type, world);
    case Collective::alltoall:
      return MPI_Alltoall(from.address, count, type, to.address, count, type, world);
    case Collective::allreduce:
      return MPI_Allreduce(from.address, to.address, count, type, op, world);
    case Collective::reduce_scatter:
      return MPI_Reduce_scatter_block(from.address, to.address, count, type, op, world);
    case Collective::scan:
      return MPI_Scan(from.address, to.address, count, type, op, world);
    case Collective::exscan:
      return MPI_Exscan(from.address, to.address, count, type, op, world);
    default:
      return MPI_Barrier(world);
  }
}

}  // namespace isotrope::app

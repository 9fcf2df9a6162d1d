// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures one collective in SimGrid's simulated time, and checks the received data.
//
//     smpirun ... simgrid_judge.so isotrope|stock NETWORK COLLECTIVE check|fold BYTES,BYTES,... [STRIDE]
//     65536 694.08 right            output: block in bytes, simulated microseconds, whether all data were right
//
// With STRIDE, the network is that of a part of the machine: ranks r, r + STRIDE, r + 2 STRIDE, ... All parts run at once.
//
// `isotrope` is the runtime, for the machine of ISOTROPE_MACHINE; `stock` is MPI_*, with the algorithm given to
// smpirun. BYTES is the size of a block; for broadcast, reduce and allreduce, of the vector.
//
//     warm-up      a gather, in which algorithms for multi-core nodes build their communicators; for Isotrope also
//                  the same call, so that planning and compiling do not count
//     alignment    every rank sleeps until the next multiple of 1000 s, and the call begins at that instant,
//                  without a barrier
//     time         from that instant until the last rank has returned
//
// Messages that an algorithm leaves may disturb the next sizes: the driver then repeats these sizes alone.
// With `fold` all large buffers share one memory (smpirun's shared-malloc), so that sizes above the memory of
// the machine are possible; data are not checked then. All ranks share the state of the C library, so this program
// uses no function of the library that has state.
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "bench/simgrid/measure.hpp"
#include "isotrope/mpi/communicator.hpp"

namespace {

using isotrope::schedule::Collective;
using judge::content;
using judge::largest;
using judge::meet;
using judge::Memory;

struct Job {
  bool by_isotrope = false;
  std::string network;
  Collective collective = Collective::broadcast;
  bool check = true;
  MPI_Comm comm = MPI_COMM_WORLD;
  int rank = 0, size = 1;  // in comm
};

// One collective with blocks of one size.
class Trial {
 public:
  Trial(const Job& job, std::uint64_t bytes)
      : job_(job),
        count_(static_cast<int>(bytes)),
        send_(bytes * (many_sent() ? ranks() : 1)),
        receive_(bytes * (many_received() ? ranks() : 1)) {
    if (job.by_isotrope) isotrope_.emplace(job.comm, isotrope::network::parse_named(job.network));
  }

  void warm_up() {
    std::vector<int> all(ranks());
    MPI_Gather(&job_.rank, 1, MPI_INT, all.data(), 1, MPI_INT, 0, job_.comm);
    if (job_.by_isotrope) isotrope_call();
  }

  // Seconds until the last rank has returned; of rank 0 alone.
  double run() {
    prepare();
    const double start = meet();
    const int code = job_.by_isotrope ? isotrope_call() : stock_call();
    const double seconds = MPI_Wtime() - start;
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
    return largest(seconds);
  }

  // Of all ranks, on rank 0 alone.
  bool right() { return largest(job_.check && !own_right() ? 1 : 0) == 0; }

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(job_.size); }
  bool at_root() const { return job_.rank == 0; }
  bool many_sent() const {
    return job_.collective == Collective::alltoall || job_.collective == Collective::reduce_scatter ||
           (job_.collective == Collective::scatter && at_root());
  }
  bool many_received() const {
    return job_.collective == Collective::alltoall || job_.collective == Collective::allgather ||
           (job_.collective == Collective::gather && at_root());
  }
  bool combines() const {
    return job_.collective == Collective::reduce || job_.collective == Collective::allreduce ||
           job_.collective == Collective::reduce_scatter;
  }

  // The destination of a block that is meant for all ranks.
  int block_owner(int block) const { return many_sent() ? block : 0; }

  void prepare() {
    if (!job_.check) return;
    const auto bytes = static_cast<std::uint64_t>(count_);
    for (int block = 0; block < (many_sent() ? job_.size : 1); ++block) {
      std::uint8_t* to = send_.get() + static_cast<std::uint64_t>(block) * bytes;
      for (std::uint64_t i = 0; i < bytes; ++i) to[i] = content(job_.rank, block_owner(block), i);
    }
    const std::uint64_t received = bytes * (many_received() ? ranks() : 1);
    for (std::uint64_t i = 0; i < received; ++i) receive_.get()[i] = 0xEE;
  }

  int isotrope_call() {
    isotrope::mpi::Communicator& comm = *isotrope_;
    const std::uint8_t* send = send_.get();
    std::uint8_t* receive = receive_.get();
    switch (job_.collective) {
      case Collective::broadcast:
        return comm.broadcast(at_root() ? send_.get() : receive, count_, MPI_BYTE, 0);
      case Collective::scatter:
        return comm.scatter(send, count_, MPI_BYTE, receive, count_, MPI_BYTE, 0);
      case Collective::gather:
        return comm.gather(send, count_, MPI_BYTE, receive, count_, MPI_BYTE, 0);
      case Collective::allgather:
        return comm.allgather(send, count_, MPI_BYTE, receive, count_, MPI_BYTE);
      case Collective::alltoall:
        return comm.alltoall(send, count_, MPI_BYTE, receive, count_, MPI_BYTE);
      case Collective::reduce:
        return comm.reduce(send, receive, count_, MPI_UINT8_T, MPI_SUM, 0);
      case Collective::reduce_scatter:
        return comm.reduce_scatter_block(send, receive, count_, MPI_UINT8_T, MPI_SUM);
      case Collective::allreduce:
        return comm.allreduce(send, receive, count_, MPI_UINT8_T, MPI_SUM);
      default:
        return comm.barrier();
    }
  }

  int stock_call() {
    const std::uint8_t* send = send_.get();
    std::uint8_t* receive = receive_.get();
    switch (job_.collective) {
      case Collective::broadcast:
        return MPI_Bcast(at_root() ? send_.get() : receive, count_, MPI_BYTE, 0, job_.comm);
      case Collective::scatter:
        return MPI_Scatter(send, count_, MPI_BYTE, receive, count_, MPI_BYTE, 0, job_.comm);
      case Collective::gather:
        return MPI_Gather(send, count_, MPI_BYTE, receive, count_, MPI_BYTE, 0, job_.comm);
      case Collective::allgather:
        return MPI_Allgather(send, count_, MPI_BYTE, receive, count_, MPI_BYTE, job_.comm);
      case Collective::alltoall:
        return MPI_Alltoall(send, count_, MPI_BYTE, receive, count_, MPI_BYTE, job_.comm);
      case Collective::reduce:
        return MPI_Reduce(send, receive, count_, MPI_UINT8_T, MPI_SUM, 0, job_.comm);
      case Collective::reduce_scatter: {
        const std::vector<int> counts(ranks(), count_);
        return MPI_Reduce_scatter(send, receive, counts.data(), MPI_UINT8_T, MPI_SUM, job_.comm);
      }
      case Collective::allreduce:
        return MPI_Allreduce(send, receive, count_, MPI_UINT8_T, MPI_SUM, job_.comm);
      default:
        return MPI_Barrier(job_.comm);
    }
  }

  bool own_right() const {
    switch (job_.collective) {
      case Collective::broadcast:
        return at_root() || block_right(0, [](std::uint64_t i) { return content(0, 0, i); });
      case Collective::scatter:
        return block_right(0, [this](std::uint64_t i) { return content(0, job_.rank, i); });
      case Collective::gather:
        return !at_root() || all_blocks_right(0);
      case Collective::allgather:
        return all_blocks_right(0);
      case Collective::alltoall:
        return all_blocks_right(job_.rank);
      case Collective::reduce:
        return !at_root() || sum_right(0);
      case Collective::reduce_scatter:
        return sum_right(job_.rank);
      case Collective::allreduce:
        return sum_right(0);
      default:
        return true;
    }
  }

  template <class Wanted>
  bool block_right(int block, const Wanted& wanted) const {
    const auto bytes = static_cast<std::uint64_t>(count_);
    const std::uint8_t* came = receive_.get() + static_cast<std::uint64_t>(block) * bytes;
    for (std::uint64_t i = 0; i < bytes; ++i) {
      if (came[i] != wanted(i)) return false;
    }
    return true;
  }
  bool all_blocks_right(int owner) const {
    for (int from = 0; from < job_.size; ++from) {
      if (!block_right(from, [=](std::uint64_t i) { return content(from, owner, i); })) return false;
    }
    return true;
  }
  bool sum_right(int owner) const {
    return block_right(0, [=, this](std::uint64_t i) { return judge::sum_of_contents(job_.size, owner, i); });
  }

  const Job& job_;
  int count_;
  std::optional<isotrope::mpi::Communicator> isotrope_;
  Memory send_, receive_;
};

// The ranks of the world that differ in one digit alone, in a numeral system with the order of the network as its base there.
MPI_Comm part_of_world(const std::string& network, int stride) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int order = static_cast<int>(isotrope::network::parse_named(network).network.order());
  const int color = rank / (stride * order) * stride + rank % stride;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, rank, &part);
  return part;
}

Job job_of(const std::vector<std::string>& arguments) {
  if (arguments.size() != 6 && arguments.size() != 7)
    throw std::runtime_error("arguments: isotrope|stock NETWORK COLLECTIVE check|fold BYTES,... [STRIDE]");
  Job job;
  job.by_isotrope = arguments[1] == "isotrope";
  job.network = arguments[2];
  job.collective = isotrope::schedule::parse_collective(arguments[3]);
  job.check = arguments[4] == "check";
  if (arguments.size() == 7) job.comm = part_of_world(job.network, std::stoi(arguments[6]));
  MPI_Comm_rank(job.comm, &job.rank);
  MPI_Comm_size(job.comm, &job.size);
  return job;
}

void time_sizes(const Job& job, std::string_view sizes) {
  judge::for_each_size(sizes, [&](std::uint64_t bytes) {
    Trial trial(job, bytes);
    trial.warm_up();
    const double seconds = trial.run();
    const bool right = trial.right();
    int world_rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    if (world_rank == 0) judge::print_time(bytes, seconds, right);
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  return judge::run_program("judge", argc, argv, [](const std::vector<std::string>& arguments) {
    time_sizes(job_of(arguments), arguments[5]);
  });
}

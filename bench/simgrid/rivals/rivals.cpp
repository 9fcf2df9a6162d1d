// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures a rival's collective in SimGrid's simulated time, and checks the received data.
//
//     smpirun ... simgrid_rivals.so NAME NETWORK COLLECTIVE check|fold BYTES,BYTES,...
//     65536 694.08 right            output: as that of simgrid_judge
//     swing-latency does not apply to hexmesh:3
//     smpirun -np 1 ... simgrid_rivals.so names COLLECTIVE
//
// The messages are those of catalogue.hpp: MPI_Irecv, MPI_Isend and MPI_Waitany, with the real data. Of complete
// receives, the one that was posted first is served first. A step posts its receives, then sends, and begins when
// all receives of the step before in its chain are served; sends are waited for at the end. Sizes, alignment, time
// and `fold` are as in judge.cpp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mpi.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/simgrid/measure.hpp"
#include "bench/simgrid/rivals/catalogue.hpp"

namespace {

using judge::rivals::Layout;
using judge::rivals::Program;
using judge::rivals::Receive;
using judge::rivals::Send;

struct Job {
  std::string name, network, collective;
  bool check = true;
  int rank = 0, size = 1;

  bool of_vector() const {
    return collective == "broadcast" || collective == "reduce" || collective == "allreduce";
  }
};

struct Range {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};

// Part `index` of `count` almost equal parts of the range.
Range part(Range range, std::uint64_t index, std::uint64_t count) {
  return {range.begin + range.size() * index / count, range.begin + range.size() * (index + 1) / count};
}

// The data of one rank, and where the blocks of each chain are in them.
class Data {
 public:
  Data(const Job& job, const Program& program, std::uint64_t bytes)
      : job_(job), program_(program), bytes_(bytes), memory_(total().size()) {}

  // Of block `block` in chain `chain`.
  Range place(int chain, int block) const {
    const auto chains = program_.chains.size();
    const auto slice = static_cast<std::uint64_t>(chain), number = static_cast<std::uint64_t>(block);
    const auto blocks = static_cast<std::uint64_t>(program_.blocks);
    if (program_.layout == Layout::vector) return part(part(total(), slice, chains), number, blocks);
    return part(part(total(), number, blocks), slice, chains);
  }

  std::uint64_t length(int chain, const std::vector<int>& blocks) const {
    std::uint64_t result = 0;
    for (const int block : blocks) result += place(chain, block).size();
    return result;
  }

  void pack(int chain, const std::vector<int>& blocks, std::uint8_t* to) const {
    for (const int block : blocks) {
      const Range range = place(chain, block);
      std::memcpy(to, memory_.get() + range.begin, range.size());
      to += range.size();
    }
  }

  void take(int chain, const Receive& message, const std::uint8_t* from) {
    for (const int block : message.blocks) {
      const Range range = place(chain, block);
      for (std::uint64_t i = range.begin; i < range.end; ++i, ++from)
        memory_.get()[i] = static_cast<std::uint8_t>(message.add ? memory_.get()[i] + *from : *from);
    }
  }

  void prepare() {
    for (int block = 0; block < user_blocks(); ++block) {
      const int to = destination(block);
      for (std::uint64_t i = 0; i < bytes_; ++i)
        at(block, i) = to < 0 ? 0xEE : judge::content(job_.rank, to, i);
    }
  }

  bool right() const {
    for (int block = 0; block < user_blocks(); ++block) {
      if (!block_right(block)) return false;
    }
    return true;
  }

 private:
  // Blocks of `bytes_` bytes.
  int user_blocks() const { return job_.of_vector() ? 1 : program_.blocks; }
  Range total() const { return {0, bytes_ * static_cast<std::uint64_t>(user_blocks())}; }
  std::uint8_t& at(int block, std::uint64_t i) const {
    return memory_.get()[static_cast<std::uint64_t>(block) * bytes_ + i];
  }

  // The rank for which this rank contributes the block; -1 for none.
  int destination(int block) const {
    if (job_.collective == "broadcast") return job_.rank == 0 ? 0 : -1;
    if (job_.collective == "allgather") return block == job_.rank ? 0 : -1;
    if (program_.layout == Layout::turned) return (job_.rank + block) % job_.size;
    if (program_.layout == Layout::pairs && block >= job_.size)
      return block - job_.size == job_.rank ? job_.rank : -1;
    return job_.of_vector() ? 0 : block;
  }

  bool block_right(int block) const {
    if (job_.collective == "broadcast") return came(block, 0, 0);
    if (job_.collective == "allgather") return came(block, block, 0);
    if (job_.collective == "reduce") return job_.rank != 0 || summed(block, 0);
    if (job_.collective == "allreduce") return summed(block, 0);
    if (job_.collective == "reduce-scatter") return block != job_.rank || summed(block, block);
    if (program_.layout == Layout::turned)
      return came(block, (job_.rank - block + job_.size) % job_.size, job_.rank);
    return block < job_.size || came(block, block - job_.size, job_.rank);
  }

  bool came(int block, int from, int to) const {
    for (std::uint64_t i = 0; i < bytes_; ++i) {
      if (at(block, i) != judge::content(from, to, i)) return false;
    }
    return true;
  }
  bool summed(int block, int to) const {
    for (std::uint64_t i = 0; i < bytes_; ++i) {
      if (at(block, i) != judge::sum_of_contents(job_.size, to, i)) return false;
    }
    return true;
  }

  const Job& job_;
  const Program& program_;
  std::uint64_t bytes_;
  judge::Memory memory_;
};

// Executes the program of a rank.
class Execution {
 public:
  Execution(const Program& program, Data& data, bool check)
      : program_(program), data_(data), check_(check), steps_(program.chains.size()) {}

  void run() {
    for (int chain = 0; chain < static_cast<int>(program_.chains.size()); ++chain) advance(chain);
    while (!receives_.empty()) serve();
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  struct Progress {
    int next = 0;  // step to begin
    int open = 0;  // receives that are not served
  };
  struct Pending {
    int chain;
    const Receive* message;
    judge::Memory* buffer;
  };

  Progress& progress(int chain) { return steps_[static_cast<std::size_t>(chain)]; }

  // Begins steps until one waits for a receive.
  void advance(int chain) {
    const auto& steps = program_.chains[static_cast<std::size_t>(chain)];
    Progress& own = progress(chain);
    while (own.open == 0 && own.next < static_cast<int>(steps.size())) {
      const auto& step = steps[static_cast<std::size_t>(own.next)];
      const int tag = own.next++ * static_cast<int>(steps_.size()) + chain;
      for (const Receive& each : step.receives) post(chain, each, tag);
      for (const Send& each : step.sends) send(chain, each, tag);
    }
  }

  void post(int chain, const Receive& message, int tag) {
    const std::uint64_t bytes = data_.length(chain, message.blocks);
    judge::Memory& buffer = buffers_.emplace_back(bytes);
    MPI_Irecv(buffer.get(), static_cast<int>(bytes), MPI_BYTE, message.from, tag, MPI_COMM_WORLD,
              &receives_.emplace_back());
    pending_.push_back({chain, &message, &buffer});
    ++progress(chain).open;
  }

  void send(int chain, const Send& message, int tag) {
    const std::uint64_t bytes = data_.length(chain, message.blocks);
    judge::Memory& buffer = buffers_.emplace_back(bytes);
    if (check_) data_.pack(chain, message.blocks, buffer.get());
    MPI_Isend(buffer.get(), static_cast<int>(bytes), MPI_BYTE, message.to, tag, MPI_COMM_WORLD,
              &sends_.emplace_back());
  }

  void serve() {
    int index = 0;
    MPI_Waitany(static_cast<int>(receives_.size()), receives_.data(), &index, MPI_STATUS_IGNORE);
    const Pending done = pending_[static_cast<std::size_t>(index)];
    receives_.erase(receives_.begin() + index);
    pending_.erase(pending_.begin() + index);
    if (check_) data_.take(done.chain, *done.message, done.buffer->get());
    if (--progress(done.chain).open == 0) advance(done.chain);
  }

  const Program& program_;
  Data& data_;
  bool check_;
  std::vector<Progress> steps_;
  std::deque<judge::Memory> buffers_;
  std::vector<MPI_Request> receives_, sends_;
  std::vector<Pending> pending_;
};

void time_size(const Job& job, const Program& program, std::uint64_t bytes) {
  Data data(job, program, bytes);
  if (job.check) data.prepare();
  Execution execution(program, data, job.check);
  const double start = judge::meet();
  execution.run();
  const double seconds = judge::largest(MPI_Wtime() - start);
  const bool right = judge::largest(job.check && !data.right() ? 1 : 0) == 0;
  if (job.rank == 0) judge::print_time(bytes, seconds, right);
}

void time_sizes(const Job& job, const std::string& sizes) {
  const auto program = judge::rivals::program(job.collective, job.name, job.network, job.size, job.rank);
  if (program) {
    judge::for_each_size(sizes, [&](std::uint64_t bytes) { time_size(job, *program, bytes); });
  } else if (job.rank == 0) {
    fmt::print("{} does not apply to {}\n", job.name, job.network);
  }
}

void print_names(const std::string& collective) {
  for (const std::string& name : judge::rivals::names(collective)) fmt::print("{}\n", name);
}

void run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 3 && arguments[1] == "names") return print_names(arguments[2]);
  if (arguments.size() != 6)
    throw std::runtime_error("arguments: NAME NETWORK COLLECTIVE check|fold BYTES,..., or: names COLLECTIVE");
  Job job{arguments[1], arguments[2], arguments[3], arguments[4] == "check"};
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.size);
  time_sizes(job, arguments[5]);
}

}  // namespace

int main(int argc, char* argv[]) {
  return judge::run_program("rivals", argc, argv, run);
}

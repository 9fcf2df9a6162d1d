// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/collectives.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/host_memory.hpp"

namespace isotrope::mpi {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

}  // namespace

Collectives::Collectives(MPI_Comm comm, Channel channel, std::shared_ptr<ProgramCache> programs, bool check,
                         ProgressEngine* progress)
    : channel_(std::move(channel)),
      comm_(channel_.comm()),
      agreement_comm_(channel_.is_own() ? channel_.comm() : comm),
      programs_(std::move(programs)),
      check_(check),
      progress_(progress != nullptr ? *progress : own_progress_) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
  neighbours_ = neighbours_of(comm);
  // On the default machine ranks share a memory: measured there, rounds cost more than combining saves.
  if (!neighbours_ || programs_->machine() == shared_memory()) return;
  if (auto neighbourhood = isotropic_neighbourhood(comm, *neighbours_))
    combining_.emplace(*std::move(neighbourhood), *neighbours_, programs_->rank(), programs_->machine());
}

// A call that fails on this rank has taken its tag too.
PendingPointer Collectives::start(const Arguments& arguments, bool waits) {
  tag_ = channel_.take_tag(arguments.collective);
  waits_ = waits;
  return started(prepared(arguments), arguments.collective);
}

// The call that had its tags before may be open.
PendingPointer Collectives::started(PendingPointer pending, schedule::Collective collective) {
  if (!waits_ || channel_.must_queue(collective)) pending->queue(channel_.turn(collective));
  pending->start();
  return pending;
}

template <class... Given>
PendingPointer Collectives::prepared_again(const Given&... given) {
  const std::shared_ptr<const int> tag = channel_.reserve_tag();
  tag_ = *tag;
  waits_ = false;
  PendingPointer pending = prepared(given...);
  pending->keep_alive(tag);
  return pending;
}

PendingPointer Collectives::prepare(const Arguments& arguments) {
  return prepared_again(arguments);
}

PendingPointer Collectives::prepare(const VectorArguments& arguments) {
  constexpr bool waits = false;
  return prepared_again(arguments, waits);
}

PendingPointer Collectives::prepared(const Arguments& arguments) {
  using schedule::Collective;
  const Collective collective = arguments.collective;
  if (collective == Collective::broadcast) return broadcast(arguments);
  if (collective == Collective::scatter || collective == Collective::gather) return rooted(arguments);
  if (collective == Collective::allgather || collective == Collective::alltoall) return mutual(arguments);
  if (collective == Collective::barrier) return barrier();
  if (schedule::reduces(collective)) return reduction(arguments);
  throw Failure(
      MPI_ERR_ARG,
      fmt::format("{} is no collective of MPI: give one of the eleven of isotrope/mpi/arguments.hpp",
                  to_string(schedule::Task{.collective = collective})));
}

// A nonblocking barrier has nothing to compare but itself, and a rank that has started one may be waited for as a receiver of
// messages: the sparse exchange by MPI_Issend, MPI_Iprobe and MPI_Ibarrier.
PendingPointer Collectives::barrier() {
  if (waits_) agreed([] { return CallSignature{}; });
  auto program = programs_->find(schedule::Collective::barrier, 0, 1);
  const rank::Segmentation nothing = rank::Segmentation::of_blocks(0, program->parts);
  return ready(pending_collective(),
               {.program = std::move(program), .units = nothing, .empty_messages = true});
}

void Collectives::require_root(int root) const {
  if (root >= 0 && root < size_) return;
  throw Failure(MPI_ERR_ROOT,
                fmt::format("root {}: the ranks of {} are 0..{}", root, network().name(), size_ - 1));
}

void Collectives::require_buffer(const void* address, const Datatype& type, std::uint64_t bytes) {
  if (address == MPI_IN_PLACE) {
    throw Failure(MPI_ERR_BUFFER,
                  "MPI_IN_PLACE instead of a buffer: give MPI_IN_PLACE only as the send buffer, or as the "
                  "receive buffer of a scatter; and in a rooted collective only at the root");
  }
  if (address == nullptr && type.needs_address() && bytes > 0)
    throw Failure(MPI_ERR_BUFFER,
                  fmt::format("a null pointer for a block of {} bytes: give the address of a buffer", bytes));
}

void Collectives::require_same_bytes(std::uint64_t sent, std::uint64_t received) {
  if (sent == received) return;
  throw Failure(received < sent ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT,
                fmt::format("blocks of {} bytes are sent and blocks of {} bytes are received: give counts "
                            "and datatypes that match",
                            sent, received));
}

std::uint64_t Collectives::bytes_of(MPI_Count count, const Datatype& type, std::uint64_t blocks) const {
  if (count < 0) throw Failure(MPI_ERR_COUNT, fmt::format("a count of {}: give 0 or more", count));
  const auto elements = static_cast<std::uint64_t>(count);
  const std::uint64_t width = std::max<std::uint64_t>({type.size, type.true_extent, 1});
  if (elements > most_bytes / width / blocks) {
    throw Failure(MPI_ERR_COUNT,
                  fmt::format("{} blocks of {} elements of {} bytes: give 2^62 bytes or less in all", blocks,
                              count, width));
  }
  return elements * type.size;
}

PendingPointer Collectives::ready(PendingPointer pending, ExecutorArguments arguments) {
  if (const std::uint64_t most = programs_->machine().largest_message; most > 0)
    arguments.largest_message = std::min(arguments.largest_message, most);
  auto memory = host_memory();
  const bool in_shares = arguments.units.has_shares() && !arguments.output_units;
  const rank::RankProgram& program = *arguments.program;
  const std::size_t chains = program.shares.empty() ? program.chains.size()
                             : in_shares            ? program.shares.size()
                                                    : 1;
  arguments.in_chains = !memory && chains > 1 && chains <= static_cast<std::size_t>(channel_.chains());
  if (memory && arguments.layout.room(1) <= memory->largest_piece())
    arguments.host_memory = std::move(memory);
  pending->prepare(std::move(arguments), channel_, tag_, progress_);
  return pending;
}

}  // namespace isotrope::mpi

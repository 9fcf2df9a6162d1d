// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/collectives.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace isotrope::mpi {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;
constexpr int most_tags = 32767;  // the least that MPI grants

}  // namespace

Collectives::Collectives(MPI_Comm comm, Programs programs, bool check)
    : programs_(std::move(programs)), check_(check) {
  require_success(MPI_Comm_dup(comm, &comm_), "duplicating a communicator");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Collectives::~Collectives() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&comm_);
}

std::unique_ptr<Operation> Collectives::barrier() {
  agreed([] { return Arguments{}; });
  auto operation = std::make_unique<Operation>();
  auto program = programs_.find(schedule::Collective::barrier, 0, 1);
  const rank::Units nothing = rank::Units::of_blocks(0, program->parts);
  launch(*operation, {.program = std::move(program), .units = nothing, .empty_messages = true});
  return operation;
}

void Collectives::require_root(int root) const {
  if (root >= 0 && root < size_) return;
  throw Failure(MPI_ERR_ROOT,
                fmt::format("root {}: the ranks of {} are 0..{}", root, network().name(), size_ - 1));
}

void Collectives::require_buffer(const void* address, const Datatype& type, std::uint64_t bytes) {
  if (address == MPI_IN_PLACE) {
    throw Failure(
        MPI_ERR_BUFFER,
        "MPI_IN_PLACE where a buffer is needed: it may be given to send from, and to receive into by "
        "the root of a scatter; with a root by the root only");
  }
  // An absolute address is in the datatype, which is not dense then.
  if (address == nullptr && type.dense && bytes > 0)
    throw Failure(MPI_ERR_BUFFER, fmt::format("a null pointer for a block of {} bytes", bytes));
}

std::uint64_t Collectives::bytes_of(MPI_Count count, const Datatype& type, std::uint64_t blocks) const {
  if (count < 0) throw Failure(MPI_ERR_COUNT, fmt::format("a count of {}: give 0 or more", count));
  const auto elements = static_cast<std::uint64_t>(count);
  const std::uint64_t width = std::max<std::uint64_t>({type.size, type.true_extent, 1});
  if (elements > most_bytes / width / blocks) {
    throw Failure(MPI_ERR_COUNT, fmt::format("{} blocks of {} elements of {} bytes: more than the 2^62 bytes "
                                             "that can be counted",
                                             blocks, count, width));
  }
  return elements * type.size;
}

// Calls that are open at the same time have different tags; all ranks count alike.
void Collectives::launch(Operation& operation, Call call) {
  last_tag_ = last_tag_ == most_tags ? 1 : last_tag_ + 1;
  if (const std::uint64_t most = programs_.machine().largest_message; most > 0)
    call.largest_message = std::min(call.largest_message, most);
  operation.start(std::move(call), comm_, last_tag_, progress_);
}

}  // namespace isotrope::mpi

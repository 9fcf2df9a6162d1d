// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/execution.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "isotrope/mpi/lock_step.hpp"
#include "isotrope/mpi/run_ahead.hpp"

namespace isotrope::mpi {

using rank::Buffer;
using rank::Piece;
using rank::Transfer;

std::unique_ptr<Execution> Execution::of(Call call, MPI_Comm comm, int tag) {
  if (call.program->in_flight > 1) return std::make_unique<RunAhead>(std::move(call), comm, tag);
  return std::make_unique<LockStep>(std::move(call), comm, tag);
}

Execution::Execution(Call call, MPI_Comm comm, int tag) : call_(std::move(call)), comm_(comm), tag_(tag) {}

// ---- messages

void Execution::receive(std::byte* to, std::uint64_t elements, rank::Node from,
                        std::vector<MPI_Request>& requests) {
  post(elements, requests, [&](std::uint64_t first, int count, MPI_Request* request) {
    return MPI_Irecv(at(to, first), count, call_.form.type, static_cast<int>(from), tag_, comm_, request);
  });
}

void Execution::send(const std::byte* from, std::uint64_t elements, rank::Node to,
                     std::vector<MPI_Request>& requests) {
  post(elements, requests, [&](std::uint64_t first, int count, MPI_Request* request) {
    return MPI_Isend(from + first * call_.form.stride, count, call_.form.type, static_cast<int>(to), tag_,
                     comm_, request);
  });
}

// Units without elements are no messages, unless the message itself is what counts.
template <class Post>
void Execution::post(std::uint64_t count, std::vector<MPI_Request>& requests, const Post& post) {
  const std::uint64_t most = std::max<std::uint64_t>(call_.largest_message / call_.form.size, 1);
  std::uint64_t done = 0;
  while (done < count || (count == 0 && call_.empty_messages && done == 0)) {
    const std::uint64_t now = std::min(most, count - done);
    note(post(done, static_cast<int>(now), &requests.emplace_back(MPI_REQUEST_NULL)));
    if (count == 0) return;
    done += now;
  }
}

// ---- elements

void Execution::apply(const std::vector<Transfer>& transfers) const {
  for (const Transfer& transfer : transfers) {
    std::byte *from = base(transfer.from), *to = base(transfer.to);
    if (from == nullptr || to == nullptr) continue;
    from = at(from, call_.units.begin(transfer.first_from));
    to = at(to, call_.units.begin(transfer.first_to));
    if (from != to) copy(from, to, call_.units.elements(transfer.first_from, transfer.count));
  }
}

void Execution::copy(const std::byte* from, std::byte* to, std::uint64_t elements) const {
  if (elements == 0) return;
  std::memcpy(to + call_.form.offset, from + call_.form.offset, call_.form.span(elements));
}

// Inputs are only read: the program says so.
std::byte* Execution::base(Buffer buffer) const {
  switch (buffer) {
    case Buffer::input:
      return const_cast<std::byte*>(call_.input);
    case Buffer::output:
      return call_.output;
    case Buffer::transit:
      break;
  }
  return transit_.bytes() + call_.form.origin();
}

std::byte* Execution::place(const Piece& piece) const {
  if (piece.buffer == Buffer::transit && !program().mirrored)
    return at(base(piece.buffer), piece.place * call_.units.largest());
  return at(base(piece.buffer), call_.units.begin(piece.place));
}

void Execution::reserve_transit() {
  const std::uint64_t elements = program().mirrored ? call_.units.of_whole_blocks(program().input_blocks)
                                                    : program().transit_units * call_.units.largest();
  transit_.grow(call_.form.room(elements));
}

}  // namespace isotrope::mpi

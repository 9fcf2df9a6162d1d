// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/execution.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace isotrope::mpi {

using rank::Arrival;
using rank::Buffer;
using rank::Message;
using rank::Piece;
using rank::Transfer;

namespace {

constexpr std::uint64_t most_combined = std::uint64_t{1} << 30;  // elements, for counts are ints

}  // namespace

Execution::Execution(Call call, MPI_Comm comm, int tag) : call_(std::move(call)), comm_(comm), tag_(tag) {}

void Execution::start() {
  const rank::Program& program = *call_.program;
  const std::uint64_t transit = program.mirrored ? call_.units.of_whole_blocks(program.input_blocks)
                                                 : program.transit_units * call_.units.largest();
  transit_.grow(call_.form.room(transit));
  apply(program.opening);
  if (program.rounds() > 0) {
    begin_round();
  } else {
    apply(program.closing);
  }
}

bool Execution::test() {
  while (round_ < call_.program->rounds()) {
    int over = 0;
    const int code =
        MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &over, MPI_STATUSES_IGNORE);
    note(code);
    if (over == 0 && code == MPI_SUCCESS) return false;
    // After an error MPI leaves open which requests are over.
    if (over == 0) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    end_round();
  }
  return true;
}

void Execution::wait() {
  while (round_ < call_.program->rounds()) {
    note(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    end_round();
  }
}

// ---- rounds

void Execution::begin_round() {
  requests_.clear();
  reserve_wire();
  for (const Message& message : call_.program->receipts(round_)) post_receipt(message);
  for (const Message& message : call_.program->sends(round_)) post_send(message);
}

void Execution::end_round() {
  wire_used_ = 0;
  for (const Message& message : call_.program->receipts(round_)) take_receipt(message);
  wire_used_ = 0;
  if (call_.clock != nullptr) call_.clock->push_back(MPI_Wtime());
  if (++round_ < call_.program->rounds()) {
    begin_round();
  } else {
    apply(call_.program->closing);
  }
}

void Execution::apply(const std::vector<Transfer>& transfers) {
  for (const Transfer& transfer : transfers) {
    std::byte *from = base(transfer.from), *to = base(transfer.to);
    if (from == nullptr || to == nullptr) continue;
    from = at(from, call_.units.begin(transfer.first_from));
    to = at(to, call_.units.begin(transfer.first_to));
    if (from != to) copy(from, to, call_.units.elements(transfer.first_from, transfer.count));
  }
}

// ---- messages

// Of one piece that need not pass through the wire.
bool Execution::travels_alone(const Message& message, bool received) const {
  if (message.pieces != 1) return false;
  const Piece& piece = call_.program->pieces(message).front();
  if (!received || piece.arrival == Arrival::store) return true;
  return piece.arrival == Arrival::join && place(piece) != own(piece);
}

void Execution::post_receipt(const Message& message) {
  const std::uint64_t count = elements(message);
  const bool alone = travels_alone(message, true);
  std::byte* to = alone ? place(call_.program->pieces(message).front()) : take_wire(count);
  post(to, count, [&](std::byte* address, int now, MPI_Request* request) {
    return MPI_Irecv(address, now, call_.form.type, static_cast<int>(message.peer), tag_, comm_, request);
  });
}

void Execution::post_send(const Message& message) {
  const std::uint64_t count = elements(message);
  const auto pieces = call_.program->pieces(message);
  std::byte* from = nullptr;
  if (travels_alone(message, false)) {
    from = place(pieces.front());
  } else {
    from = take_wire(count);
    std::byte* to = from;
    for (const Piece& piece : pieces) {
      copy(place(piece), to, elements(piece));
      to = at(to, elements(piece));
    }
  }
  post(from, count, [&](std::byte* address, int now, MPI_Request* request) {
    return MPI_Isend(address, now, call_.form.type, static_cast<int>(message.peer), tag_, comm_, request);
  });
}

void Execution::take_receipt(const Message& message) {
  const auto pieces = call_.program->pieces(message);
  if (travels_alone(message, true)) {
    const Piece& piece = pieces.front();
    if (piece.arrival == Arrival::join) combine(own(piece), place(piece), elements(piece));
    return;
  }
  const std::byte* from = take_wire(elements(message));
  for (const Piece& piece : pieces) {
    take(piece, from);
    from += elements(piece) * call_.form.stride;
  }
}

void Execution::take(const Piece& piece, const std::byte* from) {
  std::byte* to = place(piece);
  const std::uint64_t count = elements(piece);
  if (piece.arrival == Arrival::combine || (piece.arrival == Arrival::join && to == own(piece))) {
    combine(from, to, count);
    return;
  }
  copy(from, to, count);
  if (piece.arrival == Arrival::join) combine(own(piece), to, count);
}

// Units without elements are no messages, unless the message itself is what counts.
template <class Post>
void Execution::post(std::byte* elements, std::uint64_t count, const Post& post) {
  const std::uint64_t most = std::max<std::uint64_t>(call_.largest_message / call_.form.size, 1);
  std::uint64_t done = 0;
  while (done < count || (count == 0 && call_.empty_messages && done == 0)) {
    const std::uint64_t now = std::min(most, count - done);
    note(post(at(elements, done), static_cast<int>(now), &requests_.emplace_back(MPI_REQUEST_NULL)));
    if (count == 0) return;
    done += now;
  }
}

// ---- elements

void Execution::copy(const std::byte* from, std::byte* to, std::uint64_t elements) const {
  if (elements == 0) return;
  std::memcpy(to + call_.form.offset, from + call_.form.offset, call_.form.span(elements));
}

void Execution::combine(const std::byte* from, std::byte* into, std::uint64_t elements) {
  const std::uint64_t most = call_.combination.one_by_one ? 1 : most_combined;
  for (std::uint64_t done = 0; done < elements;) {
    const std::uint64_t now = std::min(most, elements - done);
    note(MPI_Reduce_local(from + done * call_.form.stride, at(into, done), static_cast<int>(now),
                          call_.combination.type, call_.combination.op));
    done += now;
  }
}

std::uint64_t Execution::elements(const Message& message) const {
  std::uint64_t count = 0;
  for (const Piece& piece : call_.program->pieces(message)) count += elements(piece);
  return count;
}

// Such that element i is at base + i stride. Inputs are only read: the program says so.
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
  if (piece.buffer == Buffer::transit && !call_.program->mirrored)
    return at(base(piece.buffer), piece.place * call_.units.largest());
  return at(base(piece.buffer), call_.units.begin(piece.place));
}

std::byte* Execution::own(const Piece& piece) const {
  return at(base(Buffer::input), call_.units.begin(piece.own));
}

// ---- the wire

// Room for the next message of the round that does not travel alone, in the order of the messages.
std::byte* Execution::take_wire(std::uint64_t elements) {
  std::byte* start = at(wire_.bytes() + call_.form.origin(), wire_used_);
  wire_used_ += elements;
  return start;
}

void Execution::reserve_wire() {
  std::uint64_t needed = 0;
  for (const Message& message : call_.program->receipts(round_))
    needed += travels_alone(message, true) ? 0 : elements(message);
  for (const Message& message : call_.program->sends(round_))
    needed += travels_alone(message, false) ? 0 : elements(message);
  wire_.grow(call_.form.room(needed));
}

}  // namespace isotrope::mpi

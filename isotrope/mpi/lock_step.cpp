// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/lock_step.hpp"

#include <algorithm>
#include <utility>

namespace isotrope::mpi {

using rank::Arrival;
using rank::Buffer;
using rank::Message;
using rank::Piece;

namespace {

constexpr std::uint64_t most_combined = std::uint64_t{1} << 30;  // elements, for counts are ints

}  // namespace

LockStep::LockStep(Call call, MPI_Comm comm, int tag) : Execution(std::move(call), comm, tag) {}

void LockStep::start() {
  reserve_transit();
  apply(program().opening);
  if (program().rounds() > 0) {
    begin_round();
  } else {
    apply(program().closing);
  }
}

bool LockStep::test() {
  while (round_ < program().rounds()) {
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

void LockStep::wait() {
  while (round_ < program().rounds()) {
    note(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    end_round();
  }
}

// ---- rounds

void LockStep::begin_round() {
  requests_.clear();
  reserve_wire();
  for (const Message& message : program().receipts(round_)) post_receipt(message);
  for (const Message& message : program().sends(round_)) post_send(message);
}

void LockStep::end_round() {
  wire_used_ = 0;
  for (const Message& message : program().receipts(round_)) take_receipt(message);
  wire_used_ = 0;
  if (call().clock != nullptr) call().clock->push_back(MPI_Wtime());
  if (++round_ < program().rounds()) {
    begin_round();
  } else {
    apply(program().closing);
  }
}

// ---- messages

// Of one piece that need not pass through the wire.
bool LockStep::travels_alone(const Message& message, bool received) const {
  if (message.pieces != 1) return false;
  const Piece& piece = program().pieces(message).front();
  if (!received || piece.arrival == Arrival::store) return true;
  return piece.arrival == Arrival::join && place(piece) != own(piece);
}

void LockStep::post_receipt(const Message& message) {
  const std::uint64_t count = elements_of(message);
  const bool alone = travels_alone(message, true);
  std::byte* to = alone ? place(program().pieces(message).front()) : take_wire(count);
  receive(to, count, message.peer, requests_);
}

void LockStep::post_send(const Message& message) {
  const std::uint64_t count = elements_of(message);
  const auto pieces = program().pieces(message);
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
  send(from, count, message.peer, requests_);
}

void LockStep::take_receipt(const Message& message) {
  const auto pieces = program().pieces(message);
  if (travels_alone(message, true)) {
    const Piece& piece = pieces.front();
    if (piece.arrival == Arrival::join) combine(own(piece), place(piece), elements(piece));
    return;
  }
  const std::byte* from = take_wire(elements_of(message));
  for (const Piece& piece : pieces) {
    take(piece, from);
    from += elements(piece) * call().form.stride;
  }
}

void LockStep::take(const Piece& piece, const std::byte* from) {
  std::byte* to = place(piece);
  const std::uint64_t count = elements(piece);
  if (piece.arrival == Arrival::combine || (piece.arrival == Arrival::join && to == own(piece))) {
    combine(from, to, count);
    return;
  }
  copy(from, to, count);
  if (piece.arrival == Arrival::join) combine(own(piece), to, count);
}

// ---- elements

void LockStep::combine(const std::byte* from, std::byte* into, std::uint64_t elements) {
  const std::uint64_t most = call().combination.one_by_one ? 1 : most_combined;
  for (std::uint64_t done = 0; done < elements;) {
    const std::uint64_t now = std::min(most, elements - done);
    note(MPI_Reduce_local(from + done * call().form.stride, at(into, done), static_cast<int>(now),
                          call().combination.type, call().combination.op));
    done += now;
  }
}

std::uint64_t LockStep::elements_of(const Message& message) const {
  std::uint64_t count = 0;
  for (const Piece& piece : program().pieces(message)) count += elements(piece);
  return count;
}

std::byte* LockStep::own(const Piece& piece) const {
  return at(base(Buffer::input), call().units.begin(piece.own));
}

// ---- the wire

// Room for the next message of the round that does not travel alone, in the order of the messages.
std::byte* LockStep::take_wire(std::uint64_t elements) {
  std::byte* start = at(wire_.bytes() + call().form.origin(), wire_used_);
  wire_used_ += elements;
  return start;
}

void LockStep::reserve_wire() {
  std::uint64_t needed = 0;
  for (const Message& message : program().receipts(round_))
    needed += travels_alone(message, true) ? 0 : elements_of(message);
  for (const Message& message : program().sends(round_))
    needed += travels_alone(message, false) ? 0 : elements_of(message);
  wire_.grow(call().form.room(needed));
}

}  // namespace isotrope::mpi

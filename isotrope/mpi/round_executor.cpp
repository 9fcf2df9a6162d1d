// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/round_executor.hpp"

#include <algorithm>
#include <utility>

namespace isotrope::mpi {

using rank::Buffer;
using rank::Fragment;
using rank::OnArrival;
using rank::RankMessage;

namespace {

constexpr std::uint64_t most_reduced = std::uint64_t{1} << 30;  // elements per MPI call: counts are ints

}  // namespace

RoundExecutor::RoundExecutor(ExecutorArguments arguments, MPI_Comm comm, int tag)
    : Executor(std::move(arguments), comm, tag) {}

void RoundExecutor::start() {
  reserve_transit();
  apply(program().opening);
  if (program().rounds() > 0) {
    begin_round();
  } else {
    apply(program().closing);
  }
}

bool RoundExecutor::test() {
  while (round_ < program().rounds()) {
    int complete = 0;
    const int code =
        MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE);
    note(code);
    if (complete == 0 && code == MPI_SUCCESS) return false;
    // After an error MPI does not say which requests are complete.
    if (complete == 0) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    end_round();
  }
  return true;
}

void RoundExecutor::wait() {
  while (round_ < program().rounds()) {
    note(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    end_round();
  }
}

// ---- rounds

void RoundExecutor::begin_round() {
  requests_.clear();
  reserve_wire();
  for (const RankMessage& message : program().receipts(round_)) post_receive(message);
  for (const RankMessage& message : program().sends(round_)) post_send(message);
}

void RoundExecutor::end_round() {
  wire_used_ = 0;
  for (const RankMessage& message : program().receipts(round_)) unpack(message);
  wire_used_ = 0;
  if (arguments().clock != nullptr) arguments().clock->push_back(MPI_Wtime());
  if (++round_ < program().rounds()) {
    begin_round();
  } else {
    apply(program().closing);
  }
}

// ---- messages

// Whether the message has one fragment and MPI can use the place of that fragment directly.
bool RoundExecutor::bypasses_wire(const RankMessage& message, bool received) const {
  if (message.fragments != 1) return false;
  const Fragment& fragment = program().fragments(message).front();
  if (!received || fragment.arrival == OnArrival::store) return true;
  return fragment.arrival == OnArrival::join && target(fragment) != own_input(fragment);
}

void RoundExecutor::post_receive(const RankMessage& message) {
  const std::uint64_t count = elements_of(message);
  const bool direct = bypasses_wire(message, true);
  std::byte* to = direct ? target(program().fragments(message).front()) : take_wire(count);
  receive(to, count, message.peer, requests_);
}

void RoundExecutor::post_send(const RankMessage& message) {
  const std::uint64_t count = elements_of(message);
  const auto fragments = program().fragments(message);
  if (bypasses_wire(message, false)) {
    send(source(fragments.front()), count, message.peer, requests_);
    return;
  }
  std::byte* const packed = take_wire(count);
  std::byte* to = packed;
  for (const Fragment& fragment : fragments) {
    copy(source(fragment), to, elements(fragment));
    to = at(to, elements(fragment));
  }
  send(packed, count, message.peer, requests_);
}

void RoundExecutor::unpack(const RankMessage& message) {
  const auto fragments = program().fragments(message);
  if (bypasses_wire(message, true)) {
    const Fragment& fragment = fragments.front();
    if (fragment.arrival == OnArrival::join)
      reduce(own_input(fragment), target(fragment), elements(fragment));
    return;
  }
  const std::byte* from = take_wire(elements_of(message));
  for (const Fragment& fragment : fragments) {
    unpack(fragment, from);
    from = at(from, elements(fragment));
  }
}

void RoundExecutor::unpack(const Fragment& fragment, const std::byte* from) {
  std::byte* to = target(fragment);
  const std::uint64_t count = elements(fragment);
  if (fragment.arrival == OnArrival::combine ||
      (fragment.arrival == OnArrival::join && to == own_input(fragment))) {
    reduce(from, to, count);
    return;
  }
  copy(from, to, count);
  if (fragment.arrival == OnArrival::join) reduce(own_input(fragment), to, count);
}

// ---- elements

void RoundExecutor::reduce(const std::byte* from, std::byte* into, std::uint64_t elements) {
  const Reduction& reduction = arguments().reduction;
  const std::uint64_t most = reduction.one_by_one ? 1 : most_reduced;
  for (std::uint64_t done = 0; done < elements;) {
    const std::uint64_t now = std::min(most, elements - done);
    note(MPI_Reduce_local(at(from, done), at(into, done), static_cast<int>(now), reduction.type,
                          reduction.op));
    done += now;
  }
}

std::uint64_t RoundExecutor::elements_of(const RankMessage& message) const {
  std::uint64_t count = 0;
  for (const Fragment& fragment : program().fragments(message)) count += elements(fragment);
  return count;
}

const std::byte* RoundExecutor::own_input(const Fragment& fragment) const {
  return at(source(Buffer::input), arguments().units.begin(fragment.own));
}

// ---- the wire

// Returns the stretch of the next message of the round that needs the wire, in the order of the messages.
std::byte* RoundExecutor::take_wire(std::uint64_t elements) {
  std::byte* start = at(wire_.bytes() + arguments().layout.origin(), wire_used_);
  wire_used_ += elements;
  return start;
}

void RoundExecutor::reserve_wire() {
  std::uint64_t needed = 0;
  for (const RankMessage& message : program().receipts(round_))
    needed += bypasses_wire(message, true) ? 0 : elements_of(message);
  for (const RankMessage& message : program().sends(round_))
    needed += bypasses_wire(message, false) ? 0 : elements_of(message);
  wire_.grow(arguments().layout.room(needed));
}

}  // namespace isotrope::mpi

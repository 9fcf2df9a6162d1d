// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a program round by round.
//
//     round t    receives are posted on all ports, then sends on all ports; when all of them are complete,
//                received data are stored or reduced in order of ports, and round t + 1 begins
//
// Rounds need no barrier: a rank begins a round when its own messages of the previous round are complete. A
// message of one fragment is sent from and received into its final place; messages of several fragments are packed
// in a buffer (`wire`), which holds the messages of one round.
//
// Cost: one MPI call per message, and one copy of the data of messages with several fragments. Memory: the
// transit buffer of the program, and the wire of its largest round.
#include <utility>

#include "isotrope/mpi/executor.hpp"

namespace isotrope::mpi {
namespace {

using rank::Fragment;
using rank::RankMessage;

class RoundExecutor final : public Executor {
 public:
  using Executor::Executor;

  void begin() override {
    round_ = 0;
    reserve_transit();
    apply(program().opening);
    begin_round();
  }

  bool advance() override {
    while (round_ < program().rounds()) {
      int complete = 0;
      const int code =
          MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE);
      note(code);
      if (complete == 0 && code == MPI_SUCCESS) return false;
      // After an error MPI does not say which requests are complete.
      if (complete == 0)
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
      end_round();
    }
    return true;
  }

  void finish() override {
    while (round_ < program().rounds()) {
      note(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
      end_round();
    }
  }

 private:
  // ---- rounds

  // Behind the last round the program ends.
  void begin_round() {
    move_locally(round_);
    if (round_ == program().rounds()) return apply(program().closing);
    requests_.clear();
    reserve_wire();
    for (const RankMessage& message : program().receipts(round_)) post_receive(message);
    for (const RankMessage& message : program().sends(round_)) post_send(message);
  }

  void end_round() {
    wire_used_ = 0;
    for (const RankMessage& message : program().receipts(round_)) unpack(message);
    wire_used_ = 0;
    if (arguments().clock != nullptr) arguments().clock->push_back(MPI_Wtime());
    ++round_;
    begin_round();
  }

  // ---- messages

  // Whether the message has one fragment and MPI can use the place of that fragment directly.
  bool bypasses_wire(const RankMessage& message, bool received) const {
    if (message.fragments != 1) return false;
    return !received || arrives_in_place(program().fragments(message).front());
  }

  void post_receive(const RankMessage& message) {
    const std::uint64_t count = elements_of(message);
    const bool direct = bypasses_wire(message, true);
    std::byte* to = direct ? target(program().fragments(message).front()) : take_wire(count);
    receive(to, count, message.peer, requests_);
  }

  void post_send(const RankMessage& message) {
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

  void unpack(const RankMessage& message) {
    const auto fragments = program().fragments(message);
    if (bypasses_wire(message, true)) {
      take(fragments.front(), target(fragments.front()));
      return;
    }
    const std::byte* from = take_wire(elements_of(message));
    for (const Fragment& fragment : fragments) {
      take(fragment, from);
      from = at(from, elements(fragment));
    }
  }

  // ---- elements

  std::uint64_t elements_of(const RankMessage& message) const {
    std::uint64_t count = 0;
    for (const Fragment& fragment : program().fragments(message)) count += elements(fragment);
    return count;
  }

  // ---- the wire

  // Returns the stretch of the next message of the round that needs the wire, in the order of the messages.
  std::byte* take_wire(std::uint64_t elements) {
    std::byte* start = at(wire_.bytes() + arguments().layout.origin(), wire_used_);
    wire_used_ += elements;
    return start;
  }

  void reserve_wire() {
    std::uint64_t needed = 0;
    for (const RankMessage& message : program().receipts(round_))
      needed += bypasses_wire(message, true) ? 0 : elements_of(message);
    for (const RankMessage& message : program().sends(round_))
      needed += bypasses_wire(message, false) ? 0 : elements_of(message);
    wire_.grow(arguments().layout.room(needed));
  }

  Storage wire_{arguments().pool};
  std::uint64_t wire_used_ = 0;  // elements of the wire given to messages
  std::size_t round_ = 0;
  std::vector<MPI_Request> requests_;  // of this round
};

}  // namespace

std::unique_ptr<Executor> make_round_executor(ExecutorArguments arguments, const Channel& channel, int tag) {
  return std::make_unique<RoundExecutor>(std::move(arguments), channel, tag);
}

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a program round by round.
//
//     round t    receipts are posted on all ports, then sends on all ports; when all of them are over, what
//                has come is stored or combined in order of ports, and round t + 1 begins
//
// No barrier: a rank begins a round when its own messages of the round before are over. A message of one
// piece goes straight from its place and to its place; others are put together in a buffer (`wire`), which
// holds the messages of one round.
//
// Cost: a message an MPI call, and a copy of what does not travel in one piece. Memory: the transit buffer of
// the program, and the wire of its largest round.
#pragma once

#include "isotrope/mpi/execution.hpp"

namespace isotrope::mpi {

class LockStep final : public Execution {
 public:
  /// Nothing is sent yet. @param comm its error handler returns; `tag` is the call's own.
  LockStep(Call call, MPI_Comm comm, int tag);

  void start() override;
  bool test() override;
  void wait() override;

 private:
  void begin_round();
  void end_round();
  void post_receipt(const rank::Message& message);
  void post_send(const rank::Message& message);
  void take_receipt(const rank::Message& message);
  void take(const rank::Piece& piece, const std::byte* from);
  void combine(const std::byte* from, std::byte* into, std::uint64_t elements);

  bool travels_alone(const rank::Message& message, bool received) const;
  std::uint64_t elements_of(const rank::Message& message) const;
  std::byte* own(const rank::Piece& piece) const;
  std::byte* take_wire(std::uint64_t elements);
  void reserve_wire();

  Storage wire_;
  std::uint64_t wire_used_ = 0;  // elements of the wire given to messages
  std::size_t round_ = 0;
  std::vector<MPI_Request> requests_;  // of the round
};

}  // namespace isotrope::mpi

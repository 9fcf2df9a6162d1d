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
#pragma once

#include "isotrope/mpi/executor.hpp"

namespace isotrope::mpi {

class RoundExecutor final : public Executor {
 public:
  /// Sends nothing yet. @param comm must return errors. @param tag must differ from those of other open calls
  /// on `comm`.
  RoundExecutor(ExecutorArguments arguments, MPI_Comm comm, int tag);

  void start() override;
  bool test() override;
  void wait() override;

 private:
  void begin_round();
  void end_round();
  void post_receive(const rank::RankMessage& message);
  void post_send(const rank::RankMessage& message);
  void unpack(const rank::RankMessage& message);
  void unpack(const rank::Fragment& fragment, const std::byte* from);
  void reduce(const std::byte* from, std::byte* into, std::uint64_t elements);

  bool bypasses_wire(const rank::RankMessage& message, bool received) const;
  std::uint64_t elements_of(const rank::RankMessage& message) const;
  const std::byte* own_input(const rank::Fragment& fragment) const;
  std::byte* take_wire(std::uint64_t elements);
  void reserve_wire();

  Storage wire_;
  std::uint64_t wire_used_ = 0;  // elements of the wire given to messages
  std::size_t round_ = 0;
  std::vector<MPI_Request> requests_;  // of this round
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a pipelined program: the messages of a port keep the order of their rounds, but each is sent as
// soon as its packet has arrived, whatever its round.
//
//     incoming    receives are posted ahead, up to the window of the port
//     outgoing    a message is sent when its packet has arrived, up to the window of the port
//
// The window is the number of messages under way on a port. On the links of the root the window of the
// program holds and paces all other ports; elsewhere the window is twice as large, so that packets that
// arrive in bursts are sent on at once.
//
// Cost: one MPI call per message, and one pass over the posted requests whenever some of them complete.
#pragma once

#include "isotrope/mpi/executor.hpp"

namespace isotrope::mpi {

class PipelinedExecutor final : public Executor {
 public:
  /// Sends nothing yet. @param comm must return errors. @param tag must differ from those of other open calls
  /// on `comm`. @pre every message has one unit, stored in the output
  PipelinedExecutor(ExecutorArguments arguments, MPI_Comm comm, int tag);

  void start() override;
  bool test() override;
  void wait() override;

 private:
  // The messages of one port in one direction, in the order of rounds.
  struct Lane {
    std::vector<const rank::RankMessage*> messages = {};
    std::size_t next = 0;      // message to post
    std::uint32_t posted = 0;  // requests that are not complete
    std::uint32_t window = 1;  // most of them

    bool may_post() const { return next < messages.size() && posted < window; }
  };
  // What a posted request belongs to.
  struct PostedUnit {
    std::size_t lane;
    std::uint32_t unit;
  };

  void add_to_lane(std::size_t lane, const rank::RankMessage& message, std::size_t round);
  bool is_incoming(std::size_t lane) const { return lane >= lanes_.size() / 2; }
  void post_all();
  void post_receive(std::size_t lane);
  void post_send(std::size_t lane);
  void track(std::size_t lane, std::uint32_t unit);
  void retire(int code, int count);
  const rank::Fragment& fragment(const rank::RankMessage& message) const {
    return program().fragments(message).front();
  }

  std::vector<Lane> lanes_;             // outgoing by port, then incoming by port
  std::vector<std::uint32_t> missing_;  // requests until the unit has arrived; an unposted receive counts 1
  std::vector<MPI_Request> requests_;
  std::vector<PostedUnit> posted_;  // of requests_
  std::vector<int> completed_;      // indices into requests_
};

}  // namespace isotrope::mpi

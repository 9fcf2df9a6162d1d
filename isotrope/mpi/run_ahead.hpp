// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a program that may run ahead of rounds: messages over a port go in the order of its rounds, each
// as soon as what it carries is here.
//
//     port, in      receipts are posted ahead, up to a number in flight
//     port, out     a message is sent when its packet is here, up to a number in flight
//
// Over the links of the root that number is the program's, which paces all others; elsewhere it is twice
// that, so that packets which come closer together are passed on as they come.
//
// Cost: a message an MPI call, and a pass over the requests in flight whenever some are over.
#pragma once

#include "isotrope/mpi/execution.hpp"

namespace isotrope::mpi {

class RunAhead final : public Execution {
 public:
  /// Nothing is sent yet. @param comm its error handler returns; `tag` is the call's own. @pre messages are
  /// of one unit each, to be stored in the output.
  RunAhead(Call call, MPI_Comm comm, int tag);

  void start() override;
  bool test() override;
  void wait() override;

 private:
  // The messages over one port in one direction, in the order of rounds.
  struct Lane {
    std::vector<const rank::Message*> messages = {};
    std::size_t next = 0;
    std::uint32_t in_flight = 0;
    std::uint32_t most_in_flight = 1;

    bool open() const { return next < messages.size() && in_flight < most_in_flight; }
  };
  // What a request is a part of.
  struct Flight {
    std::size_t lane;
    std::uint32_t unit;
  };

  void add_to_lane(std::size_t lane, const rank::Message& message, std::size_t round);
  bool receives(std::size_t lane) const { return lane >= lanes_.size() / 2; }
  void post_all();
  void post_receipt(std::size_t lane);
  void post_send(std::size_t lane);
  void track(std::size_t lane, std::uint32_t unit);
  void land(int code, int over);
  const rank::Piece& piece(const rank::Message& message) const { return program().pieces(message).front(); }

  std::vector<Lane> lanes_;             // out by port, then in by port
  std::vector<std::uint32_t> missing_;  // by unit: requests until it is here, receipts not posted as one
  std::vector<MPI_Request> requests_;
  std::vector<Flight> flights_;  // of the requests
  std::vector<int> landed_;
};

}  // namespace isotrope::mpi

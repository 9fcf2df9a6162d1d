// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/run_ahead.hpp"

#include <algorithm>
#include <utility>

namespace isotrope::mpi {

using rank::Message;
using rank::Piece;

namespace {

std::size_t port_count(const rank::Program& program) {
  std::size_t count = 0;
  const auto take = [&](std::span<const Message> messages) {
    for (const Message& message : messages) count = std::max<std::size_t>(count, message.port + 1);
  };
  for (std::size_t t = 0; t < program.rounds(); ++t) {
    take(program.sends(t));
    take(program.receipts(t));
  }
  return count;
}

}  // namespace

RunAhead::RunAhead(Call given, MPI_Comm comm, int tag)
    : Execution(std::move(given), comm, tag),
      lanes_(2 * port_count(program())),
      missing_(program().parts, 0) {
  for (std::size_t t = 0; t < program().rounds(); ++t) {
    for (const Message& message : program().sends(t)) add_to_lane(message.port, message, t);
    for (const Message& message : program().receipts(t)) {
      add_to_lane(lanes_.size() / 2 + message.port, message, t);
      ++missing_[piece(message).unit];
    }
  }
}

// In round 0 nobody but the root has anything to send.
void RunAhead::add_to_lane(std::size_t lane, const Message& message, std::size_t round) {
  Lane& own = lanes_[lane];
  if (own.messages.empty()) own.most_in_flight = (round == 0 ? 1 : 2) * program().in_flight;
  own.messages.push_back(&message);
}

void RunAhead::start() {
  apply(program().opening);
  post_all();
  if (requests_.empty()) apply(program().closing);
}

bool RunAhead::test() {
  while (!requests_.empty()) {
    int over = 0;
    const int code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &over, landed_.data(),
                                  MPI_STATUSES_IGNORE);
    if (over == 0 && code == MPI_SUCCESS) return false;
    land(code, over);
  }
  return true;
}

void RunAhead::wait() {
  while (!requests_.empty()) {
    int over = 0;
    const int code = MPI_Waitsome(static_cast<int>(requests_.size()), requests_.data(), &over, landed_.data(),
                                  MPI_STATUSES_IGNORE);
    land(code, over);
  }
}

// What has come is first, so that it is sent on at once.
void RunAhead::post_all() {
  for (std::size_t lane = lanes_.size(); lane-- > 0;) {
    while (lanes_[lane].open()) {
      const Message& message = *lanes_[lane].messages[lanes_[lane].next];
      if (receives(lane)) {
        post_receipt(lane);
      } else if (missing_[piece(message).unit] == 0) {
        post_send(lane);
      } else {
        break;
      }
    }
  }
  landed_.resize(requests_.size());
}

void RunAhead::post_receipt(std::size_t lane) {
  const Message& message = *lanes_[lane].messages[lanes_[lane].next++];
  const Piece& received = piece(message);
  receive(place(received), elements(received), message.peer, requests_);
  track(lane, received.unit);
  --missing_[received.unit];
}

void RunAhead::post_send(std::size_t lane) {
  const Message& message = *lanes_[lane].messages[lanes_[lane].next++];
  const Piece& sent = piece(message);
  send(place(sent), elements(sent), message.peer, requests_);
  track(lane, sent.unit);
}

// The requests that were just added: none for a unit without elements, several for one of many gibibytes.
void RunAhead::track(std::size_t lane, std::uint32_t unit) {
  const auto added = static_cast<std::uint32_t>(requests_.size() - flights_.size());
  flights_.resize(requests_.size(), {lane, unit});
  lanes_[lane].in_flight += added;
  if (receives(lane)) missing_[unit] += added;
}

// Those that MPI says are over, and those that it refused when they were posted.
void RunAhead::land(int code, int over) {
  note(code);
  if (code != MPI_SUCCESS && over <= 0) {
    // MPI leaves open which are over.
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    std::ranges::fill(requests_, MPI_REQUEST_NULL);
  }
  for (int i = 0; i < over; ++i)
    requests_[static_cast<std::size_t>(landed_[static_cast<std::size_t>(i)])] = MPI_REQUEST_NULL;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Flight flight = flights_[i];
    if (requests_[i] == MPI_REQUEST_NULL) {
      --lanes_[flight.lane].in_flight;
      if (receives(flight.lane)) --missing_[flight.unit];
    } else {
      requests_[kept] = requests_[i];
      flights_[kept++] = flight;
    }
  }
  requests_.resize(kept);
  flights_.resize(kept);
  post_all();
  if (requests_.empty()) apply(program().closing);
}

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/pipelined_executor.hpp"

#include <algorithm>
#include <utility>

namespace isotrope::mpi {

using rank::Fragment;
using rank::RankMessage;

namespace {

std::size_t port_count(const rank::RankProgram& program) {
  std::size_t count = 0;
  const auto take = [&](std::span<const RankMessage> messages) {
    for (const RankMessage& message : messages) count = std::max<std::size_t>(count, message.port + 1);
  };
  for (std::size_t t = 0; t < program.rounds(); ++t) {
    take(program.sends(t));
    take(program.receipts(t));
  }
  return count;
}

}  // namespace

PipelinedExecutor::PipelinedExecutor(ExecutorArguments given, MPI_Comm comm, int tag)
    : Executor(std::move(given), comm, tag), lanes_(2 * port_count(program())), missing_(program().parts, 0) {
  for (std::size_t t = 0; t < program().rounds(); ++t) {
    for (const RankMessage& message : program().sends(t)) add_to_lane(message.port, message, t);
    for (const RankMessage& message : program().receipts(t)) {
      add_to_lane(lanes_.size() / 2 + message.port, message, t);
      ++missing_[fragment(message).unit];
    }
  }
}

// Only the root sends in round 0, so a lane that begins with round 0 is a link of the root.
void PipelinedExecutor::add_to_lane(std::size_t lane, const RankMessage& message, std::size_t round) {
  Lane& own = lanes_[lane];
  if (own.messages.empty()) own.window = (round == 0 ? 1 : 2) * program().window;
  own.messages.push_back(&message);
}

void PipelinedExecutor::start() {
  apply(program().opening);
  post_all();
  if (requests_.empty()) apply(program().closing);
}

bool PipelinedExecutor::test() {
  while (!requests_.empty()) {
    int count = 0;
    const int code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                  completed_.data(), MPI_STATUSES_IGNORE);
    if (count == 0 && code == MPI_SUCCESS) return false;
    retire(code, count);
  }
  return true;
}

void PipelinedExecutor::wait() {
  while (!requests_.empty()) {
    int count = 0;
    const int code = MPI_Waitsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                  completed_.data(), MPI_STATUSES_IGNORE);
    retire(code, count);
  }
}

// Incoming lanes come first: posting the receive of a unit without elements makes its sends ready.
void PipelinedExecutor::post_all() {
  for (std::size_t lane = lanes_.size(); lane-- > 0;) {
    while (lanes_[lane].may_post()) {
      const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next];
      if (is_incoming(lane)) {
        post_receive(lane);
      } else if (missing_[fragment(message).unit] == 0) {
        post_send(lane);
      } else {
        break;
      }
    }
  }
  completed_.resize(requests_.size());
}

void PipelinedExecutor::post_receive(std::size_t lane) {
  const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next++];
  const Fragment& received = fragment(message);
  receive(target(received), elements(received), message.peer, requests_);
  track(lane, received.unit);
  --missing_[received.unit];
}

void PipelinedExecutor::post_send(std::size_t lane) {
  const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next++];
  const Fragment& sent = fragment(message);
  send(source(sent), elements(sent), message.peer, requests_);
  track(lane, sent.unit);
}

// Records the requests just added: none for a unit without elements, several for a unit longer than the
// largest message.
void PipelinedExecutor::track(std::size_t lane, std::uint32_t unit) {
  const auto added = static_cast<std::uint32_t>(requests_.size() - posted_.size());
  posted_.resize(requests_.size(), {lane, unit});
  lanes_[lane].posted += added;
  if (is_incoming(lane)) missing_[unit] += added;
}

// Drops the first `count` requests of completed_, and requests that MPI refused when they were posted; then
// posts more.
void PipelinedExecutor::retire(int code, int count) {
  note(code);
  if (code != MPI_SUCCESS && count <= 0) {
    // After an error MPI does not say which requests are complete.
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    std::ranges::fill(requests_, MPI_REQUEST_NULL);
  }
  for (int i = 0; i < count; ++i)
    requests_[static_cast<std::size_t>(completed_[static_cast<std::size_t>(i)])] = MPI_REQUEST_NULL;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const PostedUnit owner = posted_[i];
    if (requests_[i] == MPI_REQUEST_NULL) {
      --lanes_[owner.lane].posted;
      if (is_incoming(owner.lane)) --missing_[owner.unit];
    } else {
      requests_[kept] = requests_[i];
      posted_[kept++] = owner;
    }
  }
  requests_.resize(kept);
  posted_.resize(kept);
  post_all();
  if (requests_.empty()) apply(program().closing);
}

}  // namespace isotrope::mpi

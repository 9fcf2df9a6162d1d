// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a pipelined program: the messages between two ranks keep the order of their rounds and ports, by which they
// match, but each is sent as soon as its packet has arrived, whatever its round. All ports to one rank, several if links
// lie side by side, are one lane.
//
//     incoming    receives are posted ahead, up to the window of the lane
//     outgoing    a message is sent when its packet has arrived, up to the window of the lane
//
// The window is the most messages in flight in a lane, for each of its ports. The ports of the root have the window of the
// program, which paces all other ports; theirs is twice as large, so that packets that arrive in bursts are sent on at once.
//
// Cost: one MPI call per message, and one pass over the posted requests whenever some of them complete.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "isotrope/mpi/executor.hpp"

namespace isotrope::mpi {
namespace {

using rank::Fragment;
using rank::RankMessage;

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

class PipelinedExecutor final : public Executor {
 public:
  /// @pre every message has one unit, stored in the output
  PipelinedExecutor(ExecutorArguments given, const Channel& channel, int tag)
      : Executor(std::move(given), channel, tag), lanes_(2 * port_count(program())) {
    const std::size_t ports = lanes_.size() / 2;
    std::map<rank::Node, std::size_t> to, from;  // by peer: its lane, that of the first port used
    for (std::size_t t = 0; t < program().rounds(); ++t) {
      for (const RankMessage& message : program().sends(t))
        add_to_lane(to.emplace(message.peer, message.port).first->second, message, t);
      for (const RankMessage& message : program().receipts(t))
        add_to_lane(from.emplace(message.peer, ports + message.port).first->second, message, t);
    }
    for (Lane& lane : lanes_)
      lane.window *= static_cast<std::uint32_t>(std::max<std::size_t>(lane.ports.size(), 1));
  }

  void begin() override {
    missing_.assign(program().parts, 0);
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      lanes_[lane].next = 0;
      for (const RankMessage* message : lanes_[lane].messages)
        missing_[fragment(*message).unit] += is_incoming(lane) ? 1 : 0;
    }
    apply(program().opening);
    post_all();
    if (requests_.empty()) apply(program().closing);
  }

  bool advance() override {
    while (!requests_.empty()) {
      int count = 0;
      const int code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                    completed_.data(), MPI_STATUSES_IGNORE);
      if (count == 0 && code == MPI_SUCCESS) return false;
      retire(code, count);
    }
    return true;
  }

  void finish() override {
    while (!requests_.empty()) {
      int count = 0;
      const int code = MPI_Waitsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                    completed_.data(), MPI_STATUSES_IGNORE);
      retire(code, count);
    }
  }

 private:
  // The messages between this rank and another one in one direction, in the order of rounds and ports.
  struct Lane {
    std::vector<const rank::RankMessage*> messages = {};
    std::size_t next = 0;      // message to post
    std::uint32_t posted = 0;  // requests that are not complete
    std::uint32_t window = 1;  // most of them
    std::set<network::Port> ports = {};

    bool may_post() const { return next < messages.size() && posted < window; }
  };
  // The lane and the unit of a posted request.
  struct PostedUnit {
    std::size_t lane;
    std::uint32_t unit;
  };

  bool is_incoming(std::size_t lane) const { return lane >= lanes_.size() / 2; }
  const Fragment& fragment(const RankMessage& message) const { return program().fragments(message).front(); }

  // Only the root sends in round 0, so a lane that begins with round 0 is a link of the root.
  void add_to_lane(std::size_t lane, const RankMessage& message, std::size_t round) {
    Lane& own = lanes_[lane];
    if (own.messages.empty()) own.window = (round == 0 ? 1 : 2) * program().window;
    own.messages.push_back(&message);
    own.ports.insert(message.port);
  }

  // Incoming lanes come first: posting the receive of a unit without elements makes its sends ready.
  void post_all() {
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

  void post_receive(std::size_t lane) {
    const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next++];
    const Fragment& received = fragment(message);
    receive(target(received), elements(received), message.peer, requests_);
    track(lane, received.unit);
    --missing_[received.unit];
  }

  void post_send(std::size_t lane) {
    const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next++];
    const Fragment& sent = fragment(message);
    send(source(sent), elements(sent), message.peer, requests_);
    track(lane, sent.unit);
  }

  // Records the requests just added: none for a unit without elements, several for a unit longer than the
  // largest message.
  void track(std::size_t lane, std::uint32_t unit) {
    const auto added = static_cast<std::uint32_t>(requests_.size() - posted_.size());
    posted_.resize(requests_.size(), {lane, unit});
    lanes_[lane].posted += added;
    if (is_incoming(lane)) missing_[unit] += added;
  }

  // Drops the first `count` requests of completed_, and requests that MPI refused when they were posted; then
  // posts more.
  void retire(int code, int count) {
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

  std::vector<Lane> lanes_;  // outgoing by port, then incoming by port; those of later copies stay empty
  std::vector<std::uint32_t> missing_;  // requests until the unit has arrived; an unposted receive counts 1
  std::vector<MPI_Request> requests_;
  std::vector<PostedUnit> posted_;  // of requests_
  std::vector<int> completed_;      // indices into requests_
};

}  // namespace

std::unique_ptr<Executor> make_pipelined_executor(ExecutorArguments arguments, const Channel& channel,
                                                  int tag) {
  return std::make_unique<PipelinedExecutor>(std::move(arguments), channel, tag);
}

}  // namespace isotrope::mpi

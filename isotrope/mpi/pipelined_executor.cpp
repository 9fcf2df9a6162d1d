// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a pipelined program: the messages between two ranks keep the order of their rounds and ports, by which they
// match, but each is sent as soon as its packet is complete here, whatever its round. All ports to one rank, several if links
// lie side by side, are one lane.
//
//     incoming    receives are posted ahead, up to the window of the lane; operands of one packet are combined in the order
//                 of the program, whatever the order in which they come
//     outgoing    a message is sent when its packet is complete, up to the window of the lane
//
// The window is the most messages in flight in a lane, for each of its ports. The ports of the root of a broadcast have the
// window of the program, which paces all other ports; theirs is twice as large, so that packets that arrive in bursts are
// sent on at once. In a reduce all ports have the window of the program.
//
// Cost: one MPI call per message, and one pass over the posted requests whenever some of them complete. Memory: what has come
// and waits to be combined.
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
  /// @pre every message has one unit
  PipelinedExecutor(ExecutorArguments given, const Channel& channel, int tag)
      : Executor(std::move(given), channel, tag),
        lanes_(2 * port_count(program())),
        by_unit_(program().parts),
        combined_(program().parts, 0) {
    const std::size_t ports = lanes_.size() / 2;
    for (std::size_t t = 0; t < program().rounds(); ++t) receives_nothing_ &= program().receipts(t).empty();
    std::map<rank::Node, std::size_t> to, from;  // by peer: its lane, that of the first port used
    for (std::size_t t = 0; t < program().rounds(); ++t) {
      for (const RankMessage& message : program().sends(t))
        add_to_lane(to.emplace(message.peer, message.port).first->second, message, t);
      for (const RankMessage& message : program().receipts(t))
        add_receipt(from.emplace(message.peer, ports + message.port).first->second, message, t);
    }
    for (Lane& lane : lanes_)
      lane.window *= static_cast<std::uint32_t>(std::max<std::size_t>(lane.ports.size(), 1));
  }

  void begin() override {
    std::ranges::fill(combined_, 0);
    for (Lane& lane : lanes_) lane.next = 0;
    for (Receipt& receipt : receipts_) receipt.has_come = false;
    reserve_transit();
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
    std::vector<std::size_t> receipts = {};  // of an incoming lane: the receipt of each message
    std::size_t next = 0;                    // message to post
    std::uint32_t posted = 0;                // requests that are not complete
    std::uint32_t window = 1;                // most of them
    std::set<network::Port> ports = {};

    bool may_post() const { return next < messages.size() && posted < window; }
  };
  // What arrives in a message.
  struct Receipt {
    const Fragment* fragment = nullptr;
    std::uint32_t requests = 0;  // that are not complete
    bool has_come = false;
    std::byte* memory = nullptr;  // where it arrives, then
    std::size_t buffer = none;    // of buffers_; none: it arrives in its place
  };
  // The lane, and the receipt of an incoming one, of a posted request.
  struct Posted {
    std::size_t lane, receipt;
  };
  static constexpr std::size_t none = SIZE_MAX;

  bool is_incoming(std::size_t lane) const { return lane >= lanes_.size() / 2; }
  const Fragment& fragment(const RankMessage& message) const { return program().fragments(message).front(); }

  // The root of a broadcast receives nothing, and it alone sends in round 0, so a lane that begins with round 0 is a link of the root.
  // In a reduce all nodes have something to send at once.
  void add_to_lane(std::size_t lane, const RankMessage& message, std::size_t round) {
    Lane& own = lanes_[lane];
    const bool paces = round == 0 || receives_nothing_ || program().partial_results;
    if (own.messages.empty()) own.window = (paces ? 1 : 2) * program().window;
    own.messages.push_back(&message);
    own.ports.insert(message.port);
  }

  void add_receipt(std::size_t lane, const RankMessage& message, std::size_t round) {
    add_to_lane(lane, message, round);
    lanes_[lane].receipts.push_back(receipts_.size());
    by_unit_[fragment(message).unit].push_back(receipts_.size());
    receipts_.push_back({.fragment = &fragment(message)});
  }

  bool is_complete(std::uint32_t unit) const { return combined_[unit] == by_unit_[unit].size(); }

  // Incoming lanes come first: posting the receive of a unit without elements makes its sends ready.
  void post_all() {
    for (std::size_t lane = lanes_.size(); lane-- > 0;) {
      while (lanes_[lane].may_post()) {
        const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next];
        if (is_incoming(lane)) {
          post_receive(lane);
        } else if (is_complete(fragment(message).unit)) {
          post_send(lane);
        } else {
          break;
        }
      }
    }
    completed_.resize(requests_.size());
  }

  void post_receive(std::size_t lane) {
    const std::size_t number = lanes_[lane].receipts[lanes_[lane].next];
    const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next++];
    Receipt& receipt = receipts_[number];
    const std::uint64_t count = elements(*receipt.fragment);
    place(receipt, count);
    receive(receipt.memory, count, message.peer, requests_);
    receipt.requests = track(lane, number);
    if (receipt.requests == 0) come(receipt);
  }

  // Memory for what arrives: its place, or a buffer until it is combined.
  void place(Receipt& receipt, std::uint64_t count) {
    receipt.buffer = none;
    receipt.memory = target(*receipt.fragment);
    if (arrives_in_place(*receipt.fragment)) return;
    if (free_.empty()) {
      free_.push_back(buffers_.size());
      buffers_.emplace_back(arguments().pool);
    }
    receipt.buffer = free_.back();
    free_.pop_back();
    buffers_[receipt.buffer].grow(arguments().layout.room(count));
    receipt.memory = buffers_[receipt.buffer].bytes() + arguments().layout.origin();
  }

  void post_send(std::size_t lane) {
    const RankMessage& message = *lanes_[lane].messages[lanes_[lane].next++];
    const Fragment& sent = fragment(message);
    send(source(sent), elements(sent), message.peer, requests_);
    track(lane, none);
  }

  // Records the requests just added: none for a unit without elements, several for a unit longer than the
  // largest message. Returns their number.
  std::uint32_t track(std::size_t lane, std::size_t receipt) {
    const auto added = static_cast<std::uint32_t>(requests_.size() - posted_.size());
    posted_.resize(requests_.size(), {lane, receipt});
    lanes_[lane].posted += added;
    return added;
  }

  // All of a receipt is here. What comes before those that the program combines first waits for them.
  void come(Receipt& receipt) {
    receipt.has_come = true;
    const std::uint32_t unit = receipt.fragment->unit;
    for (const std::vector<std::size_t>& due = by_unit_[unit]; !is_complete(unit); ++combined_[unit]) {
      const Receipt& next = receipts_[due[combined_[unit]]];
      if (!next.has_come) return;
      take(*next.fragment, next.memory);
      if (next.buffer != none) free_.push_back(next.buffer);
    }
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
      const Posted owner = posted_[i];
      if (requests_[i] == MPI_REQUEST_NULL) {
        --lanes_[owner.lane].posted;
        if (owner.receipt != none && --receipts_[owner.receipt].requests == 0) come(receipts_[owner.receipt]);
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

  bool receives_nothing_ = true;
  std::vector<Lane> lanes_;  // outgoing by port, then incoming by port; those of later copies stay empty
  std::vector<Receipt> receipts_;
  std::vector<std::vector<std::size_t>> by_unit_;  // its receipts, in the order in which they are combined
  std::vector<std::size_t> combined_;              // by unit: how many of them
  std::vector<MPI_Request> requests_;
  std::vector<Posted> posted_;  // of requests_
  std::vector<int> completed_;  // indices into requests_
  std::vector<Storage> buffers_;
  std::vector<std::size_t> free_;  // of buffers_
};

}  // namespace

std::unique_ptr<Executor> make_pipelined_executor(ExecutorArguments arguments, const Channel& channel,
                                                  int tag) {
  return std::make_unique<PipelinedExecutor>(std::move(arguments), channel, tag);
}

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/forwarding.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "isotrope/base/error.hpp"

#include "isotrope/mpi/failure.hpp"

namespace isotrope::mpi {
namespace {

using forward::Forwarder;
using forward::Message;

class Forwarding final : public Execution {
 public:
  Forwarding(MakeForwarder make, std::function<void(const Forwarder&)> end, const ForwardingTables& tables,
             const Channel& channel, int tag)
      : make_(std::move(make)),
        end_(std::move(end)),
        tables_(tables),
        channel_(channel),
        tag_(tag),
        lanes_(tables.ports().lanes()) {}

  void begin() override {
    is_complete_ = false;
    forwarder_ = make_([this](int code) { note(code); });
    forwarder_->start();
    advance();
  }

  bool advance() override {
    if (is_complete_) return true;
    try {
      while (move()) {
      }
      is_complete_ = !has_messages() && forwarder_->is_complete();
      if (is_complete_ && end_) end_(*forwarder_);
    } catch (const Error& error) {
      abandon(error);
    }
    return is_complete_;
  }

  void finish() override {
    while (!advance()) wait_for_any();
  }

 private:
  struct InFlight {
    MPI_Request request = MPI_REQUEST_NULL;
    Message message = nullptr;
    bool is_done = false;
    int code = MPI_SUCCESS, bytes = 0;  // then; bytes of a receive

    bool test() {
      if (is_done) return true;
      int complete = 0;
      MPI_Status status;
      code = MPI_Test(&request, &complete, &status);
      if (complete != 0) end(status);
      is_done = is_done || code != MPI_SUCCESS;
      return is_done;
    }
    void end(const MPI_Status& status) {
      is_done = true;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
    }
  };
  // The messages of a lane come in order, so the first receive is complete before the others are looked at.
  struct Lane {
    std::deque<InFlight> receives = {}, sends = {};
  };

  // Takes what has come and sends what can be sent. Returns whether anything changed.
  bool move() {
    bool changed = false;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) changed |= receive(lane);
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      changed |= release_sent(lane);
      post_receives(lane);
      changed |= send(lane);
    }
    return changed;
  }

  bool receive(std::size_t lane) {
    std::deque<InFlight>& receives = lanes_[lane].receives;
    bool changed = false;
    while (!receives.empty() && receives.front().test()) {
      InFlight next = std::move(receives.front());
      receives.pop_front();
      if (next.code != MPI_SUCCESS) fail(next.code);
      forwarder_->receive(lane, next.message, static_cast<std::uint64_t>(next.bytes));
      changed = true;
    }
    return changed;
  }

  void post_receives(std::size_t lane) {
    std::deque<InFlight>& receives = lanes_[lane].receives;
    while (receives.size() < forwarder_->awaited(lane)) {
      InFlight& next = receives.emplace_back(InFlight{.message = take_message()});
      const int code = MPI_Irecv(next.message.get(), static_cast<int>(Forwarder::largest_message()), MPI_BYTE,
                                 partner(lane), tag_, channel_.comm(), &next.request);
      if (code != MPI_SUCCESS) fail(code);
    }
  }

  // The rank of the neighbour in the communicator of the channel.
  int partner(std::size_t lane) const {
    return channel_.rank_of(tables_.ranks().rank_of(tables_.ports().neighbour(lane)));
  }

  bool release_sent(std::size_t lane) {
    std::deque<InFlight>& sends = lanes_[lane].sends;
    bool changed = false;
    while (!sends.empty() && sends.front().test()) {
      if (sends.front().code != MPI_SUCCESS) fail(sends.front().code);
      sends.pop_front();
      changed = true;
    }
    return changed;
  }

  bool send(std::size_t lane) {
    std::deque<InFlight>& sends = lanes_[lane].sends;
    bool changed = false;
    while (sends.size() < forwarder_->window(lane) && forwarder_->has_message(lane, sends.empty())) {
      InFlight& next = sends.emplace_back(InFlight{.message = take_message()});
      const std::uint64_t bytes = forwarder_->write(lane, next.message.get());
      const int code = MPI_Issend(next.message.get(), static_cast<int>(bytes), MPI_BYTE, partner(lane), tag_,
                                  channel_.comm(), &next.request);
      if (code != MPI_SUCCESS) fail(code);
      changed = true;
    }
    return changed;
  }

  [[noreturn]] void fail(int code) {
    note(code);
    throw Error("a message could not be sent or received");
  }

  bool has_messages() const {
    return std::ranges::any_of(
        lanes_, [](const Lane& lane) { return !lane.receives.empty() || !lane.sends.empty(); });
  }

  // The first messages of all lanes: the others are looked at later.
  void wait_for_any() {
    waited_.clear();
    requests_.clear();
    for (Lane& lane : lanes_) {
      if (!lane.receives.empty()) waited_.push_back(&lane.receives.front());
      if (!lane.sends.empty()) waited_.push_back(&lane.sends.front());
    }
    for (const InFlight* message : waited_) requests_.push_back(message->request);
    int index = MPI_UNDEFINED;
    MPI_Status status;
    const int code = MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &index, &status);
    if (index == MPI_UNDEFINED) return;
    InFlight& message = *waited_[static_cast<std::size_t>(index)];
    message.request = requests_[static_cast<std::size_t>(index)];
    message.code = code;
    message.end(status);
  }

  // A message that nobody uses any more, or a new one.
  Message take_message() {
    for (int tries = 0; tries < 8 && !messages_.empty(); ++tries) {
      next_ = next_ + 1 < messages_.size() ? next_ + 1 : 0;
      if (messages_[next_].use_count() == 1) return messages_[next_];
    }
    return messages_.emplace_back(new std::byte[Forwarder::largest_message()]);
  }

  // The ranks do not make the same call. MPI may still write into the messages, so they are never freed.
  void abandon(const Error& error) {
    note(Failure(MPI_ERR_OTHER, error.what()).code());
    static_cast<void>(new std::vector<Message>(std::move(messages_)));
    messages_.clear();
    for (Lane& lane : lanes_) lane = {};
    is_complete_ = true;
  }

  MakeForwarder make_;
  std::function<void(const Forwarder&)> end_;
  const ForwardingTables& tables_;
  const Channel& channel_;
  int tag_;
  std::unique_ptr<Forwarder> forwarder_;
  std::vector<Lane> lanes_;
  std::vector<InFlight*> waited_;
  std::vector<MPI_Request> requests_;  // of those
  std::vector<Message> messages_;      // all that were ever made
  std::size_t next_ = 0;               // of messages_
  bool is_complete_ = false;
};

}  // namespace

ForwardingTables::ForwardingTables(const network::MappedNetwork& network, network::Rank rank,
                                   const cost::Machine& machine)
    : network_(network.named.network, network.named.lacks),
      ranks_(network.ranks),
      ports_(network_, ranks_.node_of(rank)),
      machine_(machine),
      widths_(forward::widths_of(network_, {network_.whole(), network_.failures(), machine}, machine,
                                 ranks_.node_of(rank))),
      distances_(forward::distances_of(network_)) {
  for (const network::Node node : network_.nodes())
    degree_ = std::max<std::uint32_t>(degree_, network_.degree(node));
}

const forward::SpreadTrees& ForwardingTables::trees() {
  const std::scoped_lock lock(making_);
  if (!trees_) trees_.emplace(forward::SpreadTrees::of(network_, ports_));
  return *trees_;
}

const forward::LaneGraph& ForwardingTables::lanes() {
  const std::scoped_lock lock(making_);
  if (!lanes_) lanes_.emplace(network_, machine_);
  return *lanes_;
}

std::unique_ptr<Execution> make_forwarding(MakeForwarder make, std::function<void(const Forwarder&)> end,
                                           const ForwardingTables& tables, const Channel& channel, int tag) {
  return std::make_unique<Forwarding>(std::move(make), std::move(end), tables, channel, tag);
}

}  // namespace isotrope::mpi

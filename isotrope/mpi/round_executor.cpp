// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a program round by round.
//
//     round t    receives are posted on all ports, then sends on all ports; received data are stored or combined in order of
//                ports when the sends of the round are complete, and round t + 1 begins
//
// Rounds need no barrier: a rank begins a round when its own messages of the previous round are complete. A
// message of one fragment is sent from and received into its final place; messages of several fragments are packed
// in a buffer (`wire`), which holds the messages of one round.
//
// A message that needs neither what the round before receives nor the wire is sent a round early, behind those of that round: its
// latency is over when its receiver comes to the round.
//
//     round t    sends   |--5--|          sends of t + 1   |--3--|        5 and 3 came before round t
//                receives     |--6--|
//
// Messages between ranks of a host pass through the memory that they share, if the call has it (host_memory.hpp). They are
// written there piece by piece, once for all ranks that receive the same; the receiver stores or combines a piece where it
// lies. A piece that may not be used yet stays there, unless its writer needs the room: then it waits in the wire.
//
// Cost: one MPI call per message, and one copy of the data of messages with several fragments. Memory: the
// transit buffer of the program, and the wire of its largest round.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/mpi/executor.hpp"
#include "isotrope/mpi/host_memory.hpp"
#include "isotrope/mpi/idling.hpp"

namespace isotrope::mpi {
namespace {

using rank::RankMessage;

class RoundExecutor final : public RoundwiseExecutor {
 public:
  using RoundwiseExecutor::RoundwiseExecutor;

  void begin() override {
    round_ = 0;
    reserve_transit();
    apply(program().opening);
    begin_round();
  }

  bool advance() override {
    while (round_ < program().rounds()) {
      if (!messages_are_over()) return false;
      end_round();
    }
    return true;
  }

  void finish() override {
    if (host_memory() == nullptr) {
      while (round_ < program().rounds()) {
        wait_for_requests();
        end_messages();
      }
      return;
    }
    Idling idling(host_memory()->ranks(), channel().comm());
    while (!advance()) idling.pause();
  }

  std::span<MPI_Request> requests() override { return requests_; }

  void go_on() override {
    while (round_ < program().rounds() && std::ranges::all_of(requests_, is_null)) {
      requests_.clear();
      end_messages();
    }
  }

 private:
  static bool is_null(MPI_Request request) { return request == MPI_REQUEST_NULL; }

  // A message that this rank receives in the round.
  struct Receipt {
    const RankMessage* message;
    std::optional<HostMemory::Place> writer;  // of this host
    std::uint64_t count;                      // elements
    bool is_straight;                         // into its place as it comes
    std::byte* wire;                          // its stretch of the wire, if it is not
    std::uint64_t arrived = 0, taken = 0;     // elements from the host memory; those between are in the wire
    bool is_over = false;                     // has arrived from the host memory
  };
  // Messages that are the same, for ranks of this host.
  struct Publication {
    const RankMessage* message;
    std::size_t first_reader, readers = 1;  // of readers_
    std::uint64_t count;                    // elements
    std::uint64_t published = 0;
    bool is_over = false;
  };

  HostMemory* host_memory() const { return arguments().host_memory.get(); }
  std::optional<HostMemory::Place> place_of(const RankMessage& message) const {
    if (host_memory() == nullptr) return std::nullopt;
    return host_memory()->place_of(channel().rank_of(message.peer));
  }
  // A message without elements is sent only if the message itself is the signal.
  bool is_sent(std::uint64_t count) const { return count > 0 || arguments().empty_messages; }

  // ---- rounds

  // Behind the last round the program ends.
  void begin_round() {
    move_locally(round_);
    if (round_ == program().rounds()) return apply(program().closing);
    requests_.swap(early_);
    early_.clear();
    receipts_.clear();
    publications_.clear();
    readers_.clear();
    last_publication_.assign(host_memory() == nullptr ? 0 : host_memory()->ranks(), 0);
    turn_ = next_publication_ = 0;
    reserve_wire();
    for (const RankMessage& message : program().receipts(round_)) expect(message);
    const auto sends = program().sends(round_);
    for (std::size_t i = 0; i < sends.size(); ++i) {
      if (is_sent_early_.empty() || !is_sent_early_[i]) begin_send(sends[i]);
    }
    send_early();
  }

  // Sends of the next round, behind those of this one. Messages to one rank keep their order. Chains overlap anyway.
  void send_early() {
    is_sent_early_.clear();
    if (arguments().in_chains || round_ + 1 == program().rounds()) return;
    const auto sends = program().sends(round_ + 1);
    is_sent_early_.assign(sends.size(), false);
    for (std::size_t i = 0; i < sends.size(); ++i) {
      const RankMessage& message = sends[i];
      const auto waits_for_its_peer = [&](const RankMessage& before) {
        return before.peer == message.peer &&
               !is_sent_early_[static_cast<std::size_t>(&before - sends.data())];
      };
      if (!bypasses_wire(message, false) || place_of(message) || !program().is_early(round_ + 1, message) ||
          std::ranges::any_of(sends.first(i), waits_for_its_peer))
        continue;
      send(source(program().fragments(message).front()), elements(message), message.peer, early_);
      is_sent_early_[i] = true;
    }
  }

  void end_round() {
    if (arguments().clock != nullptr) arguments().clock->push_back(MPI_Wtime());
    ++round_;
    begin_round();
  }

  // @pre all messages of MPI are complete, and there are no others.
  void end_messages() {
    messages_are_over();
    end_round();
  }

  // Advances the messages of the round.
  bool messages_are_over() {
    publish();
    const bool are_sent = requests_are_over() && next_publication_ == publications_.size();
    take_pieces(are_sent);
    return are_sent && turn_ == receipts_.size();
  }

  // ---- messages of MPI

  bool requests_are_over() {
    if (requests_.empty()) return true;
    int complete = 0;
    const int code =
        MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE);
    note(code);
    if (complete == 0 && code == MPI_SUCCESS) return false;
    // After an error MPI does not say which requests are complete.
    if (complete == 0) wait_for_requests();
    requests_.clear();
    return true;
  }

  void wait_for_requests() {
    note(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    requests_.clear();
  }

  // Whether the message has one fragment and MPI can use the place of that fragment directly.
  bool bypasses_wire(const RankMessage& message, bool received) const {
    if (message.fragments != 1) return false;
    return !received || arrives_in_place(program().fragments(message).front());
  }

  void expect(const RankMessage& message) {
    const std::uint64_t count = elements(message);
    const bool is_straight = bypasses_wire(message, true);
    const auto writer = place_of(message);
    std::byte* const wire = is_straight ? nullptr : take_wire(count);
    receipts_.push_back({&message, writer, count, is_straight, wire});
    if (!writer)
      receive(is_straight ? target(program().fragments(message).front()) : wire, count, message.peer,
              requests_);
    else if (!is_sent(count))
      receipts_.back().is_over = true;
  }

  void begin_send(const RankMessage& message) {
    if (const auto reader = place_of(message)) return begin_publication(message, *reader);
    const std::uint64_t count = elements(message);
    if (bypasses_wire(message, false))
      return send(source(program().fragments(message).front()), count, message.peer, requests_);
    std::byte* const packed = take_wire(count);
    pack(message, 0, count, packed);
    send(packed, count, message.peer, requests_);
  }

  // ---- messages through the memory of the host

  void begin_publication(const RankMessage& message, HostMemory::Place reader) {
    const std::uint64_t count = elements(message);
    if (!is_sent(count)) return;
    readers_.push_back(reader);
    const bool is_new_reader = last_publication_[reader] != publications_.size();
    if (!publications_.empty() && is_new_reader &&
        std::ranges::equal(program().fragments(*publications_.back().message), program().fragments(message)))
      ++publications_.back().readers;
    else
      publications_.push_back({&message, readers_.size() - 1, 1, count});
    last_publication_[reader] = publications_.size();
  }

  std::uint64_t elements_of_a_piece() const {
    return arguments().layout.elements_in(host_memory()->largest_piece());
  }

  // Writes pieces as long as there is room.
  void publish() {
    for (; next_publication_ < publications_.size(); ++next_publication_) {
      Publication& publication = publications_[next_publication_];
      const std::span<const HostMemory::Place> readers(readers_.data() + publication.first_reader,
                                                       publication.readers);
      while (!publication.is_over) {
        const std::uint64_t now = std::min(elements_of_a_piece(), publication.count - publication.published);
        const std::uint64_t bytes = arguments().layout.room(now);
        std::byte* const piece = host_memory()->prepare(readers, bytes);
        if (piece == nullptr) return;
        pack(*publication.message, publication.published, now, piece + arguments().layout.origin());
        publication.published += now;
        publication.is_over = publication.published == publication.count;
        host_memory()->publish(readers, bytes, tag(), publication.is_over);
      }
    }
  }

  // Takes what has come: what goes straight to its place at once, the rest in order of ports when the round's own messages
  // are sent, since it may overwrite them.
  void take_pieces(bool are_sent) {
    blocked_.assign(host_memory() == nullptr ? 0 : host_memory()->ranks(), false);
    for (std::size_t i = turn_; i < receipts_.size(); ++i) {
      Receipt& receipt = receipts_[i];
      if (receipt.writer && !receipt.is_over && !blocked_[*receipt.writer])
        take_pieces(receipt, are_sent && i == turn_);
      if (are_sent && i == turn_) end_turn(receipt);
    }
  }

  // Of one message. The next message of its writer comes after it.
  void take_pieces(Receipt& receipt, bool has_turn) {
    const HostMemory::Place writer = *receipt.writer;
    while (!receipt.is_over) {
      const auto piece = host_memory()->find(writer, tag());
      const bool may_use = receipt.is_straight || has_turn;
      if (!piece || (!may_use && !host_memory()->is_starved(writer))) {
        blocked_[writer] = true;
        return;
      }
      const std::uint64_t sent = arguments().layout.elements_in(piece->bytes);
      const std::uint64_t now = std::min(sent, receipt.count - receipt.arrived);
      if (now < sent) note(MPI_ERR_TRUNCATE);
      const std::byte* const from = piece->data + arguments().layout.origin();
      if (may_use) {
        take_from_wire(receipt);
        unpack(*receipt.message, receipt.arrived, now, from);
        receipt.taken += now;
      } else {
        copy(from, at(receipt.wire, receipt.arrived), now);
      }
      receipt.arrived += now;
      receipt.is_over = piece->is_last;
      host_memory()->take(writer, tag(), *piece);
    }
  }

  void take_from_wire(Receipt& receipt) {
    if (receipt.taken == receipt.arrived) return;
    unpack(*receipt.message, receipt.taken, receipt.arrived - receipt.taken, at(receipt.wire, receipt.taken));
    receipt.taken = receipt.arrived;
  }

  // The turn passes to the next port when all of this one is in its place. @pre the messages of MPI are complete
  void end_turn(Receipt& receipt) {
    if (!receipt.writer) {
      unpack_received(receipt);
    } else {
      if (!receipt.is_over) return;
      take_from_wire(receipt);
    }
    ++turn_;
  }

  void unpack_received(const Receipt& receipt) {
    const auto fragments = program().fragments(*receipt.message);
    if (receipt.is_straight)
      take(fragments.front(), target(fragments.front()));
    else
      unpack(*receipt.message, 0, receipt.count, receipt.wire);
  }

  // ---- the wire

  // Returns the stretch of the next message of the round that needs the wire.
  std::byte* take_wire(std::uint64_t elements) {
    std::byte* start = at(wire_.bytes() + arguments().layout.origin(), wire_used_);
    wire_used_ += elements;
    return start;
  }

  void reserve_wire() {
    std::uint64_t needed = 0;
    for (const RankMessage& message : program().receipts(round_))
      needed += bypasses_wire(message, true) ? 0 : elements(message);
    for (const RankMessage& message : program().sends(round_))
      needed += bypasses_wire(message, false) || place_of(message) ? 0 : elements(message);
    wire_.grow(arguments().layout.room(needed));
    wire_used_ = 0;
  }

  Storage wire_{arguments().pool};
  std::uint64_t wire_used_ = 0;  // elements of the wire given to messages
  std::size_t round_ = 0;
  // Of this round.
  std::vector<MPI_Request> requests_;
  std::vector<Receipt> receipts_;  // by port
  std::size_t turn_ = 0;           // the first receipt that is not in its place
  std::vector<Publication> publications_;
  std::size_t next_publication_ = 0;
  std::vector<HostMemory::Place> readers_;
  std::vector<std::size_t> last_publication_;  // by place of a reader, counted from 1
  std::vector<bool> blocked_;                  // by place of a writer: later messages of it have to wait
  // Of the next round.
  std::vector<MPI_Request> early_;
  std::vector<bool> is_sent_early_;  // by send
};

}  // namespace

std::unique_ptr<RoundwiseExecutor> make_round_executor(ExecutorArguments arguments, const Channel& channel,
                                                       int tag) {
  return std::make_unique<RoundExecutor>(std::move(arguments), channel, tag);
}

}  // namespace isotrope::mpi

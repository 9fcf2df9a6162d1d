// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives with blocks of unequal sizes.
//
//     direct       Every block is a message to its destination, from the caller's memory into the receiver's, as the
//                  neighbourhood collectives send (neighbour_exchange.hpp). Blocks without data are not sent.
//     forwarded    Units of blocks go from neighbour to neighbour (forwarding.hpp); allgatherv and reduce-scatter along trees.
//                  If that pays, alltoallv and alltoallw first balance their routes (forward/balanced_routes.hpp): stages of
//                  one call, each of which sums the loads of all links.
//     by a plan    Of allgatherv and reduce-scatter all ranks know all sizes. If the plan of equal blocks takes less time than
//                  trees, it runs with blocks as they are: for blocks that are nearly alike, and for short ones.
//
// Of the others a rank knows its own sizes alone, so the choice depends on the machine: blocks are forwarded unless the processors carry
// each byte, as those of ranks that share a memory do.
//
// A reduce-scatter whose operation does not commute, or whose elements are not dense or too long for a message, sends the
// blocks to their owners, which apply the operation in the order of ranks.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/mpi/collectives.hpp"
#include "isotrope/mpi/forwarding.hpp"
#include "isotrope/mpi/neighbour_exchange.hpp"
#include "isotrope/mpi/placed_blocks.hpp"
#include "isotrope/mpi/route_balancing.hpp"

namespace isotrope::mpi {

using forward::Forwarder;

// Blocks with absolute places. Those that are sent have one entry if all ranks get the same.
struct Collectives::VectorBlocks {
  struct Block {
    const void* address = nullptr;
    std::uint64_t count = 0;
    Datatype type = {};

    std::uint64_t bytes() const { return count * type.size; }
    bool is_bytes() const { return type.is_bytes_at(address); }
  };

  std::vector<Block> sent, received;  // by rank
  bool keeps_own = false;             // the own block is in its place
};

namespace {

// As MPI_Alltoallw and others list blocks with absolute addresses.
template <class Block>
PlacedBlock absolute(const Block& block) {
  return {static_cast<MPI_Count>(block.count), block.type.handle,
          static_cast<MPI_Aint>(reinterpret_cast<std::intptr_t>(block.address))};
}

// Where the block of the other rank is looked for.
template <class Block>
const Block& block_for(const std::vector<Block>& blocks, std::size_t rank) {
  static const Block nothing;
  return rank < blocks.size() ? blocks[rank] : nothing;
}

// Whether two blocks of as many bytes are the same memory. Datatypes may place data apart from their address: all, if it is
// MPI_BOTTOM.
template <class Block>
bool is_at(const Block& block, const Block& other) {
  if (block.address != other.address) return false;
  return block.type.handle == other.type.handle || (block.is_bytes() && other.is_bytes());
}

// Where the bytes of a block arrive: in their place, or in memory from which they are unpacked at the end.
template <class Block>
std::byte* room_for(const Block& block, PendingCollective& pending, MPI_Comm comm) {
  auto* const place = static_cast<std::byte*>(const_cast<void*>(block.address));
  if (block.is_bytes() || block.bytes() == 0) return place;
  std::byte* const bytes = pending.allocate(block.bytes());
  pending.on_completion([=] { unpack(bytes, place, block.count, block.type, comm); });
  return bytes;
}

// The first byte of blocks that lie one behind the other, as bytes; nullptr if they do not, or have no bytes.
template <class Block>
std::byte* contiguous_bytes(const std::vector<Block>& blocks) {
  std::byte *first = nullptr, *end = nullptr;
  for (const Block& block : blocks) {
    if (block.bytes() == 0) continue;
    auto* const address = static_cast<std::byte*>(const_cast<void*>(block.address));
    if (!block.is_bytes() || (end != nullptr && address != end)) return nullptr;
    if (first == nullptr) first = address;
    end = address + block.bytes();
  }
  return first;
}

bool has_lists(VectorCollective collective) {
  return collective == VectorCollective::alltoallv || collective == VectorCollective::alltoallw;
}

// Blocks of unequal sizes that go from neighbour to neighbour, of a call and all its starts.
struct ForwardedExchange {
  std::shared_ptr<ForwardingTables> tables;
  forward::MessageCost cost;
  std::size_t own;                                    // rank
  std::vector<std::span<const std::byte>> sent = {};  // by rank; one entry if all get the same
  std::vector<std::span<std::byte>> received = {};    // by rank: room; none for the own block
  std::vector<std::uint64_t> block_bytes = {};        // by node, if all get the same
  const forward::SpreadTrees* trees = nullptr;        // then
  std::shared_ptr<RouteBalancing> balancing = nullptr;
  std::uint64_t arrived = 0;  // bytes

  ForwardedExchange(std::shared_ptr<ForwardingTables> given, forward::MessageCost message_cost,
                    std::size_t rank)
      : tables(std::move(given)), cost(message_cost), own(rank) {}

  /// Has its routes balanced before each start.
  void balance() {
    std::vector<std::uint64_t> bytes(sent.size(), 0);
    for (std::size_t to = 0; to < sent.size(); ++to) bytes[node_of(to)] = to == own ? 0 : sent[to].size();
    balancing = std::make_shared<RouteBalancing>(tables, node_of(own), std::move(bytes), expected());
  }
  /// @param note takes the code of an error
  std::unique_ptr<Forwarder> start(const std::function<void(int)>& note) {
    arrived = 0;
    auto deliver = [=, this](const forward::Unit& unit, const std::byte* bytes) { take(unit, bytes, note); };
    if (trees != nullptr) {
      auto forwarder = std::make_unique<Forwarder>(tables->ports(), *trees, block_bytes, std::move(deliver));
      forwarder->set_message_cost(cost);
      forwarder->spread(sent.front());
      return forwarder;
    }
    auto forwarder =
        balancing && balancing->rounds() > 0
            ? std::make_unique<Forwarder>(tables->ports(), balancing->routes(), std::move(deliver))
            : std::make_unique<Forwarder>(tables->ports(), tables->diameter(), std::move(deliver));
    forwarder->set_message_cost(cost);
    forwarder->set_widths(tables->widths());
    for (std::size_t to = 0; to < sent.size(); ++to) {
      if (to != own) forwarder->add(node_of(to), sent[to]);
    }
    return forwarder;
  }
  /// The bytes that are to arrive.
  std::uint64_t expected() const {
    std::uint64_t bytes = 0;
    for (const auto& room : received) bytes += room.size();
    return bytes;
  }

  network::Node node_of(std::size_t rank) const {
    return tables->ranks().node_of(static_cast<network::Rank>(rank));
  }
  void take(const forward::Unit& unit, const std::byte* bytes, const std::function<void(int)>& note) {
    const network::Rank origin = tables->ranks().rank_of(unit.origin);
    const std::span<std::byte> room = received[origin];
    arrived += unit.bytes;
    if (unit.offset + unit.bytes <= room.size()) {
      std::memcpy(room.data() + unit.offset, bytes, unit.bytes);
      return;
    }
    note(Failure(MPI_ERR_TRUNCATE,
                 fmt::format("the block of rank {} is longer than the {} bytes that are received: "
                             "give the same sizes on both sides",
                             origin, room.size()))
             .code());
  }
};

}  // namespace

std::string name_of(VectorCollective collective) {
  constexpr std::array names{"scatterv",  "gatherv",   "allgatherv",
                             "alltoallv", "alltoallw", "reduce-scatter with unequal blocks"};
  return names.at(static_cast<std::size_t>(collective));
}

// A call that fails on this rank has taken its tag too.
PendingPointer Collectives::start(const VectorArguments& arguments, bool waits) {
  const schedule::Collective collective = with_equal_blocks(arguments.collective);
  tag_ = channel_.take_tag(collective);
  waits_ = waits;
  return started(prepared(arguments, waits), collective);
}

PendingPointer Collectives::prepared(const VectorArguments& arguments, bool waits) {
  agreed([&] {
    require_valid(arguments);
    return CallSignature{.root = arguments.root, .op = arguments.op, .vector = arguments.collective};
  });
  if (arguments.collective == VectorCollective::reduce_scatter) return reduced_blocks(arguments);
  auto pending = pending_collective();
  const VectorBlocks blocks = blocks_of(*pending, arguments);
  if (check_) require_matching_sizes(blocks);
  return copied_blocks(std::move(pending), blocks, arguments.collective, waits);
}

// ---- arguments

void Collectives::require_valid(const VectorArguments& arguments) const {
  using enum VectorCollective;
  const VectorCollective collective = arguments.collective;
  require_root(arguments.root);
  const bool at_root = rank_ == arguments.root;
  const auto all = static_cast<std::size_t>(size_);
  const bool keeps_sent = arguments.send == MPI_IN_PLACE && may_send_in_place(collective, at_root);
  const bool keeps_received = arguments.receive == MPI_IN_PLACE && may_receive_in_place(collective, at_root);
  const std::size_t sent = collective == scatterv                                  ? (at_root ? all : 0)
                           : has_lists(collective) || collective == reduce_scatter ? all
                                                                                   : 1;
  const std::size_t received = collective == gatherv                                    ? (at_root ? all : 0)
                               : collective == scatterv || collective == reduce_scatter ? 1
                                                                                        : all;
  if (collective == reduce_scatter && arguments.op == MPI_OP_NULL)
    throw Failure(MPI_ERR_OP, "MPI_OP_NULL is no operation: give MPI_SUM or another one");
  if (!keeps_sent) require_blocks(arguments.send, arguments.sent, sent, "ranks");
  if (!keeps_received) require_blocks(arguments.receive, arguments.received, received, "ranks");
  if (accepts_same_buffers_ || keeps_sent || keeps_received || sent == 0 || received == 0) return;
  std::uint64_t bytes = 0;
  for (const PlacedBlock& block : arguments.received)
    bytes += bytes_of(block.count, Datatype::of(block.type), 1);
  require_apart(arguments.send, arguments.receive, bytes);
}

// In place, all blocks that are sent are copied before any is received over them.
Collectives::VectorBlocks Collectives::blocks_of(PendingCollective& pending,
                                                 const VectorArguments& arguments) const {
  const auto listed = [&](const void* address, std::vector<PlacedBlock> blocks) {
    if (arguments.collective != VectorCollective::alltoallw) place_in_bytes(blocks);
    std::vector<VectorBlocks::Block> result;
    visit_typed(blocks, [&](const PlacedBlock& block, const Datatype& type) {
      result.push_back({block_address(address, block), static_cast<std::uint64_t>(block.count), type});
    });
    return result;
  };
  const auto rank = static_cast<std::size_t>(rank_), root = static_cast<std::size_t>(arguments.root);
  VectorBlocks result;
  if (arguments.send == MPI_IN_PLACE) {
    result.keeps_own = true;
  } else {
    result.sent = listed(arguments.send, arguments.sent);
  }
  if (arguments.receive == MPI_IN_PLACE) {
    result.keeps_own = true;
  } else {
    result.received = listed(arguments.receive, arguments.received);
  }
  const auto placed_at = [&](std::vector<VectorBlocks::Block> single, std::size_t place) {
    std::vector<VectorBlocks::Block> by_rank(static_cast<std::size_t>(size_));
    if (!single.empty()) by_rank[place] = single.front();
    return by_rank;
  };
  if (arguments.collective == VectorCollective::gatherv)
    result.sent = placed_at(std::move(result.sent), root);
  if (arguments.collective == VectorCollective::scatterv)
    result.received = placed_at(std::move(result.received), root);
  if (arguments.collective == VectorCollective::allgatherv && result.keeps_own)
    result.sent = {result.received[rank]};
  const bool overwrites =
      has_lists(arguments.collective) && (result.keeps_own || arguments.send == arguments.receive);
  if (!overwrites) return result;
  if (result.keeps_own) result.sent = result.received;
  for (VectorBlocks::Block& block : result.sent) {
    std::byte* const copy = pending.allocate(block.bytes());
    pack_at_start(pending, block.address, block.count, block.type, copy);
    block = {copy, block.bytes(), Datatype::of(MPI_BYTE)};
  }
  if (!result.keeps_own) return result;
  // The others send bytes too. MPICH 4.0.2 may cut off what comes as bytes and is received as another type.
  for (std::size_t from = 0; from < result.received.size(); ++from) {
    VectorBlocks::Block& block = result.received[from];
    if (from != rank) block = {room_for(block, pending, comm_), block.bytes(), Datatype::of(MPI_BYTE)};
  }
  return result;
}

// Every pair of ranks is weighed by a number of its own, so that sums agree only if all pairs do.
void Collectives::require_matching_sizes(const VectorBlocks& blocks) {
  const auto weighed = [&](std::size_t from, std::size_t to, std::uint64_t bytes) {
    return SplitMix(from * static_cast<std::uint64_t>(size_) + to)() * bytes;
  };
  const auto own = static_cast<std::size_t>(rank_);
  std::uint64_t balance = 0;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(size_); ++rank) {
    if (rank == own) continue;
    balance += weighed(
        own, rank, blocks.sent.size() == 1 ? blocks.sent[0].bytes() : block_for(blocks.sent, rank).bytes());
    balance -= weighed(rank, own, block_for(blocks.received, rank).bytes());
  }
  MPI_Request request = MPI_REQUEST_NULL;
  require_success(MPI_Iallreduce(MPI_IN_PLACE, &balance, 1, MPI_UINT64_T, MPI_SUM, agreement_comm_, &request),
                  "comparing the sizes of blocks");
  require_success(progress_.wait(request), "comparing the sizes of blocks");
  if (balance == 0) return;
  throw Failure(MPI_ERR_COUNT,
                "a rank receives another number of bytes than is sent to it: give the same sizes on "
                "both sides");
}

// ---- copying

bool Collectives::forwards() const {
  return size_ > 1 && programs_->machine().overhead_byte_s == 0;
}

ExchangeNetwork Collectives::exchange_network() {
  const auto tables = programs_->forwarding();
  return {tables->degree(), tables->diameter(), tables->mean_distance()};
}

// Messages are so long that the processor handles one each way on every port while the links carry it.
forward::MessageCost Collectives::message_cost() {
  const cost::Machine& machine = programs_->machine();
  const double busy = programs_->forwarding()->degree() * (machine.overhead_s + machine.receive_overhead_s);
  const auto in_bytes = [&](double seconds) {
    const double byte_s = machine.lane_byte_time_s();
    const double bytes = byte_s > 0 ? seconds / byte_s : 0;
    return static_cast<std::uint64_t>(std::min(bytes, static_cast<double>(Forwarder::most_message)));
  };
  return {in_bytes(machine.startup_s), in_bytes(busy)};
}

PendingPointer Collectives::copied_blocks(PendingPointer pending, const VectorBlocks& blocks,
                                          VectorCollective collective, bool waits) {
  const bool to_all = collective == VectorCollective::allgatherv;
  const auto rank = static_cast<std::size_t>(rank_);
  const VectorBlocks::Block own = block_for(blocks.sent, to_all ? 0 : rank),
                            place = block_for(blocks.received, rank);
  if (!blocks.keeps_own) {
    pending->at_start([=, comm = comm_] {
      if (own.bytes() == place.bytes() && !is_at(own, place))
        convert(own.address, own.count, own.type, const_cast<void*>(place.address), place.count, place.type,
                comm);
    });
    // The others may have begun, so a call with blocks that differ goes on.
    pending->on_completion([=] { require_same_bytes(own.bytes(), place.bytes()); });
  }
  if (forwards() && to_all) {
    std::vector<std::uint64_t> sizes;
    for (const VectorBlocks::Block& block : blocks.received) sizes.push_back(block.bytes());
    if (const auto size = planned_size(schedule::Collective::allgather, sizes))
      return gathered_by_plan(std::move(pending), blocks, sizes, *size);
  }
  const bool directly = !forwards() || (has_lists(collective) && exchanges_.sends_directly());
  if (!directly) return forward(std::move(pending), blocks, collective, waits);
  send_directly(*pending, blocks);
  return pending;
}

// The size of the equal blocks whose plan takes less time than trees, if there is one; the same on all ranks. The plan takes more
// time than with blocks of the mean size, and less than with blocks of the longest. SimGrid comes nearest to the geometric mean of the
// two, if what the longest block has more is carried over half of the diameter.
// @pre forwards()
std::optional<std::uint64_t> Collectives::planned_size(schedule::Collective equal,
                                                       std::span<const std::uint64_t> sizes) {
  const auto [smallest, longest] = std::ranges::minmax(sizes);
  if (longest == 0) return std::nullopt;
  const ExchangeNetwork around = exchange_network();
  const cost::Machine& machine = programs_->machine();
  const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  const double mean = static_cast<double>(all) / static_cast<double>(ranks());
  const auto between = static_cast<std::uint64_t>(std::ceil(std::sqrt(mean * static_cast<double>(longest))));
  const double lanes = around.degree, others = static_cast<double>(ranks()) - 1;
  const double trees_s = tree_seconds(mean, static_cast<double>(all - smallest) / lanes, around, machine);
  const double links_s = static_cast<double>(between) * others / lanes * machine.lane_byte_time_s();
  const double longest_s = static_cast<double>(longest - std::min(longest, between)) * around.diameter / 2 *
                           machine.lane_byte_time_s();
  if (links_s >= trees_s || seconds(equal, 0, between) + longest_s >= trees_s) return std::nullopt;
  return between;
}

// Blocks that lie one behind the other in the caller's memory are received there.
PendingPointer Collectives::gathered_by_plan(PendingPointer pending, const VectorBlocks& blocks,
                                             std::span<const std::uint64_t> sizes, std::uint64_t size) {
  const auto own = static_cast<std::size_t>(rank_);
  const auto ends = std::make_shared<std::vector<std::uint64_t>>(rank::block_ends(sizes));
  const auto place = [&](std::size_t rank) { return rank == 0 ? 0 : (*ends)[rank - 1]; };
  auto program = programs_->find(schedule::Collective::allgather, 0, size);
  const auto units = rank::Segmentation::of_unequal_blocks(*ends, program->parts);
  ExecutorArguments call{.program = std::move(program), .units = units};
  call.output = contiguous_bytes(blocks.received);
  if (call.output == nullptr) {
    call.output = pending->allocate(ends->back());
    const VectorBlocks::Block& sent = blocks.sent.front();
    std::byte* const own_block = call.output + place(own);
    if (sent.bytes() == sizes[own]) {
      pack_at_start(*pending, sent.address, sent.count, sent.type, own_block);
    } else {
      pending->at_start([=, bytes = sizes[own]] { std::fill_n(own_block, bytes, std::byte{}); });
    }
    for (std::size_t from = 0; from < blocks.received.size(); ++from) {
      const VectorBlocks::Block& block = blocks.received[from];
      if (from == own || block.bytes() == 0) continue;
      pending->on_completion([=, bytes = call.output + place(from), comm = comm_] {
        unpack(bytes, const_cast<void*>(block.address), block.count, block.type, comm);
      });
    }
  }
  pending->keep_alive(ends);
  return ready(std::move(pending), std::move(call));
}

// Each rank begins with the rank behind it, so that not all send to the same one.
void Collectives::send_directly(PendingCollective& pending, const VectorBlocks& blocks) {
  auto partners = std::make_shared<Neighbours>();
  NeighbourArguments arguments{.collective = NeighbourCollective::alltoallw};
  for (int i = 1; i < size_; ++i) {
    const int to = (rank_ + i) % size_, from = (rank_ - i + size_) % size_;
    const auto& sent = block_for(blocks.sent, blocks.sent.size() == 1 ? 0 : static_cast<std::size_t>(to));
    const auto& received = block_for(blocks.received, static_cast<std::size_t>(from));
    if (sent.bytes() > 0) {
      partners->destinations.push_back(to);
      arguments.sent.push_back(absolute(sent));
    }
    if (received.bytes() > 0) {
      partners->sources.push_back(from);
      arguments.received.push_back(absolute(received));
    }
  }
  pending.prepare(make_neighbour_exchange(std::move(arguments), *partners, channel_, tag_, host_memory()),
                  progress_);
  pending.keep_alive(partners);
}

std::vector<std::span<const std::byte>> Collectives::bytes_to_send(PendingCollective& pending,
                                                                   const VectorBlocks& blocks, bool to_all) {
  const auto own = static_cast<std::size_t>(rank_);
  std::uint64_t all = 0;
  for (const VectorBlocks::Block& block : blocks.sent) all += block.bytes();
  std::vector<std::span<const std::byte>> result;
  for (std::size_t i = 0; i < blocks.sent.size(); ++i) {
    const VectorBlocks::Block& block = blocks.sent[i];
    const auto* bytes = static_cast<const std::byte*>(block.address);
    const bool is_packed = !block.is_bytes() || copies_at_start(all);
    if (block.bytes() > 0 && is_packed && (to_all || i != own)) {
      std::byte* const packed = pending.allocate(block.bytes());
      pack_at_start(pending, block.address, block.count, block.type, packed);
      bytes = packed;
    }
    result.emplace_back(bytes, block.bytes());
  }
  // The others expect what they receive of this rank; the error is reported at the end.
  if (const std::uint64_t due = block_for(blocks.received, own).bytes();
      to_all && result.front().size() != due) {
    std::byte* const fitting = pending.allocate(due);
    std::fill_n(fitting, due, std::byte{});
    result.front() = {fitting, due};
  }
  return result;
}

std::vector<std::span<std::byte>> Collectives::room_to_receive(PendingCollective& pending,
                                                               const VectorBlocks& blocks) {
  std::vector<std::span<std::byte>> result(static_cast<std::size_t>(size_));
  for (std::size_t from = 0; from < result.size(); ++from) {
    const VectorBlocks::Block& block = block_for(blocks.received, from);
    if (from == static_cast<std::size_t>(rank_) || block.bytes() == 0) continue;
    result[from] = {room_for(block, pending, comm_), block.bytes()};
  }
  return result;
}

PendingPointer Collectives::forward(PendingPointer pending, const VectorBlocks& blocks,
                                    VectorCollective collective, bool waits) {
  const bool to_all = collective == VectorCollective::allgatherv;
  const auto exchange = std::make_shared<ForwardedExchange>(programs_->forwarding(), message_cost(),
                                                            static_cast<std::size_t>(rank_));
  exchange->sent = bytes_to_send(*pending, blocks, to_all);
  exchange->received = room_to_receive(*pending, blocks);
  if (to_all) {
    exchange->block_bytes.resize(static_cast<std::size_t>(size_));
    for (std::size_t from = 0; from < exchange->block_bytes.size(); ++from)
      exchange->block_bytes[node_of(from)] = block_for(blocks.received, from).bytes();
    exchange->trees = &exchange->tables->trees();
  }
  const std::optional<double> round_s = has_lists(collective) ? balancing_round() : std::nullopt;
  if (round_s) exchange->balance();
  pending->on_completion([=] { require_same_bytes(exchange->arrived, exchange->expected()); });
  pending->keep_alive(exchange);
  std::function<void(const Forwarder&)> end;
  if (has_lists(collective) && waits) {
    end = [=, this](const Forwarder& forwarder) {
      exchanges_.take(forwarder.extremes(),
                      is_faster_directly(forwarder.extremes(), exchange_network(), programs_->machine()));
      if (exchange->balancing) exchanges_.take_rounds(exchange->balancing->rounds());
    };
  }
  auto execution =
      make_forwarding([=](const std::function<void(int)>& note) { return exchange->start(note); },
                      std::move(end), *exchange->tables, channel_, tag_);
  if (!round_s) {
    pending->prepare(std::move(execution), progress_);
    return pending;
  }
  Stages stages{std::move(pending)};
  add_balancing(stages, exchange->balancing, *round_s);
  PendingPointer last = pending_collective();
  last->prepare(std::move(execution), progress_);
  stages.add(std::move(last));
  return staged(std::move(stages));
}

// ---- reducing

void Collectives::require_same_counts(const VectorArguments& arguments) {
  std::uint64_t hash = static_cast<std::uint64_t>(size_);
  for (const MPI_Count count : arguments.counts) hash = SplitMix(hash ^ static_cast<std::uint64_t>(count))();
  std::array extremes{hash, ~hash};
  MPI_Request request = MPI_REQUEST_NULL;
  require_success(
      MPI_Iallreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, agreement_comm_, &request),
      "comparing the counts of all ranks");
  require_success(progress_.wait(request), "comparing the counts of all ranks");
  if (extremes[0] != hash || extremes[1] != ~hash)
    throw Failure(MPI_ERR_COUNT,
                  "reduce-scatter: ranks disagree on the counts: give the same list on all of them");
}

// Dense elements, added from neighbour to neighbour.
PendingPointer Collectives::summed_along_trees(const VectorArguments& arguments) {
  const Datatype type = Datatype::of(arguments.received.front().type);
  const bool in_place = arguments.send == MPI_IN_PLACE;
  const auto* const input = static_cast<const std::byte*>(in_place ? arguments.receive : arguments.send);
  const auto own = static_cast<std::size_t>(rank_), ranks = arguments.counts.size();
  std::vector<std::uint64_t> bytes_of_node(ranks), places{0};
  for (std::size_t owner = 0; owner < ranks; ++owner) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(arguments.counts[owner]) * type.size;
    bytes_of_node[node_of(owner)] = bytes;
    places.push_back(places.back() + bytes);
  }
  const std::uint64_t own_bytes = places[own + 1] - places[own];
  auto pending = pending_collective();
  auto* output = static_cast<std::byte*>(arguments.receive);
  if (in_place) {  // what is read last
    std::byte* const result = pending->allocate(own_bytes);
    pending->on_completion([=] {
      if (own_bytes > 0) std::memcpy(output, result, own_bytes);
    });
    output = result;
  }
  const ElementReduction reduction{arguments.op, type.handle, false};
  const std::shared_ptr<ForwardingTables> tables = programs_->forwarding();
  const forward::MessageCost cost = message_cost();
  const forward::SpreadTrees& trees = tables->trees();
  const auto make = [=, &trees, this](const std::function<void(int)>& note) {
    // Operations of the program may rely on the alignment of elements.
    auto combine = [=, aligned = std::make_shared<Storage>()](const std::byte* from, std::byte* into,
                                                              std::uint64_t bytes) {
      if (reinterpret_cast<std::uintptr_t>(from) % alignof(std::max_align_t) != 0) {
        aligned->grow(Forwarder::largest_unit);
        std::memcpy(aligned->bytes(), from, bytes);
        from = aligned->bytes();
      }
      note(reduce_elements(reduction, type.size, from, into, bytes / type.size));
    };
    auto deliver = [=](const forward::Unit& unit, const std::byte* bytes) {
      std::memcpy(output + unit.offset, bytes, unit.bytes);
    };
    auto forwarder = std::make_unique<Forwarder>(tables->ports(), trees, bytes_of_node,
                                                 Forwarder::Addition{type.size, std::move(combine)}, deliver);
    forwarder->set_message_cost(cost);
    for (std::size_t i = 1; i <= ranks; ++i) {
      const std::size_t owner = (own + i) % ranks;
      forwarder->contribute(node_of(owner), {input + places[owner], places[owner + 1] - places[owner]});
    }
    return forwarder;
  };
  pending->keep_alive(tables);
  pending->prepare(make_forwarding(make, {}, *tables, channel_, tag_), progress_);
  return pending;
}

}  // namespace isotrope::mpi

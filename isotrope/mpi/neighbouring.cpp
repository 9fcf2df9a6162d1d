// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The neighbourhood collectives.
//
// Blocks go straight from the caller's memory into the receiver's (neighbour_exchange.hpp). Small equal blocks of an
// isotropic neighbourhood may be packed and combined instead (message_combining.hpp).
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "isotrope/mpi/collectives.hpp"
#include "isotrope/mpi/neighbour_exchange.hpp"
#include "isotrope/mpi/placed_blocks.hpp"

namespace isotrope::mpi {
namespace {

std::uint64_t bytes_of_block(const PlacedBlock& block) {
  return static_cast<std::uint64_t>(block.count) * Datatype::of(block.type).size;
}

// The common size of the blocks; 0 if they may differ or if there are none.
std::uint64_t equal_bytes(const NeighbourArguments& arguments) {
  if (!has_equal_blocks(arguments.collective) || arguments.sent.empty()) return 0;
  return bytes_of_block(arguments.sent.front());
}

void pack_block(const void* address, const PlacedBlock& block, std::byte* to, MPI_Comm comm) {
  pack(block_address(address, block), static_cast<std::uint64_t>(block.count), Datatype::of(block.type), to,
       comm);
}

void unpack_block(const std::byte* from, void* address, const PlacedBlock& block, MPI_Comm comm) {
  unpack(from, const_cast<void*>(block_address(address, block)), static_cast<std::uint64_t>(block.count),
         Datatype::of(block.type), comm);
}

}  // namespace

std::string name_of(NeighbourCollective collective) {
  constexpr std::array names{"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};
  return fmt::format("neighbor_{}", names.at(static_cast<std::size_t>(collective)));
}

// A call that fails on this rank has taken its tag too.
PendingPointer Collectives::start(const NeighbourArguments& arguments, bool waits) {
  tag_ = channel_.take_tag(schedule::Collective::isotropic);
  waits_ = waits;
  return started(prepared(arguments), schedule::Collective::isotropic);
}

PendingPointer Collectives::prepared(NeighbourArguments arguments) {
  agreed([&] {
    require_valid(arguments);
    return CallSignature{.neighbour = arguments.collective};
  });
  if (arguments.collective != NeighbourCollective::alltoallw) {
    place_in_bytes(arguments.sent);
    place_in_bytes(arguments.received);
  }
  if (combines(arguments)) return combined(arguments, *combining_->find(equal_bytes(arguments)));
  auto pending = pending_collective();
  pending->prepare(make_neighbour_exchange(std::move(arguments), *neighbours_, channel_, tag_, host_memory()),
                   progress_);
  return pending;
}

bool Collectives::combines(const NeighbourArguments& arguments) {
  return combining_ && combining_->find(equal_bytes(arguments)) != nullptr;
}

void Collectives::require_valid(const NeighbourArguments& arguments) const {
  if (!neighbours_) {
    throw Failure(
        MPI_ERR_TOPOLOGY,
        fmt::format(
            "{} on a communicator without a topology: give one of MPI_Cart_create, MPI_Graph_create or "
            "MPI_Dist_graph_create_adjacent",
            name_of(arguments.collective)));
  }
  require_blocks(arguments.send, arguments.sent,
                 gathers(arguments.collective) ? 1 : neighbours_->destinations.size(), "neighbours");
  require_blocks(arguments.receive, arguments.received, neighbours_->sources.size(), "neighbours");
  if (!combining_ || !has_equal_blocks(arguments.collective)) return;
  require_same_bytes(bytes_of_block(arguments.sent.front()), bytes_of_block(arguments.received.front()));
}

void Collectives::require_blocks(const void* address, const std::vector<PlacedBlock>& blocks,
                                 std::size_t expected, const char* others) const {
  if (blocks.size() != expected)
    throw Failure(MPI_ERR_ARG,
                  fmt::format("{} blocks for {} {}: give one for each", blocks.size(), expected, others));
  visit_typed(blocks, [&](const PlacedBlock& block, const Datatype& type) {
    const std::uint64_t bytes = bytes_of(block.count, type, 1);
    require_buffer(address, type, block.displacement == 0 ? bytes : 0);
  });
}

PendingPointer Collectives::combined(const NeighbourArguments& arguments, const CombinedExchange& exchange) {
  const std::uint64_t bytes = equal_bytes(arguments);
  auto pending = pending_collective();
  std::byte* const input = pending->allocate(exchange.inputs.size() * bytes);
  std::byte* const output = pending->allocate(exchange.outputs.size() * bytes);
  pending->at_start([=, this, &exchange] {
    for (std::size_t i = 0; i < exchange.inputs.size(); ++i)
      pack_block(arguments.send, arguments.block_for(i), input + exchange.inputs[i] * bytes, comm_);
  });
  pending->on_completion(
      [output, bytes, &exchange, receive = arguments.receive, received = arguments.received, comm = comm_] {
        for (std::size_t i = 0; i < received.size(); ++i)
          unpack_block(output + exchange.outputs[i] * bytes, receive, received[i], comm);
      });
  ExecutorArguments call{.program = exchange.program,
                         .units = rank::Segmentation::of_blocks(bytes, exchange.program->parts)};
  call.input = input;
  call.output = output;
  return ready(std::move(pending), std::move(call));
}

}  // namespace isotrope::mpi

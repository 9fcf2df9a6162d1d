// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives that copy: broadcast, scatter, gather, allgather, alltoall.
#include <utility>

#include <fmt/format.h>

#include "isotrope/mpi/collectives.hpp"

namespace isotrope::mpi {

using schedule::Collective;

namespace {

// What this rank sends to itself, or gathers of itself, is there already.
bool in_place(const void* address) {
  return address == MPI_IN_PLACE;
}

void require_same_bytes(std::uint64_t sent, std::uint64_t received) {
  if (sent == received) return;
  throw Failure(received < sent ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT,
                fmt::format("blocks of {} bytes are sent and blocks of {} bytes are to be received: give "
                            "counts and datatypes that match",
                            sent, received));
}

void require_apart(const void* send, const void* receive, std::uint64_t bytes) {
  if (send != receive || bytes == 0 || send == MPI_BOTTOM) return;
  throw Failure(MPI_ERR_BUFFER, "the same buffer is sent from and received into: give MPI_IN_PLACE for one");
}

}  // namespace

std::unique_ptr<Operation> Collectives::broadcast(void* buffer, MPI_Count count, MPI_Datatype handle,
                                                  int root) {
  Datatype type;
  const Arguments arguments = agreed([&] {
    require_root(root);
    type = Datatype::of(handle);
    const std::uint64_t bytes = bytes_of(count, type, 1);
    require_buffer(buffer, type, bytes);
    return Arguments{Collective::broadcast, root, bytes};
  });
  auto operation = std::make_unique<Operation>();
  const auto elements = static_cast<std::uint64_t>(count);
  Call call = copying_call(arguments);
  if (rank_ == root) {
    call.input = packed(*operation, buffer, elements, type);
    call.output =
        const_cast<std::byte*>(call.input);  // the root's program sends from there and writes nothing
  } else {
    call.output = unpacked_later(*operation, buffer, elements, type);
  }
  launch(*operation, std::move(call));
  return operation;
}

// Of scatter and gather: `one` is the block of every rank, `all` those of the root.
Collectives::Types Collectives::rooted_types(Collective collective, const SentBlocks& one,
                                             const SentBlocks& all, int root) {
  const bool at_root = rank_ == root, keeps = at_root && in_place(one.address);
  Types types;
  types.arguments = agreed([&] {
    require_root(root);
    Arguments arguments{collective, root};
    if (!keeps) {
      types.one = Datatype::of(one.type);
      arguments.bytes = bytes_of(one.count, types.one, 1);
      require_buffer(one.address, types.one, arguments.bytes);
    }
    if (!at_root) return arguments;
    types.all = Datatype::of(all.type);
    const std::uint64_t bytes = bytes_of(all.count, types.all, blocks());
    require_buffer(all.address, types.all, bytes);
    if (!keeps) {
      const bool sends_all = collective == Collective::scatter;
      require_same_bytes(sends_all ? bytes : arguments.bytes, sends_all ? arguments.bytes : bytes);
      require_apart(one.address, all.address, bytes);
    }
    arguments.bytes = bytes;
    return arguments;
  });
  return types;
}

std::unique_ptr<Operation> Collectives::scatter(const SentBlocks& send, const ReceivedBlocks& receive,
                                                int root) {
  const auto [arguments, received, sent] =
      rooted_types(Collective::scatter, {receive.address, receive.count, receive.type}, send, root);
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  if (rank_ == root) call.input = packed(*operation, send.address, send.elements(blocks()), sent);
  if (rank_ != root || !in_place(receive.address))
    call.output = unpacked_later(*operation, receive.address, receive.elements(1), received);
  launch(*operation, std::move(call));
  return operation;
}

std::unique_ptr<Operation> Collectives::gather(const SentBlocks& send, const ReceivedBlocks& receive,
                                               int root) {
  const auto [arguments, sent, received] =
      rooted_types(Collective::gather, send, {receive.address, receive.count, receive.type}, root);
  const bool keeps = rank_ == root && in_place(send.address);
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  if (!keeps) call.input = packed(*operation, send.address, send.elements(1), sent);
  if (rank_ == root) {
    call.output = unpacked_later(*operation, receive.address, receive.elements(blocks()), received);
    if (keeps && !received.dense) pack_own_block(call, receive, received);
  }
  launch(*operation, std::move(call));
  return operation;
}

// Of allgather and alltoall, where every rank sends `sent` blocks: `one` is what it sends.
Collectives::Types Collectives::mutual_types(Collective collective, const SentBlocks& send,
                                             const ReceivedBlocks& receive, std::uint64_t sent) {
  Types types;
  types.arguments = agreed([&] {
    types.all = Datatype::of(receive.type);
    const std::uint64_t bytes = bytes_of(receive.count, types.all, blocks());
    require_buffer(receive.address, types.all, bytes);
    if (!in_place(send.address)) {
      types.one = Datatype::of(send.type);
      require_same_bytes(bytes_of(send.count, types.one, sent), bytes);
      require_buffer(send.address, types.one, bytes);
      require_apart(send.address, receive.address, bytes);
    }
    return Arguments{collective, 0, bytes};
  });
  return types;
}

std::unique_ptr<Operation> Collectives::allgather(const SentBlocks& send, const ReceivedBlocks& receive) {
  const auto [arguments, sent, received] = mutual_types(Collective::allgather, send, receive, 1);
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  call.output = unpacked_later(*operation, receive.address, receive.elements(blocks()), received);
  if (!in_place(send.address)) {
    call.input = packed(*operation, send.address, send.elements(1), sent);
  } else if (!received.dense) {
    pack_own_block(call, receive, received);
  }
  launch(*operation, std::move(call));
  return operation;
}

std::unique_ptr<Operation> Collectives::alltoall(const SentBlocks& send, const ReceivedBlocks& receive) {
  const auto [arguments, sent, received] = mutual_types(Collective::alltoall, send, receive, blocks());
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  const std::uint64_t elements = receive.elements(blocks());
  call.output = unpacked_later(*operation, receive.address, elements, received);
  if (in_place(send.address)) {
    // Blocks that come would meet blocks that are still to go.
    std::byte* copy = operation->storage(arguments.bytes * blocks());
    pack(receive.address, elements, received, copy, comm_);
    call.input = copy;
  } else {
    call.input = packed(*operation, send.address, send.elements(blocks()), sent);
  }
  launch(*operation, std::move(call));
  return operation;
}

const std::byte* Collectives::packed(Operation& operation, const void* address, std::uint64_t elements,
                                     const Datatype& type) const {
  if (type.dense && address != MPI_BOTTOM) return static_cast<const std::byte*>(address);
  std::byte* bytes = operation.storage(elements * type.size);
  pack(address, elements, type, bytes, comm_);
  return bytes;
}

std::byte* Collectives::unpacked_later(Operation& operation, void* address, std::uint64_t elements,
                                       const Datatype& type) const {
  if (type.dense && address != MPI_BOTTOM) return static_cast<std::byte*>(address);
  std::byte* bytes = operation.storage(elements * type.size);
  operation.finally([=, comm = comm_] { unpack(bytes, address, elements, type, comm); });
  return bytes;
}

// Into its place in the packed output, from where it is sent and unpacked again.
void Collectives::pack_own_block(const Call& call, const ReceivedBlocks& receive,
                                 const Datatype& type) const {
  const auto count = static_cast<std::uint64_t>(receive.count),
             own = static_cast<std::uint64_t>(rank_) * count;
  const auto* block =
      static_cast<const std::byte*>(receive.address) + static_cast<std::int64_t>(own) * type.extent;
  pack(block, count, type, call.output + own * type.size, comm_);
}

Call Collectives::copying_call(const Arguments& arguments) {
  auto program =
      programs_.find(arguments.collective, static_cast<network::Node>(arguments.root), arguments.bytes);
  const rank::Units units = program->part_ends.empty()
                                ? rank::Units::of_blocks(arguments.bytes, program->parts)
                                : rank::Units::of_weighted_block(arguments.bytes, program->part_ends);
  return {.program = std::move(program), .units = units};
}

}  // namespace isotrope::mpi

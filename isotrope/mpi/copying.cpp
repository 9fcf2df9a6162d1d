// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives that copy: broadcast, scatter, gather, allgather, alltoall.
#include <cstring>
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

std::unique_ptr<Operation> Collectives::scatter(const SentBlocks& send, const ReceivedBlocks& receive,
                                                int root) {
  const bool keeps = rank_ == root && in_place(receive.address);
  Datatype sent, received;
  const Arguments arguments = agreed([&] {
    require_root(root);
    std::uint64_t bytes = 0;
    if (!keeps) {
      received = Datatype::of(receive.type);
      bytes = bytes_of(receive.count, received, 1);
      require_buffer(receive.address, received, bytes);
    }
    if (rank_ == root) {
      sent = Datatype::of(send.type);
      const std::uint64_t sent_bytes = bytes_of(send.count, sent, blocks());
      require_buffer(send.address, sent, sent_bytes);
      if (!keeps) {
        require_same_bytes(sent_bytes, bytes);
        require_apart(send.address, receive.address, bytes);
      }
      bytes = sent_bytes;
    }
    return Arguments{Collective::scatter, root, bytes};
  });
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  if (rank_ == root)
    call.input = packed(*operation, send.address, static_cast<std::uint64_t>(send.count) * blocks(), sent);
  if (!keeps) {
    call.output =
        unpacked_later(*operation, receive.address, static_cast<std::uint64_t>(receive.count), received);
  }
  launch(*operation, std::move(call));
  return operation;
}

std::unique_ptr<Operation> Collectives::gather(const SentBlocks& send, const ReceivedBlocks& receive,
                                               int root) {
  const bool keeps = rank_ == root && in_place(send.address);
  Datatype sent, received;
  const Arguments arguments = agreed([&] {
    require_root(root);
    std::uint64_t bytes = 0;
    if (!keeps) {
      sent = Datatype::of(send.type);
      bytes = bytes_of(send.count, sent, 1);
      require_buffer(send.address, sent, bytes);
    }
    if (rank_ == root) {
      received = Datatype::of(receive.type);
      const std::uint64_t received_bytes = bytes_of(receive.count, received, blocks());
      require_buffer(receive.address, received, received_bytes);
      if (!keeps) {
        require_same_bytes(bytes, received_bytes);
        require_apart(send.address, receive.address, bytes);
      }
      bytes = received_bytes;
    }
    return Arguments{Collective::gather, root, bytes};
  });
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  if (!keeps) call.input = packed(*operation, send.address, static_cast<std::uint64_t>(send.count), sent);
  if (rank_ == root) {
    const std::uint64_t elements = static_cast<std::uint64_t>(receive.count) * blocks();
    call.output = unpacked_later(*operation, receive.address, elements, received);
    if (keeps && !received.dense) pack_own_block(call, receive, received);
  }
  launch(*operation, std::move(call));
  return operation;
}

std::unique_ptr<Operation> Collectives::allgather(const SentBlocks& send, const ReceivedBlocks& receive) {
  const bool keeps = in_place(send.address);
  Datatype sent, received;
  const Arguments arguments = agreed([&] {
    received = Datatype::of(receive.type);
    const std::uint64_t bytes = bytes_of(receive.count, received, blocks());
    require_buffer(receive.address, received, bytes);
    if (!keeps) {
      sent = Datatype::of(send.type);
      require_same_bytes(bytes_of(send.count, sent, 1), bytes);
      require_buffer(send.address, sent, bytes);
      require_apart(send.address, receive.address, bytes);
    }
    return Arguments{Collective::allgather, 0, bytes};
  });
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  const std::uint64_t elements = static_cast<std::uint64_t>(receive.count) * blocks();
  call.output = unpacked_later(*operation, receive.address, elements, received);
  if (!keeps) {
    call.input = packed(*operation, send.address, static_cast<std::uint64_t>(send.count), sent);
  } else if (!received.dense) {
    pack_own_block(call, receive, received);
  }
  launch(*operation, std::move(call));
  return operation;
}

std::unique_ptr<Operation> Collectives::alltoall(const SentBlocks& send, const ReceivedBlocks& receive) {
  const bool keeps = in_place(send.address);
  Datatype sent, received;
  const Arguments arguments = agreed([&] {
    received = Datatype::of(receive.type);
    const std::uint64_t bytes = bytes_of(receive.count, received, blocks());
    require_buffer(receive.address, received, bytes);
    if (!keeps) {
      sent = Datatype::of(send.type);
      require_same_bytes(bytes_of(send.count, sent, blocks()), bytes);
      require_buffer(send.address, sent, bytes);
      require_apart(send.address, receive.address, bytes);
    }
    return Arguments{Collective::alltoall, 0, bytes};
  });
  auto operation = std::make_unique<Operation>();
  Call call = copying_call(arguments);
  const std::uint64_t received_elements = static_cast<std::uint64_t>(receive.count) * blocks();
  call.output = unpacked_later(*operation, receive.address, received_elements, received);
  if (keeps) {
    // Blocks that come would meet blocks that are still to go.
    std::byte* copy = operation->storage(arguments.bytes * blocks());
    if (received.dense) {
      if (arguments.bytes > 0) std::memcpy(copy, receive.address, arguments.bytes * blocks());
    } else {
      pack(receive.address, received_elements, received, copy, comm_);
    }
    call.input = copy;
  } else {
    call.input = packed(*operation, send.address, static_cast<std::uint64_t>(send.count) * blocks(), sent);
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
  const rank::Units units = rank::Units::of_blocks(arguments.bytes, program->parts);
  return {.program = std::move(program), .units = units};
}

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives that copy: broadcast, scatter, gather, allgather, alltoall.
//
// Every function follows the same steps: check the arguments, find the program, name the input and the output
// as bytes (packing data that are not dense at each start, and unpacking them at the end), and make the executor.
// With MPI_IN_PLACE the rank's own block is already in its final place.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "isotrope/mpi/collectives.hpp"

namespace isotrope::mpi {

using schedule::Collective;

namespace {

std::uint64_t elements_in(MPI_Count count, std::uint64_t blocks) {
  return static_cast<std::uint64_t>(count) * blocks;
}

}  // namespace

void Collectives::require_apart(const void* send, const void* receive, std::uint64_t bytes) const {
  if (accepts_same_buffers_ || send != receive || bytes == 0 || send == MPI_BOTTOM) return;
  throw Failure(MPI_ERR_BUFFER,
                "the same buffer is sent from and received into: give MPI_IN_PLACE for one of them");
}

const std::byte* Collectives::kept_apart(PendingCollective& pending, const ExecutorArguments& call,
                                         std::uint64_t sent_bytes, std::uint64_t received_bytes) {
  const auto input = reinterpret_cast<std::uintptr_t>(call.input);
  const auto output = reinterpret_cast<std::uintptr_t>(call.output);
  if (input >= output + received_bytes || output >= input + sent_bytes) return call.input;
  std::byte* copy = pending.allocate(sent_bytes);
  pending.at_start([=, input = call.input] { std::memcpy(copy, input, sent_bytes); });
  return copy;
}

PendingPointer Collectives::broadcast(const Arguments& arguments) {
  const ReceiveBuffer& buffer = arguments.receive;
  Datatype type;
  const CallSignature signature = agreed([&] {
    require_root(arguments.root);
    type = Datatype::of(buffer.type);
    const std::uint64_t bytes = bytes_of(buffer.count, type, 1);
    require_buffer(buffer.address, type, bytes);
    return CallSignature{Collective::broadcast, arguments.root, bytes};
  });
  auto pending = pending_collective();
  ExecutorArguments call = copying_arguments(signature);
  if (rank_ == arguments.root) {
    // The program of the root sends from its output and writes nothing.
    call.input = packed(*pending, buffer.as_read(), 1, type);
    call.output = const_cast<std::byte*>(call.input);
  } else {
    call.output = unpacked_later(*pending, buffer, 1, type);
  }
  return ready(std::move(pending), std::move(call));
}

// Scatter and gather: `one` is the block of every rank, `all` are the blocks at the root.
PendingPointer Collectives::rooted(const Arguments& arguments) {
  const bool scatters = arguments.collective == Collective::scatter, at_root = rank_ == arguments.root;
  const SendBuffer receive = arguments.receive.as_read();
  const SendBuffer &one = scatters ? receive : arguments.send, &all = scatters ? arguments.send : receive;
  const bool keeps = at_root && one.in_place();
  Datatype one_type, all_type;
  std::uint64_t sent_bytes = 0;  // of a block, if this rank sends all
  const CallSignature signature = agreed([&] {
    require_root(arguments.root);
    CallSignature call{arguments.collective, arguments.root};
    if (!keeps) {
      one_type = Datatype::of(one.type);
      call.bytes = bytes_of(one.count, one_type, 1);
      require_buffer(one.address, one_type, call.bytes);
    }
    if (!at_root) return call;
    all_type = Datatype::of(all.type);
    const std::uint64_t bytes = bytes_of(all.count, all_type, ranks());
    require_buffer(all.address, all_type, bytes);
    sent_bytes = bytes;
    if (!keeps) {
      if (check_ || !scatters)
        require_same_bytes(scatters ? bytes : call.bytes, scatters ? call.bytes : bytes);
      require_apart(one.address, all.address, bytes);
    }
    if (!scatters || keeps) call.bytes = bytes;
    return call;
  });
  auto pending = pending_collective();
  ExecutorArguments call = copying_arguments(signature);
  if (scatters) {
    if (at_root)
      call.input = sent_blocks(*pending, arguments.send, all_type, ranks(), sent_bytes, signature.bytes);
    if (!keeps) call.output = unpacked_later(*pending, arguments.receive, 1, one_type);
    if (at_root && !keeps)
      call.input = kept_apart(*pending, call, signature.bytes * ranks(), signature.bytes);
  } else {
    if (!keeps) call.input = packed(*pending, arguments.send, 1, one_type);
    if (at_root) call.output = unpacked_later(*pending, arguments.receive, ranks(), all_type);
    if (keeps) pack_own_block(*pending, arguments.receive, all_type, call.output);
    if (at_root && !keeps)
      call.input = kept_apart(*pending, call, signature.bytes, signature.bytes * ranks());
  }
  return ready(std::move(pending), std::move(call));
}

// Allgather and alltoall.
PendingPointer Collectives::mutual(const Arguments& arguments) {
  const SendBuffer& send = arguments.send;
  const ReceiveBuffer& receive = arguments.receive;
  const bool personal = arguments.collective == Collective::alltoall;
  const std::uint64_t blocks = personal ? ranks() : 1;
  Datatype sent, received;
  std::uint64_t sent_bytes = 0;
  const CallSignature signature = agreed([&] {
    received = Datatype::of(receive.type);
    const std::uint64_t bytes = bytes_of(receive.count, received, ranks());
    require_buffer(receive.address, received, bytes);
    if (!send.in_place()) {
      sent = Datatype::of(send.type);
      sent_bytes = bytes_of(send.count, sent, blocks);
      if (check_) require_same_bytes(sent_bytes, bytes);
      require_buffer(send.address, sent, sent_bytes);
      require_apart(send.address, receive.address, bytes);
    }
    return CallSignature{arguments.collective, 0, bytes};
  });
  auto pending = pending_collective();
  ExecutorArguments call = copying_arguments(signature);
  call.output = unpacked_later(*pending, receive, ranks(), received);
  if (!send.in_place()) {
    call.input = sent_blocks(*pending, send, sent, blocks, sent_bytes, signature.bytes);
    call.input = kept_apart(*pending, call, signature.bytes * blocks, signature.bytes * ranks());
  } else if (!personal) {
    pack_own_block(*pending, receive, received, call.output);
  } else {
    // Blocks that arrive would overwrite blocks that are not sent yet.
    std::byte* copy = pending->allocate(signature.bytes * ranks());
    pack_at_start(*pending, receive.address, elements_in(receive.count, ranks()), received, copy);
    call.input = copy;
  }
  return ready(std::move(pending), std::move(call));
}

// MPI forbids to change data before a nonblocking call is complete, but MPI libraries have copied short ones when it returns, and
// programs rely on it: DOLFINx 0.5 no longer has the number that it gave to MPI_Iexscan when it waits.
bool Collectives::copies_at_start(std::uint64_t bytes) const {
  constexpr std::uint64_t longest = 4096;
  return !waits_ && bytes > 0 && bytes <= longest;
}

void Collectives::pack_at_start(PendingCollective& pending, const void* address, std::uint64_t elements,
                                const Datatype& type, std::byte* to) const {
  pending.at_start([=, comm = comm_] { pack(address, elements, type, to, comm); });
}

const std::byte* Collectives::packed(PendingCollective& pending, const SendBuffer& send, std::uint64_t blocks,
                                     const Datatype& type) const {
  const std::uint64_t elements = elements_in(send.count, blocks);
  if (type.is_bytes_at(send.address) && !copies_at_start(elements * type.size))
    return static_cast<const std::byte*>(send.address);
  std::byte* bytes = pending.allocate(elements * type.size);
  pack_at_start(pending, send.address, elements, type, bytes);
  return bytes;
}

// As packed(), for blocks of `bytes` bytes, which this rank receives. If it sends blocks of another size, the others, which
// may have begun, do not wait for it: it sends what fits, and reports the error at the end.
const std::byte* Collectives::sent_blocks(PendingCollective& pending, const SendBuffer& send,
                                          const Datatype& type, std::uint64_t blocks,
                                          std::uint64_t sent_bytes, std::uint64_t bytes) const {
  const std::byte* from = packed(pending, send, blocks, type);
  if (sent_bytes == bytes) return from;
  std::byte* fitting = pending.allocate(bytes * blocks);
  pending.at_start([=, common = std::min(sent_bytes, bytes)] {
    if (bytes > 0) std::memset(fitting, 0, bytes * blocks);
    for (std::uint64_t i = 0; i < blocks && common > 0; ++i)
      std::memcpy(fitting + i * bytes, from + i * sent_bytes, common);
  });
  pending.on_completion([=] { require_same_bytes(sent_bytes, bytes); });
  return fitting;
}

std::byte* Collectives::unpacked_later(PendingCollective& pending, const ReceiveBuffer& receive,
                                       std::uint64_t blocks, const Datatype& type) const {
  const std::uint64_t elements = elements_in(receive.count, blocks);
  std::byte* const bytes = type.is_bytes_at(receive.address) ? static_cast<std::byte*>(receive.address)
                                                             : pending.allocate(elements * type.size);
  if (!type.is_bytes_at(receive.address)) {
    pending.on_completion(
        [=, address = receive.address, comm = comm_] { unpack(bytes, address, elements, type, comm); });
  }
  return bytes;
}

// Dense data are already there; others are packed into the output, which they are sent and unpacked from.
void Collectives::pack_own_block(PendingCollective& pending, const ReceiveBuffer& receive,
                                 const Datatype& type, std::byte* output) const {
  if (type.dense) return;
  const auto count = elements_in(receive.count, 1), own = static_cast<std::uint64_t>(rank_) * count;
  const auto* block =
      static_cast<const std::byte*>(receive.address) + static_cast<std::int64_t>(own) * type.extent;
  pack_at_start(pending, block, count, type, output + own * type.size);
}

ExecutorArguments Collectives::copying_arguments(const CallSignature& signature) {
  auto program =
      programs_->find(signature.collective, static_cast<network::Node>(signature.root), signature.bytes);
  const rank::Segmentation units = program->units_of(signature.bytes);
  return {.program = std::move(program), .units = units};
}

}  // namespace isotrope::mpi

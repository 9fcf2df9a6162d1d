// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives that reduce: reduce, reduce-scatter, allreduce, scan, exscan.
//
// An operation that does not commute is applied in the order of ranks, x_0 op (x_1 op (... op x_(N-1))), to
// the blocks of all ranks, which a collective that copies has gathered. Reproducible reductions (reproducible.cpp) reduce
// gathered blocks too, in that order or by a function that knows none.
//
//     reduce            after a gather
//     reduce-scatter    after an alltoall
//     allreduce         after an allgather; also for operations that commute, if that is faster
//     scan, exscan      after an allgather: rank r reduces the blocks of ranks 0..r, or 0..r-1; also for operations that
//                       commute, if ranks have another order than nodes, which plans of scans follow
//
// Reproducible allreduces and reduces may go by slices, which ranks reduce after an alltoall and which are then gathered.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/forward/forwarder.hpp"
#include "isotrope/mpi/associativity.hpp"
#include "isotrope/mpi/collectives.hpp"

namespace isotrope::mpi {

using schedule::Collective;

// Elements while they are reduced: with or without gaps, but none overlaps another.
struct Collectives::ReductionLayout {
  Datatype given = {};  // the caller's
  Datatype used = {};
  std::shared_ptr<const SpreadDatatype> spread = nullptr;  // owns `used` if that differs from `given`
  std::uint64_t count = 0;                                 // elements of a block
  MPI_Op op = MPI_OP_NULL;

  ElementLayout elements() const {
    return {.type = used.handle,
            .size = std::max<std::uint64_t>(used.size, 1),
            .stride = static_cast<std::uint64_t>(used.extent),
            .offset = used.true_lower,
            .width = used.true_extent};
  }
  ElementReduction reduction() const { return {op, given.handle, spread != nullptr}; }
  // Allocates memory; element i is at the result + i stride.
  std::byte* allocate(PendingCollective& pending, std::uint64_t count_of_elements) const {
    return pending.allocate(elements().room(count_of_elements)) + elements().origin();
  }
  // right = left op right, for `count_of_elements` elements each.
  void reduce(const std::byte* left, std::byte* right, std::uint64_t count_of_elements) const {
    require_success(reduce_elements(reduction(), elements().stride, left, right, count_of_elements),
                    "reducing");
  }
};

// The caller's buffers of a reduction, and the elements in them.
struct Collectives::ReductionBuffers {
  const void* input = nullptr;
  std::uint64_t sent = 0;
  void* output = nullptr;
  std::uint64_t received = 0;
  bool receives = true;
  bool scatters = false;  // the result is one of the blocks of the input
};

// The blocks of all ranks, one after the other, in memory of the runtime.
struct Collectives::GatheredBlocks {
  ReductionLayout layout = {};
  std::shared_ptr<Storage> memory = nullptr;
  std::byte* first = nullptr;

  ReceiveBuffer buffer(MPI_Count count) const { return {first, count, layout.used.handle}; }

  std::byte* block(std::uint64_t i) const {
    return first + static_cast<std::int64_t>(i * layout.count) * layout.used.extent;
  }
  // Reduces the first `blocks` into the last of them, nearest first, the first `elements` of each. Returns the result.
  const std::byte* reduce_in_order(std::uint64_t blocks, std::uint64_t elements) const {
    for (std::uint64_t i = blocks - 1; i-- > 0;) layout.reduce(block(i), block(blocks - 1), elements);
    return block(blocks - 1);
  }
  // Reduces the second half into the first, again and again: fewer calls for the same work, of more elements than a block has.
  const std::byte* reduce_halves(std::uint64_t blocks) const {
    for (; blocks > 1; blocks -= blocks / 2) {
      const std::uint64_t half = blocks / 2;
      layout.reduce(block(blocks - half), first, half * layout.count);
    }
    return first;
  }
};

namespace {

bool commutes(MPI_Op op) {
  int commutes = 1;
  require_success(MPI_Op_commutative(op, &commutes), "querying whether an operation commutes");
  return commutes != 0;
}

// Elements that neither overlap nor lie so far apart that a copy would consist of gaps mostly.
bool is_reducible_in_place(const Datatype& type) {
  constexpr std::int64_t most = 4;
  return !type.interleaved() && type.extent / most <= static_cast<std::int64_t>(type.true_extent);
}

}  // namespace

Collective Collectives::gathering(Collective reducing) {
  return reducing == Collective::reduce           ? Collective::gather
         : reducing == Collective::reduce_scatter ? Collective::alltoall
                                                  : Collective::allgather;
}

PendingPointer Collectives::reduction(const Arguments& arguments) {
  const auto& [collective, send, receive, root, op] = arguments;
  const CallSignature signature = agreed([&] { return reduction_signature(arguments); });
  const SendBuffer own{send.in_place() ? receive.address : send.address, receive.count, receive.type};
  if (must_keep_bits(op, receive.type)) return reproducible_reduction(arguments, own);
  const bool is_in_order = !schedule::is_prefix(collective) || programs_->ranks().is_identity();
  auto program = is_in_order && commutes(op) ? programs_->find(collective, static_cast<network::Node>(root),
                                                               signature.bytes, is_exact(op, receive.type))
                                             : nullptr;
  if (!program) return gathered_reduction(arguments, own);
  if (program->reduces_gathered) return gathered_allreduce(program, arguments, own);

  const ReductionLayout layout = reduction_layout(arguments);
  const rank::Segmentation units = program->units_of(layout.count);
  const bool scatters = collective == Collective::reduce_scatter;
  return reduced_by({.program = std::move(program), .units = units}, layout,
                    {.input = own.address,
                     .sent = layout.count * (scatters ? ranks() : 1),
                     .output = receive.address,
                     .received = layout.count,
                     .receives = has_result(arguments, rank_),
                     .scatters = scatters});
}

// The result of a reduce-scatter in place would overwrite the first block, which is still needed.
PendingPointer Collectives::reduced_by(ExecutorArguments call, const ReductionLayout& layout,
                                       const ReductionBuffers& buffers) {
  auto pending = pending_collective();
  call.layout = layout.elements();
  call.reduction = layout.reduction();
  call.input = reducible(*pending, layout, buffers.input, buffers.sent);
  if (buffers.receives) call.output = converted_later(*pending, layout, buffers.output, buffers.received);
  if (buffers.scatters && call.input == call.output) {
    std::byte* copy = layout.allocate(*pending, buffers.sent);
    pending->at_start([=, input = call.input, sent = buffers.sent, lie = call.layout] {
      if (sent > 0) std::memcpy(copy + lie.offset, input + lie.offset, lie.span(sent));
    });
    call.input = copy;
  }
  pending->keep_alive(layout.spread);
  return ready(std::move(pending), std::move(call));
}

PendingPointer Collectives::gathered_reduction(const Arguments& arguments, const SendBuffer& own) {
  const bool gathers = arguments.collective != Collective::reduce || arguments.root == rank_;
  const GatheredBlocks blocks = room_for_blocks(arguments, gathers ? size_ : 0);
  auto pending = prepared({.collective = gathering(arguments.collective),
                           .send = own,
                           .receive = blocks.buffer(arguments.receive.count),
                           .root = arguments.root});
  pending->keep_alive(blocks.memory);
  pending->keep_alive(blocks.layout.spread);
  if (has_result(arguments, rank_)) reduce_later(*pending, blocks, arguments);
  return pending;
}

// Sums of dense elements come together on their way; else every block goes to its owner, which reduces all in order.
PendingPointer Collectives::reduced_blocks(const VectorArguments& arguments) {
  if (check_) require_same_counts(arguments);
  const PlacedBlock& result = arguments.received.front();
  const Datatype type = Datatype::of(result.type);
  // The same on all ranks: the buffer of a rank without elements may be a null pointer.
  if (forwards() && type.dense && type.size > 0 && type.size <= forward::Forwarder::largest_element &&
      commutes(arguments.op) && !must_keep_bits(arguments.op, result.type)) {
    std::vector<std::uint64_t> sizes;
    for (const MPI_Count count : arguments.counts)
      sizes.push_back(static_cast<std::uint64_t>(count) * type.size);
    const auto size = planned_size(Collective::reduce_scatter, sizes);
    return size ? summed_by_plan(arguments, *size) : summed_along_trees(arguments);
  }
  const Arguments reduced{.collective = Collective::reduce_scatter,
                          .receive = {arguments.receive, result.count, result.type},
                          .op = arguments.op};
  const GatheredBlocks blocks = room_for_blocks(reduced, size_);
  VectorArguments exchange{.collective = VectorCollective::alltoallw,
                           .send = arguments.send == MPI_IN_PLACE ? arguments.receive : arguments.send,
                           .receive = blocks.first};
  MPI_Aint place = 0;
  for (int i = 0; i < size_; ++i) {
    const MPI_Count count = arguments.counts[static_cast<std::size_t>(i)];
    exchange.sent.push_back({count, result.type, place});
    place += static_cast<MPI_Aint>(count * type.extent);
    exchange.received.push_back(
        {result.count, blocks.layout.used.handle,
         static_cast<MPI_Aint>(blocks.block(static_cast<std::uint64_t>(i)) - blocks.first)});
  }
  constexpr bool waits = false;
  auto pending = prepared(exchange, waits);
  pending->keep_alive(blocks.memory);
  pending->keep_alive(blocks.layout.spread);
  reduce_later(*pending, blocks, reduced);
  return pending;
}

// The plan of equal blocks, with blocks of these sizes.
PendingPointer Collectives::summed_by_plan(const VectorArguments& arguments, std::uint64_t size) {
  const PlacedBlock& result = arguments.received.front();
  const std::vector<std::uint64_t> sizes(arguments.counts.begin(), arguments.counts.end());
  const auto ends = std::make_shared<std::vector<std::uint64_t>>(rank::block_ends(sizes));
  auto program = programs_->find(Collective::reduce_scatter, 0, size, is_exact(arguments.op, result.type));
  const std::uint32_t parts = program->parts;
  const auto own = static_cast<std::uint64_t>(result.count);
  const Arguments reduced{.collective = Collective::reduce_scatter,
                          .receive = {arguments.receive, result.count, result.type},
                          .op = arguments.op};
  auto pending = reduced_by({.program = std::move(program),
                             .units = rank::Segmentation::of_unequal_blocks(*ends, parts),
                             .output_units = rank::Segmentation::of_blocks(own, parts)},
                            reduction_layout(reduced),
                            {.input = arguments.send == MPI_IN_PLACE ? arguments.receive : arguments.send,
                             .sent = ends->back(),
                             .output = arguments.receive,
                             .received = own,
                             .scatters = true});
  pending->keep_alive(ends);
  return pending;
}

Collective Collectives::assembling(Collective reducing) {
  return reducing == Collective::reduce ? Collective::gather : Collective::allgather;
}

// Slices have the same size: the last ones may have zeros behind the vector, or nothing else.
PendingPointer Collectives::by_slices(const Arguments& arguments, const SendBuffer& own,
                                      const ReduceSlices& reduce_slices) {
  Stages stages{pending_collective()};
  PendingCollective& call = *stages.call;
  const ReductionLayout layout = reduction_layout(arguments);
  const std::uint64_t count = layout.count, slice = slice_of(count), padded = slice * ranks();
  const bool is_even = padded == count, receives = has_result(arguments, rank_);
  const std::byte* input = nullptr;
  if (is_even) {
    input = reducible(call, layout, own.address, count);
  } else {
    std::byte* copy = layout.allocate(call, padded);
    call.at_start([=, from = own.address, given = layout.given, used = layout.used, lie = layout.elements(),
                   comm = comm_] {
      std::memset(copy + lie.offset, 0, lie.span(padded));
      convert(from, count, given, copy, count, used, comm);
    });
    input = copy;
  }
  std::byte* part = layout.allocate(call, slice);
  reduce_slices(stages, input, slice, part);

  std::byte* assembled = nullptr;
  if (receives && is_even) assembled = converted_later(call, layout, arguments.receive.address, count);
  if (receives && !is_even) assembled = layout.allocate(call, padded);
  const auto slice_count = static_cast<MPI_Count>(slice);
  stages.add(prepared({.collective = assembling(arguments.collective),
                       .send = {part, slice_count, layout.used.handle},
                       .receive = {assembled, slice_count, layout.used.handle},
                       .root = arguments.root}));
  if (receives && !is_even) {
    call.on_completion([=, to = arguments.receive.address, given = layout.given, used = layout.used,
                        comm = comm_] { convert(assembled, count, used, to, count, given, comm); });
  }
  call.keep_alive(layout.spread);
  return staged(std::move(stages));
}

// Operations of the user see no elements behind the vector.
PendingPointer Collectives::reduced_in_slices(const Arguments& arguments, const SendBuffer& own) {
  return by_slices(arguments, own,
                   [&, this](Stages& stages, const std::byte* input, std::uint64_t slice, std::byte* part) {
                     Arguments of_slices = arguments;
                     of_slices.receive.count = static_cast<MPI_Count>(slice);
                     const GatheredBlocks blocks = room_for_blocks(of_slices, size_);
                     const auto count = static_cast<std::uint64_t>(arguments.receive.count),
                                before = std::min(static_cast<std::uint64_t>(rank_) * slice, count),
                                elements = std::min(slice, count - before);
                     const Datatype used = blocks.layout.used;
                     stages
                         .add(prepared({.collective = Collective::alltoall,
                                        .send = {input, of_slices.receive.count, used.handle},
                                        .receive = blocks.buffer(of_slices.receive.count)}))
                         .on_completion([=, this] {
                           if (elements > 0)
                             convert(reduced_gathered(blocks, ranks(), elements), slice, used, part, slice,
                                     used, comm_);
                         });
                     stages.call->keep_alive(blocks.memory);
                     stages.call->keep_alive(blocks.layout.spread);
                   });
}

// By the program of an allreduce that gathers all vectors at every rank.
PendingPointer Collectives::gathered_allreduce(const std::shared_ptr<const rank::RankProgram>& program,
                                               const Arguments& arguments, const SendBuffer& own) {
  const GatheredBlocks blocks = room_for_blocks(arguments, size_);
  const Datatype sent = Datatype::of(own.type);
  auto pending = pending_collective();
  ExecutorArguments call{.program = program,
                         .units = rank::Segmentation::of_blocks(
                             static_cast<std::uint64_t>(own.count) * sent.size, program->parts)};
  call.output = unpacked_later(*pending, blocks.buffer(own.count), ranks(), blocks.layout.used);
  call.input = packed(*pending, own, 1, sent);
  reduce_later(*pending, blocks, arguments);
  return ready(std::move(pending), std::move(call));
}

CallSignature Collectives::reduction_signature(const Arguments& arguments) const {
  const auto& [collective, send, receive, root, op] = arguments;
  require_root(root);
  if (op == MPI_OP_NULL)
    throw Failure(MPI_ERR_OP, "MPI_OP_NULL is no operation: give MPI_SUM or another one");
  const Datatype type = Datatype::of(receive.type);
  const std::uint64_t bytes = bytes_of(receive.count, type, ranks());
  if (type.extent <= 0 && bytes > type.size) {
    throw Failure(MPI_ERR_TYPE, fmt::format("elements with an extent of {} bytes: give a datatype whose "
                                            "elements follow each other, as MPI_Type_create_resized makes it",
                                            type.extent));
  }
  const bool receives = has_result(arguments, rank_), from_receive = has_data_in_place(arguments, rank_);
  if (receives || from_receive) require_buffer(receive.address, type, bytes);
  if (!from_receive) require_buffer(send.address, type, bytes);
  if (receives) require_apart(send.address, receive.address, bytes);
  return {collective, root, bytes, op};
}

Collectives::ReductionLayout Collectives::reduction_layout(const Arguments& arguments) {
  ReductionLayout layout{.given = Datatype::of(arguments.receive.type), .op = arguments.op};
  layout.used = layout.given;
  if (layout.given.size > 0) layout.count = static_cast<std::uint64_t>(arguments.receive.count);
  if (!is_reducible_in_place(layout.given)) {
    layout.spread = std::make_shared<SpreadDatatype>(layout.given);
    layout.used = layout.spread->type();
  }
  return layout;
}

// The caller's elements, which are only read, or a copy of them in the layout they are reduced in. Those with gaps are copied: a
// program may have no memory there.
const std::byte* Collectives::reducible(PendingCollective& pending, const ReductionLayout& layout,
                                        const void* address, std::uint64_t elements) const {
  const bool is_memory = (layout.given.dense || layout.given.predefined) && address != MPI_BOTTOM;
  if (is_memory && !layout.spread && !copies_at_start(elements * layout.given.size))
    return static_cast<const std::byte*>(address);
  std::byte* copy = layout.allocate(pending, elements);
  pending.at_start([=, given = layout.given, used = layout.used, comm = comm_] {
    convert(address, elements, given, copy, elements, used, comm);
  });
  return copy;
}

// The caller's elements if nothing lies between them, else memory that is copied there at the end.
std::byte* Collectives::converted_later(PendingCollective& pending, const ReductionLayout& layout,
                                        void* address, std::uint64_t elements) const {
  if (layout.given.dense && address != MPI_BOTTOM) return static_cast<std::byte*>(address);
  std::byte* result = layout.allocate(pending, elements);
  pending.on_completion([=, given = layout.given, used = layout.used, comm = comm_] {
    convert(result, elements, used, address, elements, given, comm);
  });
  return result;
}

Collectives::GatheredBlocks Collectives::room_for_blocks(const Arguments& arguments, int blocks) const {
  GatheredBlocks result{.layout = reduction_layout(arguments), .memory = std::make_shared<Storage>(pool_)};
  const ElementLayout elements = result.layout.elements();
  result.memory->grow(elements.room(result.layout.count * static_cast<std::uint64_t>(blocks)));
  result.first = result.memory->bytes() + elements.origin();
  return result;
}

// Reduces the first `number` of the blocks, over some of them, at least the first `elements` of each. Returns the result.
// Operations of programs are given a block at a time: those of BLACS know its length, and do not look at the one they are given.
const std::byte* Collectives::reduced_gathered(const GatheredBlocks& blocks, std::uint64_t number,
                                               std::uint64_t elements) const {
  const ReductionLayout& layout = blocks.layout;
  if (must_keep_bits(layout.op, layout.given.handle)) {
    if (fold_reals(layout.op, layout.given.handle, blocks.first, number, layout.count)) return blocks.first;
    return blocks.reduce_in_order(number, elements);
  }
  return predefined_number(layout.op) > 0 ? blocks.reduce_halves(number)
                                          : blocks.reduce_in_order(number, elements);
}

// The blocks of the ranks up to this one in a scan, before it in an exscan, else all.
void Collectives::reduce_later(PendingCollective& pending, const GatheredBlocks& blocks,
                               const Arguments& arguments) const {
  if (blocks.layout.count == 0) return;
  const auto rank = static_cast<std::uint64_t>(rank_);
  const std::uint64_t reduced = arguments.collective == Collective::scan     ? rank + 1
                                : arguments.collective == Collective::exscan ? rank
                                                                             : ranks();
  pending.on_completion([this, blocks, reduced, receive = arguments.receive.address] {
    const ReductionLayout& layout = blocks.layout;
    convert(reduced_gathered(blocks, reduced, layout.count), layout.count, layout.used, receive, layout.count,
            layout.given, comm_);
  });
}

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives that combine: reduce, reduce-scatter, allreduce.
//
// An operation that does not commute is applied in the order of ranks, x_0 op (x_1 op (... op x_(N-1))), to
// the blocks of all ranks, which a collective that copies has gathered.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "isotrope/mpi/collectives.hpp"

namespace isotrope::mpi {

using schedule::Collective;

// Elements as they are combined: with gaps between them or not, but none reaching into another.
struct Collectives::Layout {
  Datatype asked = {};  // as the caller has it
  Datatype used = {};
  std::shared_ptr<const SpreadDatatype> spread = nullptr;  // where they differ
  std::uint64_t count = 0;                                 // elements of the call's block or vector
  MPI_Op op = MPI_OP_NULL;

  ElementForm form() const {
    return {.type = used.handle,
            .size = std::max<std::uint64_t>(used.size, 1),
            .stride = static_cast<std::uint64_t>(used.extent),
            .offset = used.true_lower,
            .width = used.true_extent};
  }
  // Memory for elements, such that element i is at the result + i stride.
  std::byte* storage(Operation& operation, std::uint64_t elements) const {
    return operation.storage(form().room(elements)) + form().origin();
  }
  // right = left op right, of `elements` elements each.
  void reduce(const std::byte* left, std::byte* right, std::uint64_t elements) const {
    const std::uint64_t most = spread ? 1 : std::uint64_t{1} << 30;
    for (std::uint64_t done = 0; done < elements;) {
      const std::uint64_t now = std::min(most, elements - done);
      const std::int64_t at = static_cast<std::int64_t>(done) * used.extent;
      require_success(MPI_Reduce_local(left + at, right + at, static_cast<int>(now), asked.handle, op),
                      "combining");
      done += now;
    }
  }
};

// The blocks of all ranks, in memory of their own.
struct Collectives::Blocks {
  Layout layout = {};
  std::shared_ptr<Storage> memory = nullptr;
  std::byte* first = nullptr;

  ReceivedBlocks received(const Elements& elements) const {
    return {first, elements.count, layout.used.handle};
  }

  std::byte* block(std::uint64_t i) const {
    return first + static_cast<std::int64_t>(i * layout.count) * layout.used.extent;
  }
  // The last block takes up the others, the nearest first. The result.
  const std::byte* fold_in_order(std::uint64_t blocks) const {
    for (std::uint64_t i = blocks - 1; i-- > 0;) layout.reduce(block(i), block(blocks - 1), layout.count);
    return block(blocks - 1);
  }
  // The first half takes up the second, as often as it takes: fewer calls for the same work.
  const std::byte* fold_halves(std::uint64_t blocks) const {
    for (; blocks > 1; blocks -= blocks / 2) {
      const std::uint64_t half = blocks / 2;
      layout.reduce(block(blocks - half), first, half * layout.count);
    }
    return first;
  }
};

namespace {

bool in_place(const void* address) {
  return address == MPI_IN_PLACE;
}

bool commutes(MPI_Op op) {
  int commutes = 1;
  require_success(MPI_Op_commutative(op, &commutes), "asking whether an operation commutes");
  return commutes != 0;
}

// Neither reaching into each other nor so far apart that most of what is copied would be gaps.
bool combined_as_it_is(const Datatype& type) {
  constexpr std::int64_t most = 4;
  return !type.interleaved() && type.extent / most <= static_cast<std::int64_t>(type.true_extent);
}

// From one array of elements to another.
void convert(const void* from, const Datatype& from_type, void* to, const Datatype& to_type,
             std::uint64_t elements, MPI_Comm comm) {
  if (from_type.dense && to_type.dense && to != MPI_BOTTOM) {
    std::memcpy(to, from, elements * from_type.size);
    return;
  }
  const Storage bytes(elements * from_type.size);
  pack(from, elements, from_type, bytes.bytes(), comm);
  unpack(bytes.bytes(), to, elements, to_type, comm);
}

}  // namespace

std::unique_ptr<Operation> Collectives::reduce(const void* send, void* receive, const Elements& elements,
                                               int root) {
  const bool at_root = rank_ == root;
  const void* own = at_root && in_place(send) ? receive : send;
  const Arguments arguments = agreed([&] {
    return combining_arguments({Collective::reduce, root}, send, receive, elements, at_root);
  });
  if (!commutes(elements.op)) {
    const Blocks blocks = room_for_blocks(elements, at_root ? size_ : 0);
    auto operation = gather({own, elements.count, elements.type}, blocks.received(elements), root);
    if (at_root) fold_later(*operation, blocks, receive);
    return operation;
  }
  auto operation = std::make_unique<Operation>();
  const Layout form = layout(elements);
  Call call = combining_call(arguments, form);
  call.input = combined(*operation, form, own, form.count);
  if (at_root) call.output = converted_later(*operation, form, receive, form.count);
  operation->keep(form.spread);
  launch(*operation, std::move(call));
  return operation;
}

std::unique_ptr<Operation> Collectives::reduce_scatter(const void* send, void* receive,
                                                       const Elements& elements) {
  const void* own = in_place(send) ? receive : send;
  const Arguments arguments = agreed(
      [&] { return combining_arguments({Collective::reduce_scatter}, send, receive, elements, true); });
  if (!commutes(elements.op)) {
    const Blocks blocks = room_for_blocks(elements, size_);
    auto operation = alltoall({own, elements.count, elements.type}, blocks.received(elements));
    fold_later(*operation, blocks, receive);
    return operation;
  }
  auto operation = std::make_unique<Operation>();
  const Layout form = layout(elements);
  Call call = combining_call(arguments, form);
  const std::uint64_t all = form.count * blocks();
  call.input = combined(*operation, form, own, all);
  call.output = converted_later(*operation, form, receive, form.count);
  // The result would come to lie where the first block still is.
  if (in_place(send) && call.input == call.output) {
    std::byte* copy = form.storage(*operation, all);
    const ElementForm& lie = call.form;
    if (all > 0) std::memcpy(copy + lie.offset, call.input + lie.offset, lie.span(all));
    call.input = copy;
  }
  operation->keep(form.spread);
  launch(*operation, std::move(call));
  return operation;
}

std::unique_ptr<Operation> Collectives::allreduce(const void* send, void* receive, const Elements& elements) {
  const void* own = in_place(send) ? receive : send;
  const Arguments arguments =
      agreed([&] { return combining_arguments({Collective::allreduce}, send, receive, elements, true); });
  if (!commutes(elements.op) || !programs_.find(Collective::allreduce, 0, arguments.bytes)) {
    const Blocks blocks = room_for_blocks(elements, size_);
    auto operation = allgather({own, elements.count, elements.type}, blocks.received(elements));
    fold_later(*operation, blocks, receive);
    return operation;
  }
  auto operation = std::make_unique<Operation>();
  const Layout form = layout(elements);
  Call call = combining_call(arguments, form);
  call.input = combined(*operation, form, own, form.count);
  call.output = converted_later(*operation, form, receive, form.count);
  operation->keep(form.spread);
  launch(*operation, std::move(call));
  return operation;
}

Arguments Collectives::combining_arguments(Arguments arguments, const void* send, const void* receive,
                                           const Elements& elements, bool receives) const {
  require_root(arguments.root);
  if (elements.op == MPI_OP_NULL) throw Failure(MPI_ERR_OP, "MPI_OP_NULL is no operation");
  const Datatype type = Datatype::of(elements.type);
  arguments.op = elements.op;
  arguments.bytes = bytes_of(elements.count, type, blocks());
  if (type.extent <= 0 && arguments.bytes > type.size) {
    throw Failure(MPI_ERR_TYPE, fmt::format("elements with an extent of {} bytes: give a datatype whose "
                                            "elements follow each other, as MPI_Type_create_resized makes it",
                                            type.extent));
  }
  if (receives) require_buffer(receive, type, arguments.bytes);
  if (!receives || !in_place(send)) require_buffer(send, type, arguments.bytes);
  if (receives && send == receive && arguments.bytes > 0 && send != MPI_BOTTOM)
    throw Failure(MPI_ERR_BUFFER, "the same buffer is sent from and received into: give MPI_IN_PLACE");
  return arguments;
}

Collectives::Layout Collectives::layout(const Elements& elements) {
  Layout layout{.asked = Datatype::of(elements.type), .op = elements.op};
  layout.used = layout.asked;
  if (layout.asked.size > 0) layout.count = static_cast<std::uint64_t>(elements.count);
  if (!combined_as_it_is(layout.asked)) {
    layout.spread = std::make_shared<SpreadDatatype>(layout.asked);
    layout.used = layout.spread->type();
  }
  return layout;
}

// The caller's elements, which are only read, where they lie as they should.
const std::byte* Collectives::combined(Operation& operation, const Layout& layout, const void* address,
                                       std::uint64_t elements) const {
  if (!layout.spread && address != MPI_BOTTOM) return static_cast<const std::byte*>(address);
  std::byte* apart = layout.storage(operation, elements);
  convert(address, layout.asked, apart, layout.used, elements, comm_);
  return apart;
}

// The caller's elements, where nothing lies between them; else memory that is brought there in the end.
std::byte* Collectives::converted_later(Operation& operation, const Layout& layout, void* address,
                                        std::uint64_t elements) const {
  if (layout.asked.dense && address != MPI_BOTTOM) return static_cast<std::byte*>(address);
  std::byte* result = layout.storage(operation, elements);
  operation.finally([=, asked = layout.asked, used = layout.used, comm = comm_] {
    convert(result, used, address, asked, elements, comm);
  });
  return result;
}

Call Collectives::combining_call(const Arguments& arguments, const Layout& layout) {
  auto program =
      programs_.find(arguments.collective, static_cast<network::Node>(arguments.root), arguments.bytes);
  const rank::Units units = program->one_vector
                                ? rank::Units::of_vector(layout.count, program->input_blocks, program->parts)
                                : rank::Units::of_blocks(layout.count, program->parts);
  return {.program = std::move(program),
          .units = units,
          .form = layout.form(),
          .combination = {layout.op, layout.asked.handle, layout.spread != nullptr}};
}

Collectives::Blocks Collectives::room_for_blocks(const Elements& elements, int blocks) {
  Blocks result{.layout = layout(elements), .memory = std::make_shared<Storage>()};
  const ElementForm form = result.layout.form();
  result.memory->grow(form.room(result.layout.count * static_cast<std::uint64_t>(blocks)));
  result.first = result.memory->bytes() + form.origin();
  return result;
}

void Collectives::fold_later(Operation& operation, const Blocks& blocks, void* receive) const {
  if (blocks.layout.count == 0) return;
  operation.finally([this, blocks, receive] {
    const Layout& layout = blocks.layout;
    const std::byte* result = commutes(layout.op) ? blocks.fold_halves(static_cast<std::uint64_t>(size_))
                                                  : blocks.fold_in_order(static_cast<std::uint64_t>(size_));
    convert(result, layout.used, receive, layout.asked, layout.count, comm_);
  });
}

}  // namespace isotrope::mpi

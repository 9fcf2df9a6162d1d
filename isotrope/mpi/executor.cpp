// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/executor.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace isotrope::mpi {

using rank::Buffer;
using rank::BufferCopy;

std::unique_ptr<Execution> make_executor(ExecutorArguments arguments, const Channel& channel, int tag) {
  if (arguments.program->window > 1) return make_pipelined_executor(std::move(arguments), channel, tag);
  if (arguments.in_chains) return make_chained_executor(std::move(arguments), channel, tag);
  return make_round_executor(std::move(arguments), channel, tag);
}

Executor::Executor(ExecutorArguments arguments, const Channel& channel, int tag)
    : arguments_(std::move(arguments)), channel_(channel), tag_(tag), transit_(arguments_.pool) {}

// ---- messages

void Executor::receive(std::byte* to, std::uint64_t elements, rank::Node from,
                       std::vector<MPI_Request>& requests) {
  post(elements, requests, [&](std::uint64_t first, int count, MPI_Request* request) {
    return MPI_Irecv(at(to, first), count, arguments_.layout.type, channel_.rank_of(from), tag_,
                     channel_.comm(), request);
  });
}

void Executor::send(const std::byte* from, std::uint64_t elements, rank::Node to,
                    std::vector<MPI_Request>& requests) {
  post(elements, requests, [&](std::uint64_t first, int count, MPI_Request* request) {
    return MPI_Isend(at(from, first), count, arguments_.layout.type, channel_.rank_of(to), tag_,
                     channel_.comm(), request);
  });
}

// A message without elements is posted only if the message itself is the signal.
template <class Post>
void Executor::post(std::uint64_t count, std::vector<MPI_Request>& requests, const Post& post) {
  const std::uint64_t most = std::max<std::uint64_t>(arguments_.largest_message / arguments_.layout.size, 1);
  std::uint64_t done = 0;
  while (done < count || (count == 0 && arguments_.empty_messages && done == 0)) {
    const std::uint64_t now = std::min(most, count - done);
    note(post(done, static_cast<int>(now), &requests.emplace_back(MPI_REQUEST_NULL)));
    if (count == 0) return;
    done += now;
  }
}

// ---- elements

void Executor::apply(const std::vector<BufferCopy>& transfers) const {
  for (const BufferCopy& transfer : transfers) {
    const std::byte* from = source(transfer.from);
    std::byte* to = target(transfer.to);
    if (from == nullptr || to == nullptr) continue;
    from = at(from, units_of(transfer.from).begin(transfer.first_from));
    to = at(to, units_of(transfer.to).begin(transfer.first_to));
    if (from != to) copy(from, to, arguments_.units.elements(transfer.first_from, transfer.count));
  }
}

void Executor::copy(const std::byte* from, std::byte* to, std::uint64_t elements) const {
  const ElementLayout& layout = arguments_.layout;
  if (elements > 0) std::memcpy(to + layout.offset, from + layout.offset, layout.span(elements));
}

// A join needs both operands.
bool Executor::arrives_in_place(const rank::Fragment& fragment) const {
  if (fragment.arrival == rank::OnArrival::store) return true;
  return fragment.arrival == rank::OnArrival::join && target(fragment) != own_input(fragment);
}

void Executor::take(const rank::Fragment& fragment, std::uint64_t first, std::uint64_t count,
                    const std::byte* from) {
  std::byte* const to = at(target(fragment), first);
  const bool joins = fragment.arrival == rank::OnArrival::join;
  const std::byte* const own = joins ? at(own_input(fragment), first) : nullptr;
  if (fragment.arrival == rank::OnArrival::combine || (joins && to == own)) return reduce(from, to, count);
  if (from != to) copy(from, to, count);
  if (joins) reduce(own, to, count);
}

template <class Use>
void Executor::for_stretch(const rank::RankMessage& message, std::uint64_t first, std::uint64_t count,
                           const Use& use) const {
  std::uint64_t begin = 0;  // of the fragment
  for (const rank::Fragment& fragment : program().fragments(message)) {
    if (begin >= first + count) return;
    const std::uint64_t end = begin + elements(fragment);
    const std::uint64_t from = std::max(begin, first), to = std::min(end, first + count);
    if (from < to) use(fragment, from - begin, to - from, from - first);
    begin = end;
  }
}

void Executor::pack(const rank::RankMessage& message, std::uint64_t first, std::uint64_t count,
                    std::byte* to) const {
  for_stretch(message, first, count,
              [&](const rank::Fragment& fragment, auto begin, auto number, auto position) {
                copy(at(source(fragment), begin), at(to, position), number);
              });
}

void Executor::unpack(const rank::RankMessage& message, std::uint64_t first, std::uint64_t count,
                      const std::byte* from) {
  for_stretch(message, first, count,
              [&](const rank::Fragment& fragment, auto begin, auto number, auto position) {
                take(fragment, begin, number, at(from, position));
              });
}

const std::byte* Executor::source(Buffer buffer) const {
  return buffer == Buffer::input ? arguments_.input : target(buffer);
}

std::byte* Executor::target(Buffer buffer) const {
  return buffer == Buffer::output ? arguments_.output : transit_.bytes() + arguments_.layout.origin();
}

std::uint64_t Executor::first_element(rank::Place place) const {
  if (place.buffer == Buffer::slots) return place.index * arguments_.units.largest();
  return units_of(place.buffer).begin(place.index);
}

void Executor::move_locally(std::size_t round) {
  for (const rank::LocalMove& move : program().local_moves(round)) {
    const std::byte* from = at(source(move.from.buffer), first_element(move.from));
    std::byte* to = at(target(move.to.buffer), first_element(move.to));
    const std::uint64_t count = arguments_.units.elements(move.part, 1);
    if (move.arrival == rank::OnArrival::combine) {
      reduce(from, to, count);
    } else if (from != to) {
      copy(from, to, count);
    }
  }
}

void Executor::reserve_transit() {
  const rank::Segmentation& units = arguments_.units;
  const std::uint64_t elements = program().partial_results ? units.of_whole_blocks(program().input_blocks)
                                                           : program().slots * units.largest();
  transit_.grow(arguments_.layout.room(elements));
}

}  // namespace isotrope::mpi

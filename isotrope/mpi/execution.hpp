// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes the program of this rank on its buffers, round by round, without waiting where nothing has come.
//
//     round t    receipts are posted on all ports, then sends on all ports; when all of them are over, what
//                has come is stored or combined in order of ports, and round t + 1 begins
//
// No barrier: a rank begins a round when its own messages of the round before are over. A message of one
// piece goes straight from its place and to its place; others are put together in a buffer (`wire`), which
// holds the messages of one round.
//
// Messages longer than the call allows are cut; both ends cut alike. Messages of one call carry one tag, and MPI
// keeps them in order between two ranks. Where an MPI function fails, the program goes on, so that no partner
// waits for ever, and the first error is kept.
//
// Cost: a message an MPI call, and a copy of what does not travel in one piece. Memory: the transit buffer of
// the program, and the wire of its largest round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <vector>

#include "isotrope/rank/program.hpp"
#include "isotrope/rank/units.hpp"

#include "isotrope/mpi/storage.hpp"

namespace isotrope::mpi {

/// How the elements lie that units are cut into: element i has the bytes from i stride + offset on, `width`
/// of them, stride >= width.
struct ElementForm {
  MPI_Datatype type = MPI_BYTE;  ///< of one element
  std::uint64_t size = 1;        ///< bytes of data in it
  std::uint64_t stride = 1;
  std::int64_t offset = 0;
  std::uint64_t width = 1;

  /// Bytes before the data of the first element in memory of our own.
  std::int64_t lead() const {
    constexpr std::int64_t alignment = alignof(std::max_align_t);
    return (offset % alignment + alignment) % alignment;
  }
  /// Where the first element begins in it: aligned as that is, for operations of users.
  std::int64_t origin() const { return lead() - offset; }
  /// Bytes of memory for `count` elements of which the first is at origin().
  std::uint64_t room(std::uint64_t count) const {
    return count == 0 ? 0 : static_cast<std::uint64_t>(lead()) + span(count);
  }
  /// Bytes from the first byte of the first to the last of the last of `count` elements.
  std::uint64_t span(std::uint64_t count) const { return count == 0 ? 0 : (count - 1) * stride + width; }
};

/// An operation on elements, MPI_OP_NULL where nothing is combined.
struct Combination {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_BYTE;  ///< for the operation
  bool one_by_one = false;       ///< elements lie farther apart than the type says
};

/// A call of a collective. Buffers stay the caller's and must outlive the execution.
struct Call {
  std::shared_ptr<const rank::Program> program;
  rank::Units units;
  ElementForm form = {};
  Combination combination = {};
  const std::byte* input = nullptr;  ///< null: the blocks that it would give to this rank are there already
  std::byte* output = nullptr;       ///< null: so for what this rank would give to itself
  bool empty_messages = false;       ///< units without elements are sent all the same, as a signal
  std::uint64_t largest_message = std::uint64_t{1} << 30;  ///< bytes that are handed to MPI at once
  std::vector<double>* clock = nullptr;  ///< given: MPI_Wtime() at the end of every round is added to it
};

class Execution {
 public:
  /// Nothing is sent yet. @param comm its error handler returns; `tag` is the call's own.
  Execution(Call call, MPI_Comm comm, int tag);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  /// @pre it is over, or was never started.
  ~Execution() = default;

  /// Begins the first round.
  void start();
  /// Goes on as far as possible without waiting. Returns whether all rounds are over.
  bool test();
  /// Goes on to the end.
  void wait();

  /// The code of the first MPI error, MPI_SUCCESS where there was none.
  int error() const { return error_; }

 private:
  void apply(const std::vector<rank::Transfer>& transfers);
  void begin_round();
  void end_round();
  void post_receipt(const rank::Message& message);
  void post_send(const rank::Message& message);
  void take_receipt(const rank::Message& message);
  void take(const rank::Piece& piece, const std::byte* from);
  void copy(const std::byte* from, std::byte* to, std::uint64_t elements) const;
  void combine(const std::byte* from, std::byte* into, std::uint64_t elements);

  bool travels_alone(const rank::Message& message, bool received) const;
  std::uint64_t elements(const rank::Message& message) const;
  std::uint64_t elements(const rank::Piece& piece) const {
    return call_.units.elements(piece.unit, piece.count);
  }
  std::byte* at(std::byte* base, std::uint64_t element) const { return base + element * call_.form.stride; }
  std::byte* base(rank::Buffer buffer) const;
  std::byte* place(const rank::Piece& piece) const;
  std::byte* own(const rank::Piece& piece) const;
  std::byte* take_wire(std::uint64_t elements);
  void reserve_wire();

  template <class Post>
  void post(std::byte* elements, std::uint64_t count, const Post& post);
  void note(int code) {
    if (error_ == MPI_SUCCESS) error_ = code;
  }

  Call call_;
  MPI_Comm comm_;
  int tag_;
  Storage transit_;
  Storage wire_;
  std::uint64_t wire_used_ = 0;  // elements of the wire given to messages
  std::size_t round_ = 0;
  std::vector<MPI_Request> requests_;  // of the round
  int error_ = MPI_SUCCESS;
};

}  // namespace isotrope::mpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The program of this rank on its buffers, under way: what is asked for, and what the two ways to execute it
// have in common.
//
//     lock_step.hpp     any program, round by round
//     run_ahead.hpp     programs that say so: a packet is sent on when it is here, whatever its round
//
// Neither waits where nothing has come. Messages longer than the call allows are cut; both ends cut alike.
// Messages of one call carry one tag, and MPI keeps them in order between two ranks. Where an MPI function
// fails, the program goes on, so that no partner waits for ever, and the first error is kept.
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
  /// Given: in lock step MPI_Wtime() at the end of every round is added to it.
  std::vector<double>* clock = nullptr;
};

class Execution {
 public:
  /// As the program says. @param comm its error handler returns; `tag` is the call's own.
  static std::unique_ptr<Execution> of(Call call, MPI_Comm comm, int tag);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  /// @pre it is over, or was never started.
  virtual ~Execution() = default;

  /// Sends what can be sent. @pre nothing has been sent yet.
  virtual void start() = 0;
  /// Goes on as far as possible without waiting. Returns whether it is over.
  virtual bool test() = 0;
  /// Goes on to the end.
  virtual void wait() = 0;

  /// The code of the first MPI error, MPI_SUCCESS where there was none.
  int error() const { return error_; }

 protected:
  Execution(Call call, MPI_Comm comm, int tag);

  const Call& call() const { return call_; }
  const rank::Program& program() const { return *call_.program; }
  void note(int code) {
    if (error_ == MPI_SUCCESS) error_ = code;
  }

  /// Posts the message, whose elements follow each other; adds its requests.
  void receive(std::byte* to, std::uint64_t elements, rank::Node from, std::vector<MPI_Request>& requests);
  void send(const std::byte* from, std::uint64_t elements, rank::Node to, std::vector<MPI_Request>& requests);

  void apply(const std::vector<rank::Transfer>& transfers) const;
  void copy(const std::byte* from, std::byte* to, std::uint64_t elements) const;
  std::uint64_t elements(const rank::Piece& piece) const {
    return call_.units.elements(piece.unit, piece.count);
  }
  std::byte* at(std::byte* base, std::uint64_t element) const { return base + element * call_.form.stride; }
  /// Such that element i is at the result + i stride.
  std::byte* base(rank::Buffer buffer) const;
  std::byte* place(const rank::Piece& piece) const;
  /// Room for what is passed on.
  void reserve_transit();

 private:
  template <class Post>
  void post(std::uint64_t count, std::vector<MPI_Request>& requests, const Post& post);

  Call call_;
  MPI_Comm comm_;
  int tag_;
  Storage transit_;
  int error_ = MPI_SUCCESS;
};

}  // namespace isotrope::mpi

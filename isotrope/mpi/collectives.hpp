// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The collectives of one communicator, begun: arguments checked, buffers brought into the form that programs
// work on, and the first round on its way.
//
// What is copied (copying.cpp) is counted in bytes: a block is what MPI_Pack makes of it, and dense data are
// that already. What is combined (combining.cpp) is counted in elements, which keep their layout, for
// operations know no other; elements with gaps are combined in memory of their own, so that nothing is
// written between those of the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>

#include "isotrope/mpi/agreement.hpp"
#include "isotrope/mpi/datatype.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/operation.hpp"
#include "isotrope/mpi/programs.hpp"
#include "isotrope/mpi/progress.hpp"

namespace isotrope::mpi {

/// A buffer of a call: blocks of `count` elements each.
template <class Address>
struct BlocksAt {
  Address address;
  MPI_Count count;
  MPI_Datatype type;

  /// Elements of `blocks` blocks. @pre the count is not negative.
  std::uint64_t elements(std::uint64_t blocks) const { return static_cast<std::uint64_t>(count) * blocks; }
};
using SentBlocks = BlocksAt<const void*>;
using ReceivedBlocks = BlocksAt<void*>;

/// Elements to combine.
struct Elements {
  MPI_Count count;
  MPI_Datatype type;
  MPI_Op op;
};

class Collectives {
 public:
  /// Duplicates `comm`. @param check compare the arguments of all ranks first.
  Collectives(MPI_Comm comm, Programs programs, bool check);
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;
  ~Collectives();

  int rank() const { return rank_; }
  int size() const { return size_; }
  const network::Network& network() const { return programs_.network(); }

  // Each begins the collective of that name. @throws Failure

  std::unique_ptr<Operation> broadcast(void* buffer, MPI_Count count, MPI_Datatype type, int root);
  std::unique_ptr<Operation> scatter(const SentBlocks& send, const ReceivedBlocks& receive, int root);
  std::unique_ptr<Operation> gather(const SentBlocks& send, const ReceivedBlocks& receive, int root);
  std::unique_ptr<Operation> allgather(const SentBlocks& send, const ReceivedBlocks& receive);
  std::unique_ptr<Operation> alltoall(const SentBlocks& send, const ReceivedBlocks& receive);
  std::unique_ptr<Operation> reduce(const void* send, void* receive, const Elements& elements, int root);
  std::unique_ptr<Operation> reduce_scatter(const void* send, void* receive, const Elements& elements);
  std::unique_ptr<Operation> allreduce(const void* send, void* receive, const Elements& elements);
  std::unique_ptr<Operation> barrier();

 private:
  // Elements in the layout in which they are combined.
  struct Layout;
  // Those of several ranks, one after the other.
  struct Blocks;

  // What `validate` returns, where all ranks agree on it.
  template <class Validate>
  Arguments agreed(const Validate& validate) {
    if (!check_) return validate();
    std::optional<Failure> failure;
    Arguments arguments;
    try {
      arguments = validate();
    } catch (const Failure& found) {
      failure = found;
    }
    require_agreement(arguments, !failure, comm_, progress_);
    if (failure) throw Failure(*failure);
    return arguments;
  }
  void require_root(int root) const;
  // That data of that type can lie there.
  static void require_buffer(const void* address, const Datatype& type, std::uint64_t bytes);
  // Bytes of `count` elements, of which `blocks` times as many fit into memory.
  std::uint64_t bytes_of(MPI_Count count, const Datatype& type, std::uint64_t blocks) const;
  std::uint64_t blocks() const { return static_cast<std::uint64_t>(size_); }

  // Copying: buffers as bytes.
  struct Types {
    Arguments arguments;
    Datatype one;  // of the buffer with one block, or of what is sent
    Datatype all;  // of the buffer with a block for each rank, or of what is received
  };
  Types rooted_types(schedule::Collective collective, const SentBlocks& one, const SentBlocks& all, int root);
  Types mutual_types(schedule::Collective collective, const SentBlocks& send, const ReceivedBlocks& receive,
                     std::uint64_t sent);
  const std::byte* packed(Operation& operation, const void* address, std::uint64_t elements,
                          const Datatype& type) const;
  std::byte* unpacked_later(Operation& operation, void* address, std::uint64_t elements,
                            const Datatype& type) const;
  void pack_own_block(const Call& call, const ReceivedBlocks& receive, const Datatype& type) const;
  Call copying_call(const Arguments& arguments);

  // Combining: buffers as elements.
  Arguments combining_arguments(Arguments arguments, const void* send, const void* receive,
                                const Elements& elements, bool receives) const;
  static Layout layout(const Elements& elements);
  const std::byte* combined(Operation& operation, const Layout& layout, const void* address,
                            std::uint64_t elements) const;
  std::byte* converted_later(Operation& operation, const Layout& layout, void* address,
                             std::uint64_t elements) const;
  Call combining_call(const Arguments& arguments, const Layout& layout);
  static Blocks room_for_blocks(const Elements& elements, int blocks);
  void fold_later(Operation& operation, const Blocks& blocks, void* receive) const;

  void launch(Operation& operation, Call call);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  Programs programs_;
  bool check_;
  int last_tag_ = 0;
  Progress progress_;
};

}  // namespace isotrope::mpi

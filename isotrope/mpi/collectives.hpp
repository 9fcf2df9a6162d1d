// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts the collectives of one communicator: checks the arguments, converts the buffers into the form that
// programs work on, and posts the messages of the first round.
//
// Collectives that copy (copying.cpp) count in bytes: a block is the result of MPI_Pack, and dense data are
// used without a copy. Collectives that reduce (reducing.cpp) count in elements, which keep their layout,
// because operations know no other; elements with gaps are reduced in memory of the runtime, so that nothing
// is written between the caller's elements. Reproducible reductions (reproducible.cpp) are several collectives, one after the
// other. Neighbourhood collectives (neighbouring.cpp) send from and receive into the caller's memory, or pack small blocks and
// combine their messages. Collectives with blocks of unequal sizes (vectoring.cpp) send every block to its destination, or
// forward units of blocks from neighbour to neighbour.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <optional>
#include <utility>
#include <vector>

#include "isotrope/mpi/arguments.hpp"
#include "isotrope/mpi/datatype.hpp"
#include "isotrope/mpi/exchange_history.hpp"
#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/listed_arguments.hpp"
#include "isotrope/mpi/message_combining.hpp"
#include "isotrope/mpi/neighbours.hpp"
#include "isotrope/mpi/pending_collective.hpp"
#include "isotrope/mpi/program_cache.hpp"
#include "isotrope/mpi/progress_engine.hpp"
#include "isotrope/mpi/real_types.hpp"
#include "isotrope/mpi/route_balancing.hpp"
#include "isotrope/mpi/staged_execution.hpp"

namespace isotrope::forward {
class Forwarder;
}

namespace isotrope::mpi {

/// The properties of a call that all ranks must agree on.
struct CallSignature {
  schedule::Collective collective = schedule::Collective::barrier;
  int root = 0;
  std::uint64_t bytes = 0;  ///< data in a block
  MPI_Op op = MPI_OP_NULL;
  std::optional<NeighbourCollective> neighbour = {};  ///< of which the rest says nothing
  std::optional<VectorCollective> vector = {};        ///< whose blocks have no common size
};

/// Compares the signatures of all ranks (argument_check.cpp); all ranks must call it. Open collectives of
/// `progress` advance meanwhile.
/// @param valid whether this rank found its own arguments valid
/// @throws Failure on every rank with valid arguments if signatures differ or another rank has invalid
/// arguments. A rank with invalid arguments returns normally: it already has an error to report.
void require_agreement(const CallSignature& signature, bool valid, MPI_Comm comm, ProgressEngine& progress);

using PendingPointer = std::unique_ptr<PendingCollective>;

class Collectives {
 public:
  /// All ranks must call this; on a graph they gather its edges.
  /// @param comm its ranks are served. @param check compare the arguments of all ranks before every collective, on
  /// `comm` unless the channel has a communicator of its own
  /// @param progress of the open collectives; nullptr: one of its own. Must outlive this object
  Collectives(MPI_Comm comm, Channel channel, std::shared_ptr<ProgramCache> programs, bool check,
              ProgressEngine* progress);
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  const network::Network& network() const { return programs_->network(); }
  const network::Failures& lacks() const { return programs_->lacks(); }
  const network::RankMap& rank_map() const { return programs_->ranks(); }

  /// Starts a collective. @param waits whether the caller waits for its end before the next call, as all ranks then do.
  /// @throws Failure for invalid arguments and errors of MPI
  PendingPointer start(const Arguments& arguments, bool waits);
  /// Starts a neighbourhood collective. @throws Failure as above
  PendingPointer start(const NeighbourArguments& arguments, bool waits);
  /// Starts a collective with blocks of unequal sizes, as above.
  PendingPointer start(const VectorArguments& arguments, bool waits);
  /// A collective that may be started again and again, with a tag of its own: the messages of one start follow those of
  /// the start before. All ranks must call this in the same order. @throws Failure for invalid arguments, or if too
  /// many exist
  PendingPointer prepare(const Arguments& arguments);
  PendingPointer prepare(const VectorArguments& arguments);
  /// The neighbours by the topology of the communicator; nullptr if it has none.
  const Neighbours* neighbours() const { return neighbours_ ? &*neighbours_ : nullptr; }
  /// Whether a neighbourhood collective would combine messages; the same on all ranks. @pre the arguments are valid
  bool combines(const NeighbourArguments& arguments);
  /// Whether several edges join the same two ranks; false where no message is ever combined.
  bool has_multiple_edges() const { return combining_ && combining_->neighbourhood().has_multiple_edges(); }
  /// Counts a call that this rank leaves to MPI, so that its tag is not taken for the next call.
  void skip_call(schedule::Collective collective) { channel_.take_tag(collective); }
  /// From now on a send buffer may be the receive buffer too.
  void accept_same_buffers() { accepts_same_buffers_ = true; }
  /// The next calls run these programs. @pre they are for the same network, ranks and rank
  void use(std::shared_ptr<ProgramCache> programs) { programs_ = std::move(programs); }
  /// From now on reductions give bits that do not depend on network, algorithm and size (docs/reproducible.md).
  void reduce_reproducibly();

 private:
  // The layout of the elements that are reduced.
  struct ReductionLayout;
  // The caller's buffers of a reduction.
  struct ReductionBuffers;
  // The blocks of all ranks, gathered to be reduced.
  struct GatheredBlocks;
  // The blocks of a call with unequal sizes, by rank.
  struct VectorBlocks;

  // A call of several collectives, one after the other.
  struct Stages {
    PendingPointer call;
    std::vector<Stage> all = {};

    PendingCollective& add(PendingPointer stage, std::function<bool()> runs = {}) {
      all.push_back({std::move(stage), std::move(runs)});
      return *all.back().collective;
    }
  };

  PendingPointer started(PendingPointer pending, schedule::Collective collective);
  PendingPointer prepared(const Arguments& arguments);
  PendingPointer prepared(NeighbourArguments arguments);
  PendingPointer prepared(const VectorArguments& arguments, bool waits);
  template <class... Given>
  PendingPointer prepared_again(const Given&... given);
  PendingPointer broadcast(const Arguments& arguments);
  PendingPointer rooted(const Arguments& arguments);
  PendingPointer mutual(const Arguments& arguments);
  PendingPointer barrier();
  PendingPointer reduction(const Arguments& arguments);
  PendingPointer reduced_by(ExecutorArguments call, const ReductionLayout& layout,
                            const ReductionBuffers& buffers);
  PendingPointer gathered_reduction(const Arguments& arguments, const SendBuffer& own);
  PendingPointer gathered_allreduce(const std::shared_ptr<const rank::RankProgram>& program,
                                    const Arguments& arguments, const SendBuffer& own);

  // Returns the signature that `validate` returns. With argument checking, all ranks must agree on it.
  template <class Validate>
  CallSignature agreed(const Validate& validate) {
    if (!check_) return validate();
    std::optional<Failure> failure;
    CallSignature signature;
    try {
      signature = validate();
    } catch (const Failure& found) {
      failure = found;
    }
    require_agreement(signature, !failure, agreement_comm_, progress_);
    if (failure) throw Failure(*failure);
    return signature;
  }
  void require_root(int root) const;
  // Throws if `address` cannot hold `bytes` bytes of data of that type.
  static void require_buffer(const void* address, const Datatype& type, std::uint64_t bytes);
  // Throws if what is sent does not fill what is received into.
  static void require_same_bytes(std::uint64_t sent, std::uint64_t received);
  // The data of `count` elements, in bytes. Throws if `blocks` times as many exceed the address space.
  std::uint64_t bytes_of(MPI_Count count, const Datatype& type, std::uint64_t blocks) const;
  std::uint64_t ranks() const { return static_cast<std::uint64_t>(size_); }
  network::Node node_of(std::size_t rank) const {
    return programs_->ranks().node_of(static_cast<network::Rank>(rank));
  }

  // Copying.
  // Whether so many bytes that a call sends are copied when it starts, though they could be sent from where they are.
  bool copies_at_start(std::uint64_t bytes) const;
  const std::byte* packed(PendingCollective& pending, const SendBuffer& send, std::uint64_t blocks,
                          const Datatype& type) const;
  const std::byte* sent_blocks(PendingCollective& pending, const SendBuffer& send, const Datatype& type,
                               std::uint64_t blocks, std::uint64_t sent_bytes, std::uint64_t bytes) const;
  std::byte* unpacked_later(PendingCollective& pending, const ReceiveBuffer& receive, std::uint64_t blocks,
                            const Datatype& type) const;
  void pack_own_block(PendingCollective& pending, const ReceiveBuffer& receive, const Datatype& type,
                      std::byte* output) const;
  void pack_at_start(PendingCollective& pending, const void* address, std::uint64_t elements,
                     const Datatype& type, std::byte* to) const;
  // Throws if both are the same buffer, unless that is accepted.
  void require_apart(const void* send, const void* receive, std::uint64_t bytes) const;
  // The input of a call, or a copy of it, made at each start, if the output overlaps with it.
  static const std::byte* kept_apart(PendingCollective& pending, const ExecutorArguments& call,
                                     std::uint64_t sent_bytes, std::uint64_t received_bytes);
  ExecutorArguments copying_arguments(const CallSignature& signature);

  // Neighbouring.
  void require_valid(const NeighbourArguments& arguments) const;
  // Throws unless there is a valid block for each of the others, "neighbours" or "ranks".
  void require_blocks(const void* address, const std::vector<PlacedBlock>& blocks, std::size_t expected,
                      const char* others) const;
  PendingPointer combined(const NeighbourArguments& arguments, const CombinedExchange& exchange);

  // Blocks of unequal sizes.
  void require_valid(const VectorArguments& arguments) const;
  void require_matching_sizes(const VectorBlocks& blocks);
  VectorBlocks blocks_of(PendingCollective& pending, const VectorArguments& arguments) const;
  PendingPointer copied_blocks(PendingPointer pending, const VectorBlocks& blocks,
                               VectorCollective collective, bool waits);
  void send_directly(PendingCollective& pending, const VectorBlocks& blocks);
  // Bytes that are not in the blocks as they are sent are written at each start.
  std::vector<std::span<const std::byte>> bytes_to_send(PendingCollective& pending,
                                                        const VectorBlocks& blocks, bool to_all);
  std::vector<std::span<std::byte>> room_to_receive(PendingCollective& pending, const VectorBlocks& blocks);
  PendingPointer forward(PendingPointer pending, const VectorBlocks& blocks, VectorCollective collective,
                         bool waits);
  ExchangeNetwork exchange_network();
  std::optional<std::uint64_t> planned_size(schedule::Collective equal, std::span<const std::uint64_t> sizes);
  PendingPointer gathered_by_plan(PendingPointer pending, const VectorBlocks& blocks,
                                  std::span<const std::uint64_t> sizes, std::uint64_t size);
  PendingPointer summed_by_plan(const VectorArguments& arguments, std::uint64_t size);
  // The seconds of a round, if the next exchange balances its routes. Counts the exchange.
  std::optional<double> balancing_round();
  double round_seconds(ForwardingTables& tables);
  void add_balancing(Stages& stages, const std::shared_ptr<RouteBalancing>& balancing, double round_s);
  PendingPointer reduced_blocks(const VectorArguments& arguments);
  PendingPointer summed_along_trees(const VectorArguments& arguments);
  void require_same_counts(const VectorArguments& arguments);
  bool forwards() const;
  forward::MessageCost message_cost();

  // Reducing.
  CallSignature reduction_signature(const Arguments& arguments) const;
  static ReductionLayout reduction_layout(const Arguments& arguments);
  const std::byte* reducible(PendingCollective& pending, const ReductionLayout& layout, const void* address,
                             std::uint64_t elements) const;
  std::byte* converted_later(PendingCollective& pending, const ReductionLayout& layout, void* address,
                             std::uint64_t elements) const;
  GatheredBlocks room_for_blocks(const Arguments& arguments, int blocks) const;
  void reduce_later(PendingCollective& pending, const GatheredBlocks& blocks,
                    const Arguments& arguments) const;
  const std::byte* reduced_gathered(const GatheredBlocks& blocks, std::uint64_t number,
                                    std::uint64_t elements) const;
  // The collective that brings the blocks that are reduced to where the result is.
  static schedule::Collective gathering(schedule::Collective reducing);

  // Reducing reproducibly.
  // The datatypes and operations of keys and integers.
  class SumOperations;
  bool is_exact(MPI_Op op, MPI_Datatype type) const;
  // Whether the order of operations matters, and must not.
  bool must_keep_bits(MPI_Op op, MPI_Datatype type) const { return is_reproducible_ && !is_exact(op, type); }
  // Reduces gathered blocks of `count` elements each into the first, by the function that all ways compute. Returns whether there
  // is one for these elements.
  static bool fold_reals(MPI_Op op, MPI_Datatype type, std::byte* blocks, std::uint64_t number,
                         std::uint64_t count);
  PendingPointer reproducible_reduction(const Arguments& arguments, const SendBuffer& own);
  PendingPointer extreme(const Arguments& arguments, const SendBuffer& own, const RealType& type);
  PendingPointer in_the_fastest_way(const Arguments& arguments, const SendBuffer& own,
                                    const std::optional<RealType>& summed);
  PendingPointer reduced_in_slices(const Arguments& arguments, const SendBuffer& own);
  PendingPointer summed_by_keys(const Arguments& arguments, const SendBuffer& own, const RealType& type);
  PendingPointer summed_by_keys_in_slices(const Arguments& arguments, const SendBuffer& own,
                                          const RealType& type);
  // Adds the stages of sums by their keys, of a reduce-scatter those of the blocks of all ranks.
  void add_by_keys(Stages& stages, const Arguments& arguments, sum::Real real, const std::byte* input,
                   std::uint64_t count, std::byte* result);
  // Adds the stages after which `part` has this rank's slice of the result. All slices of `input` have `slice` elements.
  using ReduceSlices =
      std::function<void(Stages& stages, const std::byte* input, std::uint64_t slice, std::byte* part)>;
  PendingPointer by_slices(const Arguments& arguments, const SendBuffer& own,
                           const ReduceSlices& reduce_slices);
  std::uint64_t slice_of(std::uint64_t count) const { return (count + ranks() - 1) / ranks(); }
  // The collective by which the slices of a result come together.
  static schedule::Collective assembling(schedule::Collective reducing);
  double seconds(schedule::Collective collective, int root, std::uint64_t bytes, bool associative = false);
  PendingPointer staged(Stages stages);

  // Of calls that wait; else nullptr.
  std::shared_ptr<HostMemory> host_memory() const { return waits_ ? channel_.host_memory() : nullptr; }
  // Gives the collective its executor.
  PendingPointer ready(PendingPointer pending, ExecutorArguments arguments);

  std::unique_ptr<PendingCollective> pending_collective() const {
    return std::make_unique<PendingCollective>(pool_);
  }

  Channel channel_;
  MPI_Comm comm_, agreement_comm_;
  int rank_ = 0;
  int size_ = 1;
  std::shared_ptr<ProgramCache> programs_;
  bool check_;
  bool accepts_same_buffers_ = false;
  bool is_reproducible_ = false;
  std::array<std::shared_ptr<const SumOperations>, 2>
      sum_operations_;                         // if sums are reproducible, by sum::Real
  std::optional<Neighbours> neighbours_;       // if there is a topology
  std::optional<MessageCombining> combining_;  // if messages may be combined
  ExchangeHistory exchanges_;                  // of alltoallv and alltoallw
  int tag_ = 0;                                // of the call that is being prepared
  bool waits_ = false;                         // all ranks wait for its end
  std::shared_ptr<MemoryPool> pool_ = std::make_shared<MemoryPool>();
  CommunicatorProgress own_progress_;
  ProgressEngine& progress_;
};

}  // namespace isotrope::mpi

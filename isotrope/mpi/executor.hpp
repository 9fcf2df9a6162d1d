// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Base class of executors: runs the program of one rank on the caller's buffers.
//
//     round_executor.cpp        any program, round by round
//     chained_executor.cpp      programs of several chains, each round by round
//     pipelined_executor.cpp    pipelined programs: a packet is sent on as soon as it arrives
//
// Messages longer than the limit of the call are split; both ends split alike. All messages of one call, or of one chain,
// carry one tag, and MPI keeps their order between two ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <span>
#include <vector>

#include "isotrope/rank/program.hpp"
#include "isotrope/rank/segmentation.hpp"

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/elements.hpp"
#include "isotrope/mpi/execution.hpp"
#include "isotrope/mpi/memory_pool.hpp"

namespace isotrope::mpi {

class HostMemory;

/// A program and the buffers it runs on. Buffers stay the caller's and must outlive the executor.
struct ExecutorArguments {
  std::shared_ptr<const rank::RankProgram> program;
  rank::Segmentation units;  ///< of all buffers
  ElementLayout layout = {};
  ElementReduction reduction = {};
  /// Element 0 of the input. nullptr: MPI_IN_PLACE, the rank's own blocks are already in the output.
  const std::byte* input = nullptr;
  /// Element 0 of the output. nullptr: MPI_IN_PLACE, the root's own block stays in the input.
  std::byte* output = nullptr;
  /// Of the output instead, if that is one block of unequal ones.
  std::optional<rank::Segmentation> output_units = std::nullopt;
  bool in_chains = false;       ///< chains or shares of the program run by themselves; the same on all ranks
  bool empty_messages = false;  ///< send messages even if they hold no element, as signals (barrier)
  std::uint64_t largest_message = std::uint64_t{1} << 30;  ///< bytes given to one MPI call, at most
  /// Optional: keeps the memory of calls.
  std::shared_ptr<MemoryPool> pool = nullptr;
  /// Optional: carries the messages between ranks of a host, if a piece of it has room for an element. A RoundExecutor uses it;
  /// all ranks of the call wait for its end.
  std::shared_ptr<HostMemory> host_memory = nullptr;
  /// Optional: a RoundExecutor appends MPI_Wtime() at the end of every round.
  std::vector<double>* clock = nullptr;
};

/// The execution of a program.
class Executor : public Execution {
 public:
  /// Sends nothing yet. @param channel must outlive the executor. @param tag of the channel, and of no other open call
  Executor(ExecutorArguments arguments, const Channel& channel, int tag);

 protected:
  const ExecutorArguments& arguments() const { return arguments_; }
  const rank::RankProgram& program() const { return *arguments_.program; }

  /// Posts a message of contiguous elements and appends its requests.
  void receive(std::byte* to, std::uint64_t elements, rank::Node from, std::vector<MPI_Request>& requests);
  void send(const std::byte* from, std::uint64_t elements, rank::Node to, std::vector<MPI_Request>& requests);

  void apply(const std::vector<rank::BufferCopy>& transfers) const;
  void copy(const std::byte* from, std::byte* to, std::uint64_t elements) const;
  /// into = from op into.
  void reduce(const std::byte* from, std::byte* into, std::uint64_t elements) {
    note(reduce_elements(arguments_.reduction, arguments_.layout.stride, from, into, elements));
  }
  /// The additions of an exchange before the sends of `round`, or after the last one.
  void move_locally(std::size_t round);
  std::uint64_t elements(const rank::Fragment& fragment) const {
    return arguments_.units.elements(fragment.unit, fragment.count);
  }
  template <class Byte>
  Byte* at(Byte* base, std::uint64_t element) const {
    return base + element * arguments_.layout.stride;
  }
  /// Element 0 of a buffer. Programs never write their input: it is no target.
  const std::byte* source(rank::Buffer buffer) const;
  std::byte* target(rank::Buffer buffer) const;
  /// Whether MPI can put the data of a fragment that arrives straight into its place.
  bool arrives_in_place(const rank::Fragment& fragment) const;
  /// Stores or combines a fragment that has arrived at `from`, or in its place.
  void take(const rank::Fragment& fragment, const std::byte* from) {
    take(fragment, 0, elements(fragment), from);
  }
  /// As above, `count` elements of the fragment from its element `first` on.
  void take(const rank::Fragment& fragment, std::uint64_t first, std::uint64_t count, const std::byte* from);
  std::uint64_t elements(const rank::RankMessage& message) const {
    std::uint64_t count = 0;
    for (const rank::Fragment& fragment : program().fragments(message)) count += elements(fragment);
    return count;
  }
  /// Copies `count` elements of a message from its element `first` on to `to`, one after the other.
  void pack(const rank::RankMessage& message, std::uint64_t first, std::uint64_t count, std::byte* to) const;
  /// Stores or combines such elements, which have arrived at `from`.
  void unpack(const rank::RankMessage& message, std::uint64_t first, std::uint64_t count,
              const std::byte* from);
  /// The first element of a fragment.
  const std::byte* source(const rank::Fragment& fragment) const {
    return at(source(fragment.buffer), first_element({fragment.buffer, fragment.place}));
  }
  std::byte* target(const rank::Fragment& fragment) const {
    return at(target(fragment.buffer), first_element({fragment.buffer, fragment.place}));
  }
  void reserve_transit();
  const Channel& channel() const { return channel_; }
  int tag() const { return tag_; }

 private:
  // Calls use(fragment, its first element, how many, element of the stretch) for what lies in that stretch of a message.
  template <class Use>
  void for_stretch(const rank::RankMessage& message, std::uint64_t first, std::uint64_t count,
                   const Use& use) const;
  template <class Post>
  void post(std::uint64_t count, std::vector<MPI_Request>& requests, const Post& post);
  std::uint64_t first_element(rank::Place place) const;
  const rank::Segmentation& units_of(rank::Buffer buffer) const {
    return buffer == rank::Buffer::output && arguments_.output_units ? *arguments_.output_units
                                                                     : arguments_.units;
  }
  const std::byte* own_input(const rank::Fragment& fragment) const {
    return at(source(rank::Buffer::input), arguments_.units.begin(fragment.own));
  }

  ExecutorArguments arguments_;
  const Channel& channel_;
  int tag_;
  Storage transit_;
};

/// An executor that goes through rounds, and whose messages may be waited for together with those of others.
class RoundwiseExecutor : public Executor {
 public:
  using Executor::Executor;

  /// The requests of the round under way; those that are complete are MPI_REQUEST_NULL.
  virtual std::span<MPI_Request> requests() = 0;
  /// Ends the round and begins the next one, until one has messages or all are over. @pre all requests are complete
  virtual void go_on() = 0;
};

/// An executor of any program, whose chains run together.
std::unique_ptr<RoundwiseExecutor> make_round_executor(ExecutorArguments arguments, const Channel& channel,
                                                       int tag);
/// An executor of a program with chains or shares. Takes a tag for each, from `tag` on.
std::unique_ptr<Execution> make_chained_executor(ExecutorArguments arguments, const Channel& channel,
                                                 int tag);
/// The executor that fits the arguments: pipelined, chained or round by round.
std::unique_ptr<Execution> make_executor(ExecutorArguments arguments, const Channel& channel, int tag);
/// An executor of a pipelined program.
std::unique_ptr<Executor> make_pipelined_executor(ExecutorArguments arguments, const Channel& channel,
                                                  int tag);

}  // namespace isotrope::mpi

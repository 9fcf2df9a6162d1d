// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Base class of executors: runs the program of one rank on the caller's buffers.
//
//     round_executor.cpp        any program, round by round
//     chained_executor.cpp      programs of several chains, each round by round
//     pipelined_executor.cpp    pipelined programs: a packet is sent on as soon as it arrives
//
// start() and test() never block. Messages longer than the limit of the call are split; both ends split
// alike. All messages of one call, or of one chain, carry one tag, and MPI keeps their order between two ranks. If an MPI
// function fails, the program continues, so that no partner blocks forever; the first error is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/rank/program.hpp"
#include "isotrope/rank/segmentation.hpp"

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/memory_pool.hpp"

namespace isotrope::mpi {

class HostMemory;

/// Uninitialised memory for elements, from a pool if there is one.
class Storage {
 public:
  Storage() = default;
  explicit Storage(std::shared_ptr<MemoryPool> pool) : pool_(std::move(pool)) {}
  Storage(Storage&&) noexcept = default;
  Storage& operator=(Storage&&) = delete;
  ~Storage() { give_back(); }

  /// Provides at least `bytes` bytes. If the memory grows, its content is lost.
  void grow(std::uint64_t bytes) {
    if (bytes <= block_.bytes) return;
    give_back();
    block_ = pool_ ? pool_->take(bytes) : MemoryBlock(bytes);
  }
  /// nullptr for a size of 0.
  std::byte* bytes() const { return block_.memory.get(); }

 private:
  void give_back() {
    if (pool_ && block_.memory) pool_->give_back(std::exchange(block_, {}));
  }

  std::shared_ptr<MemoryPool> pool_;
  MemoryBlock block_;
};

/// The layout of elements in memory: the data of element i are the `width` bytes from i stride + offset on,
/// stride >= width.
struct ElementLayout {
  MPI_Datatype type = MPI_BYTE;  ///< of one element
  std::uint64_t size = 1;        ///< bytes of data in an element
  std::uint64_t stride = 1;      ///< bytes
  std::int64_t offset = 0;       ///< bytes
  std::uint64_t width = 1;       ///< bytes

  /// Bytes before the data of the first element in memory that the runtime allocates.
  std::int64_t lead() const {
    constexpr std::int64_t alignment = alignof(std::max_align_t);
    return (offset % alignment + alignment) % alignment;
  }
  /// The position of element 0 in such memory. Elements are aligned as in the caller's buffer, which
  /// user-defined operations may rely on.
  std::int64_t origin() const { return lead() - offset; }
  /// Bytes of such memory for `count` elements.
  std::uint64_t room(std::uint64_t count) const {
    return count == 0 ? 0 : static_cast<std::uint64_t>(lead()) + span(count);
  }
  /// The elements in such memory of `bytes` bytes.
  std::uint64_t elements_in(std::uint64_t bytes) const {
    const std::uint64_t first = room(1);
    return bytes < first ? 0 : (bytes - first) / stride + 1;
  }
  /// Bytes from the first byte of the first element to the last byte of the last of `count` elements.
  std::uint64_t span(std::uint64_t count) const { return count == 0 ? 0 : (count - 1) * stride + width; }
};

/// How two elements are reduced to one; MPI_OP_NULL if the collective only copies.
struct ElementReduction {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_BYTE;  ///< as the operation knows it
  bool one_by_one = false;       ///< elements lie farther apart than `type` says
};

/// into = from op into, for `count` elements each, `stride` bytes apart. @returns the code of the first MPI error,
/// or MPI_SUCCESS
int reduce_elements(const ElementReduction& reduction, std::uint64_t stride, const std::byte* from,
                    std::byte* into, std::uint64_t count);

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

/// Communication that has a beginning and an end, and may begin again.
class Execution {
 public:
  Execution() = default;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  /// @pre complete, or never started.
  virtual ~Execution() = default;

  /// Posts the first messages. @pre never started, or complete
  void start();
  /// Advances without blocking. Returns whether all is complete.
  bool test();
  /// Blocks until all is complete.
  void wait();

  /// The code of the first MPI error, or MPI_SUCCESS.
  int error() const { return error_; }
  /// Whether memory ran out. Then the execution counts as complete, but messages may still use its memory and the
  /// caller's: it must never be destroyed.
  bool is_broken() const { return is_broken_; }

 protected:
  /// As start(), test() and wait().
  virtual void begin() = 0;
  virtual bool advance() = 0;
  virtual void finish() = 0;

  /// Keeps `code` if it is the first error.
  void note(int code) {
    if (error_ == MPI_SUCCESS) error_ = code;
  }

 private:
  // Returns the result of `run`, or true if memory runs out.
  template <class Run>
  bool unless_broken(const Run& run);

  int error_ = MPI_SUCCESS;
  bool is_broken_ = false;
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

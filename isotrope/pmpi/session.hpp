// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of the drop-in between MPI_Init and MPI_Finalize: the network of MPI_COMM_WORLD, and the
// isotrope::mpi::Communicator that serves each communicator used so far.
//
//     ISOTROPE_NETWORK=hypercube:4    the network of MPI_COMM_WORLD; rank r is node r
//     ISOTROPE_REPORT=1               rank 0 prints the call counters to stderr in MPI_Finalize
//     ISOTROPE_CHOOSE=measure         who carries out a call: the faster one (communicator_choices.hpp); model: always
//                                     Isotrope; library: never
//     ISOTROPE_CHOICES=FILE           the measured times of earlier jobs, and of this one after MPI_Finalize
//
// The environment of rank 0 holds for all ranks. A communicator can be served if its topology is a known network
// (mpi/topology.hpp), or else if it has the ranks of MPI_COMM_WORLD in the same order and MPI_COMM_WORLD has
// a network. The ranks find this out together at their first collective on the communicator that may be served. The
// result is kept as an attribute, which copies of the communicator do not inherit and which is freed with it.
//
// Messages of all communicators take one communicator of the job, each with tags of its own (tag_slots.hpp), so no
// communicator of the program is duplicated, none takes a context of the MPI library, and freeing one is local. If no tags
// are left, a communicator gets one of its own.
//
// If a network is malformed or its number of nodes differs from the number of ranks, one rank prints a
// warning, and the MPI library carries out all collectives as without the drop-in.
//
// Threads may call collectives on different communicators at once, if MPI allows it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/network/network.hpp"

#include "isotrope/schedule/collective.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/io/choices_file.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/program_cache.hpp"
#include "isotrope/pmpi/communicator_choices.hpp"
#include "isotrope/pmpi/tag_slots.hpp"

namespace isotrope::pmpi {

/// A function that the drop-in replaces, by its collective. MPI_Reduce_scatter has no collective of its own.
using Interposed = std::optional<schedule::Collective>;
inline constexpr Interposed mpi_reduce_scatter = std::nullopt;

/// The candidate of a measured choice beside the library: the plan that the model chooses.
inline constexpr std::size_t own_plans = 1;

/// Who carries out the calls on a communicator that can be served.
enum class Chooser : std::uint8_t { measure, model, library };

/// What is known of a communicator of the program.
struct Member {
  enum class State : std::uint8_t { unknown, served, passed_on };

  State state = State::unknown;
  int rank = 0, size = 1;
  CommunicatorChoices choices;
  std::optional<mpi::Communicator> communicator = {};  ///< if it is served
  std::optional<int> slot = {};                        ///< of its tags
};

class Session {
 public:
  static Session& of_process() { return of_process_; }

  /// Ends the program if its MPI library has another binary interface than the one that the drop-in was built for.
  static void require_matching_library();

  /// All ranks must call this when MPI is initialised.
  void begin();
  /// Whether the MPI library takes a datatype: it is committed. @pre not MPI_DATATYPE_NULL
  bool accepts(MPI_Datatype type) const;
  /// Whether the MPI library can apply an operation to elements of a datatype. @pre neither is null
  bool accepts(MPI_Datatype type, MPI_Op op);
  /// Whether the MPI library refuses calls of that collective whose buffers are the same (same_buffers.hpp).
  /// @param count elements of a block
  bool refuses_same_buffers(schedule::Collective collective, MPI_Count count);
  /// Frees the tags of a communicator and keeps what was measured on it.
  void forget(const Member& member);
  /// All ranks must call this before MPI is finalised.
  void end();

  /// What is known of `comm`; nullptr before begin() and after end(). Owned by the attribute.
  Member* member(MPI_Comm comm) {
    if (comm == last_.comm && last_.freed == freed_.load(std::memory_order_acquire)) return last_.member;
    return find_member(comm);
  }
  /// Finds out whether `comm` can be served, once. All its ranks must call this together.
  /// @returns the communicator that serves it, or nullptr
  mpi::Communicator* serve(MPI_Comm comm, Member& member);
  Chooser chooser() const { return chooser_; }
  /// The candidates of a kind of call on `comm`, with the times of earlier jobs. All its ranks must call this together.
  MeasuredChoice make_choice(MPI_Comm comm, Member& member, const CallKind& kind);
  /// Whether a neighbourhood collective is served, because combined messages are faster by the machine. All ranks of the
  /// communicator get the same answer. If several edges join two ranks, MPI libraries differ in the order of their
  /// blocks, so a program must get that of its own library. @pre the arguments are valid
  static bool combines(mpi::Communicator& communicator, const mpi::NeighbourArguments& arguments) {
    return communicator.combines(arguments) &&
           (mpi::gathers(arguments.collective) || !communicator.has_multiple_edges());
  }
  /// Counts a call that the drop-in served, or else passed on to the MPI library. Several threads may call this at
  /// once.
  void count(Interposed function, bool served) {
    const auto index = static_cast<std::size_t>(std::ranges::find(reported, function) - reported.begin());
    counters_[2 * index + (served ? 0 : 1)].fetch_add(1, std::memory_order_relaxed);
  }

 private:
  using Collective = schedule::Collective;
  // In the order of the report.
  static constexpr std::array<Interposed, 12> reported = {
      Collective::broadcast,      Collective::scatter, Collective::gather,    Collective::allgather,
      Collective::alltoall,       Collective::reduce,  Collective::allreduce, mpi_reduce_scatter,
      Collective::reduce_scatter, Collective::scan,    Collective::exscan,    Collective::barrier};

  // The member that a thread found last. Good as long as no communicator has been freed since.
  struct LastMember {
    MPI_Comm comm;
    Member* member;
    std::uint64_t freed;
  };

  Member* find_member(MPI_Comm comm);
  void print_report() const;
  std::optional<std::vector<int>> ranks_in_job(MPI_Comm comm) const;
  mpi::Channel channel_of(MPI_Comm comm, std::vector<int> ranks, std::optional<int>& slot);
  std::optional<network::Network> network_of(MPI_Comm comm) const;
  std::shared_ptr<mpi::ProgramCache> programs_of(const network::Network& network, int rank);
  std::unique_ptr<Member> new_member(MPI_Comm comm) const;
  void find_server(MPI_Comm comm, Member& member);
  void keep_choices(const Member& member);
  void write_choices() const;

  static Session of_process_;
  [[gnu::tls_model("initial-exec")]] static inline thread_local LastMember last_{};

  // What a call that is passed on reads and writes comes first, and is together.
  Chooser chooser_ = Chooser::measure;
  std::atomic<std::uint64_t> freed_ = 0;  // communicators
  std::array<std::atomic<std::uint64_t>, 2 * reported.size()> counters_ = {};
  int key_ = MPI_KEYVAL_INVALID;  // of the attribute; valid between begin() and end()
  bool prints_report_ = false;
  bool checks_ = false;
  std::string choices_file_;                         // empty: choices are not kept
  std::vector<io::MeasuredCall> priors_, measured_;  // of earlier jobs, the same on all ranks; of this rank
  std::mutex asking_, making_;
  std::map<std::pair<schedule::Collective, int>, bool> refuses_same_buffers_;  // the answers so far
  std::vector<std::shared_ptr<mpi::ProgramCache>> programs_;
  MPI_Comm self_ = MPI_COMM_NULL;         // of this rank, for questions to the library
  MPI_Comm job_ = MPI_COMM_NULL;          // for all messages
  std::optional<cost::Machine> machine_;  // nothing: the file is bad, and nothing is served
  TagSlots slots_;                        // of job_
  std::optional<network::Network> world_network_;
};

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of the drop-in between MPI_Init and MPI_Finalize: the network of MPI_COMM_WORLD, and the
// isotrope::mpi::Communicator that serves each communicator used so far.
//
//     ISOTROPE_NETWORK, ISOTROPE_MACHINE, ISOTROPE_RANKS     the network, its machine, the nodes of the ranks (job_network.hpp)
//     ISOTROPE_REPORT=1               rank 0 prints the call counters to stderr in MPI_Finalize
//     ISOTROPE_CHOOSE=measure         who carries out a call: the faster one (communicator_choices.hpp); model: always
//                                     Isotrope; library: never
//     ISOTROPE_CHOICES=FILE           the measured times of earlier jobs, and of this one after MPI_Finalize (kept_choices.hpp)
//     ISOTROPE_REPRODUCIBLE=1         reductions of floating-point numbers by Isotrope alone, on all communicators: if no network
//                                     is known, on a complete one, which serves nothing else
//     ISOTROPE_PROGRESS=thread        nonblocking collectives also advance outside MPI calls
//
// The environment of rank 0 holds for all ranks. A communicator can be served if its topology is a known network
// (mpi/topology.hpp), or else if MPI_COMM_WORLD has a network and its ranks are a part of it: all, a row, a plane, a
// sub-cube, a block (network/part.hpp). The ranks find this out together at their first collective on the communicator that may be served. The
// result is kept as an attribute, which copies of the communicator do not inherit and which is freed with it.
//
// Messages of all communicators take one communicator of the job, each with tags of its own (tag_slots.hpp), so no
// communicator of the program is duplicated, none takes a context of the MPI library, and freeing one is local. If no tags
// are left, a communicator gets one of its own.
//
// Threads may call collectives on different communicators at once, if MPI allows it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <optional>
#include <vector>

#include "isotrope/network/rank_map.hpp"

#include "isotrope/cost/machine.hpp"

#include "isotrope/mpi/communicator.hpp"
#include "isotrope/mpi/host_memory.hpp"
#include "isotrope/mpi/program_cache.hpp"
#include "isotrope/pmpi/call_counts.hpp"
#include "isotrope/pmpi/communicator_choices.hpp"
#include "isotrope/pmpi/grid_placing.hpp"
#include "isotrope/pmpi/job_network.hpp"
#include "isotrope/pmpi/kept_choices.hpp"
#include "isotrope/pmpi/library_checks.hpp"
#include "isotrope/pmpi/measured_choice.hpp"
#include "isotrope/pmpi/open_collectives.hpp"
#include "isotrope/pmpi/progress_thread.hpp"
#include "isotrope/pmpi/tag_slots.hpp"

namespace isotrope::pmpi {

/// Who carries out the calls on a communicator that can be served.
enum class Chooser : std::uint8_t { measure, model, library };

/// How a communicator is served.
struct Served {
  Served() = default;
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served();

  /// Runs the next calls by the plans of that candidate. All ranks must do the same. @pre it is not the library
  void plan_by(std::size_t candidate) { communicator->use(plans[candidate - own_plans]); }

  std::optional<mpi::Communicator> communicator;          ///< nothing only while it is made
  std::vector<std::shared_ptr<mpi::ProgramCache>> plans;  ///< of the candidates beside the library
  cost::Machine machine;                                  ///< for its network
  std::optional<int> slot;                                ///< of its tags
  bool is_for_sums = false;  ///< serves reductions that must be reproducible, and no other call
  /// Those of the persistent collectives on the same communicator of the program.
  std::vector<std::weak_ptr<Served>> persistent;
};
/// The member of a communicator holds one; open collectives hold others.
using ServedPointer = std::shared_ptr<Served>;

/// What is known of a communicator of the program.
struct Member {
  enum class State : std::uint8_t { unknown, served, passed_on };

  State state = State::unknown;
  int rank = 0, size = 1;
  CommunicatorChoices choices;
  ServedPointer served = nullptr;  ///< if it is
};

class Session {
 public:
  /// Made at the first use, which may be before this library's own static objects, and never destroyed: a program may exit, or
  /// the child of a fork, while collectives are open.
  static Session& of_process() {
    Session* const session = the_session.load(std::memory_order_acquire);
    return session != nullptr ? *session : make();
  }

  /// Ends the program if its MPI library has another binary interface than the one that the drop-in was built for.
  static void require_matching_library();

  /// All ranks must call this when MPI is initialised.
  void begin();
  LibraryChecks& library_checks() { return library_checks_; }
  /// Frees the tags of a communicator.
  void give_back(int slot) { slots_.give_back(slot); }
  /// Keeps what was measured on a communicator that is freed.
  void forget(const Member& member);
  /// MPI_Finalize calls this on all ranks, while MPI can still be used.
  void end();

  /// What is known of `comm`; nullptr before begin() and after end(). Owned by the attribute.
  Member* member(MPI_Comm comm) {
    if (comm == last_member.comm && last_member.freed == freed_.load(std::memory_order_acquire)) [[likely]]
      return last_member.member;
    return find_member(comm);
  }
  /// What this thread knows of the last communicator may no longer hold.
  static void forget_last_member() { last_member = {}; }
  /// Finds out whether `comm` can be served, once. All its ranks must call this together.
  /// @returns the communicator that serves it, or nullptr
  mpi::Communicator* serve(MPI_Comm comm, Member& member);
  /// Whether all ranks of `comm` are of this job. Sends nothing.
  bool is_of_job(MPI_Comm comm) const { return ranks_in_job(comm).has_value(); }
  /// As serve(), with tags that nothing else uses, for a persistent collective. All ranks of `comm` must call this.
  /// @pre the member is served
  ServedPointer served_again(MPI_Comm comm, Member& member);
  /// As serve(), of a communicator that all its ranks have just created, if reductions must be reproducible: a nonblocking one
  /// may be the first call, in which the ranks cannot wait for each other.
  void serve_new(MPI_Comm comm);
  /// The network of MPI_COMM_WORLD with the nodes of the ranks of `comm`; nothing if it is not known, `comm` has other ranks, or
  /// nothing is to be served. Sends nothing. @pre not MPI_COMM_NULL
  std::optional<network::MappedNetwork> whole_network_of(MPI_Comm comm) const;
  GridCounts& grids() { return grids_; }
  Chooser chooser() const { return chooser_; }
  /// Whether reductions give the same bits whoever carries them out, so that the library must not.
  bool is_reproducible() const { return reproducible_; }
  /// Warns, once, that the library carries out a reduction on `comm` that should be reproducible.
  void warn_of_library_sums(MPI_Comm comm, const char* why) const;
  /// The candidates of a kind of call, with the times of earlier jobs. @pre the member is served
  MeasuredChoice make_choice(const Member& member, const CallKind& kind, int run) const;

  /// The nonblocking and persistent collectives of the process.
  OpenCollectives& open_collectives() { return open_; }
  /// Whether this rank wants a thread that advances collectives. Before MPI_Init, so other ranks may differ.
  static bool wants_progress_thread();
  /// Completes the open collectives, unless a thread advances them: a call that waits for other ranks follows.
  [[gnu::always_inline]] void prepare_to_block() {
    if (OpenCollectives::any() && !progress_thread_.runs()) [[unlikely]]
      open_.finish();
  }
  CallCounts& counts() { return counts_; }
  /// Whether several threads may call MPI at once.
  bool is_threaded() const { return counts_.is_threaded(); }

 private:
  // The member that a thread found last. Good as long as no communicator has been freed since.
  struct LastMember {
    MPI_Comm comm;
    Member* member;
    std::uint64_t freed;
  };

  Member* find_member(MPI_Comm comm);
  void print_report() const;
  void start_progress_thread();
  std::optional<std::vector<int>> ranks_in_job(MPI_Comm comm) const;
  mpi::Channel channel_of(MPI_Comm comm, std::vector<int> ranks, std::optional<int>& slot);
  std::optional<TimedNetwork> network_of(MPI_Comm comm, const std::vector<int>& ranks);
  std::shared_ptr<mpi::ProgramCache> programs_of(const TimedNetwork& network, int rank);
  std::unique_ptr<Member> new_member(MPI_Comm comm);
  bool plans_for_memory(const std::vector<int>& ranks) const;
  ServedPointer make_served(MPI_Comm comm, int rank, std::optional<TimedNetwork> network);
  void print_start() const;

  static Session& make();

  static constinit std::atomic<Session*> the_session;
  [[gnu::tls_model("initial-exec")]] static inline thread_local LastMember last_member{};

  // What a call that is passed on reads and writes comes first, and is together.
  Chooser chooser_ = Chooser::measure;
  std::atomic<std::uint64_t> freed_ = 0;  // communicators
  CallCounts counts_;
  int key_ = MPI_KEYVAL_INVALID;  // of the attribute; valid between begin() and end()
  bool prints_report_ = false;
  bool checks_ = false;
  bool reproducible_ = false;
  bool own_plans_ = false;  // plan files of the user are candidates
  JobNetwork network_;
  KeptChoices kept_;
  LibraryChecks library_checks_;
  GridCounts grids_;
  std::mutex making_;
  std::vector<std::shared_ptr<mpi::ProgramCache>> programs_;
  std::atomic<std::uint64_t> parts_ = 0,
                             others_ = 0;  // communicators that are a part of the network, and that are none
  MPI_Comm self_ = MPI_COMM_NULL;          // of this rank, for questions to the library
  MPI_Comm job_ = MPI_COMM_NULL;           // for all messages
  std::shared_ptr<mpi::HostMemory> host_memory_;  // of job_
  TagSlots slots_;                                // of job_
  OpenCollectives open_;
  ProgressThread progress_thread_;
};

}  // namespace isotrope::pmpi

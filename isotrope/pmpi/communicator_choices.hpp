// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The measured choices of one communicator (measured_choice.hpp), one for each kind of call, the same on all ranks.
//
//     call 1, 2           the library, on a new communicator, without a message of the drop-in
//     call 3, 6, 12, ...  a meeting: if some rank has seen a kind of call that is not settled, all explore. Later meetings
//                         come so seldom that they take 1/256 of the time
//     exploration         every call begins with a meeting, which also shares the time of the call before; a kind of call
//                         takes its turns. It ends when no kind of call needs it any more
//
// A meeting is one reduction of seven numbers over all ranks. Meetings depend on the number of blocking calls alone, which
// all ranks count alike, those that refuse a call too. So a call that one rank refuses is seen by all in an exploration,
// and cannot make them choose differently.
//
// The time of a call is the mean of all ranks. The meeting before it lets all ranks begin together. Ranks that share a
// core make the least meaningless: one of them may find its messages there when its turn comes. Sums are of whole numbers,
// so that all ranks have the same.
//
// Cost: outside explorations a look-up and a count per call. Ranks that share a core find their caches cold at every call,
// so a call like the last one of its collective touches a line or two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mpi.h>
#include <optional>
#include <vector>

#include "isotrope/schedule/collective.hpp"

#include "isotrope/mpi/progress_engine.hpp"
#include "isotrope/pmpi/measured_choice.hpp"

namespace isotrope::pmpi {

/// Calls that are chosen for together: of one collective, with blocks or vectors of a class of sizes, a factor of 4.
struct CallKind {
  schedule::Collective collective = schedule::Collective::barrier;
  std::uint32_t size_class = 0;

  /// Of `bytes` as MPI counts them (planner/choice.hpp).
  static CallKind of(schedule::Collective collective, std::uint64_t bytes);
  /// The least number of bytes of the class.
  std::uint64_t least_bytes() const;

  auto operator<=>(const CallKind&) const = default;
};

/// The size of a call by its arguments. Of a null type: the arguments of this rank have none.
struct CallSize {
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;

  bool operator==(const CallSize&) const = default;
};

class CommunicatorChoices {
 public:
  /// The candidates of a kind, and what is known of them: called at the first exploration of the kind, on all ranks.
  using MakeChoice = std::function<MeasuredChoice(const CallKind&)>;

  /// @param ranks of the communicator. @param priors whether choices are known from earlier jobs, so that the first call
  /// is a meeting
  /// @param progress of the open collectives, which advance in a meeting
  CommunicatorChoices(int ranks, bool priors, mpi::ProgressEngine& progress)
      : next_meeting_(priors ? 1 : 3), ranks_(ranks), progress_(progress) {}

  /// Whether a blocking call is left to the library, as the last one of its collective, which was alike. Counts it if so;
  /// else next() must be called.
  bool passes_on(schedule::Collective collective, const CallSize& size) {
    const CallSize& last = last_sizes_[static_cast<std::size_t>(collective)];
    if (explores_ || calls_ + 1 >= next_meeting_ || !(last == size) || size.type == MPI_DATATYPE_NULL)
      return false;
    ++calls_;
    return true;
  }
  /// Counts a blocking call and returns what it does. All ranks of `comm` must call this for every blocking call.
  /// @param size of the call on this rank. @param is_valid whether MPI takes the arguments of this rank; called in
  /// meetings only. @param make may communicate over `comm`
  MeasuredChoice::Turn next(MPI_Comm comm, schedule::Collective collective, const CallSize& size,
                            const std::function<bool()>& is_valid, const MakeChoice& make);
  /// Ends a call that was timed. @param seconds on this rank
  void end_timed(double seconds);

  /// The candidate for a call that is not counted: a nonblocking one.
  std::size_t leader(schedule::Collective collective, const CallSize& size) const;
  const std::map<CallKind, MeasuredChoice>& all() const { return choices_; }

 private:
  struct Minutes;

  bool is_open(const CallKind& kind) const;
  std::size_t leader(const CallKind& kind) const;
  std::uint64_t calls_until_next(double since_last, double meeting) const;
  Minutes meet(MPI_Comm comm, std::optional<CallKind> kind);
  void take_pending(const Minutes& minutes);
  MeasuredChoice::Turn explore(const Minutes& minutes, const MakeChoice& make);
  MeasuredChoice& choice_of(const CallKind& kind, const MakeChoice& make);

  std::uint64_t calls_ = 0, next_meeting_;
  bool explores_ = false, is_lost_ = false;
  bool has_seen_open_ = false;  // a kind that is not settled, since the last exploration
  // By collective, of a call since the last meeting that was left to the library. Only of types that cannot be freed: a
  // handle that is used again may have another size.
  std::array<CallSize, 16> last_sizes_ = {};

  int ranks_;
  mpi::ProgressEngine& progress_;
  std::map<CallKind, MeasuredChoice> choices_;
  std::uint64_t last_meeting_ = 0;
  double meeting_ended_ = 0, meeting_seconds_ = 0;  // of the last one, on this rank
  std::vector<CallKind> explored_;                  // in this exploration
  int idle_ = 0;                     // calls of this exploration without a turn, since the last turn
  std::optional<CallKind> pending_;  // the kind whose turn is to end by the time of its last call
  double seconds_ = 0;               // of that call on this rank
};

}  // namespace isotrope::pmpi

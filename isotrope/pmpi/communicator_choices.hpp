// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The measured choices of one communicator (measured_choice.hpp), one for each kind of call, the same on all ranks.
//
//     call 1, 2           of a collective: the library, without a message of the drop-in
//     call 3, 6, 12, ...  a meeting: if some rank has seen a kind of call that is not settled, all explore. Later meetings
//                         come so seldom that they take 1/256 of the time
//     exploration         a kind of call takes its turns, each of which begins with a meeting, which also shares the time
//                         of the turn before. It ends when no kind of call needs it any more
//
// Calls of a collective with a root, and of a scan, overlap: ranks leave before others have come, so the time of a single
// call after a meeting says little. A turn is then a run of calls without a meeting, and calls shorter than a meeting are
// first explored after 8 of that kind in a row, which have shown the pace of the program.
//
// A meeting is one reduction of nine numbers over all ranks. Meetings depend on the number of blocking calls of a
// collective alone, which all ranks count alike, without those that MPI refuses. Each collective has meetings of its own, as
// its messages have in MPI: if MPI refuses a call on a rank alone, those of the other collectives are not disturbed.
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

/// A collective of a call: with blocks of equal or of unequal sizes.
struct CallCollective {
  schedule::Collective base = schedule::Collective::barrier;
  bool is_unequal = false;

  CallCollective() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): blocks of equal sizes are the usual case
  CallCollective(schedule::Collective equal) : base(equal) {}
  CallCollective(schedule::Collective equal, bool unequal) : base(equal), is_unequal(unequal) {}

  auto operator<=>(const CallCollective&) const = default;
};

/// Calls that are chosen for together: of one collective, with blocks or vectors of a class of sizes, a factor of 4.
struct CallKind {
  CallCollective collective;
  std::uint32_t size_class = 0;

  /// Of `bytes` as MPI counts them (planner/choice.hpp).
  static CallKind of(CallCollective collective, std::uint64_t bytes);
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

/// Whether ranks may leave a call of the collective before others have come to it.
inline bool calls_overlap(const CallCollective& collective) {
  return schedule::is_rooted(collective.base) || schedule::is_prefix(collective.base);
}

class CommunicatorChoices {
 public:
  /// The candidates of a kind, and what is known of them: called at the first exploration of the kind, on all ranks.
  using MakeChoice = std::function<MeasuredChoice(const CallKind&)>;

  /// @param ranks of the communicator. @param progress of the open collectives, which advance in a meeting
  CommunicatorChoices(int ranks, mpi::ProgressEngine& progress) : ranks_(ranks), progress_(progress) {
    for (Course& course : courses_) course.next_meeting = 3;
  }

  /// Whether a blocking call is left to the library, as the last one of its collective, which was alike. Counts it if so;
  /// else next() must be called.
  bool passes_on(const CallCollective& collective, const CallSize& size) {
    Course& course = course_of(collective);
    if (course.meets_next() || !(course.last_size == size) || size.type == MPI_DATATYPE_NULL) return false;
    ++course.calls;
    return true;
  }
  /// Whether the ranks meet at the next blocking call of a collective.
  bool meets_next(const CallCollective& collective) const { return courses_[index(collective)].meets_next(); }
  /// Takes back the count of a blocking call that was no meeting.
  void uncount(const CallCollective& collective) {
    Course& course = course_of(collective);
    --course.calls;
    if (course.explores) ++course.turn.calls;
  }
  /// Counts a blocking call and returns what it does. All ranks of `comm` must call this for every blocking call.
  /// @param size of the call on this rank. @param is_valid whether MPI takes the arguments of this rank; called in
  /// meetings only, as `make` is
  MeasuredChoice::Turn next(MPI_Comm comm, const CallCollective& collective, const CallSize& size,
                            const std::function<bool()>& is_valid, const MakeChoice& make);
  /// Ends a call that was timed. @param seconds on this rank
  void end_timed(const CallCollective& collective, double seconds) {
    Course& course = course_of(collective);
    course.seconds += seconds;
    ++course.timed_calls;
  }

  /// The candidate for a call that is not counted: a nonblocking one.
  std::size_t leader(const CallCollective& collective, const CallSize& size) const;
  const std::map<CallKind, MeasuredChoice>& all() const { return choices_; }

 private:
  struct Minutes;

  // The blocking calls of one collective so far.
  struct Course {
    std::uint64_t calls = 0, next_meeting = 0;
    // Of a call since the last meeting that was left to the library. Only of types that cannot be freed: a handle that is
    // used again may have another size.
    CallSize last_size = {};
    bool explores = false;
    bool has_seen_open = false;  // a kind that is not settled, since the last exploration
    // Of the calls since the last meeting.
    std::optional<CallKind> first_kind = {};
    bool has_other_kinds = false;
    std::uint64_t last_meeting = 0;
    double meeting_ended = 0, meeting_seconds = 0;  // of the last one, on this rank
    std::vector<CallKind> explored = {};            // in this exploration
    int idle = 0;                            // calls of this exploration without a turn, since the last turn
    std::optional<CallKind> turn_kind = {};  // the kind whose timed turn ends at the next meeting
    MeasuredChoice::Turn turn = {.calls = 0};  // with the calls that are left of it
    int timed_calls = 0;                       // of the turn, on this rank
    double seconds = 0;                        // of those calls

    bool meets_next() const { return explores ? turn.calls == 0 : calls + 1 >= next_meeting; }
    void note(std::optional<CallKind> kind);
    std::uint64_t calls_until_next(double since_last, double meeting) const;
  };

  static std::size_t index(const CallCollective& collective) {
    return static_cast<std::size_t>(collective.base) + (collective.is_unequal ? equal_courses : 0);
  }
  Course& course_of(const CallCollective& collective) { return courses_[index(collective)]; }
  bool is_open(const CallKind& kind) const;
  bool is_too_early(const CallKind& kind, const Minutes& minutes) const;
  std::size_t leader(const CallKind& kind) const;
  Minutes meet(MPI_Comm comm, Course& course, std::optional<CallKind> kind);
  MeasuredChoice::Turn continue_turn(Course& course, std::optional<CallKind> kind) const;
  void end_turn(Course& course, const Minutes& minutes);
  MeasuredChoice::Turn explore(Course& course, const Minutes& minutes, const MakeChoice& make);
  MeasuredChoice& choice_of(Course& course, const CallKind& kind, const MakeChoice& make);

  static constexpr std::size_t equal_courses = 16;

  std::array<Course, 2 * equal_courses> courses_ = {};  // by collective, those with unequal blocks last
  bool is_lost_ = false;
  int ranks_;
  mpi::ProgressEngine& progress_;
  std::map<CallKind, MeasuredChoice> choices_;
};

}  // namespace isotrope::pmpi

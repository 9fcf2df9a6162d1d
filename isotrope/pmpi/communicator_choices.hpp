// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The measured choices of one communicator (measured_choice.hpp), one for each kind of call, the same on all ranks.
//
//     course              the calls that are counted together: those of a kind, so that long calls need not wait for a count
//                         that many short ones have let grow
//     call 1, 2           of a course: the library, without a message of the drop-in
//     call 3, 6, 12, ...  a meeting: if some rank has seen a kind of call that is not settled, all explore. Later meetings
//                         come so seldom that they take 1/256 of the time
//     call 64, 80, ...    the meetings of a communicator that the program may free soon: any but MPI_COMM_WORLD. Nothing is
//                         explored until as much time has passed as 256 meetings take, at least 5 ms, for each exploration of the
//                         communicator: that long it takes to gain what one costs, and the preparations of the first, to join
//     exploration         a kind of call takes its turns, each of which begins with a meeting, which also shares the time
//                         of the turn before. It ends when no kind of call needs it any more
//
// Blocks of unequal sizes have other kinds on other ranks, and those of neighbours may, so all calls of such a collective are
// one course. So are those of the other collectives until a meeting has seen one kind on all ranks. From then on each kind is
// a course: MPI demands that the ranks give as many bytes. A program that breaks this rule in its first calls stays with one
// course.
//
// Calls of a collective with a root, of a scan, and of a reduce_scatter of unequal blocks overlap: ranks leave before
// others have come, so the time of a single call says little. A turn is then a run of calls without a meeting, of as many
// short ones as take the time of 64 meetings, at most 2 ms (ranks that run far ahead wait long in a meeting). Calls that take
// less than half of a meeting at the pace of the program, seen in 8 of that kind in a row, are left to the library: a run
// would time the ranks that wake up after the meeting.
//
// A meeting is one reduction of nine numbers over all ranks; at the end of a run of calls a second one finds the slowest rank. Meetings depend on the number of blocking calls of a
// course alone, which all ranks count alike, without those that MPI refuses. Each course has meetings of its own, as
// a collective has messages in MPI: if MPI refuses a call on a rank alone, those of the other collectives are not disturbed.
//
// The time of a call is the mean of all ranks. Ranks that share a core make the least meaningless: one of them may find its
// messages there when its turn comes. Of a run of calls that overlap it is that of the slowest rank: the root of a reduction
// does the work of the others, who run ahead. Numbers are whole, so that all ranks have the same. In a course with calls of
// several kinds the call of the meeting is timed: the next one may be of another kind.
//
// Cost: outside explorations a look-up and a count per call. Ranks that share a core find their caches cold at every call,
// so a call that is left to the library like an earlier one touches three lines: of its size, its course and the member.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mpi.h>
#include <optional>
#include <span>
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

/// Calls that are chosen for together: of one collective, with blocks or vectors of a class of sizes, a factor of 2.
struct CallKind {
  CallCollective collective;
  std::uint32_t size_class = 0;

  /// Of `bytes` as MPI counts them (planner/choice.hpp).
  static CallKind of(CallCollective collective, std::uint64_t bytes);
  /// The least number of bytes of the class.
  std::uint64_t least_bytes() const;

  auto operator<=>(const CallKind&) const = default;
};

/// The size of a call by its arguments: of a block or vector, or of all blocks if is_sized_by_all(). Of a null type: the arguments
/// of this rank have none.
struct CallSize {
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;

  bool operator==(const CallSize&) const = default;
};

/// Whether ranks may leave a call of the collective before others have come to it: in a reduce_scatter of unequal blocks
/// those without a block.
inline bool calls_overlap(const CallCollective& collective) {
  const bool has_empty_blocks =
      collective.is_unequal && collective.base == schedule::Collective::reduce_scatter;
  return schedule::is_rooted(collective.base) || schedule::is_prefix(collective.base) || has_empty_blocks;
}

/// Whether every rank knows the sizes of all blocks of a call of the collective, so that it is chosen for by their mean.
inline bool is_sized_by_all(const CallCollective& collective) {
  return collective.is_unequal && (collective.base == schedule::Collective::allgather ||
                                   collective.base == schedule::Collective::reduce_scatter);
}

/// Whether MPI demands that all ranks give as many bytes. Of neighbours it does so only along edges.
inline bool has_one_size(const CallCollective& collective) {
  return !collective.is_unequal && collective.base != schedule::Collective::isotropic;
}

class CommunicatorChoices {
 public:
  /// The candidates of a kind, and what is known of them: called at the first exploration of the kind, on all ranks, with the
  /// calls of which a timed turn may consist if calls of the kind overlap.
  using MakeChoice = std::function<MeasuredChoice(const CallKind&, int run)>;

  /// @param ranks of the communicator. @param progress of the open collectives, which advance in a meeting
  /// @param sizes_suffice whether calls of one collective and size are alike, whatever their operation
  /// @param is_lasting whether the communicator lives as long as the job; the same on all ranks
  CommunicatorChoices(int ranks, mpi::ProgressEngine& progress, bool sizes_suffice, bool is_lasting)
      : ranks_(ranks), progress_(progress), sizes_suffice_(sizes_suffice), is_lasting_(is_lasting) {
    for (Course& course : courses_) course.next_meeting = first_meeting();
  }

  /// Whether a blocking call is left to the library, as an earlier one that was alike. Counts it if so; else begin() and next()
  /// must be called.
  bool passes_on(const CallCollective& collective, const CallSize& size) {
    const Known& known = known_of(collective, size);
    if (known.course == nullptr || !(known.size == size) || known.course->calls >= known.last) return false;
    ++known.course->calls;
    return true;
  }
  /// Takes back the count of a call for which passes_on() held.
  void uncount(const CallCollective& collective, const CallSize& size) {
    --known_of(collective, size).course->calls;
  }
  /// Begins a blocking call. @param size of the call on this rank. @returns whether the ranks meet in it
  bool begin(const CallCollective& collective, const CallSize& size);
  /// What the choices need of the drop-in, in meetings only.
  struct Calls {
    std::function<bool()> is_valid;  ///< whether MPI takes the arguments of this rank
    std::function<bool()> join;      ///< prepares for explorations, on all ranks; false: it has been done
    MakeChoice make;
  };
  /// Counts the call that was begun, and returns what it does. All ranks of `comm` must call this for every blocking call.
  MeasuredChoice::Call next(MPI_Comm comm, const Calls& calls);
  /// Takes back the count of the last blocking call, which was no meeting.
  void uncount() {
    if (current_ == nullptr) return;
    --current_->calls;
    if (current_->explores) current_->turn = current_->turn_before_call;
  }
  /// Ends the last call, which was timed. @param seconds on this rank
  void end_timed(double seconds) {
    current_->seconds += seconds;
    ++current_->timed_calls;
  }

  /// The candidate for a call that is not counted: a nonblocking one.
  std::size_t leader(const CallCollective& collective, const CallSize& size) const;
  const std::map<CallKind, MeasuredChoice>& all() const { return choices_; }

 private:
  struct Minutes;
  struct Told;

  static constexpr std::size_t line = 64;  // bytes of a line of the cache

  // The blocking calls that are counted together. What a call that is left to the library reads comes first.
  struct alignas(line) Course {
    std::uint64_t calls = 0, next_meeting = 0;
    bool explores = false;
    bool has_seen_open = false;  // a kind that is not settled, since the last exploration
    // Of the calls since the last meeting, its own among them.
    std::optional<CallKind> first_kind = {};
    bool has_other_kinds = false;
    std::uint64_t last_meeting = 0;                 // the number of its call
    double meeting_ended = 0, meeting_seconds = 0;  // of the last one, on this rank
    std::vector<CallKind> explored = {};            // in this exploration
    int idle = 0;                            // calls of this exploration without a turn, since the last turn
    std::optional<CallKind> turn_kind = {};  // the kind whose timed turn ends at the next meeting
    MeasuredChoice::Turn turn = {};          // with the calls that are left of it
    MeasuredChoice::Turn turn_before_call = {};
    int timed_calls = 0;  // of the turn, on this rank
    double seconds = 0;   // of those calls

    bool meets_next() const { return explores ? turn.calls() == 0 : calls + 1 >= next_meeting; }
    void note(std::optional<CallKind> kind);
    void end_meeting(const std::optional<CallKind>& kind, double begin);
    std::uint64_t calls_until_next(double since_last, double meeting) const;
  };

  // A size of calls that are left to the library until the next meeting of their course. Only of types that cannot be freed:
  // a handle that is used again may have another size.
  struct alignas(line / 2) Known {
    CallSize size = {};
    Course* course = nullptr;  // nothing is known yet
    std::uint64_t last = 0;    // the number of the last call before the meeting
  };

  static std::size_t index(const CallCollective& collective) {
    return static_cast<std::size_t>(collective.base) + (collective.is_unequal ? equal_courses : 0);
  }
  Known& known_of(const CallCollective& collective, const CallSize& size) {
    constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15U;
    const std::uint64_t hash = (static_cast<std::uint64_t>(size.count) * multiplier) >> (64U - known_bits);
    return known_[(index(collective) << known_bits) + hash];
  }
  std::uint64_t first_meeting() const { return is_lasting_ ? 3 : 64; }
  std::optional<CallKind> kind_of(const CallCollective& collective, const CallSize& size) const;
  Course* course_of(const CallCollective& collective, const std::optional<CallKind>& kind);
  void divide(const CallKind& kind);
  bool is_open(const CallKind& kind) const;
  bool is_too_short(const CallKind& kind, const Minutes& minutes) const;
  std::size_t leader(const CallKind& kind) const;
  bool reduce(MPI_Comm comm, std::span<std::int64_t> values, MPI_Op op);
  Minutes meet(MPI_Comm comm, Course& course, std::optional<CallKind> kind);
  void compare_with_calls(Minutes& minutes, const Told& told, const Course& course) const;
  MeasuredChoice::Call go_on(Course& course);
  MeasuredChoice::Call continue_turn(Course& course, std::optional<CallKind> kind) const;
  void end_turn(Course& course, const Minutes& minutes);
  MeasuredChoice::Call explore(Course& course, const Minutes& minutes, const Calls& calls);
  bool may_begin(Course& course, const Minutes& minutes, const Calls& calls) const;
  MeasuredChoice& choice_of(Course& course, const CallKind& kind, int run, const MakeChoice& make);

  static constexpr std::size_t equal_courses = 16;
  static constexpr unsigned known_bits = 2;  // of the number of sizes of a collective that are known

  std::array<Known, (2 * equal_courses) << known_bits> known_ = {};
  std::array<Course, 2 * equal_courses> courses_ = {};  // by collective, those with unequal blocks last
  std::array<bool, 2 * equal_courses> is_divided_ = {};
  std::map<CallKind, Course> courses_of_kinds_;  // of collectives whose course is divided
  // The call that was begun.
  Course* current_ = nullptr;  // nullptr: it is not counted
  std::optional<CallKind> kind_;
  CallSize size_;
  bool is_lost_ = false;
  int ranks_;
  mpi::ProgressEngine& progress_;
  bool sizes_suffice_, is_lasting_;
  int explorations_ = 0;  // that have begun
  std::map<CallKind, MeasuredChoice> choices_;
};

}  // namespace isotrope::pmpi

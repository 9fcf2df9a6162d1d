// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/communicator_choices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "isotrope/mpi/type_constructor.hpp"

namespace isotrope::pmpi {
namespace {

using schedule::Collective;

constexpr std::int64_t classes = 64;

std::int64_t number_of(const CallKind& kind) {
  const auto [collective, is_unequal] = kind.collective;
  return (2 * static_cast<std::int64_t>(collective) + (is_unequal ? 1 : 0)) * classes + kind.size_class;
}

CallKind numbered_kind(std::int64_t number) {
  const std::int64_t collective = number / classes;
  return {{static_cast<Collective>(collective / 2), collective % 2 != 0},
          static_cast<std::uint32_t>(number % classes)};
}

std::int64_t nanoseconds(double seconds) {
  return std::llround(1e9 * seconds);
}

}  // namespace

CallKind CallKind::of(CallCollective collective, std::uint64_t bytes) {
  return {collective, static_cast<std::uint32_t>(std::bit_width(bytes))};
}

std::uint64_t CallKind::least_bytes() const {
  return size_class == 0 ? 0 : std::uint64_t{1} << (size_class - 1);
}

// What all ranks know after a meeting.
struct CommunicatorChoices::Minutes {
  bool explores = false;          // some rank wants to, or an exploration goes on
  std::optional<CallKind> kind;   // of this call, if all ranks have valid arguments of one kind
  bool has_other_kinds = false;   // among the calls since the last meeting, on some rank
  std::optional<double> seconds;  // of a call of the turn before, if one was timed
  std::optional<double> pace;  // seconds from call to call since the last meeting, if all were of this kind
  // Calls take longer than meetings, or more than half as long at the pace of the program.
  bool is_slow = false;
  bool is_affordable = false;  // an exploration, by the time that the calls have taken
  int run = 1;                 // calls that take the time of 64 meetings or 2 ms, 1 to 32
};

bool CommunicatorChoices::begin(const CallCollective& collective, const CallSize& size) {
  kind_ = kind_of(collective, size);
  size_ = size;
  current_ = course_of(collective, kind_);
  return current_ != nullptr && current_->meets_next();
}

std::optional<CallKind> CommunicatorChoices::kind_of(const CallCollective& collective,
                                                     const CallSize& size) const {
  if (collective == Collective::barrier) return CallKind{collective};
  if (size.count < 0 || size.type == MPI_DATATYPE_NULL) return std::nullopt;
  MPI_Count element = 0;
  if (PMPI_Type_size_x(size.type, &element) != MPI_SUCCESS || element < 0) return std::nullopt;
  const auto bytes = static_cast<std::uint64_t>(size.count) * static_cast<std::uint64_t>(element);
  const auto blocks = static_cast<std::uint64_t>(is_sized_by_all(collective) ? ranks_ : 1);
  return CallKind::of(collective, bytes / blocks);
}

// A call without a kind is refused by the library, perhaps on this rank alone.
CommunicatorChoices::Course* CommunicatorChoices::course_of(const CallCollective& collective,
                                                            const std::optional<CallKind>& kind) {
  if (!is_divided_[index(collective)]) return &courses_[index(collective)];
  if (!kind) return nullptr;
  const auto [course, is_new] = courses_of_kinds_.try_emplace(*kind);
  if (is_new) course->second.next_meeting = first_meeting();
  return &course->second;
}

// The ranks have met in a call of one kind: it goes on with the course that had all kinds, and the others begin theirs.
void CommunicatorChoices::divide(const CallKind& kind) {
  const std::size_t i = index(kind.collective);
  is_divided_[i] = true;
  current_ = &courses_of_kinds_.emplace(kind, courses_[i]).first->second;
}

MeasuredChoice::Call CommunicatorChoices::next(MPI_Comm comm, const Calls& calls) {
  if (current_ == nullptr) return {};
  const bool meets = current_->meets_next();
  ++current_->calls;
  if (!meets && current_->explores) return continue_turn(*current_, kind_);
  if (!meets) return go_on(*current_);
  if (is_lost_) return {};
  if (!calls.is_valid()) kind_.reset();
  current_->has_seen_open = current_->has_seen_open || (kind_ && is_open(*kind_));
  const Minutes minutes = meet(comm, *current_, kind_);
  if (is_lost_) return {};
  const bool is_of_all_kinds = minutes.kind && !is_divided_[index(minutes.kind->collective)];
  if (is_of_all_kinds && has_one_size(minutes.kind->collective)) divide(*minutes.kind);
  end_turn(*current_, minutes);
  return explore(*current_, minutes, calls);
}

// A call without a meeting, outside explorations.
MeasuredChoice::Call CommunicatorChoices::go_on(Course& course) {
  course.note(kind_);
  if (!kind_) return {};
  const std::size_t candidate = leader(*kind_);
  course.has_seen_open = course.has_seen_open || is_open(*kind_);
  if (sizes_suffice_ && candidate == MeasuredChoice::library && mpi::is_predefined(size_.type))
    known_of(kind_->collective, size_) = {size_, &course, course.next_meeting - 1};
  return {candidate};
}

// Calls of other kinds may come in between.
MeasuredChoice::Call CommunicatorChoices::continue_turn(Course& course, std::optional<CallKind> kind) const {
  course.note(kind);
  course.turn_before_call = course.turn;
  const MeasuredChoice::Call call = course.turn.take();
  if (kind == course.turn_kind) return call;
  return {kind ? leader(*kind) : MeasuredChoice::library};
}

std::size_t CommunicatorChoices::leader(const CallCollective& collective, const CallSize& size) const {
  const std::optional<CallKind> kind = kind_of(collective, size);
  return kind ? leader(*kind) : MeasuredChoice::library;
}

std::size_t CommunicatorChoices::leader(const CallKind& kind) const {
  const auto found = choices_.find(kind);
  return found == choices_.end() ? MeasuredChoice::library : found->second.leader();
}

bool CommunicatorChoices::is_open(const CallKind& kind) const {
  const auto found = choices_.find(kind);
  return found == choices_.end() || !found->second.is_settled();
}

// Returns whether all ranks have the result; if not, they never meet again.
bool CommunicatorChoices::reduce(MPI_Comm comm, std::span<std::int64_t> values, MPI_Op op) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = PMPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, op,
                             comm, &request);
  if (code == MPI_SUCCESS) code = progress_.wait(request);
  is_lost_ = is_lost_ || code != MPI_SUCCESS;
  return code == MPI_SUCCESS;
}

// What the ranks tell each other in a meeting: numbers of which all get the sums. Times are nanoseconds.
struct CommunicatorChoices::Told {
  enum Field : std::size_t {
    wants,
    refuses,
    number,
    square,
    timed,
    timed_calls,
    others,
    since_last,
    last_meeting,
    count
  };

  // Of a rank that meets in a call of `kind`.
  Told(const Course& course, const std::optional<CallKind>& kind, double begin) {
    sums[wants] = course.explores || course.has_seen_open ? 1 : 0;
    sums[refuses] = kind ? 0 : 1;
    sums[number] = kind ? number_of(*kind) : 0;
    sums[square] = sums[number] * sums[number];
    sums[timed] = nanoseconds(course.seconds);
    sums[timed_calls] = course.timed_calls;
    sums[others] = course.has_other_kinds || !kind || course.first_kind != kind ? 1 : 0;
    sums[since_last] = nanoseconds(begin - course.meeting_ended);
    sums[last_meeting] = nanoseconds(course.meeting_seconds);
  }

  double of(Field field) const { return static_cast<double>(sums[field]); }
  // That of all ranks. They have one number, if the sum of the squares times the ranks is the square of the sum.
  std::optional<CallKind> kind(int ranks) const {
    if (sums[refuses] != 0 || ranks * sums[square] != sums[number] * sums[number]) return std::nullopt;
    return numbered_kind(sums[number] / ranks);
  }

  std::array<std::int64_t, count> sums{};
};

CommunicatorChoices::Minutes CommunicatorChoices::meet(MPI_Comm comm, Course& course,
                                                       std::optional<CallKind> kind) {
  // Only calls that overlap are timed by their slowest rank, and all ranks know that a turn ends.
  const bool has_slowest = course.turn_kind && calls_overlap(course.turn_kind->collective);
  std::int64_t slowest = nanoseconds(course.seconds / std::max(course.timed_calls, 1));
  if (has_slowest && !reduce(comm, {&slowest, 1}, MPI_MAX)) return {};
  const double begin = PMPI_Wtime();
  Told told(course, kind, begin);
  if (!reduce(comm, told.sums, MPI_SUM)) return {};
  course.next_meeting =
      course.calls + course.calls_until_next(told.of(Told::since_last), told.of(Told::last_meeting));
  Minutes minutes;
  minutes.explores = told.sums[Told::wants] != 0;
  minutes.has_other_kinds = told.sums[Told::others] != 0;
  minutes.kind = told.kind(ranks_);
  if (told.sums[Told::timed_calls] > 0) {
    minutes.seconds = 1e-9 * (has_slowest ? static_cast<double>(slowest)
                                          : told.of(Told::timed) / told.of(Told::timed_calls));
  }
  if (course.last_meeting > 0) compare_with_calls(minutes, told, course);
  course.end_meeting(kind, begin);
  return minutes;
}

// How long the calls since the last meeting took, beside a meeting.
void CommunicatorChoices::compare_with_calls(Minutes& minutes, const Told& told, const Course& course) const {
  constexpr double fewest_calls = 8;
  const auto passed = static_cast<double>(course.calls - course.last_meeting);
  const double from_call_to_call = told.of(Told::since_last) / passed,
               of_meeting = told.of(Told::last_meeting);
  const bool are_the_programs = !course.explores && !minutes.has_other_kinds;
  if (are_the_programs && passed >= fewest_calls) minutes.pace = 1e-9 * from_call_to_call / ranks_;
  minutes.is_slow = (minutes.pace ? 2 : 1) * from_call_to_call > of_meeting;
  constexpr double paying_meetings = 256, of_joining = 5e6;  // nanoseconds
  const double of_exploration = std::max(paying_meetings * of_meeting, of_joining * ranks_);
  minutes.is_affordable =
      static_cast<double>(course.calls) * from_call_to_call >= (explorations_ + 1) * of_exploration;
  constexpr double meetings = 64, longest_run = 32, longest = 2e6;  // nanoseconds
  const double of_turn = std::min(meetings * of_meeting / ranks_, longest);
  minutes.run =
      static_cast<int>(std::clamp(of_turn * ranks_ / std::max(from_call_to_call, 1.0), 1.0, longest_run));
}

void CommunicatorChoices::Course::end_meeting(const std::optional<CallKind>& kind, double begin) {
  first_kind = kind;
  has_other_kinds = !kind;
  last_meeting = calls;
  meeting_ended = PMPI_Wtime();
  meeting_seconds = meeting_ended - begin;
}

void CommunicatorChoices::Course::note(std::optional<CallKind> kind) {
  if (!first_kind) first_kind = kind;
  has_other_kinds = has_other_kinds || !kind || kind != first_kind;
}

// Meetings take a small share of the time: at the pace of the calls since the last one.
std::uint64_t CommunicatorChoices::Course::calls_until_next(double since_last, double meeting) const {
  constexpr double inverse_share = 256, fewest = 16, most = 1 << 14;
  const auto passed = static_cast<double>(std::max<std::uint64_t>(calls - last_meeting, 1));
  const double affordable =
      std::clamp(inverse_share * meeting * passed / std::max(since_last, 1.0), fewest, most);
  return std::min(calls, static_cast<std::uint64_t>(affordable));
}

void CommunicatorChoices::end_turn(Course& course, const Minutes& minutes) {
  if (course.turn_kind) choices_.at(*course.turn_kind).end_turn(minutes.seconds);
  course.turn_kind.reset();
  course.timed_calls = 0;
  course.seconds = 0;
}

// The ranks join in a meeting, and explore in the next one: whether arguments are valid is known when they have joined.
bool CommunicatorChoices::may_begin(Course& course, const Minutes& minutes, const Calls& calls) const {
  if (is_lasting_) return true;
  if (!minutes.explores || !minutes.is_affordable) return false;
  if (!calls.join()) return true;
  course.next_meeting = course.calls + 1;
  return false;
}

// Every kind takes the turns of one exploration of its own, those that are left from the last exploration first.
MeasuredChoice::Call CommunicatorChoices::explore(Course& course, const Minutes& minutes,
                                                  const Calls& calls) {
  if (!course.explores && !may_begin(course, minutes, calls)) return {};
  if (minutes.explores && !course.explores) {
    ++explorations_;
    course.explored.clear();
    course.has_seen_open = false;
    course.idle = 0;
  }
  course.explores = minutes.explores;
  if (!course.explores) return {};
  if (minutes.kind && is_too_short(*minutes.kind, minutes)) {
    course.explores = false;
    course.has_seen_open = true;
    return {};
  }
  MeasuredChoice* const choice =
      minutes.kind ? &choice_of(course, *minutes.kind, minutes.run, calls.make) : nullptr;
  if (choice == nullptr || choice->is_over()) {
    constexpr int most_idle = 4;
    if (++course.idle == most_idle) course.explores = false;
    return {choice == nullptr ? MeasuredChoice::library : choice->leader()};
  }
  course.idle = 0;
  if (minutes.pace && choice->leader() == MeasuredChoice::library) choice->set_pace(*minutes.pace);
  course.turn = choice->turn();
  // Otherwise the call that is timed may be of another kind, again and again.
  if (minutes.has_other_kinds && course.turn.timed > 0) course.turn.untimed = 0;
  course.turn_kind = minutes.kind;
  return course.turn.take();
}

// Overlapping calls that take less time than a meeting: a turn would time the meeting before it.
bool CommunicatorChoices::is_too_short(const CallKind& kind, const Minutes& minutes) const {
  return calls_overlap(kind.collective) && !minutes.is_slow && !choices_.contains(kind);
}

// The choice of a kind, with turns to take if it is not settled and had none in this exploration.
MeasuredChoice& CommunicatorChoices::choice_of(Course& course, const CallKind& kind, int run,
                                               const MakeChoice& make) {
  auto found = choices_.find(kind);
  if (found == choices_.end()) found = choices_.emplace(kind, make(kind, run)).first;
  MeasuredChoice& choice = found->second;
  if (std::ranges::find(course.explored, kind) == course.explored.end()) {
    course.explored.push_back(kind);
    if (choice.is_over() && !choice.is_settled()) choice.explore();
  }
  return choice;
}

}  // namespace isotrope::pmpi

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi/latency.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isotrope::app {
namespace {

constexpr int most_in_turn = 64;        // ranks that are measured one pair at a time
constexpr int messages_in_a_pass = 30;  // of a pair
constexpr double small_change = 0.01;   // of a latency, that another pass may bring

enum Tag : int { ping, pong, turn, done, stop, load };

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_in(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

// Seconds in which rank 0 sends this many bytes to each of the first partners and has their answers, on all ranks; the shortest of some.
double load_time(MPI_Comm comm, const std::vector<int>& partners, std::size_t count, int bytes) {
  constexpr int repetitions = 5;
  const int own = rank_of(comm);
  const auto used_end = partners.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<char> message(static_cast<std::size_t>(bytes), 1);
  double shortest = std::numeric_limits<double>::max();
  if (own == 0) {
    for (int i = 0; i < repetitions; ++i) {
      std::vector<MPI_Request> requests;
      std::vector<char> answers(count);
      const double begin = MPI_Wtime();
      for (std::size_t k = 0; k < count; ++k) {
        MPI_Irecv(&answers[k], 1, MPI_CHAR, partners[k], pong, comm, &requests.emplace_back());
        MPI_Isend(message.data(), bytes, MPI_CHAR, partners[k], load, comm, &requests.emplace_back());
      }
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      shortest = std::min(shortest, MPI_Wtime() - begin);
    }
  } else if (std::find(partners.begin(), used_end, own) != used_end) {
    for (int i = 0; i < repetitions; ++i) {
      MPI_Recv(message.data(), bytes, MPI_CHAR, 0, load, comm, MPI_STATUS_IGNORE);
      MPI_Send(message.data(), 1, MPI_CHAR, 0, pong, comm);
    }
  }
  MPI_Bcast(&shortest, 1, MPI_DOUBLE, 0, comm);
  return shortest;
}

}  // namespace

LatencyMeasurement::LatencyMeasurement(MPI_Comm comm)
    : comm_(comm), own_(rank_of(comm)), size_(size_in(comm)), times_(static_cast<std::size_t>(size_)) {}

void LatencyMeasurement::measure(double limit) {
  begin_ = last_change_ = MPI_Wtime();
  limit_ = limit;
  if (size_ > most_in_turn) {
    play_tournaments();
  } else if (own_ == 0) {
    lead();
  } else {
    serve();
  }
}

std::optional<graph::Latencies> LatencyMeasurement::table() const {
  const auto order = static_cast<network::Node>(size_);
  std::vector<double> row, rows(own_ == 0 ? std::size_t{order} * order : 0);
  for (int other = 0; other < size_; ++other) row.push_back(typical(other));
  MPI_Gather(row.data(), size_, MPI_DOUBLE, rows.data(), size_, MPI_DOUBLE, 0, comm_);
  if (own_ != 0) return std::nullopt;
  std::optional<graph::Latencies> result(order);
  for (network::Node low = 0; low < order; ++low) {
    for (network::Node high = low + 1; high < order; ++high)
      result->set(low, high, std::max(rows[std::size_t{low} * order + high] / 2, MPI_Wtick()));
  }
  return result;
}

// The time that a twentieth of the messages did not exceed.
double LatencyMeasurement::typical(int other) const {
  std::vector<double> times = times_[static_cast<std::size_t>(other)];
  if (times.empty()) return 0;
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 20);
  std::ranges::nth_element(times, place);
  return *place;
}

// Exchanges messages with a higher rank, which serves. Returns whether the time of the pair has changed.
bool LatencyMeasurement::ask(int other) {
  const double before = typical(other);
  std::vector<double>& times = times_[static_cast<std::size_t>(other)];
  for (int i = 0; i < messages_in_a_pass; ++i) {
    const double begin = MPI_Wtime();
    MPI_Send(&before, 1, MPI_DOUBLE, other, ping, comm_);
    double answer = 0;
    MPI_Recv(&answer, 1, MPI_DOUBLE, other, pong, comm_, MPI_STATUS_IGNORE);
    times.push_back(MPI_Wtime() - begin);
  }
  return std::abs(typical(other) - before) > small_change * before;
}

// In the first pass the library connects the ranks, and messages between ranks with few connections are faster: it does not count.
void LatencyMeasurement::begin_pass() {
  if (own_passes_++ != 1) return;
  for (std::vector<double>& times : times_) times.clear();
}

// Whether passes have converged or time is over. @param changed pairs whose times the last pass changed
bool LatencyMeasurement::is_over(std::int64_t changed) {
  const std::int64_t pairs = std::int64_t{size_} * (size_ - 1) / 2;
  const double now = MPI_Wtime();
  if (changed * 100 > pairs) last_change_ = now;
  ++passes_;
  const bool is_quiet = now - last_change_ > (now - begin_) / 3;
  return now - begin_ > limit_ || (is_quiet && now - begin_ > limit_ / 5);
}

// The pairs of this rank, then those of the next one. @param changed pairs so far in this pass
void LatencyMeasurement::take_turn(std::int64_t changed) {
  begin_pass();
  for (int other = own_ + 1; other < size_; ++other) changed += ask(other) ? 1 : 0;
  const bool is_last = own_ + 2 >= size_;
  MPI_Send(&changed, 1, MPI_INT64_T, is_last ? 0 : own_ + 1, is_last ? done : turn, comm_);
}

void LatencyMeasurement::lead() {
  std::int64_t changed = 0;
  do {
    changed = 0;
    begin_pass();
    for (int other = 1; other < size_; ++other) changed += ask(other) ? 1 : 0;
    if (size_ > 2) {
      MPI_Send(&changed, 1, MPI_INT64_T, 1, turn, comm_);
      MPI_Recv(&changed, 1, MPI_INT64_T, size_ - 2, done, comm_, MPI_STATUS_IGNORE);
    }
  } while (!is_over(changed));
  for (int other = 1; other < size_; ++other) MPI_Send(&changed, 1, MPI_INT64_T, other, stop, comm_);
}

void LatencyMeasurement::serve() {
  while (true) {
    std::int64_t word = 0;  // of 8 bytes, as all messages here
    MPI_Status status;
    MPI_Recv(&word, sizeof word, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &status);
    if (status.MPI_TAG == stop) return;
    if (status.MPI_TAG == turn) {
      take_turn(word);
    } else {
      MPI_Send(&word, sizeof word, MPI_BYTE, status.MPI_SOURCE, pong, comm_);
    }
  }
}

// The partner of this rank in a round of the circle method: one rank stays, the others move on by one place. Of an odd
// number, the rank that meets nobody gets itself.
int LatencyMeasurement::partner_in(int round) const {
  const int even = size_ + size_ % 2, circle = even - 1;
  int other = 0;
  if (own_ == circle) {
    other = round * (even / 2) % circle;
  } else {
    other = (round - own_ + circle) % circle;
    if (other == own_) other = circle;
  }
  return other < size_ ? other : own_;
}

void LatencyMeasurement::play_tournaments() {
  int over = 0;
  while (over == 0) {
    std::int64_t changed = 0;
    begin_pass();
    for (int round = 0; round < size_ - 1 + size_ % 2; ++round) {
      const int other = partner_in(round);
      if (own_ < other) changed += ask(other) ? 1 : 0;
      for (int i = 0; other < own_ && i < messages_in_a_pass; ++i) {
        double word = 0;
        MPI_Recv(&word, 1, MPI_DOUBLE, other, ping, comm_, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_DOUBLE, other, pong, comm_);
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT64_T, MPI_SUM, comm_);
    over = is_over(changed) ? 1 : 0;
    MPI_Bcast(&over, 1, MPI_INT, 0, comm_);
  }
}

MeasuredLinks measured_links(MPI_Comm comm, const std::vector<int>& partners) {
  constexpr double long_enough = 0.02;  // seconds
  constexpr int most_bytes = 4 << 20;
  const double small = load_time(comm, partners, 1, 8);
  int bytes = 16 << 10;
  double one = load_time(comm, partners, 1, bytes);
  while (one < long_enough && bytes < most_bytes) one = load_time(comm, partners, 1, bytes *= 2);
  const double all = load_time(comm, partners, partners.size(), bytes);
  const auto most = static_cast<double>(partners.size());
  return {.startup_s = small / 2,
          .byte_time_s = std::max(one - small, 1e-3 * one) / bytes,
          .ports = static_cast<std::uint32_t>(std::clamp(std::round(most * one / all), 1.0, most))};
}

}  // namespace isotrope::app

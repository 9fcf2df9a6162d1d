// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Latencies between all pairs of ranks, and what a link carries: the measurements of isotrope discover.
//
// Method. A latency is half the time of a small message there and back, some after each other, in many passes over all pairs: the
// time that a twentieth of them did not exceed. Other work makes messages slower, so the short times are those of an idle machine;
// the very shortest are luck, such as two ranks on one processor. Passes go on until hardly any time has changed in a third of the
// time.
// Few ranks are measured one pair at a time: a rank with the turn exchanges messages with all higher ranks, which answer whoever asks,
// and hands the turn on. Many ranks play a round-robin tournament, each pair of a round at the same time.
#pragma once

#include <cstdint>
#include <mpi.h>
#include <optional>
#include <vector>

#include "isotrope/graph/latency_fit.hpp"

namespace isotrope::app {

/// The times so far. Of 2 to graph::Latencies::most_nodes ranks, all of which must call the functions together.
class LatencyMeasurement {
 public:
  explicit LatencyMeasurement(MPI_Comm comm);

  /// Makes passes over all pairs until they have converged, for about `limit` seconds at most.
  void measure(double limit);
  /// One way, in seconds; on rank 0 only.
  std::optional<graph::Latencies> table() const;
  unsigned passes() const { return passes_; }

 private:
  double typical(int other) const;
  bool ask(int other);
  bool is_over(std::int64_t changed);
  void begin_pass();
  void take_turn(std::int64_t changed);
  void lead();
  void serve();
  int partner_in(int round) const;
  void play_tournaments();

  MPI_Comm comm_;
  int own_ = 0, size_ = 0;
  std::vector<std::vector<double>> times_;          // of all messages there and back, by higher rank
  unsigned passes_ = 0, own_passes_ = 0;            // as rank 0 and as this rank counts them
  double begin_ = 0, limit_ = 0, last_change_ = 0;  // of this measurement
};

/// What rank 0 sends to some ranks at once.
struct MeasuredLinks {
  double startup_s = 0;     ///< of a small message to the first of them
  double byte_time_s = 0;   ///< of a long message to the first of them
  std::uint32_t ports = 1;  ///< how many of these messages pass at once
};

/// All ranks of `comm` must call this with the same partners of rank 0, at least one.
MeasuredLinks measured_links(MPI_Comm comm, const std::vector<int>& partners);

}  // namespace isotrope::app

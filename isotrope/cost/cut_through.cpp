// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/cut_through.hpp"

#include <algorithm>
#include <vector>

namespace isotrope::cost {
namespace {

struct RoundSeconds {
  double network = 0;  // of the slowest message
  double all = 0;      // with overheads
};

// The times on the way of messages of one round.
class Ways {
 public:
  Ways(const CutThroughRound& round, std::uint64_t block_bytes, const Machine& machine,
       std::span<const LinkTime> by_axis)
      : round_(round), block_bytes_(block_bytes), machine_(machine), by_axis_(by_axis) {}

  // Machine::direct_time of messages to nodes up to `hops` links away, that of the load `far` among them.
  double seconds(std::uint32_t hops, const FarLoad& far) const {
    const std::uint64_t message_bytes = round_.largest * block_bytes_;
    if (by_axis_.empty())
      return machine_.direct_time(message_bytes, far.busiest * block_bytes_, hops, far.hops);
    const LinkTime slowest = slowest_of(far.hops);
    const double farthest =
        (hops - 1) * machine_.hop_time_s + static_cast<double>(message_bytes) * slowest.byte_time_s;
    const double shared = (far.hops - 1) * machine_.hop_time_s + busiest_s(far);
    return static_cast<double>(machine_.startups(message_bytes)) * slowest.startup_s +
           std::max(farthest, shared);
  }
  // Seconds of the bytes of the link that is busy longest, of links of several classes.
  double longest_transfer_s() const { return round_.far.empty() ? 0 : busiest_s(round_.far.front()); }

 private:
  // The largest times of links that messages of so many hops or more use.
  LinkTime slowest_of(std::uint32_t hops) const {
    LinkTime result{0, 0, 1};
    for (const AxisLoad& load : round_.axes) {
      if (load.hops != hops) continue;
      const LinkTime& time = by_axis_[load.axis];
      result.startup_s = std::max(result.startup_s, time.startup_s);
      result.byte_time_s = std::max(result.byte_time_s, time.byte_time_s);
    }
    return result;
  }
  double busiest_s(const FarLoad& far) const {
    double result = 0;
    for (const AxisLoad& load : round_.axes) {
      if (load.hops == far.hops)
        result = std::max(result,
                          static_cast<double>(load.busiest * block_bytes_) * by_axis_[load.axis].byte_time_s);
    }
    return result;
  }

  const CutThroughRound& round_;
  std::uint64_t block_bytes_;
  const Machine& machine_;
  std::span<const LinkTime> by_axis_;
};

RoundSeconds in_any_order(const CutThroughRound& round, std::uint64_t block_bytes, const Machine& machine,
                          const Ways& ways) {
  RoundSeconds result;
  if (round.far.empty()) result.network = ways.seconds(round.hops, {1, round.busiest});
  for (const FarLoad& far : round.far)
    result.network = std::max(result.network, ways.seconds(round.hops, far));
  result.all =
      machine.direct_round_time(round.messages, round.sent * block_bytes, round.received, result.network);
  return result;
}

// Message i of a node comes when i messages have been prepared and it has gone its way; receivers take one after the
// other, and nothing before they have sent.
RoundSeconds farthest_first(const CutThroughRound& round, std::uint64_t block_bytes, const Machine& machine,
                            const Ways& ways) {
  const auto prepared = [&](std::uint64_t messages) {
    return machine.overhead(messages, std::min(round.sent, messages * round.largest) * block_bytes);
  };
  RoundSeconds result;
  std::vector<double> arrivals;
  for (std::size_t i = round.far.size(); i-- > 0;) {
    const FarLoad& far = round.far[i];
    const double network_s = ways.seconds(far.hops, far);
    result.network = std::max(result.network, network_s);
    result.all = std::max(result.all, prepared(far.messages) + network_s + machine.receive_overhead(1));
    while (arrivals.size() < far.received) {
      const auto sent = std::min<std::uint64_t>(arrivals.size() + 1, far.messages);
      arrivals.push_back(prepared(sent) + network_s);
    }
  }
  std::ranges::sort(arrivals);
  double taken_s = 0;
  for (const double arrival : arrivals) taken_s = std::max(taken_s, arrival) + machine.receive_overhead(1);
  result.all =
      std::max({result.all, taken_s, prepared(round.messages) + machine.receive_overhead(round.received)});
  return result;
}

}  // namespace

void CutThroughRound::add_axes(std::uint32_t at_least, std::span<const std::uint64_t> busiest_by_axis) {
  for (std::uint32_t axis = 0; axis < busiest_by_axis.size(); ++axis) {
    if (busiest_by_axis[axis] > 0) axes.push_back({at_least, axis, busiest_by_axis[axis]});
  }
}

Prediction cut_through(std::span<const CutThroughRound> rounds, std::uint64_t block_bytes,
                       const Machine& machine, std::span<const LinkTime> by_axis) {
  Prediction result{.segments = 1, .segment_bytes = block_bytes};
  double networks_s = 0, unlike_s = 0;
  for (const CutThroughRound& round : rounds) {
    const bool is_ordered = !round.far.empty() && round.far.front().messages > 0;
    const Ways ways(round, block_bytes, machine, by_axis);
    const RoundSeconds seconds = is_ordered ? farthest_first(round, block_bytes, machine, ways)
                                            : in_any_order(round, block_bytes, machine, ways);
    if (!by_axis.empty()) unlike_s += ways.longest_transfer_s();
    ++result.rounds;
    result.link_bytes += round.busiest * block_bytes;
    result.seconds += seconds.all;
    networks_s += seconds.network;
  }
  result.overhead_s = result.seconds - networks_s;
  result.transfer_s =
      by_axis.empty() ? static_cast<double>(result.link_bytes) * machine.byte_time_s : unlike_s;
  result.startup_s = networks_s - result.transfer_s;
  return result;
}

}  // namespace isotrope::cost

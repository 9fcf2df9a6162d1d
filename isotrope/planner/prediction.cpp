// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "isotrope/cost/ramp.hpp"

namespace isotrope::planner {
namespace {

// The most hops of a schedule that is made to be predicted.
constexpr std::uint64_t most_hops = std::uint64_t{1} << 24;

// The most packets over a link of one that runs ahead: more save less than they cost beside their bytes.
constexpr double most_ahead = 512;

// Of an algorithm that finds no schedule.
constexpr std::uint64_t no_rounds = UINT64_MAX;

// Seconds of a processor that receives and passes on so many packets.
double busy_with_packets(std::uint64_t packets, std::uint64_t bytes, const cost::Machine& machine) {
  return machine.overhead(packets, packets * bytes) + machine.receive_overhead(packets);
}

}  // namespace

// Looks for the best number of packets and passes over those that cannot be it.
class Predictor::Search {
 public:
  Search(Predictor& predictor, double limit, std::uint64_t block_bytes, const cost::Machine& machine)
      : predictor_(predictor), machine_(machine), block_bytes_(block_bytes), limit_(limit) {
    most_ = std::min<std::uint64_t>(std::max<std::uint64_t>(block_bytes, 1),
                                    UINT32_MAX / predictor.request_.network.order());
    best_.seconds = limit;
  }

  void consider(std::uint64_t packets) {
    auto within = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(packets, 1, most_));
    if (least_seconds(within) >= best_.seconds) return;
    within = std::min(within, most_scheduled(within));
    const Prediction prediction = predictor_.with_packets(block_bytes_, within, machine_);
    if (prediction.seconds >= best_.seconds) return;
    best_ = prediction;
    found_ = true;
  }

  // Whether more packets than `packets` could be better than the best so far. Below r / x packets, where one
  // packet takes r rounds and every further one x, the time falls with their number, above it grows.
  bool could_gain_above(std::uint64_t packets) const {
    if (packets >= most_) return false;
    const double first = static_cast<double>(packets + 1), last = static_cast<double>(most_);
    const auto one = static_cast<double>(predictor_.fewest_rounds(1));
    const double per_packet = predictor_.rounds_a_part_;
    const double turn = per_packet > 0 ? std::clamp(one / per_packet, first, last) : last;
    return least_seconds(turn, std::max(one, per_packet * turn)) < best_.seconds;
  }

  Fastest result() const {
    if (found_) return {best_, false};
    Prediction least;
    least.seconds = std::max(limit_, floor());
    return {least, true};
  }

 private:
  // As many of `packets` as a schedule is made of, where one is needed.
  std::uint32_t most_scheduled(std::uint32_t packets) const {
    if (packets == 1 || predictor_.merges() || !predictor_.needs_schedule(machine_)) return packets;
    predictor_.loads(1);
    const std::uint64_t hops = std::max<std::uint64_t>(predictor_.hops_of_one_part_, 1);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_hops / hops, 1, packets));
  }

  double least_seconds(std::uint32_t packets) const {
    const auto rounds = static_cast<double>(predictor_.fewest_rounds(packets));
    if (predictor_.merges()) return least_merged(rounds);
    return least_seconds(packets, std::max(rounds, predictor_.rounds_a_part_ * packets));
  }
  // Of so many rounds of one packet each.
  double least_seconds(double packets, double rounds) const {
    const double bytes = static_cast<double>(block_bytes_) / packets;
    return rounds * (least_of_round() + bytes * machine_.byte_time_s);
  }
  // Of so many rounds with any number of packets.
  double least_merged(double rounds) const {
    return rounds * least_of_round() +
           predictor_.rounds_a_part_ * static_cast<double>(block_bytes_) * machine_.byte_time_s;
  }
  double least_of_round() const { return machine_.round_time(1, 0, 0, 1); }
  // Of any number of packets.
  double floor() const { return least_merged(static_cast<double>(predictor_.fewest_rounds(1))); }

  Predictor& predictor_;
  const cost::Machine& machine_;
  std::uint64_t block_bytes_;
  double limit_;
  std::uint64_t most_ = 1;  // packets
  Prediction best_;
  bool found_ = false;
};

Predictor::Predictor(const Algorithm& algorithm, Request request, double rounds_a_part)
    : algorithm_(algorithm), request_(std::move(request)), rounds_a_part_(rounds_a_part) {}

// Multiples of the degree, so that algorithms which send a packet over every port come out even.
cost::PipelineCost Predictor::pipeline() {
  const std::uint32_t few = std::max<std::uint32_t>(request_.network.degree(), 1), many = 2 * few;
  const auto first = static_cast<double>(round_count(few)), second = static_cast<double>(round_count(many));
  const double per_packet = (second - first) / few;
  return {per_packet, std::max(0.0, first - per_packet * few)};
}

Prediction Predictor::with_packets(std::uint64_t block_bytes, std::uint32_t packets,
                                   const cost::Machine& machine) {
  Prediction result{.packets = packets, .packet_bytes = (block_bytes + packets - 1) / packets};
  const auto add = [&](const cost::RoundLoad& load, std::uint64_t rounds) {
    const std::uint64_t bytes = load.packets * result.packet_bytes;
    const auto count = static_cast<double>(rounds);
    result.rounds += rounds;
    result.seconds +=
        count * machine.round_time(load.messages, load.sent * result.packet_bytes, bytes, load.received);
    result.overhead_s += count * (machine.overhead(load.messages, load.sent * result.packet_bytes) +
                                  machine.receive_overhead(load.received));
    result.startup_s += count * static_cast<double>(machine.startups(bytes)) * machine.startup_s;
    result.transfer_s += count * static_cast<double>(bytes) * machine.byte_time_s;
    result.link_bytes += rounds * bytes;
  };
  if (merges() || (needs_schedule(machine) && round_count(1) < no_rounds)) {
    for (const auto& [load, rounds] : loads(packets)) add(load, rounds);
  } else {
    add({1, 1, 1, 1}, round_count(packets));
  }
  return result;
}

Predictor::Fastest Predictor::fastest_below(double limit, std::uint64_t block_bytes,
                                            const cost::Machine& machine) {
  Fastest result = fastest_in_lock_step(limit, block_bytes, machine);
  if (!runs_ahead(machine) || round_count(1) == no_rounds) return result;
  const Prediction ahead = fastest_ahead(block_bytes, machine);
  if (ahead.seconds < std::min(limit, result.prediction.seconds)) return {ahead, false};
  if (result.at_least) result.prediction.seconds = std::min(result.prediction.seconds, ahead.seconds);
  return result;
}

Predictor::Fastest Predictor::fastest_in_lock_step(double limit, std::uint64_t block_bytes,
                                                   const cost::Machine& machine) {
  round_count(1);  // which tells the least of all others
  Search search(*this, limit, block_bytes, machine);
  search.consider(1);
  if (merges()) {
    for (const std::uint64_t packets : split_candidates()) search.consider(packets);
    return search.result();
  }
  if (!search.could_gain_above(1)) return search.result();
  const std::uint64_t degree = request_.network.degree();
  if (search.could_gain_above(degree)) {
    for (const std::uint64_t packets : pipeline_candidates(block_bytes, machine)) search.consider(packets);
  }
  for (std::uint64_t packets = 2; packets <= degree; ++packets) search.consider(packets);
  return search.result();
}

// Where all packets follow each other along trees, over all ports, and start-ups occupy no link.
bool Predictor::runs_ahead(const cost::Machine& machine) const {
  return machine.cut_through && machine.startup_s > 0 && machine.byte_time_s > 0 && !merges() &&
         request_.task.collective == schedule::Collective::broadcast && request_.failed.empty() &&
         request_.ports.kind == schedule::PortModel::Kind::all_port && request_.network.order() > 1;
}

Prediction Predictor::ahead(std::uint64_t block_bytes, std::uint32_t packets, std::uint32_t in_flight,
                            const cost::Machine& machine) {
  constexpr double waits = 1 + 1.0 / 32;
  Prediction result{.packets = packets, .rounds = round_count(packets), .in_flight = in_flight};
  const double fill = pipeline().fill;
  // Those over one link of the root, and how many full ones they amount to.
  const double a_link = std::max(1.0, static_cast<double>(result.rounds) - fill);
  const double full = static_cast<double>(cost::ramp_weights(static_cast<std::uint64_t>(a_link), in_flight)) /
                      cost::full_weight;
  const double bytes = static_cast<double>(block_bytes) * a_link / (packets * full);
  result.packet_bytes = static_cast<std::uint64_t>(std::llround(bytes));

  const std::uint64_t messages = request_.network.degree();
  const double busy = busy_with_packets(messages, result.packet_bytes, machine);
  const double startup = static_cast<double>(machine.startups(result.packet_bytes)) * machine.startup_s;
  const double transfer = bytes * machine.byte_time_s;
  const double shared = in_flight > 2 ? 1.5 * transfer : transfer;
  const double period = std::max({transfer, busy, (busy + startup + transfer) / in_flight});
  result.seconds = waits * ((fill + 1) * (busy + startup + shared) + (full - 1) * period);
  result.link_bytes = static_cast<std::uint64_t>((full + fill) * bytes);
  result.transfer_s = (fill + full) * transfer;
  result.overhead_s = std::min((fill + full) * busy, result.seconds - result.transfer_s);
  result.startup_s = result.seconds - result.overhead_s - result.transfer_s;
  return result;
}

// Packets of which w - 1 take a start-up, or smaller ones, so that the first is soon everywhere; over a link
// at least twice as many as are in flight, and no more than gain anything.
std::vector<std::uint32_t> Predictor::ahead_candidates(std::uint64_t block_bytes, std::uint32_t in_flight,
                                                       const cost::Machine& machine) {
  const cost::PipelineCost line = pipeline();
  const auto bytes = static_cast<double>(block_bytes);
  const double busy = busy_with_packets(request_.network.degree(), 0, machine);
  const double full = std::max({(machine.startup_s + busy) / (in_flight - 1) / machine.byte_time_s,
                                busy / machine.byte_time_s, line.per_packet * bytes / most_ahead});
  const double small = std::min(full, line.best_packet(bytes / in_flight, machine));
  const double least = std::ceil(2.0 * in_flight / line.per_packet);
  const std::uint64_t scheduled = most_hops / request_.network.order();
  const double most = std::min(bytes, static_cast<double>(scheduled));

  std::vector<std::uint32_t> result;
  if (least > most) return result;
  for (const double packet : {full, small}) {
    const double a_link = std::floor(line.per_packet * bytes / packet + cost::ramp_packets(in_flight));
    for (const double near : {a_link, a_link + 1}) {
      const double packets = std::clamp(std::round(near / line.per_packet), least, most);
      result.push_back(static_cast<std::uint32_t>(packets));
    }
  }
  return result;
}

// Not where packets keep a processor busy for longer than links: receipts are in the way of sends then.
// Another message in flight makes packets smaller, which must be worth what each of them costs beside its
// bytes.
Prediction Predictor::fastest_ahead(std::uint64_t block_bytes, const cost::Machine& machine) {
  constexpr double worth = 1 - 1.0 / 32;
  const std::uint64_t degree = request_.network.degree();
  Prediction best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (std::uint32_t in_flight = 2; in_flight <= cost::most_in_flight; ++in_flight) {
    Prediction fastest = best;
    for (const std::uint32_t packets : ahead_candidates(block_bytes, in_flight, machine)) {
      const Prediction one = ahead(block_bytes, packets, in_flight, machine);
      const std::uint64_t bytes = one.packet_bytes;
      const double busy = busy_with_packets(degree, bytes, machine);
      if (busy > static_cast<double>(bytes) * machine.byte_time_s) continue;
      const double limit = fastest.in_flight == in_flight ? fastest.seconds : worth * best.seconds;
      if (one.seconds < limit) fastest = one;
    }
    best = fastest;
  }
  return best;
}

// Messages count where they keep a processor busy; over one port they are as many as rounds.
bool Predictor::needs_schedule(const cost::Machine& machine) const {
  return machine.has_overheads() && request_.ports.sends(request_.network.degree()) > 1;
}

std::vector<std::uint64_t> Predictor::split_candidates() const {
  if (!algorithm_.splits) return {};
  const std::uint64_t degree = request_.network.degree(),
                      at_once = request_.ports.sends(request_.network.degree());
  return {at_once, 2 * at_once, degree, 2 * degree};
}

// As many packets as ports, or a multiple of that, lose nothing where rounds fill all ports.
std::vector<std::uint64_t> Predictor::pipeline_candidates(std::uint64_t block_bytes,
                                                          const cost::Machine& machine) {
  const cost::PipelineCost line = pipeline();
  const auto bytes = static_cast<double>(block_bytes);
  const double packet = std::max(1.0, line.best_packet(bytes, machine));
  const std::uint64_t degree = std::max<std::uint64_t>(request_.network.degree(), 1);

  std::vector<std::uint64_t> result;
  const auto add_near = [&](std::uint64_t packets) {
    for (const std::uint64_t near : {packets, packets + 1, packets / degree * degree}) result.push_back(near);
    result.push_back((packets / degree + 1) * degree);
  };
  add_near(static_cast<std::uint64_t>(bytes / packet));
  // Packets above the internal one save no start-ups. Without anything to fill, many gain nothing either.
  if (machine.internal_packet > 0 && packet > static_cast<double>(machine.internal_packet)) {
    const std::uint64_t pieces = (block_bytes - 1) / machine.internal_packet + 1;
    if (line.fill > 0 || pieces <= 8 * degree) add_near(pieces);
  }
  return result;
}

// What is known without counting: the rounds of fewer packets.
std::uint64_t Predictor::fewest_rounds(std::uint64_t packets) const {
  std::uint64_t most = 0;
  for (const auto& [fewer, rounds] : counted_) {
    if (fewer <= packets) most = std::max(most, rounds);
  }
  return most;
}

const Predictor::RoundsByLoad& Predictor::loads(std::uint32_t packets) {
  const auto [entry, is_new] = from_schedule_.try_emplace(packets);
  RoundsByLoad& result = entry->second;
  if (!is_new) return result;
  request_.task.parts = packets;
  const schedule::Schedule schedule = algorithm_.schedule(request_);
  if (packets == 1) hops_of_one_part_ = schedule.hop_count();
  for (const cost::RoundLoad& load : cost::round_loads(request_.network, schedule)) ++result[load];
  return result;
}

std::uint64_t Predictor::round_count(std::uint32_t packets) {
  const auto [entry, is_new] = counted_.try_emplace(packets, 0);
  std::uint64_t& count = entry->second;
  if (!is_new) return count;
  if (merges()) {
    for (const auto& [load, rounds] : loads(packets)) count += rounds;
  } else {
    request_.task.parts = packets;
    count = algorithm_.rounds(request_);
  }
  return count;
}

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/packed_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/algorithm/exchange/exchange_packets.hpp"
#include "isotrope/algorithm/exchange/parity_classes.hpp"
#include "isotrope/algorithm/exchange/route_sets.hpp"
#include "isotrope/algorithm/exchange/step_packing.hpp"
#include "isotrope/algorithm/exchange/type_sets.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::ceil_div;
using schedule::PacketId;
using schedule::RelativeDestination;
using schedule::StepLimits;
using schedule::Task;

// The hops over every port of the routes of even and of odd nodes.
struct SplitRoute {
  PortLoads even, odd;

  bool is_split() const { return even != odd; }
  /// What a link of each port carries, by whatever class of nodes.
  PortLoads loads() const {
    PortLoads result(even.size());
    for (std::size_t p = 0; p < even.size(); ++p) result[p] = (even[p] + odd[p]) / 2;
    return result;
  }
  std::uint32_t largest_load() const { return std::ranges::max(loads()); }
};

PortLoads hops_by_port(const Route& route, Port degree) {
  PortLoads hops(degree, 0);
  for (const auto [port, count] : route) hops[port] = count;
  return hops;
}

// Classes of nodes that every hop changes; nothing on networks with an odd cycle.
std::optional<ParityClasses> alternating_classes(const Network& network) {
  for (ParityClasses& classes : parity_classes(network)) {
    if (std::ranges::all_of(classes.parities, [](std::uint32_t parity) { return parity == 1; }))
      return std::move(classes);
  }
  return std::nullopt;
}

bool all_even(const PortLoads& even, const PortLoads& odd) {
  return std::ranges::equal(even, odd, [](std::uint32_t a, std::uint32_t b) { return (a + b) % 2 == 0; });
}

// One route for all origins if its load is at most `most`; without any, and on a network of two alternating classes, pairs of
// routes. If nothing is within the limit: those of the least load.
std::vector<SplitRoute> step_routes(std::span<const Route> routes, Port degree, bool may_split,
                                    std::uint32_t most) {
  constexpr std::size_t most_pairs = 64;
  std::vector<SplitRoute> single, pairs;
  for (const Route& route : routes) {
    const PortLoads hops = hops_by_port(route, degree);
    single.push_back({hops, hops});
  }
  const auto least = [](const std::vector<SplitRoute>& list) {
    std::uint32_t load = UINT32_MAX;
    for (const SplitRoute& route : list) load = std::min(load, route.largest_load());
    return load;
  };
  const auto within = [](std::vector<SplitRoute> list, std::uint32_t load) {
    std::erase_if(list, [load](const SplitRoute& route) { return route.largest_load() > load; });
    return list;
  };
  if (least(single) <= most) return within(std::move(single), most);
  for (std::size_t i = 0; i < single.size() && may_split; ++i) {
    for (std::size_t j = 0; j < single.size() && pairs.size() < most_pairs; ++j) {
      if (i != j && all_even(single[i].even, single[j].even))
        pairs.push_back({single[i].even, single[j].even});
    }
  }
  if (least(pairs) < least(single)) return within(pairs, std::max(most, least(pairs)));
  return within(single, least(single));
}

// A step: its packets and their routes.
struct PackedStep {
  std::vector<std::uint32_t> packets;
  std::vector<SplitRoute> routes;
};

std::uint64_t load_of(const PackedStep& step) {
  if (step.routes.empty()) return 0;
  PortLoads sum(step.routes.front().even.size(), 0);
  for (const SplitRoute& route : step.routes) {
    const PortLoads loads = route.loads();
    std::ranges::transform(sum, loads, sum.begin(), std::plus<>());
  }
  return std::ranges::max(sum);
}

std::uint64_t sum_of_loads(std::span<const PackedStep> steps) {
  std::uint64_t sum = 0;
  for (const PackedStep& step : steps) sum += load_of(step);
  return sum;
}

class PackedSearch {
 public:
  PackedSearch(const Network& network, std::vector<RelativeDestination> moving, StepLimits step,
               const SearchLimits& limits, bool may_split)
      : network_(network),
        step_(step),
        limits_(limits),
        effort_(limits),
        sets_(network, moving, limits.target, limits.seed) {
    for (std::size_t packet = 0; packet < sets_.size(); ++packet)
      routes_.push_back(step_routes(sets_.routes(packet), network.degree(), may_split, step.load));
    find_full_steps();
  }

  std::vector<PackedStep> run() {
    if (routes_.empty()) return {};
    const std::uint64_t least =
        std::max(ceil_div(routes_.size(), step_.sends), ceil_div(limits_.target, step_.load));
    double share = 0.5;
    for (std::uint64_t count = least;; ++count, share /= 2) {
      auto steps = search(count, count * step_.load, 1 - share);
      if (!steps) continue;
      lower_sum(*steps);
      return *std::move(steps);
    }
  }

 private:
  // Steps whose links all carry as much as they may, for the best of some random choices of routes.
  void find_full_steps() {
    constexpr int trials = 32;
    std::mt19937_64 random(limits_.seed);
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<Route> chosen(sets_.size());
      for (std::size_t packet = 0; packet < sets_.size(); ++packet) {
        std::vector<Route> routes = sets_.routes(packet);
        std::erase_if(routes, [this](const Route& route) {
          return std::ranges::max(route, {}, &TaskMatrix::Entry::count).count > step_.load;
        });
        if (!routes.empty()) chosen[packet] = routes[random() % routes.size()];
      }
      const auto sets =
          sets_of_pairs(pairs_by_type(network_, sets_, chosen), step_.load, step_.sends / 2, random);
      if (sets.size() <= full_steps_.size()) continue;
      full_steps_.clear();
      for (const auto& pairs : sets) full_steps_.push_back(full_step(pairs, chosen));
    }
  }

  PackedStep full_step(std::span<const std::uint32_t> pairs, std::span<const Route> chosen) const {
    PackedStep step;
    const auto add = [&](std::size_t packet, const Route& route) {
      const PortLoads hops = hops_by_port(route, network_.degree());
      step.packets.push_back(static_cast<std::uint32_t>(packet));
      step.routes.push_back({hops, hops});
    };
    for (const std::uint32_t packet : pairs) {
      add(packet, chosen[packet]);
      add(sets_.twin(packet), mirror_image(network_, chosen[packet]));
    }
    return step;
  }

  // Steps of smaller loads, as many.
  void lower_sum(std::vector<PackedStep>& steps) {
    double until = effort_.used();
    for (std::uint64_t sum = std::max<std::uint64_t>(limits_.target, steps.size()), more = 1;
         sum < sum_of_loads(steps); sum += more, more *= 2) {
      until += (1 - until) / 2;
      if (until < effort_.used()) return;
      auto found = search(steps.size(), sum, until);
      if (!found) continue;
      steps = *std::move(found);
      return;
    }
  }

  // `count` steps whose loads add up to at most `sum`; nothing if the share `until` of the effort does not find them.
  // At least one trial.
  std::optional<std::vector<PackedStep>> search(std::uint64_t count, std::uint64_t sum, double until) {
    constexpr std::uint64_t least_work = std::uint64_t{1} << 16, most_work = std::uint64_t{1} << 26;
    std::uint64_t work = std::clamp(limits_.links / 64, least_work, most_work);
    std::vector<std::size_t> fills;
    for (const unsigned sixths : {4U, 3U, 2U, 0U}) {
      const std::size_t full = std::min<std::size_t>(full_steps_.size(), count * sixths / 6);
      const bool suits = full * step_.load + (count - full) <= sum && has_room_for_all(count, sum, full);
      if (suits && std::ranges::find(fills, full) == fills.end()) fills.push_back(full);
    }
    for (std::uint32_t trial = 0; !fills.empty(); ++trial, work *= 2) {
      for (const std::size_t full : fills) {
        if (auto found = trial_run(count, sum, full, work, trial)) return found;
        if (effort_.used() >= until) return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // Whether every packet fits into some step behind the `full` ones.
  bool has_room_for_all(std::uint64_t count, std::uint64_t sum, std::size_t full) const {
    std::uint32_t most = 0;
    for (const StepRoom& room : rooms(count - full, sum - full * step_.load))
      most = std::max(most, room.load);
    return std::ranges::all_of(routes_, [most](const std::vector<SplitRoute>& routes) {
      return std::ranges::any_of(routes,
                                 [most](const SplitRoute& route) { return route.largest_load() <= most; });
    });
  }

  // The rooms of `count` steps whose loads add up to `sum`. A quarter of the steps is the last to get smaller.
  std::vector<StepRoom> rooms(std::uint64_t count, std::uint64_t sum) const {
    std::vector<StepRoom> result(count, {step_.sends, step_.load});
    std::uint64_t excess = count * step_.load - std::min(sum, count * step_.load);
    for (const std::uint64_t most : {count - count / 4, count}) {
      for (std::uint32_t load = step_.load; load > 1; --load) {
        for (std::uint64_t i = 0; i < most && excess > 0; ++i) {
          StepRoom& room = result[count - 1 - i];
          if (room.load == load) --room.load, --excess;
        }
      }
    }
    return result;
  }

  std::optional<std::vector<PackedStep>> trial_run(std::uint64_t count, std::uint64_t sum, std::size_t full,
                                                   std::uint64_t work, std::uint32_t trial) {
    std::vector<PackedStep> steps(full_steps_.begin(),
                                  full_steps_.begin() + static_cast<std::ptrdiff_t>(full));
    std::vector<bool> packed(routes_.size(), false);
    for (const PackedStep& step : steps) {
      for (const std::uint32_t packet : step.packets) packed[packet] = true;
    }
    std::vector<std::uint32_t> packets;
    std::vector<std::vector<PortLoads>> loads;
    for (std::uint32_t packet = 0; packet < routes_.size(); ++packet) {
      if (packed[packet]) continue;
      packets.push_back(packet);
      loads.emplace_back();
      for (const SplitRoute& route : routes_[packet]) loads.back().push_back(route.loads());
    }
    StepPacking packing(std::move(loads), rooms(count - full, sum - full * step_.load), limits_.seed + trial);
    if (!packed_within(packing, work)) return std::nullopt;
    steps.resize(count);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const PackedItem item = packing.items()[i];
      steps[full + item.step].packets.push_back(packets[i]);
      steps[full + item.step].routes.push_back(routes_[packets[i]][item.choice]);
    }
    return steps;
  }

  bool packed_within(StepPacking& packing, std::uint64_t work) {
    constexpr std::uint64_t slice = std::uint64_t{1} << 18;
    for (std::uint64_t spent = 0; spent < work; spent += slice) {
      const std::uint64_t before = packing.work();
      const bool done = packing.run(slice);
      effort_.spend(packing.work() - before);
      if (done) return true;
      if (limits_.seconds > 0 && effort_.used() >= 1) return false;
    }
    return false;
  }

  const Network& network_;
  StepLimits step_;
  SearchLimits limits_;
  SearchEffort effort_;
  RouteSets sets_;
  std::vector<std::vector<SplitRoute>> routes_;  // by packet
  std::vector<PackedStep> full_steps_;
};

// The order of the hops of a packet that even and odd nodes send by different routes.
std::vector<Port> split_order(const SplitRoute& route, std::uint32_t origin_class) {
  const PortLoads& own = origin_class == 0 ? route.even : route.odd;
  std::vector<Port> ports;
  for (Port port = 0; port < own.size(); ++port)
    ports.insert(ports.end(), std::min(route.even[port], route.odd[port]), port);
  for (Port port = 0; port < own.size(); ++port)
    ports.insert(ports.end(), own[port] - std::min(route.even[port], route.odd[port]), port);
  return ports;
}

// The rounds of one step with split packets, by list scheduling: the packets with the most hops to go choose first.
class SplitStepRounds {
 public:
  SplitStepRounds(const PackedStep& step, Port degree) : degree_(degree) {
    for (std::size_t i = 0; i < step.packets.size(); ++i) {
      const SplitRoute& route = step.routes[i];
      if (!route.is_split()) {
        jobs_.push_back({step.packets[i], 0, false, route.even, {}, 0});
        continue;
      }
      for (const std::uint32_t origin_class : {0u, 1u})
        jobs_.push_back({step.packets[i], origin_class, true, {}, split_order(route, origin_class), 0});
    }
  }

  /// Calls add(packet, class of origin, port) for every hop, and close() after every round.
  template <class Add, class Close>
  void visit(const Add& add, const Close& close) {
    while (std::ranges::any_of(jobs_, [](const Job& job) { return job.left() > 0; })) {
      std::ranges::stable_sort(jobs_, std::greater<>(), &Job::left);
      std::vector<bool> used(std::size_t{degree_} * 2, false);
      for (Job& job : jobs_) {
        if (job.left() > 0) move(job, used, add);
      }
      close();
    }
  }

 private:
  struct Job {
    std::uint32_t packet;
    std::uint32_t origin_class;
    bool split;
    PortLoads hops;           // to go, unless split
    std::vector<Port> order;  // if split
    std::size_t done;

    std::size_t left() const {
      return split ? order.size() - done : std::accumulate(hops.begin(), hops.end(), std::size_t{0});
    }
  };

  template <class Add>
  void move(Job& job, std::vector<bool>& used, const Add& add) {
    if (job.split) {
      const Port port = job.order[job.done];
      const std::size_t link = port * 2 + (job.origin_class + job.done) % 2;
      if (used[link]) return;
      used[link] = true;
      ++job.done;
      return add(job.packet, job.origin_class, port);
    }
    Port best = degree_;
    for (Port port = 0; port < degree_; ++port) {
      if (job.hops[port] == 0 || used[port * 2] || used[port * 2 + 1]) continue;
      if (best == degree_ || job.hops[port] > job.hops[best]) best = port;
    }
    if (best == degree_) return;
    used[best * 2] = used[best * 2 + 1] = true;
    --job.hops[best];
    for (const std::uint32_t origin_class : {0u, 1u}) add(job.packet, origin_class, best);
  }

  Port degree_;
  std::vector<Job> jobs_;
};

// Writes the rounds of steps.
class StepWriter {
 public:
  StepWriter(const Network& network, const ExchangePackets& packets, const ParityClasses& classes,
             schedule::Rounds& rounds)
      : network_(network), packets_(packets), classes_(classes), rounds_(rounds) {
    for (std::uint32_t c = 0; c < classes.count; ++c) at_.emplace_back(packets.size(), classes.origin(c));
  }

  void write(const PackedStep& step) {
    const auto split = [](const SplitRoute& route) { return route.is_split(); };
    if (std::ranges::any_of(step.routes, split)) {
      SplitStepRounds(step, network_.degree())
          .visit([this](std::uint32_t packet, std::uint32_t c, Port port) { add(packet, c, port); },
                 [this] { rounds_.close_round(); });
      return;
    }
    TaskMatrix matrix(network_.degree());
    for (const SplitRoute& route : step.routes) {
      for (Port port = 0; port < network_.degree(); ++port) matrix.add(port, route.even[port]);
      matrix.close_row();
    }
    const Decomposition decomposition = decompose(matrix, network_.degree());
    for (std::uint64_t t = 0; t < decomposition.size(); ++t) {
      for (const auto [row, port] : decomposition.round(t)) {
        for (std::uint32_t c = 0; c < classes_.count; ++c) add(step.packets[row], c, port);
      }
      rounds_.close_round();
    }
  }

 private:
  void add(std::uint32_t packet, std::uint32_t origin_class, Port port) {
    Node& at = at_[origin_class][packet];
    rounds_.add({packets_.id(packet, classes_, origin_class), at, port});
    at = network_.neighbour(at, port);
  }

  const Network& network_;
  const ExchangePackets& packets_;
  const ParityClasses& classes_;
  schedule::Rounds& rounds_;
  std::vector<std::vector<Node>> at_;  // by class of origins and packet
};

}  // namespace

StepLoad largest_least_load(const Network& network, std::span<const RelativeDestination> destinations) {
  constexpr std::size_t most_routes = 32;
  const bool may_split = alternating_classes(network).has_value();
  StepLoad largest;
  for (const auto [to, blocks] : destinations) {
    if (to == 0 || blocks == 0) continue;
    const auto routes =
        step_routes(shortest_routes_to(network, to, most_routes), network.degree(), may_split, 1);
    const std::uint32_t load = routes.front().largest_load();
    if (load > largest.load) largest = {to, load};
  }
  return largest;
}

schedule::Schedule packed_exchange(const Network& network, const Task& task,
                                   std::span<const RelativeDestination> destinations, StepLimits step,
                                   const SearchLimits& limits) {
  const auto alternating = alternating_classes(network);
  const ExchangePackets packets(task, destinations);
  PackedSearch search(network, packets.moving(), step, limits, alternating.has_value());
  const std::vector<PackedStep> steps = search.run();
  const bool split = std::ranges::any_of(steps, [](const PackedStep& each) {
    return std::ranges::any_of(each.routes, [](const SplitRoute& route) { return route.is_split(); });
  });
  const ParityClasses classes = split ? *alternating : all_alike(network);
  schedule::Schedule result;
  schedule::Stage& stage = result.stages.emplace_back(packets.stage(network, classes));
  StepWriter writer(network, packets, classes, stage.rounds);
  for (const PackedStep& each : steps) {
    if (stage.rounds.size() > 0) result.barriers.push_back(stage.rounds.size());
    writer.write(each);
  }
  result.step_limits = step;
  return result;
}

}  // namespace isotrope::algorithm

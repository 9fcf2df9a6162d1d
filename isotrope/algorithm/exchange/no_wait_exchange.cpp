// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/exchange/no_wait_exchange.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "isotrope/schedule/transform.hpp"

#include "isotrope/bound/tracks.hpp"

#include "isotrope/algorithm/exchange/ejection_search.hpp"
#include "isotrope/algorithm/exchange/exchange_packets.hpp"
#include "isotrope/algorithm/exchange/parity_classes.hpp"
#include "isotrope/algorithm/exchange/perfect_blocks.hpp"
#include "isotrope/algorithm/exchange/route_sets.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using network::Port;
using schedule::PacketId;
using schedule::RelativeDestination;
using schedule::Task;

// Which blocks stay: those of `least_length` hops or more, but the first `fewer` of every length. A kernel needs short packets
// for its gaps; the likely selections give it all of one and two or three hops.
struct Selection {
  std::size_t least_length;
  std::size_t fewer;
  bool likely = false;
};

constexpr Selection all_blocks{1, 0}, no_blocks{SIZE_MAX, 0, true};

std::vector<Selection> selections() {
  return {{3, 0, true}, {4, 0, true}, {1, 1}, {2, 0}, {2, 1}, {1, 2}, {3, 1}, {5, 0}, {6, 0}, {4, 1}, {8, 0}};
}

// The blocks that stay, and the packets of the kernel.
struct Division {
  bool likely = false;
  std::vector<const PerfectBlock*> blocks = {};
  std::uint64_t block_rounds = 0;
  std::vector<std::uint32_t> kernel = {};
};

// A kernel in some rounds, with blocks.
struct Found {
  const Division* division;
  const ParityClasses* classes;
  std::vector<PlacedJob> jobs;
  std::vector<Placement> placements;
};

class NoWaitSearch {
 public:
  NoWaitSearch(const Network& network, std::vector<RelativeDestination> moving, const SearchLimits& limits)
      : network_(network),
        limits_(limits),
        effort_(limits),
        routes_(network, moving, limits.target, limits.seed),
        blocks_(perfect_blocks(network, moving, routes_, limits.seed)),
        alike_(all_alike(network)),
        by_parity_(parity_classes(network)) {
    divide();
  }

  Found run() {
    std::uint64_t more = 0;
    for (double share = 0.5;; share /= 2) {
      if (auto found = search(limits_.target + more, 1 - share)) return *std::move(found);
      more += more / 2 + 1;
    }
  }

  const RouteSets& routes() const { return routes_; }

 private:
  static constexpr std::uint64_t largest_kernel = 400;
  static constexpr std::uint64_t small_exchange = 160;

  void divide() {
    add_division(all_blocks);
    if (routes_.size() <= small_exchange) add_division(no_blocks);
    for (const Selection selection : selections()) add_division(selection);
    const auto is_small = [](const Division& division) { return division.kernel.size() <= largest_kernel; };
    if (std::ranges::any_of(divisions_, is_small)) std::erase_if(divisions_, std::not_fn(is_small));
  }

  void add_division(Selection selection) {
    Division division{.likely = selection.likely};
    std::vector<bool> in_block(routes_.size(), false);
    std::size_t length = 0, left_out = 0;
    for (const PerfectBlock& block : blocks_) {
      if (block.length() != length) left_out = 0;
      length = block.length();
      if (length < selection.least_length || left_out++ < selection.fewer) continue;
      division.blocks.push_back(&block);
      division.block_rounds += length;
      for (const std::uint32_t packet : block.packets) in_block[packet] = true;
    }
    for (std::uint32_t packet = 0; packet < routes_.size(); ++packet) {
      if (!in_block[packet]) division.kernel.push_back(packet);
    }
    const auto same = [&](const Division& other) { return other.kernel == division.kernel; };
    if (std::ranges::none_of(divisions_, same)) divisions_.push_back(std::move(division));
  }

  // The most rounds that the kernel of a division may take; nothing if it cannot take so few.
  std::optional<std::uint64_t> kernel_rounds(const Division& division, const ParityClasses& classes,
                                             std::uint64_t rounds) const {
    if (rounds < division.block_rounds) return std::nullopt;
    const std::uint64_t left = rounds - division.block_rounds;
    std::vector<std::uint64_t> lengths;
    std::uint64_t hops = 0;
    for (const std::uint32_t packet : division.kernel) {
      lengths.insert(lengths.end(), classes.count, hops_of(routes_.routes(packet).front()));
      hops += lengths.back();
    }
    if (hops > left * network_.degree()) return std::nullopt;
    if (bound::track_rounds(std::move(lengths), std::uint64_t{network_.degree()} * classes.count) > left)
      return std::nullopt;
    return left;
  }

  // Searches for a schedule of `rounds` rounds until the share `until` of the effort is spent; once at least.
  std::optional<Found> search(std::uint64_t rounds, double until) {
    struct Attempt {
      const Division* division;
      const ParityClasses* classes;
      std::uint64_t rounds;
    };
    std::vector<Attempt> attempts;
    const auto add = [&](const ParityClasses& classes) {
      for (const Division& division : divisions_) {
        if (const auto left = kernel_rounds(division, classes, rounds))
          attempts.push_back({&division, &classes, *left});
      }
    };
    if (routes_.largest_load() <= rounds) {
      add(alike_);
    } else {
      for (const ParityClasses& classes : by_parity_) add(classes);
    }
    constexpr std::uint64_t least_steps = std::uint64_t{1} << 18, most_steps = std::uint64_t{1} << 22;
    std::uint64_t steps = std::clamp(limits_.links / 64, least_steps, most_steps);
    for (std::uint32_t trial = 0; !attempts.empty(); ++trial, steps *= 2) {
      for (const auto& [division, classes, left] : attempts) {
        const std::uint64_t more = division->likely ? 8 : 1;
        if (auto found = place(*division, *classes, left, steps * more, trial)) return found;
        if (effort_.used() >= until) return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::optional<Found> place(const Division& division, const ParityClasses& classes, std::uint64_t rounds,
                             std::uint64_t steps, std::uint32_t trial) {
    std::vector<PlacedJob> jobs;
    for (std::uint32_t c = 0; c < classes.count; ++c) {
      for (const std::uint32_t packet : division.kernel) jobs.push_back({packet, c, &routes_.routes(packet)});
    }
    EjectionSearch kernel(std::move(jobs), classes.parities, classes.count, rounds, limits_.seed + trial);
    bool done = kernel.unplaced() == 0;
    for (std::uint64_t spent = 0; !done && spent < steps; spent += slice) {
      const std::uint64_t before = kernel.steps();
      done = kernel.run(slice);
      effort_.spend(kernel.steps() - before);
      if (!done && limits_.seconds > 0 && effort_.used() >= 1) break;
    }
    if (!done) return std::nullopt;
    return Found{&division, &classes, kernel.jobs(), kernel.placements()};
  }

  static constexpr std::uint64_t slice = std::uint64_t{1} << 20;

  const Network& network_;
  SearchLimits limits_;
  SearchEffort effort_;
  RouteSets routes_;
  std::vector<PerfectBlock> blocks_;
  std::vector<Division> divisions_;
  ParityClasses alike_;
  std::vector<ParityClasses> by_parity_;
};

// Writes the rounds of what was found.
class FoundWriter {
 public:
  FoundWriter(const Network& network, const ExchangePackets& packets, const Found& found)
      : network_(network), packets_(packets), found_(found) {}

  void write(schedule::Schedule& schedule) const {
    schedule::Rounds& rounds = schedule.stages.front().rounds;
    write_kernel(rounds);
    for (const PerfectBlock* block : found_.division->blocks) {
      if (rounds.size() > 0) schedule.barriers.push_back(rounds.size());
      write_block(*block, rounds);
    }
  }

 private:
  using Lists = std::vector<std::vector<schedule::Hop>>;

  // The hops of a packet of a class of origins, from round `first` of `lists` on.
  void list_hops(std::uint32_t packet, std::uint32_t origin_class, std::uint64_t first,
                 std::span<const Port> ports, Lists& lists) const {
    Node at = found_.classes->origin(origin_class);
    const PacketId id = packets_.id(packet, *found_.classes, origin_class);
    for (std::size_t hop = 0; hop < ports.size(); ++hop) {
      lists[first + hop].push_back({id, at, ports[hop]});
      at = network_.neighbour(at, ports[hop]);
    }
  }

  void write_kernel(schedule::Rounds& rounds) const {
    std::uint64_t size = 0;
    for (const Placement& placement : found_.placements)
      size = std::max(size, placement.first + placement.ports.size());
    Lists lists(size);
    for (std::size_t j = 0; j < found_.jobs.size(); ++j) {
      const Placement& placement = found_.placements[j];
      list_hops(found_.jobs[j].packet, found_.jobs[j].origin_class, placement.first, placement.ports, lists);
    }
    append(lists, rounds);
  }

  void write_block(const PerfectBlock& block, schedule::Rounds& rounds) const {
    Lists lists(block.length());
    for (std::uint32_t c = 0; c < found_.classes->count; ++c) {
      for (std::size_t i = 0; i < block.packets.size(); ++i)
        list_hops(block.packets[i], c, 0, block.ports[i], lists);
    }
    append(lists, rounds);
  }

  const Network& network_;
  const ExchangePackets& packets_;
  const Found& found_;
};

}  // namespace

schedule::Schedule no_wait_exchange(const Network& network, const Task& task,
                                    std::span<const RelativeDestination> destinations,
                                    const SearchLimits& limits) {
  const ExchangePackets packets(task, destinations);
  NoWaitSearch search(network, packets.moving(), limits);
  const Found found = search.run();
  schedule::Schedule result;
  result.waiting = false;
  result.stages.push_back(packets.stage(network, *found.classes));
  FoundWriter(network, packets, found).write(result);
  return result;
}

}  // namespace isotrope::algorithm

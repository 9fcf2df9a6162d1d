// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Scan and exscan, by sums of runs of consecutive nodes. The same schedules serve both. What gathers the sums of all nodes axis after
// axis, serves allreduce and barrier too.
//
//     axis-scan        tori, meshes and hypercubes: at the bound over all ports, diameter rounds; over one port on
//                      hypercubes; for allreduce and barrier it is called axis-exchange
//     doubling-scan    complete graphs and others with links to c + 1, c + 2, c + 4, ...: ceil(log2 N) rounds
//     tree-scan        every network of some thousand nodes: the diameter or little more over all ports
//     interval-scan    every network, around failures, over all kinds of ports: long vectors, in parts
//
// Every allgather is a scan as well (derived.cpp).
#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/schedule/ceil_div.hpp"

#include "isotrope/algorithm/scan/axis_exchange.hpp"
#include "isotrope/algorithm/scan/doubling_scan.hpp"
#include "isotrope/algorithm/scan/interval_scan.hpp"
#include "isotrope/algorithm/scan/repeated_parts.hpp"
#include "isotrope/algorithm/scan/tree_scan.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using network::Node;
using schedule::Schedule;

class AxisExchange final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = half_duplex(problem)) return reason;
    if (auto reason = partly_aggregated(problem)) return reason;
    if (!problem.failed.only_open_axes()) return "it needs the whole network, and something is missing";
    const auto axes = network::torus_axes(problem.network);
    if (!axes) return "it needs a torus, a mesh or a hypercube";
    if (auto reason = unsuitable_with_open_axes(problem)) return reason;
    const std::uint64_t most_parts = most_groups * std::max<std::uint64_t>(1, axes->size());
    if (traits().collective != Collective::allreduce || problem.task.parts <= most_parts) return std::nullopt;
    return fmt::format("every part goes to every node, so it is for short vectors, in {} parts at most here",
                       most_parts);
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::axis_exchange_rounds(problem);
  }
  Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::axis_exchange(problem);
  }
  std::uint64_t local_reductions(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::axis_exchange_values(problem);
  }
  // Two sums may be added either way round.
  bool adds_alike(const Problem& problem, const Parameters& /*parameters*/) const override {
    return std::ranges::all_of(*network::torus_axes(problem.network),
                               [](const network::TorusAxis& axis) { return axis.extent <= 2; });
  }

 private:
  static constexpr std::uint64_t most_groups = 4;  // of parts that go together

  static Reason unsuitable_with_open_axes(const Problem& problem) {
    constexpr std::uint64_t most_hops = std::uint64_t{1} << 22;
    if (problem.failed.open_axes.empty()) return std::nullopt;
    if (auto reason = limited_ports(problem)) return reason;
    const std::uint64_t hops = algorithm::axis_exchange_hops(problem);
    if (hops <= most_hops) return std::nullopt;
    return fmt::format("it lists the hops of every node of a mesh, {} at most, and here are {}", most_hops,
                       hops);
  }
};

class DoublingScan final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    if (auto reason = half_duplex(problem)) return reason;
    if (auto reason = partly_aggregated(problem)) return reason;
    if (problem.network.order() > algorithm::most_doubling_nodes)
      return fmt::format("it lists the hops of every node, of {} at most", algorithm::most_doubling_nodes);
    if (!algorithm::adds_powers_of_two(problem.network))
      return "it needs links from every node c to c + 1, c + 2, c + 4, ...";
    return std::nullopt;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::doubling_scan_rounds(problem, problem.network);
  }
  Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    return algorithm::doubling_scan(problem, problem.network);
  }
};

Schedule search_tree_scan(const Problem& problem, const Parameters& /*parameters*/) {
  return algorithm::tree_scan(problem);
}

// The schedule of one part, the same for scan and exscan.
const Schedule& tree_scan_of_one_part(Problem problem) {
  problem.task.collective = Collective::scan;
  problem.task.parts = 1;
  return last_found(search_tree_scan, problem, {});
}

class TreeScan final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    constexpr std::uint64_t most_pairs = std::uint64_t{1} << 25, most_links = std::uint64_t{1} << 20;
    const Network& network = problem.network;
    const std::uint64_t pairs = std::uint64_t{network.order()} * network.order() * problem.task.parts;
    if (auto reason = half_duplex(problem)) return reason;
    if (auto reason = partly_aggregated(problem)) return reason;
    if (pairs > most_pairs)
      return fmt::format("it follows every pair of nodes in every part, {} at most, and here are {}",
                         most_pairs, pairs);
    if (network.directed_links() > most_links)
      return fmt::format("it lists the messages of every link, of {} at most, and here are {}", most_links,
                         network.directed_links());
    if (network.diameter() <= 1)
      return "every node is a neighbour of every other, so that gathering takes no more rounds";
    return std::nullopt;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    const Schedule& one = tree_scan_of_one_part(problem);
    if (problem.task.parts == 1) return one.round_count();
    return algorithm::RepeatedParts(problem.network, one).rounds(problem.task.parts);
  }
  Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    const Schedule& one = tree_scan_of_one_part(problem);
    if (problem.task.parts == 1) return one;
    return algorithm::RepeatedParts(problem.network, one).schedule(problem.task.parts);
  }
  // The mean of all nodes: all values of the sums that they send, and of their results.
  std::uint64_t local_reductions(const Problem& problem, const Parameters& /*parameters*/) const override {
    const algorithm::RepeatedParts repeated(problem.network, tree_scan_of_one_part(problem));
    return schedule::ceil_div(repeated.added_values(), problem.network.order());
  }
};

using Repeated = std::vector<algorithm::RepeatedParts>;

// The same for scan and exscan and any number of parts. The last ones are kept: the search takes longer than all that is done
// with them. Valid until the next call.
const Repeated& last_interval_scans(Problem problem) {
  struct Found {
    Problem problem;
    Repeated repeated;
  };
  constexpr std::size_t most_kept = 4;
  thread_local std::deque<Found> last;
  problem.task = {.collective = Collective::scan};
  const auto found =
      std::ranges::find_if(last, [&](const Found& one) { return are_alike(one.problem, problem); });
  if (found != last.end()) return found->repeated;
  Repeated repeated;
  for (Schedule& schedule : algorithm::interval_scans(problem))
    repeated.emplace_back(problem.network, std::move(schedule));
  if (last.size() == most_kept) last.pop_back();
  last.push_front({std::move(problem), std::move(repeated)});
  return last.front().repeated;
}

class IntervalScan final : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const override {
    constexpr std::uint64_t most_links = std::uint64_t{1} << 20;
    constexpr std::uint64_t most_hops = std::uint64_t{1} << 22, most_followed = std::uint64_t{1} << 33;
    const Network& network = problem.network;
    const auto& edges = problem.failed.edges;
    const std::uint64_t links = edges.empty() ? network.directed_links() : 2 * edges.size();
    const std::uint64_t hops = 2 * std::uint64_t{network.order()} * problem.task.parts;
    const std::uint64_t most = std::min(most_hops, most_followed / network.order());
    if (problem.aggregated()) return "it sends single packets, so give no --merge";
    if (links > most_links)
      return fmt::format("it searches for trees among {} directed links at most, and here are {}", most_links,
                         links);
    if (hops > most)
      return fmt::format("it lists the hops of every node in every part, {} at most, and here are {} or more",
                         most, hops);
    return std::nullopt;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& /*parameters*/) const override {
    return best(problem).rounds(problem.task.parts);
  }
  Schedule schedule(const Problem& problem, const Parameters& /*parameters*/) const override {
    return best(problem).schedule(problem.task.parts);
  }
  // The mean of all nodes and of the parts that go along different trees.
  std::uint64_t local_reductions(const Problem& problem, const Parameters& /*parameters*/) const override {
    const algorithm::RepeatedParts& repeated = best(problem);
    return schedule::ceil_div(repeated.added_values(),
                              std::uint64_t{problem.network.order()} * repeated.group_parts());
  }

 private:
  static const algorithm::RepeatedParts& best(const Problem& problem) {
    return *std::ranges::min_element(
        last_interval_scans(problem), {},
        [&](const algorithm::RepeatedParts& repeated) { return repeated.rounds(problem.task.parts); });
  }
};

Traits scan_traits(std::string name, Collective collective, std::string networks, std::string source,
                   std::string claim) {
  Traits result{std::move(name), collective,        std::move(networks),
                full_duplex,     std::move(source), std::move(claim)};
  result.aggregates = true;
  return result;
}

std::unique_ptr<const Algorithm> axis_exchange(std::string name, Collective collective, std::string source,
                                               std::string claim) {
  Traits traits = scan_traits(std::move(name), collective,
                              "every torus, hypercube:1 to hypercube:26, meshes over all ports",
                              std::move(source), std::move(claim));
  traits.around_failures = true;  // open axes alone
  traits.limits_parts = true;
  traits.whole_vector = collective == Collective::allreduce;
  return over_one_copy(std::make_unique<AxisExchange>(std::move(traits)));
}

}  // namespace

Algorithms scans() {
  Algorithms result;
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    result.push_back(axis_exchange(
        "axis-scan", collective, "sums of runs of nodes, gathered axis after axis, the last axis first",
        "one part: all and K ports the diameter, optimal; one port: the sum of extent - 1 over "
        "the extents, optimal on hypercubes"));
    result.push_back(std::make_unique<DoublingScan>(scan_traits(
        "doubling-scan", collective,
        "complete graphs, circulants with links of lengths 1, 2, 4, ...; up to 16384 nodes",
        "W. D. Hillis and G. L. Steele 1986", "one part: ceil(log2 N) rounds, optimal over one port")));
    Traits tree = scan_traits(
        "tree-scan", collective, "every network but complete graphs, of up to 5792 nodes",
        "every node gathers those before it along the translate of one tree; trees share equal sums",
        "one part, all ports: the diameter on hexagonal meshes, optimal; at most ceil(log2 N) + diameter on "
        "every "
        "twisted torus tried and on every circulant tried of up to 377 nodes");
    tree.searched = true;
    result.push_back(std::make_unique<TreeScan>(std::move(tree)));
    Traits interval{
        "interval-scan",
        collective,
        "every network of up to 524288 links",
        any_ports,
        "sums up and down trees of runs of consecutive nodes (G. E. Blelloch 1990), part after part",
        "all ports: P and at most the diameter plus one on lines, meshes and hypercubes"};
    interval.around_failures = true;
    interval.limits_parts = true;
    result.push_back(std::make_unique<IntervalScan>(std::move(interval)));
  }
  return result;
}

Algorithms axis_exchanges() {
  Algorithms result;
  for (const Collective collective : {Collective::allreduce, Collective::barrier}) {
    result.push_back(axis_exchange(
        "axis-exchange", collective, "sums gathered axis after axis, parts begin with different ones",
        "one part: all and K ports the diameter, optimal; as many parts as equal axes in the same time"));
  }
  return result;
}

}  // namespace isotrope::planner

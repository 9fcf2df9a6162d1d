// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce of small and middle vectors on cut-through machines, by messages of sums to chosen nodes.
//
//     level-exchange                  tori: some divisions of the vector, fold or windows of each axis, and back; up to
//                                     twice as many copies as axes (algorithm/levels/torus_levels.hpp)
//     swing, trivance                 the same form with the stages of the papers: all divide, or none
//     recursive-halving-doubling      halving and doubling over the bits of node numbers
//     bucket, ring, binomial          algorithm/levels/bucket.hpp
//
//     64 bytes on ring:16, one message at a time    fold 1 + 2 + 4 + 1 hops, Swing 1 + 1 + 3 + 5, recursive doubling
//                                                   8 + 4 + 2 + 1
//
// All list the messages of every node. What a choice costs is found from its schedule and kept; a schedule is written
// again when its plan is made. Cost: O(messages) per choice, of which there are 70 at most; kept ones O(1).
#include <algorithm>
#include <bit>
#include <deque>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/cost/routed_rounds.hpp"

#include "isotrope/algorithm/levels/bucket.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

using algorithm::LevelShape;
using algorithm::OverlaidSchedule;
using Program = LevelShape::Program;

constexpr schedule::Node most_listed_nodes = 4096;
// Of a choice of the level exchange: nodes times parts of the vector.
constexpr std::uint64_t most_shares = std::uint64_t{1} << 16;
constexpr std::uint32_t most_blocks = 64;
// Of schedules with a block per node: N^2 times copies, and nodes of those that are priced in milliseconds.
constexpr std::uint64_t most_bucket_messages = std::uint64_t{1} << 20;
constexpr schedule::Node most_quick_nodes = 256;

/// An allreduce whose schedule lists all messages, over an overlay.
class ListedExchange : public Algorithm {
 public:
  using Algorithm::Algorithm;

  Reason unsupported_reason(const Problem& problem) const final {
    if (auto reason = half_duplex(problem)) return reason;
    if (auto reason = partly_aggregated(problem)) return reason;
    if (problem.network.order() < 2 || problem.network.order() > most_listed_nodes)
      return fmt::format("it lists the messages of every node, of 2 to {}", most_listed_nodes);
    if (problem.task.parts > 1) return "it cuts the vector itself: leave the parts at 1";
    return unsuitable(problem);
  }
  std::vector<Parameters> choices(const Problem& problem) const final {
    std::vector<Parameters> result;
    for (const LevelShape& shape : shapes(problem)) result.push_back({.levels = shape});
    return result;
  }
  std::uint32_t fixed_parts(const Problem& problem, const Parameters& parameters) const final {
    return written(problem, parameters).parts;
  }
  std::uint64_t rounds(const Problem& problem, const Parameters& parameters) const final {
    return written(problem, parameters).rounds.size();
  }
  bool adds_alike(const Problem& problem, const Parameters& parameters) const final {
    return exchanges_in_pairs(problem, shape_of(problem, parameters));
  }
  std::optional<Network> overlay(const Problem& problem, const Parameters& parameters) const final {
    return write(problem, shape_of(problem, parameters)).overlay;
  }
  schedule::Schedule schedule(const Problem& problem, const Parameters& parameters) const final {
    return write(problem, shape_of(problem, parameters)).schedule;
  }
  std::vector<cost::CutThroughRound> cut_through_rounds(const Problem& problem,
                                                        const Parameters& parameters) const final {
    return written(problem, parameters).rounds;
  }
  std::uint64_t local_reductions(const Problem& problem, const Parameters& parameters) const final {
    return written(problem, parameters).reductions;
  }

 protected:
  virtual Reason unsuitable(const Problem& problem) const = 0;
  virtual std::vector<LevelShape> shapes(const Problem& problem) const = 0;
  virtual OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const = 0;
  // Whether nodes that end with the same sum have exchanged their shares of it in pairs: both of a pair add the same two
  // sums.
  virtual bool exchanges_in_pairs(const Problem& /*problem*/, const LevelShape& /*shape*/) const {
    return true;
  }

 private:
  // What is kept of a schedule.
  struct Written {
    std::vector<cost::CutThroughRound> rounds;
    std::uint32_t parts;
    std::uint64_t reductions;  // of whole vectors, at one node
  };
  struct Kept {
    const Algorithm* algorithm;
    Network network;
    schedule::PortModel ports;
    std::vector<std::pair<LevelShape, Written>> of_shapes;
  };

  LevelShape shape_of(const Problem& problem, const Parameters& parameters) const {
    return parameters.levels ? *parameters.levels : shapes(problem).front();
  }

  static Written summary(const Problem& problem, const OverlaidSchedule& written) {
    const schedule::Stage& stage = written.schedule.stages.front();
    const schedule::Node nodes = problem.network.order();
    const auto parts = static_cast<std::uint32_t>(stage.result.size() / nodes);
    std::uint64_t added = 0;
    for (std::uint32_t part = 0; part < parts; ++part) {
      std::uint64_t most = 0;
      for (schedule::Node node = 0; node < nodes; ++node)
        most = std::max<std::uint64_t>(most, stage.result[std::size_t{part} * nodes + node].size() - 1);
      added += most;
    }
    return {cost::routed_rounds(problem.network, written.overlay, written.schedule), parts, added / parts};
  }

  // Those of the last networks: every choice by size prices all shapes again.
  const Written& written(const Problem& problem, const Parameters& parameters) const {
    constexpr std::size_t most_kept = 64;
    thread_local std::deque<Kept> kept;
    const auto same = [&](const Kept& each) {
      return each.algorithm == this && each.ports == problem.ports &&
             same_network(each.network, problem.network);
    };
    auto found = std::ranges::find_if(kept, same);
    if (found == kept.end()) {
      if (kept.size() == most_kept) kept.pop_back();
      kept.push_front({this, problem.network, problem.ports, {}});
      found = kept.begin();
    }
    const LevelShape shape = shape_of(problem, parameters);
    auto& shapes = found->of_shapes;
    const auto known = std::ranges::find(shapes, shape, &std::pair<LevelShape, Written>::first);
    if (known != shapes.end()) return known->second;
    return shapes.emplace_back(shape, summary(problem, write(problem, shape))).second;
  }
};

Traits listed_traits(std::string name, const char* networks, const char* ports, const char* source,
                     const char* claim) {
  Traits result{std::move(name), Collective::allreduce, networks, ports, source, claim};
  result.strict = false;
  result.aggregates = result.whole_vector = result.for_machines = result.overlay = true;
  return result;
}

Reason not_a_torus(const Problem& problem) {
  if (network::torus_axes(problem.network)) return std::nullopt;
  return fmt::format("it needs a torus, a ring or a hypercube, not {}", problem.network.name());
}

bool is_power(std::uint32_t value, std::uint32_t base) {
  while (value % base == 0) value /= base;
  return value == 1;
}

std::uint32_t axis_count(const Network& network) {
  return static_cast<std::uint32_t>(network::torus_axes(network)->size());
}

bool all_powers_of_two(const Network& network) {
  const auto axes = *network::torus_axes(network);
  return std::ranges::all_of(axes, [](const auto& axis) { return is_power(axis.extent, 2); });
}

network::Coordinate longest_extent(const Network& network) {
  return std::ranges::max(*network::torus_axes(network), {}, &network::TorusAxis::extent).extent;
}

/// Divisions, then the program of each axis, and back.
class LevelExchange final : public ListedExchange {
 public:
  using ListedExchange::ListedExchange;

 protected:
  Reason unsuitable(const Problem& problem) const override {
    if (auto reason = limited_ports(problem)) return reason;
    return not_a_torus(problem);
  }
  std::vector<LevelShape> shapes(const Problem& problem) const override {
    constexpr std::uint32_t most_divisions = 6, most_grouped = 3;
    const std::uint32_t axes = axis_count(problem.network);
    const std::uint32_t stages = algorithm::stage_count(problem.network);
    std::vector<std::uint32_t> copies{1, 2};
    if (axes > 2) copies.push_back(axes);
    if (axes > 1) copies.push_back(2 * axes);
    std::vector<LevelShape> result;
    for (std::uint32_t divisions = 0; divisions <= std::min(stages, most_divisions); ++divisions) {
      for (std::uint32_t grouped = 1; grouped <= std::clamp(divisions, 1U, most_grouped); ++grouped) {
        for (const std::uint32_t each : copies)
          add(result, problem.network, {divisions, grouped, Program::fold, each});
      }
    }
    for (const std::uint32_t each : {1U, 2U}) result.push_back({0, 1, Program::windows, each});
    if (!all_powers_of_two(problem.network)) return result;
    // Their stages go in pairs, folds of 8 nodes or more do not.
    const auto is_fold = [](const LevelShape& shape) { return shape.program == Program::fold; };
    std::vector<LevelShape> folds;
    std::ranges::copy_if(result, std::back_inserter(folds), is_fold);
    if (longest_extent(problem.network) < 8) std::erase_if(result, is_fold);
    for (LevelShape shape : folds) {
      shape.program = Program::stages;
      result.push_back(shape);
    }
    return result;
  }
  bool exchanges_in_pairs(const Problem& problem, const LevelShape& shape) const override {
    return all_powers_of_two(problem.network) && shape.program == Program::stages;
  }
  OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const override {
    return exchange_by_levels(problem.network, torus_levels(problem.network, shape), problem.ports);
  }

 private:
  static void add(std::vector<LevelShape>& shapes, const Network& network, const LevelShape& shape) {
    const std::uint64_t blocks = algorithm::division_product(network, shape.divisions);
    if (blocks > most_blocks || blocks * shape.copies > most_shares / network.order()) return;
    if (shape.copies <= 2 || algorithm::divides_alike(network, shape.divisions)) shapes.push_back(shape);
  }
};

/// Rows that may have a block per node.
class BlockwiseExchange : public ListedExchange {
 public:
  using ListedExchange::ListedExchange;

  bool is_quick(const Problem& problem) const final { return problem.network.order() <= most_quick_nodes; }
};

/// Swing and Trivance: all stages divide, or none.
class StageExchange final : public BlockwiseExchange {
 public:
  StageExchange(Traits traits, std::uint32_t base) : BlockwiseExchange(std::move(traits)), base_(base) {}

 protected:
  Reason unsuitable(const Problem& problem) const override {
    const auto axes = network::torus_axes(problem.network);
    if (!axes) return not_a_torus(problem);
    for (const network::TorusAxis& axis : *axes) {
      if (!is_power(axis.extent, base_))
        return fmt::format("it needs extents that are powers of {}, and {} has {}", base_,
                           problem.network.name(), axis.extent);
    }
    return base_ == 2 ? std::nullopt : limited_ports(problem);
  }
  std::vector<LevelShape> shapes(const Problem& problem) const override {
    const std::uint32_t stages = algorithm::stage_count(problem.network);
    std::vector<LevelShape> result;
    for (const std::uint32_t copies : {1U, 2 * axis_count(problem.network)}) {
      if (copies > 1 && limited_ports(problem)) continue;
      result.push_back({0, 1, Program::stages, copies});
      const std::uint64_t shares = std::uint64_t{problem.network.order()} * problem.network.order() * copies;
      if (shares <= most_bucket_messages) result.push_back({stages, 1, Program::stages, copies});
    }
    return result;
  }
  bool exchanges_in_pairs(const Problem& /*problem*/, const LevelShape& shape) const override {
    return base_ == 2 || shape.divisions > 0;
  }
  OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const override {
    return exchange_by_levels(problem.network, torus_levels(problem.network, shape), problem.ports);
  }

 private:
  std::uint32_t base_;
};

/// Rows whose choices are numbers of copies.
class CopiedExchange final : public BlockwiseExchange {
 public:
  using ReasonFunction = std::function<Reason(const Problem&)>;
  using CopiesFunction = std::function<std::uint32_t(const Problem&)>;
  using WriteFunction = std::function<OverlaidSchedule(const Problem&, std::uint32_t)>;

  CopiedExchange(Traits traits, ReasonFunction reason, CopiesFunction most_copies, WriteFunction write)
      : BlockwiseExchange(std::move(traits)),
        reason_(std::move(reason)),
        most_copies_(std::move(most_copies)),
        write_(std::move(write)) {}

 protected:
  Reason unsuitable(const Problem& problem) const override { return reason_(problem); }
  std::vector<LevelShape> shapes(const Problem& problem) const override {
    std::vector<LevelShape> result{{.copies = 1}};
    const std::uint32_t most = most_copies_(problem);
    if (most > 1 && !limited_ports(problem)) result.push_back({.copies = most});
    return result;
  }
  OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const override {
    return write_(problem, shape.copies);
  }

 private:
  ReasonFunction reason_;
  CopiesFunction most_copies_;
  WriteFunction write_;
};

// A block per node and message: N^2 messages each way.
std::uint32_t copies_within(const Problem& problem, std::uint32_t copies) {
  const std::uint64_t messages = std::uint64_t{problem.network.order()} * problem.network.order();
  return copies * messages <= most_bucket_messages ? copies : 1;
}

Reason too_many_blocks(const Problem& problem) {
  constexpr schedule::Node most = 1024;
  static_assert(std::uint64_t{most} * most <= most_bucket_messages);
  if (problem.network.order() <= most) return std::nullopt;
  return fmt::format("it lists a block of every node at every node, of {} at most", most);
}

void add_bucket(Algorithms& result) {
  result.push_back(std::make_unique<CopiedExchange>(
      listed_traits("bucket", "every torus of 2 to 1,024 nodes", "all; one copy also K, one",
                    "M. Barnett et al. 1993", "2 (extent - 1) rounds per axis, to neighbours"),
      [](const Problem& problem) {
        auto reason = not_a_torus(problem);
        return reason ? reason : too_many_blocks(problem);
      },
      [](const Problem& problem) { return copies_within(problem, 2 * axis_count(problem.network)); },
      [](const Problem& problem, std::uint32_t copies) {
        return bucket(problem.network, algorithm::torus_grid(problem.network), copies, problem.ports);
      }));
  result.push_back(std::make_unique<CopiedExchange>(
      listed_traits("ring", "every network of 2 to 1,024 nodes", "all; one copy also K, one",
                    "along a Hamiltonian cycle, one way or both", "2 (N - 1) rounds, to neighbours"),
      too_many_blocks, [](const Problem& problem) { return copies_within(problem, 2); },
      [](const Problem& problem, std::uint32_t copies) {
        return bucket(problem.network, algorithm::cycle_grid(problem.network), copies, problem.ports);
      }));
}

void add_by_numbers(Algorithms& result) {
  const auto one_copy = [](const Problem&) { return std::uint32_t{1}; };
  Traits halving = listed_traits("recursive-halving-doubling", "every network with 2^k nodes, 1,024 at most",
                                 "all, K, one", "R. Rabenseifner 2004", "2 log2 N rounds of one message");
  halving.aliases = {"rabenseifner"};
  result.push_back(std::make_unique<CopiedExchange>(
      std::move(halving),
      [](const Problem& problem) -> Reason {
        if (!std::has_single_bit(problem.network.order()))
          return fmt::format("it needs a number of nodes that is a power of two, not {}",
                             problem.network.order());
        return too_many_blocks(problem);
      },
      one_copy,
      [](const Problem& problem, std::uint32_t) {
        const std::vector plan{algorithm::halving_and_doubling(problem.network)};
        return exchange_by_levels(problem.network, plan, problem.ports);
      }));
  result.push_back(std::make_unique<CopiedExchange>(
      listed_traits("binomial", "every network of 2 to 4,096 nodes", "all, K, one",
                    "R. Thakur, R. Rabenseifner and W. Gropp 2005",
                    "2 ceil(log2 N) rounds, the whole vector"),
      [](const Problem&) { return Reason(); }, one_copy,
      [](const Problem& problem, std::uint32_t) {
        return algorithm::binomial_reduce_and_broadcast(problem.network, problem.ports);
      }));
}

}  // namespace

Algorithms levels() {
  Algorithms result;
  result.push_back(std::make_unique<LevelExchange>(
      listed_traits("level-exchange", "every torus of 2 to 4,096 nodes", "all",
                    "divisions, folds and windows of rings (docs/algorithms.md)",
                    "without divisions: diameter hops on axes of 2, 3, 2^k and 3^k")));
  Traits swing = listed_traits("swing", "tori of 2 to 4,096 nodes whose extents are powers of two",
                               "all; one copy also K, one", "D. De Sensi et al. 2024",
                               "log2 N rounds of the whole vector, or 2 log2 N of its blocks");
  swing.aliases = {"bine"};
  result.push_back(std::make_unique<StageExchange>(std::move(swing), 2));
  result.push_back(std::make_unique<StageExchange>(
      listed_traits("trivance", "tori of 2 to 4,096 nodes whose extents are powers of three", "all",
                    "Trivance 2026, arXiv 2602.17254",
                    "log3 N rounds of the whole vector, or 2 log3 N of its blocks"),
      3));
  add_by_numbers(result);
  add_bucket(result);
  return result;
}

}  // namespace isotrope::planner

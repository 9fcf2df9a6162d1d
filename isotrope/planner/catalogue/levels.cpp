// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Allreduce of small and middle vectors on cut-through machines, by messages of sums to chosen nodes.
//
//     level-exchange                  tori: some divisions of the vector, fold or windows of each axis, and back; up to
//                                     twice as many copies as axes (algorithm/levels/torus_levels.hpp). Other Cayley
//                                     graphs: programs of the whole group (algorithm/levels/group_levels.hpp)
//     swing, trivance                 the same form with the stages of the papers: all divide, or none
//     recursive-halving-doubling      halving and doubling over the bits of node numbers
//     bucket, ring, binomial          algorithm/levels/bucket.hpp
//
//     64 bytes on ring:16, one message at a time    fold 1 + 2 + 4 + 1 hops, Swing 1 + 1 + 3 + 5, recursive doubling
//                                                   8 + 4 + 2 + 1
//
// All list the messages of every node (listed_exchange.hpp). There are 100 choices at most.
#include "isotrope/algorithm/levels/levels.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/algorithm/levels/bucket.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

#include "isotrope/planner/catalogue/listed_exchange.hpp"

namespace isotrope::planner {
namespace {

using algorithm::ExchangeCounts;
using algorithm::LevelShape;
using Program = LevelShape::Program;

bool all_powers_of_two(const Network& torus) {
  const auto axes = *network::torus_axes(torus);
  return std::ranges::all_of(axes, [](const auto& axis) { return std::has_single_bit(axis.extent); });
}

Traits allreduce_traits(std::string name, const char* networks, const char* ports, const char* source,
                        const char* claim) {
  return listed_traits(std::move(name), Collective::allreduce, networks, ports, source, claim);
}

network::Coordinate longest_extent(const Network& torus) {
  return std::ranges::max(*network::torus_axes(torus), {}, &network::TorusAxis::extent).extent;
}

/// Divisions, then the program of each axis, and back.
class LevelExchange final : public ListedExchange {
 public:
  using ListedExchange::ListedExchange;

 protected:
  // One-sided windows, and folds of one copy, fit every port.
  Reason unsuitable(const Problem& /*problem*/) const override { return std::nullopt; }
  std::vector<LevelShape> shapes(const Problem& problem) const override {
    return level_shapes(problem, torus_shapes);
  }
  OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const override {
    return exchange_by_levels(joined_network(problem), levels_of(problem, shape), problem.ports);
  }
  std::optional<ExchangeCounts> count(const Problem& problem, const LevelShape& shape) const override {
    return count_by_levels(joined_network(problem), levels_of(problem, shape));
  }

 private:
  static std::vector<LevelShape> torus_shapes(const network::SplitTorus& torus) {
    constexpr std::uint32_t most_divisions = 6, most_grouped = 3, most_grouped_mirrored = 2;
    const std::uint32_t axes = algorithm::turn_count(torus);
    const std::uint32_t stages = algorithm::stage_count(torus);
    std::vector<LevelShape> result;
    for (std::uint32_t divisions = 0; divisions <= std::min(stages, most_divisions); ++divisions) {
      for (std::uint32_t grouped = 1; grouped <= std::clamp(divisions, 1U, most_grouped); ++grouped) {
        for (const std::uint32_t each : copies_on(torus)) {
          LevelShape shape{divisions, grouped, Program::fold, each};
          if (!shares_fit(torus, shape)) continue;
          result.push_back(shape);
          shape.mirrored = true;
          if (each == 2 && axes > 1 && grouped <= most_grouped_mirrored) result.push_back(shape);
        }
      }
    }
    for (const std::uint32_t each : {1U, 2U}) result.push_back({0, 1, Program::windows, each});
    if (!all_powers_of_two(torus.network)) {
      result.push_back({0, 1, Program::one_sided, 1});
      result.push_back({0, 1, Program::stages, 1});
      return result;
    }
    // After some divisions their stages add in the same order at all nodes, folds of 8 nodes or more do not.
    const auto is_fold = [](const LevelShape& shape) { return shape.program == Program::fold; };
    std::vector<LevelShape> folds;
    std::ranges::copy_if(result, std::back_inserter(folds), is_fold);
    if (longest_extent(torus.network) < 8) std::erase_if(result, is_fold);
    for (LevelShape shape : folds) {
      shape.program = Program::stages;
      result.push_back(shape);
    }
    return result;
  }
};

/// Swing and Trivance: all stages divide, or none.
class StageExchange final : public BlockwiseExchange {
 public:
  StageExchange(Traits traits, std::uint32_t base) : BlockwiseExchange(std::move(traits)), base_(base) {}

 protected:
  Reason unsuitable(const Problem& problem) const override {
    if (auto reason = extents_without_power(problem, base_)) return reason;
    return base_ == 2 ? std::nullopt : limited_ports(problem);
  }
  std::vector<LevelShape> shapes(const Problem& problem) const override {
    return stage_shapes(problem, true);
  }
  OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const override {
    return exchange_by_levels(problem.network, levels_of(problem, shape), problem.ports);
  }
  std::optional<ExchangeCounts> count(const Problem& problem, const LevelShape& shape) const override {
    return count_by_levels(problem.network, levels_of(problem, shape));
  }
  bool has_counts() const override { return true; }

 private:
  std::uint32_t base_;
};

void add_bucket(Algorithms& result) {
  result.push_back(std::make_unique<ShapedExchange>(
      allreduce_traits("bucket", "every torus of 2 to 1,024 nodes", "all; one copy also K, one",
                       "M. Barnett et al. 1993", "2 (extent - 1) rounds per axis, to neighbours"),
      or_too_many_blocks(not_a_torus), copies_on_axes, [](const Problem& problem, const LevelShape& shape) {
        return bucket(problem.network, algorithm::torus_grid(problem.network), shape.copies, problem.ports);
      }));
  result.push_back(std::make_unique<ShapedExchange>(
      allreduce_traits("ring", "every network of 2 to 1,024 nodes", "all; one copy also K, one",
                       "along a Hamiltonian cycle, one way or both", "2 (N - 1) rounds, to neighbours"),
      too_many_blocks, [](const Problem& problem) { return one_or_more_copies(problem, 2); },
      [](const Problem& problem, const LevelShape& shape) {
        return bucket(problem.network, algorithm::cycle_grid(problem.network), shape.copies, problem.ports);
      }));
}

void add_by_numbers(Algorithms& result) {
  Traits halving =
      allreduce_traits("recursive-halving-doubling", "every network with 2^k nodes, 1,024 at most",
                       "all, K, one", "R. Rabenseifner 2004", "2 log2 N rounds of one message");
  halving.aliases = {"rabenseifner"};
  halving.by_leaders = {"leader-halving-doubling"};
  halving.around_links = halving.around_nodes = true;
  result.push_back(std::make_unique<ShapedExchange>(
      std::move(halving), or_too_many_blocks(not_a_power_of_two), one_shape,
      [](const Problem& problem, const LevelShape&) {
        return exchange_by_levels(joined_network(problem), halving_levels(problem), problem.ports);
      },
      [](const Problem& problem, const LevelShape&) {
        return count_by_levels(joined_network(problem), halving_levels(problem));
      }));
  Traits binomial = allreduce_traits("binomial", "every network of 2 to 4,096 nodes", "all, K, one",
                                     "R. Thakur, R. Rabenseifner and W. Gropp 2005",
                                     "2 ceil(log2 N) rounds, the whole vector");
  binomial.around_links = binomial.around_nodes = true;
  result.push_back(std::make_unique<ShapedExchange>(
      std::move(binomial), [](const Problem&) { return Reason(); }, one_shape,
      [](const Problem& problem, const LevelShape&) {
        return algorithm::binomial_reduce_and_broadcast(joined_network(problem), problem.ports);
      }));
}

}  // namespace

Algorithms levels() {
  Algorithms result;
  Traits level = allreduce_traits(
      "level-exchange", "every network of 2 to 4,096 nodes", "all; K, one for steps of few messages",
      "divisions, folds and windows of rings; searched programs (docs/algorithms.md)",
      "without divisions: diameter hops on axes of 2, 3, 2^k and 3^k");
  level.by_leaders = {"leader-level-exchange"};
  level.by_stripes = {"striped-level-exchange"};
  level.around_links = level.around_nodes = true;
  result.push_back(std::make_unique<LevelExchange>(std::move(level)));
  Traits swing = allreduce_traits("swing", "tori of 2 to 4,096 nodes whose extents are powers of two",
                                  "all; one copy also K, one", "D. De Sensi et al. 2024",
                                  "log2 N rounds of the whole vector, or 2 log2 N of its blocks");
  swing.aliases = {"bine"};
  result.push_back(std::make_unique<StageExchange>(std::move(swing), 2));
  result.push_back(std::make_unique<StageExchange>(
      allreduce_traits("trivance", "tori of 2 to 4,096 nodes whose extents are powers of three", "all",
                       "Trivance 2026, arXiv 2602.17254",
                       "log3 N rounds of the whole vector, or 2 log3 N of its blocks"),
      3));
  add_by_numbers(result);
  add_bucket(result);
  return result;
}

}  // namespace isotrope::planner

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast and allgather of small and middle blocks on cut-through machines, by copies to chosen nodes; reversed,
// reduce and reduce-scatter.
//
//     level-exchange        tori: the plans of the allreduce of that name without its sums; two steps may be one
//                           (algorithm/levels/level_copies.hpp)
//     swing                 the same form with the stages of the paper: a binomial tree over the distances 1, -1, 3, -5;
//                           or all stages divide
//     binomial              a tree over the bits of node numbers
//     scatter-allgather     the root scatters blocks over the bits of node numbers, all gather them
//     recursive-doubling    that allgather alone
//     bucket, ring          algorithm/levels/bucket.hpp
//
//     broadcast of 64 bytes on torus:8x8    fold of both axes, two steps together: 3 rounds of 3 messages, 2 + 4 + 2 hops
//                                           Swing: 6 rounds of a message, 1 + 1 + 1 + 1 + 3 + 3 hops
//
// All list the messages of every node (listed_exchange.hpp). There are 101 choices at most.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isotrope/network/torus_axes.hpp"

#include "isotrope/algorithm/levels/bucket.hpp"
#include "isotrope/algorithm/levels/level_copies.hpp"
#include "isotrope/algorithm/levels/torus_levels.hpp"

#include "isotrope/planner/catalogue/listed_exchange.hpp"

namespace isotrope::planner {
namespace {

using algorithm::LevelShape;
using algorithm::OverlaidSchedule;
using Program = LevelShape::Program;
using Shapes = std::vector<LevelShape>;

// Of an allgather by several copies, all of which are priced.
constexpr std::uint64_t most_shared_messages = std::uint64_t{1} << 21;

// Two copies may begin with one axis too, one of them mirrored.
void add_with_mirror(LevelShape shape, const network::SplitTorus& torus, Shapes& result) {
  result.push_back(shape);
  shape.mirrored = true;
  if (shape.copies == 2 && algorithm::turn_count(torus) > 1) result.push_back(shape);
}

Shapes torus_broadcast_shapes(const network::SplitTorus& torus) {
  constexpr std::uint32_t most_divisions = 4, most_grouped = 3, most_joined = 2;
  const std::uint32_t divisions_at_most = std::min(algorithm::stage_count(torus), most_divisions);
  Shapes result;
  for (std::uint32_t divisions = 0; divisions <= divisions_at_most; ++divisions) {
    for (const std::uint32_t copies : copies_on(torus)) {
      if (!shares_fit(torus, {.divisions = divisions, .copies = copies})) continue;
      for (std::uint32_t grouped = 1; grouped <= std::clamp(divisions, 1U, most_grouped); ++grouped) {
        // If all stages divide, no steps are left to be joined.
        const std::uint32_t joined_at_most = divisions == algorithm::stage_count(torus) ? 1 : most_joined;
        for (std::uint32_t joined = 1; joined <= joined_at_most; ++joined)
          add_with_mirror({divisions, grouped, Program::fold, copies, joined}, torus, result);
      }
    }
  }
  result.push_back({0, 1, Program::one_sided});
  return result;
}

// Steps of the programs alone or together; or the stages, several a step.
Shapes torus_allgather_shapes(const network::SplitTorus& torus) {
  constexpr std::uint32_t most_grouped = 3;
  const std::uint32_t stages = algorithm::stage_count(torus);
  const std::uint32_t joined_at_most = std::min(algorithm::turn_count(torus), most_grouped);
  const std::uint64_t nodes = torus.network.order();
  Shapes result;
  for (const std::uint32_t copies : copies_on(torus)) {
    if (copies > 1 && copies * nodes * nodes > most_shared_messages) continue;
    for (std::uint32_t joined = 1; joined <= joined_at_most; ++joined)
      add_with_mirror({0, 1, Program::fold, copies, joined}, torus, result);
    for (std::uint32_t grouped = 1; grouped <= std::min(stages, most_grouped); ++grouped)
      add_with_mirror({stages, grouped, Program::stages, copies}, torus, result);
  }
  result.push_back({0, 1, Program::one_sided});
  return result;
}

Shapes broadcast_shapes(const Problem& problem) {
  return level_shapes(problem, torus_broadcast_shapes);
}
Shapes allgather_shapes(const Problem& problem) {
  return level_shapes(problem, torus_allgather_shapes);
}

Reason extents_of_no_power_of_two(const Problem& problem) {
  return extents_without_power(problem, 2);
}

OverlaidSchedule write_broadcast(const Problem& problem, const LevelShape& shape) {
  return broadcast_by_levels(joined_network(problem), problem.task.root, levels_of(problem, shape),
                             problem.ports);
}

// Of many copies the last one comes first: a node that sends on over a link has then served the copy that used that link before.
std::vector<algorithm::LevelPlan> allgather_copies(const Problem& problem, const LevelShape& shape) {
  std::vector<algorithm::LevelPlan> copies = levels_of(problem, shape);
  if (copies.size() > 2) std::ranges::reverse(copies);
  return copies;
}

OverlaidSchedule write_allgather(const Problem& problem, const LevelShape& shape) {
  return allgather_by_levels(joined_network(problem), allgather_copies(problem, shape), problem.ports);
}
algorithm::ExchangeCounts count_allgather(const Problem& problem, const LevelShape& shape) {
  return count_allgather_by_levels(joined_network(problem), allgather_copies(problem, shape));
}

Traits named_with_reversal(Traits traits, std::string reversed) {
  traits.reversed = {std::move(reversed)};
  return traits;
}

Traits swing_traits(Collective collective, const char* networks, const char* claim) {
  Traits result = listed_traits("swing", collective, networks, "all; one copy also K, one",
                                "D. De Sensi et al. 2024", claim);
  result.aliases = {"bine"};
  result.reversed = {"swing", {}, result.aliases};
  return result;
}

/// The level exchange, of whole networks: a broadcast has few blocks.
class LevelBroadcast final : public ListedExchange {
 public:
  using ListedExchange::ListedExchange;

 protected:
  // One-sided windows fit every port.
  Reason unsuitable(const Problem& /*problem*/) const override { return std::nullopt; }
  Shapes shapes(const Problem& problem) const override { return broadcast_shapes(problem); }
  OverlaidSchedule write(const Problem& problem, const LevelShape& shape) const override {
    return write_broadcast(problem, shape);
  }
};

void add_broadcasts(Algorithms& result) {
  constexpr auto broadcast = Collective::broadcast;
  Traits level = listed_traits("level-exchange", broadcast, "every network of 2 to 4,096 nodes",
                               "all; K, one for steps of few messages",
                               "divisions, folds and windows of rings (docs/algorithms.md)",
                               "without divisions: diameter hops on axes of 2, 3, 2^k and 3^k");
  level.reversed = {"level-exchange"};
  level.reversed_then_forward = {"level-tree-allreduce",
                                 "twice the rounds of the broadcast, the whole vector"};
  level.barrier = {"level-tree-barrier", "twice the rounds of the broadcast"};
  level.by_leaders = {"leader-level-exchange"};
  level.around_links = level.around_nodes = true;
  result.push_back(std::make_unique<LevelBroadcast>(std::move(level)));
  result.push_back(std::make_unique<ShapedExchange>(
      swing_traits(broadcast, "tori of 2 to 4,096 nodes whose extents are powers of two",
                   "log2 N rounds of the whole vector, or 2 log2 N of its blocks"),
      extents_of_no_power_of_two, [](const Problem& problem) { return stage_shapes(problem, true); },
      write_broadcast));
  Traits binomial =
      listed_traits("binomial", broadcast, "every network of 2 to 4,096 nodes", "all, K, one",
                    "R. Thakur, R. Rabenseifner and W. Gropp 2005", "ceil(log2 N) rounds, the whole vector");
  binomial.reversed = {"binomial"};
  binomial.by_leaders = {"leader-binomial"};
  binomial.around_links = binomial.around_nodes = true;
  result.push_back(std::make_unique<ShapedExchange>(
      std::move(binomial), [](const Problem&) { return Reason(); }, one_shape,
      [](const Problem& problem, const LevelShape&) {
        return algorithm::binomial_broadcast(joined_network(problem), problem.task.root, problem.ports);
      }));
  Traits scatter =
      listed_traits("scatter-allgather", broadcast, "every network with 2^k nodes, 1,024 at most",
                    "all, K, one", "M. Barnett et al. 1994", "2 log2 N rounds of one message");
  scatter.aliases = {"van-de-geijn"};
  scatter.reversed = {"reduce-scatter-gather", {}, {"rabenseifner"}};
  scatter.around_links = scatter.around_nodes = true;
  result.push_back(std::make_unique<ShapedExchange>(
      std::move(scatter), or_too_many_blocks(not_a_power_of_two), one_shape,
      [](const Problem& problem, const LevelShape&) {
        return broadcast_by_levels(joined_network(problem), problem.task.root, halving_levels(problem),
                                   problem.ports);
      }));
}

void add_allgathers(Algorithms& result) {
  constexpr auto allgather = Collective::allgather;
  Traits level =
      named_with_reversal(listed_traits("level-exchange", allgather, "every network of 2 to 1,024 nodes",
                                        "all; K, one for steps of few messages",
                                        "stages, folds and windows of rings (docs/algorithms.md)",
                                        "folds, windows: diameter hops on axes of 2, 3, 2^k and 3^k"),
                          "level-exchange");
  level.around_links = level.around_nodes = true;
  result.push_back(std::make_unique<ShapedExchange>(std::move(level), too_many_blocks, allgather_shapes,
                                                    write_allgather, count_allgather));
  result.push_back(std::make_unique<ShapedExchange>(
      swing_traits(allgather, "tori of 2 to 1,024 nodes whose extents are powers of two",
                   "log2 N rounds of one message"),
      or_too_many_blocks(extents_of_no_power_of_two),
      [](const Problem& problem) { return stage_shapes(problem, false); }, write_allgather, count_allgather));
  Traits doubling = named_with_reversal(
      listed_traits("recursive-doubling", allgather, "every network with 2^k nodes, 1,024 at most",
                    "all, K, one", "R. Thakur, R. Rabenseifner and W. Gropp 2005",
                    "log2 N rounds of one message"),
      "recursive-halving");
  doubling.around_links = doubling.around_nodes = true;
  result.push_back(std::make_unique<ShapedExchange>(
      std::move(doubling), or_too_many_blocks(not_a_power_of_two), one_shape,
      [](const Problem& problem, const LevelShape&) {
        return allgather_by_levels(joined_network(problem), halving_levels(problem), problem.ports);
      },
      [](const Problem& problem, const LevelShape&) {
        return count_allgather_by_levels(joined_network(problem), halving_levels(problem));
      }));
}

void add_buckets(Algorithms& result) {
  constexpr auto allgather = Collective::allgather;
  result.push_back(std::make_unique<ShapedExchange>(
      named_with_reversal(
          listed_traits("bucket", allgather, "every torus of 2 to 1,024 nodes", "all; one copy also K, one",
                        "M. Barnett et al. 1993", "extent - 1 rounds per axis, to neighbours"),
          "bucket"),
      or_too_many_blocks(not_a_torus), copies_on_axes, [](const Problem& problem, const LevelShape& shape) {
        return bucket_allgather(problem.network, algorithm::torus_grid(problem.network), shape.copies,
                                problem.ports);
      }));
  result.push_back(std::make_unique<ShapedExchange>(
      named_with_reversal(
          listed_traits("ring", allgather, "every network of 2 to 1,024 nodes", "all; one copy also K, one",
                        "along a Hamiltonian cycle, one way or both", "N - 1 rounds, to neighbours"),
          "ring"),
      too_many_blocks, [](const Problem& problem) { return one_or_more_copies(problem, 2); },
      [](const Problem& problem, const LevelShape& shape) {
        return bucket_allgather(problem.network, algorithm::cycle_grid(problem.network), shape.copies,
                                problem.ports);
      }));
}

}  // namespace

Algorithms copied_levels() {
  Algorithms result;
  add_broadcasts(result);
  add_allgathers(result);
  add_buckets(result);
  return result;
}

}  // namespace isotrope::planner

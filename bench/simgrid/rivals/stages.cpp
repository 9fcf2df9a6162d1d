// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/simgrid/rivals/stages.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <stdexcept>

namespace judge::rivals {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// Stages of an axis: the least k with base^k >= extent.
int stage_count(int base, int extent) {
  int count = 0;
  for (int reach = 1; reach < extent; reach *= base) ++count;
  return count;
}

int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

int wrapped(int x, int extent) {
  return (x % extent + extent) % extent;
}

// The partner of coordinate x, or -1.
int partner(Family family, int x, int extent, int stage, int sign, bool mirrored) {
  switch (family) {
    case Family::doubling: {
      const int own = mirrored ? (extent - x) % extent : x, other = own ^ power(2, stage);
      if (other >= extent) return -1;
      return mirrored ? (extent - other) % extent : other;
    }
    case Family::swing: {
      const int distance = (1 - power(-2, stage + 1)) / 3;
      return wrapped(x + ((x % 2 == 0) != mirrored ? distance : -distance), extent);
    }
    default:
      return wrapped(x + sign * power(3, stage), extent);
  }
}

Move move_of(const Grid& grid, Family family, int axis, int stage, int sign, bool mirrored) {
  Move move{std::vector<int>(at(grid.size()), -1), std::vector<int>(at(grid.size()), -1)};
  for (int rank = 0; rank < grid.size(); ++rank) {
    const int to = partner(family, grid.coordinate(rank, axis), grid.extent(axis), stage, sign, mirrored);
    if (to == -1) continue;
    move.to[at(rank)] = grid.moved(rank, axis, to);
    move.from[at(move.to[at(rank)])] = rank;
  }
  return move;
}

// Joins the classes of `label` that the stage connects.
void join_classes(std::vector<int>& label, const Stage& stage) {
  for (const Move& move : stage) {
    for (std::size_t rank = 0; rank < label.size(); ++rank) {
      const int kept = label[rank], gone = label[at(move.to[rank])];
      if (kept == gone) continue;
      std::replace(label.begin(), label.end(), gone, kept);
    }
  }
}

std::vector<int> members(const std::vector<int>& label, int rank) {
  std::vector<int> result;
  for (std::size_t each = 0; each < label.size(); ++each) {
    if (label[each] == label[at(rank)]) result.push_back(static_cast<int>(each));
  }
  return result;
}

void require_different_classes(const std::vector<int>& label, const Stage& stage, int rank) {
  std::set<int> classes{label[at(rank)]};
  for (const Move& move : stage) {
    if (!classes.insert(label[at(move.to[at(rank)])]).second)
      throw std::logic_error("two partners are in one class of the later stages");
  }
}

struct Tree {
  std::vector<int> parent, stage;  // -1: the root, or not reached
  std::vector<int> order;          // of being reached
};

Tree tree_of(const std::vector<Stage>& stages, int ranks) {
  Tree tree{std::vector<int>(at(ranks), -1), std::vector<int>(at(ranks), -1), {0}};
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const std::vector<int> holders = tree.order;
    for (const int holder : holders) {
      for (const Move& move : stages[stage]) {
        const int to = move.to[at(holder)];
        if (to <= 0 || tree.parent[at(to)] != -1) continue;
        tree.parent[at(to)] = holder;
        tree.stage[at(to)] = static_cast<int>(stage);
        tree.order.push_back(to);
      }
    }
  }
  if (tree.order.size() != at(ranks)) throw std::logic_error("the tree does not reach all ranks");
  return tree;
}

// The ranks below `top`, itself included, in ascending order.
std::vector<int> below(const Tree& tree, int top) {
  std::vector<bool> inside(tree.parent.size(), false);
  for (const int rank : tree.order)
    inside[at(rank)] = rank == top || (rank != 0 && inside[at(tree.parent[at(rank)])]);
  std::vector<int> result;
  for (std::size_t rank = 0; rank < inside.size(); ++rank) {
    if (inside[rank]) result.push_back(static_cast<int>(rank));
  }
  return result;
}

}  // namespace

std::vector<Stage> stages(const Grid& grid, Family family, Variant variant) {
  const int base = family == Family::trivance ? 3 : 2;
  std::vector<Stage> result;
  for (int stage = 0; stage < stage_count(base, grid.size()); ++stage) {
    for (int turn = 0; turn < grid.axes(); ++turn) {
      const int axis = (variant.first_axis + turn) % grid.axes();
      if (stage >= stage_count(base, grid.extent(axis))) continue;
      const int sign = variant.direction();
      result.push_back({move_of(grid, family, axis, stage, sign, variant.mirrored)});
      if (family == Family::trivance)
        result.back().push_back(move_of(grid, family, axis, stage, -sign, variant.mirrored));
    }
  }
  return result;
}

Chain exchange(const std::vector<Stage>& stages, int rank) {
  Chain chain;
  for (const Stage& stage : stages) {
    Step step;
    for (const Move& move : stage) {
      step.sends.push_back({move.to[at(rank)], {0}});
      step.receives.push_back({move.from[at(rank)], {0}, true});
    }
    chain.push_back(step);
  }
  return chain;
}

Chain reduce_scatter(const std::vector<Stage>& stages, int ranks, int rank) {
  std::vector<int> label(at(ranks));
  std::iota(label.begin(), label.end(), 0);
  Chain chain(stages.size());
  for (std::size_t stage = stages.size(); stage-- > 0;) {
    require_different_classes(label, stages[stage], rank);
    for (const Move& move : stages[stage]) {
      const int to = move.to[at(rank)];
      chain[stage].sends.push_back({to, members(label, to)});
      chain[stage].receives.push_back({move.from[at(rank)], members(label, rank), true});
    }
    join_classes(label, stages[stage]);
  }
  return chain;
}

Chain tree(const std::vector<Stage>& stages, int ranks, int rank, bool scatter) {
  const Tree tree = tree_of(stages, ranks);
  const auto blocks = [&](int top) { return scatter ? below(tree, top) : std::vector<int>{0}; };
  Chain chain(stages.size());
  if (rank != 0)
    chain[at(tree.stage[at(rank)])].receives.push_back({tree.parent[at(rank)], blocks(rank), false});
  for (const int child : tree.order) {
    if (child != 0 && tree.parent[at(child)] == rank)
      chain[at(tree.stage[at(child)])].sends.push_back({child, blocks(child)});
  }
  return chain;
}

}  // namespace judge::rivals

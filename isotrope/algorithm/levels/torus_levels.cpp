// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/torus_levels.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "isotrope/network/regrouped_axes.hpp"

#include "isotrope/algorithm/levels/axis_program.hpp"
#include "isotrope/algorithm/levels/offset_program.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using network::SplitTorus;
using network::TorusAxis;

// A stage of an axis.
struct AxisStage {
  std::size_t axis;  // index of the list of axes
  AxisStep step;
};

// The axes of all levels, each level from the axis of that number on.
std::vector<TorusAxis> axes_from(const SplitTorus& torus, std::size_t first) {
  std::vector<TorusAxis> result;
  for (const std::vector<TorusAxis>& level : torus.levels) {
    for (std::size_t turn = 0; turn < level.size(); ++turn)
      result.push_back(level[(first + turn) % level.size()]);
  }
  return result;
}

std::vector<AxisStage> stages_in_turn(const std::vector<TorusAxis>& axes) {
  std::vector<AxisProgram> of_axes;
  for (const TorusAxis& axis : axes) of_axes.push_back(stages(axis.extent));
  std::vector<AxisStage> result;
  for (std::size_t i = 0, before = 1; result.size() != before; ++i) {
    before = result.size();
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (i < of_axes[axis].size()) result.push_back({axis, of_axes[axis][i]});
    }
  }
  return result;
}

std::uint64_t product_from(const SplitTorus& torus, std::size_t first_axis, std::uint32_t divisions) {
  const std::vector<AxisStage> stages = stages_in_turn(axes_from(torus, first_axis));
  std::uint64_t result = 1;
  for (std::size_t i = 0; i < divisions; ++i) result *= stages[i].step.size() + 1;
  return result;
}

// The steps of every axis.
using AxisPrograms = std::vector<std::vector<AxisStage>>;

// One copy.
class TorusPlan {
 public:
  TorusPlan(const Network& network, std::vector<TorusAxis> axes, const LevelShape& shape, bool mirrored)
      : network_(network), axes_(std::move(axes)), mirrored_(mirrored) {
    const std::vector<AxisStage> stages = stages_in_turn(axes_);
    std::vector<bool> divided(axes_.size(), false);
    for (std::size_t i = 0; i < shape.divisions; i += shape.grouped) {
      const std::size_t end = std::min<std::size_t>(i + shape.grouped, shape.divisions);
      std::vector<Permutation> reached{identity()};
      for (std::size_t stage = i; stage < end; ++stage) {
        divided[stages[stage].axis] = true;
        reached = product(reached, stages[stage]);
      }
      reached.erase(reached.begin());
      plan_.divisions.push_back(std::move(reached));
    }
    const auto is_staged = [&](std::size_t axis) {
      return divided[axis] || shape.program == LevelShape::Program::stages;
    };
    AxisPrograms left(axes_.size());
    for (std::size_t i = shape.divisions; i < stages.size(); ++i) {
      const auto& [axis, step] = stages[i];
      if (!is_staged(axis)) continue;
      left[axis].push_back(stages[i]);
      if (shape.joined == 1) plan_.programs.push_back(on_nodes({step}, axis));
    }
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      if (is_staged(axis)) continue;
      const AxisProgram program = program_of(axes_[axis].extent, shape.program);
      for (const AxisStep& step : program) left[axis].push_back({axis, step});
      if (shape.joined == 1) plan_.programs.push_back(on_nodes(program, axis));
    }
    if (shape.joined > 1) join(left, shape.joined);
  }

  LevelPlan plan() && { return std::move(plan_); }

 private:
  static AxisProgram program_of(Coordinate extent, LevelShape::Program program) {
    if (program == LevelShape::Program::one_sided) return one_sided(extent);
    return program == LevelShape::Program::fold && folds(extent) ? fold(extent) : windows(extent);
  }

  // The first steps of all programs, then the second ones, and so on, `joined` in one. What is left over is the last one; of
  // a ring the first one, as then far messages go first while few nodes send (level_copies.hpp).
  void join(const AxisPrograms& programs, std::size_t joined) {
    std::vector<AxisStage> steps;
    for (std::size_t i = 0, before = 1; steps.size() != before; ++i) {
      before = steps.size();
      for (const auto& program : programs) {
        if (i < program.size()) steps.push_back(program[i]);
      }
    }
    const std::size_t odd = steps.size() % joined;
    std::size_t end = 0;
    for (std::size_t first = 0; first < steps.size(); first = end) {
      end = std::min(first + (first == 0 && axes_.size() == 1 && odd > 0 ? odd : joined), steps.size());
      std::vector<Permutation> reached{identity()};
      for (std::size_t i = first; i < end; ++i) reached = product(reached, steps[i]);
      RegisterStep sends;
      for (std::size_t i = 1; i < reached.size(); ++i) sends.push_back({std::move(reached[i]), {}});
      plan_.programs.push_back({std::move(sends)});
    }
  }

  Permutation identity() const {
    Permutation result(network_.order());
    for (Node node = 0; node < result.size(); ++node) result[node] = node;
    return result;
  }
  Permutation along(std::size_t axis, const AxisSend& send) const {
    const std::uint32_t coordinate = axes_[axis].coordinate;
    const Node unit = network_.generators()[axes_[axis].forward];
    const auto offset = [&](Coordinate by) {
      const Node node = by * unit;
      return mirrored_ ? network_.group().negate(node) : node;
    };
    return receivers(network_, coordinate, offset(send.even), offset(send.odd));
  }

  // All in `reached`, then all that the stage leads to from them.
  std::vector<Permutation> product(const std::vector<Permutation>& reached, const AxisStage& stage) const {
    std::vector<Permutation> result = reached;
    for (const AxisSend& send : stage.step) {
      const Permutation next = along(stage.axis, send);
      for (const Permutation& before : reached) {
        Permutation both = before;
        for (Node& node : both) node = next[node];
        result.push_back(std::move(both));
      }
    }
    return result;
  }

  RegisterProgram on_nodes(const AxisProgram& program, std::size_t axis) const {
    RegisterProgram result;
    for (const AxisStep& step : program) {
      RegisterStep sends;
      for (const AxisSend& send : step) sends.push_back({along(axis, send), send.registers});
      result.push_back(std::move(sends));
    }
    return result;
  }

  const Network& network_;
  std::vector<TorusAxis> axes_;  // in turn
  bool mirrored_;
  LevelPlan plan_;
};

// Lays plans on nodes that have those `numbers` in them.
class Laid {
 public:
  explicit Laid(const std::vector<Node>& numbers) : numbers_(numbers), nodes_(numbers.size()) {
    for (Node node = 0; node < numbers.size(); ++node) nodes_[numbers[node]] = node;
  }

  void lay(LevelPlan& plan) const {
    for (auto& division : plan.divisions) {
      for (Permutation& partners : division) lay(partners);
    }
    for (RegisterProgram& program : plan.programs) {
      for (RegisterStep& step : program) {
        for (RegisterSend& send : step) lay(send.to);
      }
    }
  }

 private:
  void lay(Permutation& to) const {
    Permutation laid(to.size());
    for (Node node = 0; node < to.size(); ++node) laid[node] = nodes_[to[numbers_[node]]];
    to = std::move(laid);
  }

  const std::vector<Node>& numbers_;
  std::vector<Node> nodes_;  // by number
};

std::vector<LevelPlan> regrouped_levels(const SplitTorus& torus, LevelShape shape) {
  const network::RegroupedTorus other = *network::regrouped(torus);
  shape.regrouped = false;
  std::vector<LevelPlan> result = torus_levels(other.torus, shape);
  const Laid laid(other.numbers);
  for (LevelPlan& plan : result) laid.lay(plan);
  return result;
}

}  // namespace

std::uint32_t turn_count(const SplitTorus& torus) {
  return static_cast<std::uint32_t>(torus.levels.front().size());
}

std::uint32_t stage_count(const SplitTorus& torus) {
  return static_cast<std::uint32_t>(stages_in_turn(axes_from(torus, 0)).size());
}

std::uint64_t division_product(const SplitTorus& torus, std::uint32_t divisions) {
  return product_from(torus, 0, divisions);
}

bool divides_alike(const SplitTorus& torus, std::uint32_t divisions) {
  const std::uint64_t product = product_from(torus, 0, divisions);
  for (std::size_t first = 1; first < turn_count(torus); ++first) {
    if (product_from(torus, first, divisions) != product) return false;
  }
  return true;
}

std::vector<LevelPlan> torus_levels(const SplitTorus& torus, const LevelShape& shape) {
  if (shape.regrouped) return regrouped_levels(torus, shape);
  std::vector<LevelPlan> result;
  const std::size_t turns = divides_alike(torus, shape.divisions) ? turn_count(torus) : 1;
  const std::size_t wanted = shape.mirrored ? (shape.copies + 1) / 2 : shape.copies;
  const std::size_t unmirrored = std::min<std::size_t>(wanted, turns);
  for (std::uint32_t copy = 0; copy < shape.copies; ++copy) {
    const std::size_t first_axis = copy % unmirrored * turns / unmirrored;
    const bool mirrored = copy / unmirrored % 2 != 0;
    result.push_back(TorusPlan(torus.network, axes_from(torus, first_axis), shape, mirrored).plan());
  }
  return result;
}

LevelPlan halving_and_doubling(const Network& network) {
  LevelPlan plan;
  for (Node bit = 1; bit < network.order(); bit *= 2) {
    Permutation partner(network.order());
    for (Node node = 0; node < partner.size(); ++node) partner[node] = node ^ bit;
    plan.divisions.push_back({std::move(partner)});
  }
  return plan;
}

}  // namespace isotrope::algorithm

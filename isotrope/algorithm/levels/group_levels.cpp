// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/group_levels.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "isotrope/network/network_memo.hpp"
#include "isotrope/network/port_automorphisms.hpp"

#include "isotrope/algorithm/levels/axis_program.hpp"
#include "isotrope/algorithm/levels/offset_search.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;
using network::Network;
using network::Node;
using Image = std::vector<Node>;

// A coordinate of the group, counted in multiples of a unit.
struct CyclicFactor {
  std::size_t coordinate;
  Coordinate extent;
  Node stride;  // the number of the node with 1 on this coordinate
  Coordinate unit = 1;

  Node offset(Coordinate by) const { return static_cast<Node>(std::uint64_t{by} * unit % extent) * stride; }
};

std::vector<CyclicFactor> factors_of(const Network& network) {
  std::vector<CyclicFactor> result;
  const auto moduli = network.group().moduli();
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    std::vector<Coordinate> one(moduli.size(), 0);
    if (moduli[i] < 2) continue;
    one[i] = 1;
    result.push_back({i, moduli[i], network.group().number(one)});
  }
  return result;
}

OffsetProgram offsets_of(const AxisProgram& program, const CyclicFactor& factor) {
  OffsetProgram result{factor.coordinate, {}};
  for (const AxisStep& step : program) {
    OffsetStep& sends = result.steps.emplace_back();
    for (const auto& [even, odd, registers] : step)
      sends.push_back({factor.offset(even), factor.offset(odd), registers});
  }
  return result;
}

// Of the farthest message of every step.
std::uint64_t hops(const Network& network, const OffsetProgram& program) {
  std::uint64_t result = 0;
  for (const OffsetStep& step : program.steps) {
    std::uint32_t farthest = 0;
    for (const OffsetSend& send : step)
      farthest = std::max({farthest, network.distance(0, send.even), network.distance(0, send.odd)});
    result += farthest;
  }
  return result;
}

// Units beyond half of the extent are negatives of others, with as many hops.
OffsetProgram along(const Network& network, CyclicFactor factor, LevelShape::Program kind) {
  const AxisProgram program = kind == LevelShape::Program::one_sided ? one_sided(factor.extent)
                              : folds(factor.extent)                 ? fold(factor.extent)
                                                                     : windows(factor.extent);
  OffsetProgram best = offsets_of(program, factor);
  std::uint64_t least = hops(network, best);
  for (factor.unit = 2; factor.unit <= factor.extent / 2; ++factor.unit) {
    if (std::gcd(factor.unit, factor.extent) != 1) continue;
    OffsetProgram next = offsets_of(program, factor);
    const std::uint64_t of_next = hops(network, next);
    if (of_next >= least) continue;
    least = of_next;
    best = std::move(next);
  }
  return best;
}

LevelPlan plan_of(const Network& network, const LevelShape& shape) {
  LevelPlan result;
  if (shape.program == LevelShape::Program::searched) {
    const auto found = *search_offset_program(network, shape.divisions, shape.messages);
    for (const OffsetStep& division : found.divisions) {
      std::vector<Permutation>& partners = result.divisions.emplace_back();
      for (const OffsetSend& send : division)
        partners.push_back(receivers(network, found.program.coordinate, send.even, send.odd));
    }
    result.programs.push_back(on_nodes(network, found.program));
    return result;
  }
  for (const CyclicFactor& factor : factors_of(network))
    result.programs.push_back(on_nodes(network, along(network, factor, shape.program)));
  return result;
}

// The identity, then those that turn the first port to other axes, then all others.
std::vector<Image> find_turns(const Network& network) {
  std::vector<Image> result, others;
  std::vector<Node> seen;  // images of the first generator
  const Node first = network.generators().front();
  for (Image& image : network::port_automorphisms(network)) {
    const bool is_new = std::ranges::find(seen, image[first]) == seen.end();
    if (is_new) seen.insert(seen.end(), {image[first], network.group().negate(image[first])});
    (is_new ? result : others).push_back(std::move(image));
  }
  std::ranges::move(others, std::back_inserter(result));
  return result;
}

// Every choice by size needs them again.
const std::vector<Image>& turns(const Network& network) {
  thread_local network::NetworkMemo<std::vector<Image>> found;
  return found.get(network, [&] { return find_turns(network); });
}

void turn(Permutation& to, const Image& image) {
  Permutation result(to.size());
  for (Node node = 0; node < to.size(); ++node) result[image[node]] = image[to[node]];
  to = std::move(result);
}

LevelPlan turned(LevelPlan plan, const Image& image) {
  for (std::vector<Permutation>& partners : plan.divisions) {
    for (Permutation& partner : partners) turn(partner, image);
  }
  for (RegisterProgram& program : plan.programs) {
    for (RegisterStep& step : program) {
      for (RegisterSend& send : step) turn(send.to, image);
    }
  }
  return plan;
}

// Many messages a step start less often, one loads the links less. Those found may have fewer than were allowed.
void add_searched(const Network& network, std::uint32_t messages, std::vector<LevelShape>& shapes) {
  for (std::uint32_t divisions = 0; divisions <= most_searched_divisions; ++divisions) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t most : {messages, 1U}) {
      const LevelShape shape{
          .divisions = divisions, .program = LevelShape::Program::searched, .messages = most};
      if (!search_offset_program(network, divisions, most)) continue;
      const auto in_steps = static_cast<std::uint32_t>(most_messages(plan_of(network, shape)));
      if (std::ranges::find(found, in_steps) != found.end()) continue;
      found.push_back(in_steps);
      shapes.push_back(shape);
    }
  }
}

}  // namespace

std::vector<LevelShape> group_shapes(const Network& network, std::uint32_t ports) {
  std::vector<LevelShape> single{{.program = LevelShape::Program::fold},
                                 {.program = LevelShape::Program::one_sided}};
  if (network.order() <= most_searched_nodes)
    add_searched(network, std::min(ports, most_searched_messages), single);
  const std::size_t most = turns(network).size();
  const std::uint32_t axes = (network.degree() + 1) / 2;
  std::vector<LevelShape> result;
  for (LevelShape shape : single) {
    shape.copies = 0;
    // Twice as many as axes pay if the whole vector is sent.
    for (const std::uint32_t copies : {1U, 2U, axes, shape.divisions == 0 ? 2 * axes : axes}) {
      if (copies <= shape.copies || copies > most) continue;
      shape.copies = copies;
      result.push_back(shape);
    }
  }
  return result;
}

std::vector<LevelPlan> group_levels(const Network& network, const LevelShape& shape) {
  const LevelPlan plan = plan_of(network, shape);
  std::vector<LevelPlan> result{plan};
  if (shape.copies == 1) return result;
  const std::vector<Image>& images = turns(network);
  for (std::uint32_t copy = 1; copy < shape.copies; ++copy) result.push_back(turned(plan, images[copy]));
  return result;
}

}  // namespace isotrope::algorithm

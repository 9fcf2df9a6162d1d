// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/forward/lane_graph.hpp"

#include <algorithm>

namespace isotrope::forward {

std::vector<Neighbour> neighbours_of(const network::SurvivingNetwork& network, Node node) {
  std::vector<Neighbour> result;
  for (const network::Port port : network.ports(node)) {
    const Node neighbour = network.whole().neighbour(node, port);
    const auto known = std::ranges::find(result, neighbour, &Neighbour::node);
    if (known == result.end()) {
      result.push_back({neighbour, 1});
    } else {
      ++known->links;
    }
  }
  return result;
}

namespace {

// Of one link. A time of 0 would make all other links useless: no lane counts as wider, or narrower, than this.
double width_of(const cost::LinkTime& link, const cost::Machine& machine) {
  constexpr double most = 1024;
  const double own = machine.lane_byte_time_s(), time = link.byte_time_s * link.lanes;
  if (own == time) return 1;
  return std::clamp(time > 0 ? own / time : most, 1 / most, most);
}

}  // namespace

std::vector<double> widths_of(const network::SurvivingNetwork& network, const cost::LinkTimes& times,
                              const cost::Machine& machine, Node node) {
  const std::vector<Neighbour> neighbours = neighbours_of(network, node);
  std::vector<double> result(neighbours.size(), 0);
  network.for_each_neighbour(node, [&](network::Port port, Node to) {
    const auto lane = std::ranges::find(neighbours, to, &Neighbour::node) - neighbours.begin();
    result[static_cast<std::size_t>(lane)] += width_of(times.all()[times.of(node, port)], machine);
  });
  return result;
}

LaneGraph::LaneGraph(const network::SurvivingNetwork& network, const cost::Machine& machine)
    : LaneGraph(network) {
  const cost::LinkTimes times(network.whole(), network.failures(), machine);
  if (times.alike()) return;
  for (const Node node : network.nodes()) {
    const std::vector<double> widths = widths_of(network, times, machine, node);
    for (std::size_t i = 0; i < widths.size(); ++i) lanes_[first_[node] + i].width = widths[i];
  }
}

LaneGraph::LaneGraph(const network::SurvivingNetwork& network) : first_{0} {
  const Node nodes = network.whole().order();
  first_in_.assign(std::size_t{nodes} + 1, 0);
  for (Node node = 0; node < nodes; ++node) {
    if (network.alive(node)) {
      for (const auto& [to, links] : neighbours_of(network, node)) {
        lanes_.push_back({node, to, links, static_cast<double>(links)});
        ++first_in_[std::size_t{to} + 1];
      }
    }
    first_.push_back(static_cast<std::uint32_t>(lanes_.size()));
  }
  for (std::size_t i = 1; i < first_in_.size(); ++i) first_in_[i] += first_in_[i - 1];
  in_.resize(lanes_.size());
  std::vector<std::uint32_t> next(first_in_.begin(), first_in_.end() - 1);
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) in_[next[lanes_[lane].to]++] = lane;
}

std::uint64_t LaneGraph::links(Node node) const {
  std::uint64_t result = 0;
  for (const Lane& lane : out(node)) result += lane.links;
  return result;
}

double LaneGraph::width(Node node) const {
  double result = 0;
  for (const Lane& lane : out(node)) result += lane.width;
  return result;
}

double LaneGraph::widest() const {
  double result = 0;
  for (const Lane& lane : lanes_) result = std::max(result, lane.width);
  return result;
}

}  // namespace isotrope::forward

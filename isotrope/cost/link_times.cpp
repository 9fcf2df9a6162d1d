// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/link_times.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"

namespace isotrope::cost {
namespace {

const LinkClass* class_of_axis(const Machine& machine, std::optional<std::uint32_t> axis) {
  for (const LinkClass& links : machine.link_classes()) {
    if (axis && *axis < most_class_axes && (links.axes >> *axis & 1) != 0) return &links;
  }
  return nullptr;
}

bool are_listed(const network::Failures& lacks) {
  return !lacks.edges.empty() || !lacks.edge_times.empty();
}

// Whether the class is the memory of nodes whose links are listed (network/node_places.hpp).
bool is_last_of_axes(const LinkClass& links, const Network& network) {
  const std::size_t axes = network.group().rank();
  return axes >= 2 && axes <= most_class_axes && links.axes == std::uint64_t{1} << (axes - 1);
}

void require_axes(const Network& network, const network::Failures& lacks, const Machine& machine) {
  if (are_listed(lacks) && !std::ranges::all_of(machine.link_classes(), [&](const LinkClass& links) {
        return is_last_of_axes(links, network);
      }))
    throw Error(
        "link classes of axes on a machine, for a network whose links are listed: leave them out, and give "
        "the links of the network file a class with \"latency_s\" and \"byte_time_s\"");
  for (const LinkClass& links : machine.link_classes()) {
    const auto last = static_cast<std::uint64_t>(std::bit_width(links.axes)) - 1;
    if (last >= network.group().rank())
      throw Error(fmt::format("a link class of axis {}: {} has the axes 0 to {}; correct the machine", last,
                              network.name(), network.group().rank() - 1));
  }
}

// Between which messages may have times of their own: not inside a node, if that has a class. Of a network whose links are not
// listed, each node has one for each of the different generators.
std::uint64_t pairs_of_neighbours(const Network& network, const network::Failures& lacks,
                                  const Machine& machine) {
  if (lacks.edges.empty()) return network::without_copies(network).network.directed_links() / 2;
  const Node places = machine.link_class_count == 0 ? 1 : network.group().moduli().back();
  std::vector<network::Edge> different;
  std::ranges::unique_copy(lacks.edges, std::back_inserter(different));
  return static_cast<std::uint64_t>(std::ranges::count_if(
      different, [&](const network::Edge& edge) { return edge.low / places != edge.high / places; }));
}

}  // namespace

LinkTimes::LinkTimes(const Network& network, const network::Failures& lacks, const Machine& machine)
    : network_(network),
      machine_(machine),
      times_{{machine.startup_s, machine.byte_time_s, machine.lanes}},
      of_port_(network.degree(), 0) {
  if (machine.link_class_count > 0) {
    require_axes(network, lacks, machine);
    read_axes(lacks);
  }
  for (const std::uint32_t link_class : of_port_) occurring_ |= std::uint64_t{1} << link_class;
  read_edges(lacks);
}

std::uint32_t LinkTimes::number_of(const LinkTime& time) {
  const auto found = std::ranges::find(times_, time);
  if (found == times_.end() && times_.size() == most_link_times)
    throw Error(fmt::format("more than {} different times of links: round them", most_link_times));
  const auto number = static_cast<std::uint32_t>(found - times_.begin());
  if (found == times_.end()) times_.push_back(time);
  return number;
}

void LinkTimes::read_axes(const network::Failures& lacks) {
  const std::vector<std::uint32_t> rates = network::port_rates(network_);
  const bool of_whole_links =
      !are_listed(lacks) && std::ranges::any_of(machine_.link_classes(), [](const LinkClass& links) {
        return links.byte_time_s.has_value();
      });
  for (Port port = 0; port < network_.degree(); ++port) {
    const auto axis = network::axis_of(network_, port);
    const LinkClass* const links = class_of_axis(machine_, axis);
    LinkTime time = times_[0];
    if (links != nullptr) {
      time.startup_s = links->startup_s.value_or(time.startup_s);
      time.byte_time_s = links->byte_time_s.value_or(time.byte_time_s);
    }
    if (axis == network_.group().rank() - 1) time.lanes = 1;
    if (of_whole_links) time.byte_time_s *= rates[port];
    of_port_[port] = number_of(time);
  }
}

// Of the ports whose axis has a class.
std::uint64_t LinkTimes::classes_of_axes() const {
  std::uint64_t result = 0;
  for (Port port = 0; port < network_.degree(); ++port) {
    if (class_of_axis(machine_, network::axis_of(network_, port)) != nullptr)
      result |= std::uint64_t{1} << of_port_[port];
  }
  return result;
}

void LinkTimes::read_edges(const network::Failures& lacks) {
  edges_.reserve(lacks.edge_times.size());
  of_edge_.reserve(lacks.edge_times.size());
  for (const auto& [edge, startup_s, byte_time_s] : lacks.edge_times) {
    const double byte_s = byte_time_s ? *byte_time_s * machine_.even_shares : machine_.byte_time_s;
    edges_.push_back(edge);
    of_edge_.push_back(number_of({startup_s.value_or(machine_.startup_s), byte_s, machine_.lanes}));
  }
  if (!edges_.empty() && edges_.size() == pairs_of_neighbours(network_, lacks, machine_))
    occurring_ = classes_of_axes();
  for (const std::uint32_t link_class : of_edge_) occurring_ |= std::uint64_t{1} << link_class;
}

std::uint32_t LinkTimes::of_edge(Node from, Port port) const {
  const Node to = network_.neighbour(from, port);
  const network::Edge edge{std::min(from, to), std::max(from, to)};
  const auto found = std::ranges::lower_bound(edges_, edge);
  if (found == edges_.end() || *found != edge) return of_port_[port];
  return of_edge_[static_cast<std::size_t>(found - edges_.begin())];
}

template <class Pick>
LinkTime LinkTimes::of_all(const Pick& pick) const {
  LinkTime result = some_time();
  for (std::uint32_t i = 0; i < times_.size(); ++i) {
    if (!occurs(i)) continue;
    result = {pick(result.startup_s, times_[i].startup_s), pick(result.byte_time_s, times_[i].byte_time_s),
              1};
  }
  return result;
}

LinkTime LinkTimes::least() const {
  return of_all([](double a, double b) { return std::min(a, b); });
}

LinkTime LinkTimes::most() const {
  return of_all([](double a, double b) { return std::max(a, b); });
}

// Of a class that occurs; the machine's if the network has no links.
LinkTime LinkTimes::some_time() const {
  return occurring_ == 0 ? times_[0] : times_[static_cast<std::size_t>(std::countr_zero(occurring_))];
}

std::vector<LinkTime> times_by_axis(const Network& network, const LinkTimes& times) {
  if (times.alike()) return {};
  const auto rank = static_cast<std::uint32_t>(network.group().rank());
  std::vector<LinkTime> result(rank + 1, times.most());
  if (times.by_edge()) return result;
  for (Port port = 0; port < network.degree(); ++port)
    result[network::axis_of(network, port).value_or(rank)] = times.all()[times.of(port)];
  return result;
}

}  // namespace isotrope::cost

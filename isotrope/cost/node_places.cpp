// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/node_places.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/rates.hpp"

namespace isotrope::cost {
namespace {

void require_places(const Machine& links, std::uint32_t ranks_per_node, const network::NamedNetwork& places) {
  const Network& network = places.network;
  const auto moduli = network.group().moduli();
  if (moduli.size() < 2 || moduli.back() != ranks_per_node)
    throw Error(
        fmt::format("{} ranks a node on {}: its last axis must have one place for each of them, as in "
                    "torus:4x4xcomplete:{}",
                    ranks_per_node, network.name(), ranks_per_node));
  for (const LinkClass& given : links.link_classes()) {
    if ((given.axes >> (moduli.size() - 1)) != 0)
      throw Error(
          fmt::format("a link class of axis {} or more: the network of the nodes has the axes 0 to {}; "
                      "correct the machine",
                      moduli.size() - 1, moduli.size() - 2));
  }
}

// The times of one whole link along every axis of the nodes' network, by LinkTimes, which knows every rule. Ports along no axis have the
// machine's.
class WholeLinks {
 public:
  WholeLinks(const Network& network, const Machine& links)
      : network_(network), times_(network, {}, links), rates_(network::port_rates(network)) {}

  // Of the links along `axis`, or along none; nothing if there are no links.
  std::optional<LinkTime> along(std::optional<std::uint32_t> axis) const {
    std::optional<LinkTime> result;
    for (Port port = 0; port < network_.degree(); ++port) {
      if (network::axis_of(network_, port) != axis) continue;
      LinkTime time = times_.all()[times_.of(port)];
      time.byte_time_s /= rates_[port];
      if (result && *result != time)
        throw Error(
            fmt::format("links of unlike rates along axis {} of {}, with several ranks a node: give "
                        "all links of an axis one rate",
                        axis.value_or(0), network_.name()));
      result = time;
    }
    return result;
  }

 private:
  const Network& network_;
  LinkTimes times_;
  std::vector<std::uint32_t> rates_;
};

std::span<LinkClass> classes_of(Machine& machine) {
  return std::span(machine.listed_classes).first(machine.link_class_count);
}

void add_class(Machine& machine, const LinkTime& time, std::uint32_t axis) {
  if (machine.link_class_count == most_link_classes)
    throw Error(
        fmt::format("several ranks a node: their memory is one of at most {} link classes; leave one out",
                    most_link_classes));
  machine.listed_classes[machine.link_class_count++] = {std::uint64_t{1} << axis, time.startup_s,
                                                        time.byte_time_s};
}

void add_links(Machine& machine, const LinkTime& time, std::uint32_t axis) {
  for (LinkClass& known : classes_of(machine)) {
    if (known.startup_s == time.startup_s && known.byte_time_s == time.byte_time_s) {
      known.axes |= std::uint64_t{1} << axis;
      return;
    }
  }
  add_class(machine, time, axis);
}

// Instead of its classes: of the axes before `axes`.
void take_whole_links(Machine& machine, const WholeLinks& whole, std::uint32_t axes) {
  const LinkTime usual = whole.along(std::nullopt).value_or(LinkTime{machine.startup_s, machine.byte_time_s});
  machine.link_class_count = 0;
  machine.listed_classes = {};
  machine.byte_time_s = usual.byte_time_s;
  for (std::uint32_t axis = 0; axis < axes; ++axis) {
    const LinkTime time = whole.along(axis).value_or(usual);
    if (time != usual) add_links(machine, time, axis);
  }
}

}  // namespace

Machine machine_of_places(const Machine& links, const LinkTime& memory, std::uint32_t ranks_per_node,
                          const network::NamedNetwork& places) {
  if (ranks_per_node == 1) return links;
  require_places(links, ranks_per_node, places);
  const auto memory_axis = static_cast<std::uint32_t>(places.network.group().rank() - 1);
  Machine result = links;
  result.lanes = ranks_per_node;
  if (places.lacks.edges.empty())
    take_whole_links(result, WholeLinks(places.network, links), memory_axis);
  else
    LinkTimes(places.network, places.lacks, links);  // refuses classes
  add_class(result, memory, memory_axis);
  return result;
}

double bytes_of_node(schedule::Collective collective, std::uint32_t places) {
  using schedule::Collective;
  switch (collective) {
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::barrier:
      return 1;
    case Collective::alltoall:
      return static_cast<double>(places) * places;
    default:
      return places;
  }
}

// A class for the axes of the machine's own times says that those are of whole links; listed links have no classes.
Machine machine_of_nodes(const Machine& of_places, const network::NamedNetwork& nodes) {
  if (of_places.lanes == 1) return of_places;
  Machine result = of_places;
  result.lanes = 1;
  result.listed_classes[--result.link_class_count] = {};
  if (!nodes.lacks.edges.empty()) return result;
  std::uint64_t others = (std::uint64_t{1} << nodes.network.group().rank()) - 1;
  for (const LinkClass& links : classes_of(result)) others &= ~links.axes;
  if (others != 0)
    result.listed_classes[result.link_class_count++] = {others, result.startup_s, result.byte_time_s};
  return result;
}

Machine with_even_shares(const Machine& of_places) {
  if (of_places.lanes == 1) return of_places;
  Machine result = of_places;
  result.lanes = 1;
  result.even_shares = of_places.lanes;
  result.byte_time_s *= of_places.lanes;
  for (LinkClass& links : classes_of(result).first(of_places.link_class_count - 1)) {
    if (links.byte_time_s) *links.byte_time_s *= of_places.lanes;
  }
  return result;
}

}  // namespace isotrope::cost

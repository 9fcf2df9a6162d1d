// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/simgrid_cluster.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/rates.hpp"
#include "isotrope/network/torus_axes.hpp"

#include "isotrope/cost/node_places.hpp"

namespace isotrope::exports {

using network::Network;
using network::SurvivingNetwork;
using network::TorusAxis;

namespace {

[[noreturn]] void refuse(const Network& network, std::string_view why) {
  throw Error(
      fmt::format("a SimGrid cluster of {}: {}; --format simgrid takes such networks", network.name(), why));
}

// A ring of 3 is complete, and so has unit vectors alone; a complete axis of 4 or more has not.
std::vector<TorusAxis> axes_of(const Network& simple) {
  std::optional<std::vector<TorusAxis>> axes = torus_axes(simple);
  if (!axes) refuse(simple, "it is no torus");
  return *std::move(axes);
}

}  // namespace

std::string simgrid_cluster(const SurvivingNetwork& network, const cost::Machine& machine) {
  const Network& whole = network.whole();
  if (!network.failures().empty()) refuse(whole, "nodes or links are missing");
  const network::SimpleNetwork simple = network::without_copies(whole);
  for (const auto& copies : simple.copies)
    if (copies.size() != simple.copies.front().size()) refuse(whole, "its links are of different rates");
  const cost::LinkTimes times(whole, network.failures(), cost::with_even_shares(machine));
  for (network::Port port = 0; port < whole.degree(); ++port)
    if (times.by_edge() || times.of(port) != times.of(network::Port{0}))
      refuse(whole, "its links are of different classes");

  std::vector<network::Coordinate> extents;
  for (const TorusAxis& axis : axes_of(simple.network)) extents.push_back(axis.extent);
  std::ranges::reverse(extents);
  if (extents.empty()) refuse(whole, "it has one node");
  const cost::LinkTime& link = times.all()[times.of(network::Port{0})];
  return fmt::format(
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n"
      "<cluster id=\"network\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"{:.12g}Bps\" "
      "lat=\"{}s\" "
      "sharing_policy=\"SPLITDUPLEX\" topology=\"TORUS\" topo_parameters=\"{}\"/>\n"
      "</platform>\n",
      whole.order() - 1, static_cast<double>(simple.copies.front().size()) * bandwidth_of(link),
      link.startup_s, fmt::join(extents, ","));
}

}  // namespace isotrope::exports

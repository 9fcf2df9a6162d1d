// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/exports/astra_sim.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "isotrope/network/product_axes.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/node_places.hpp"

#include "isotrope/exports/simgrid_platform.hpp"

namespace isotrope::exports {

using network::AxisShape;
using network::ProductAxis;
using schedule::Collective;
using schedule::Plan;

namespace {

// The links of the axis, all of one class; nothing otherwise.
std::optional<cost::LinkTime> link_of(const ProductAxis& axis, const cost::LinkTimes& times) {
  if (times.by_edge()) return std::nullopt;
  const std::uint32_t link_class = times.of(axis.ports[1]);
  for (const network::Port port : axis.ports)
    if (port != ProductAxis::no_port && times.of(port) != link_class) return std::nullopt;
  return times.all()[link_class];
}

std::string_view key_of(Collective collective) {
  switch (collective) {
    case Collective::allreduce:
      return "all-reduce";
    case Collective::allgather:
      return "all-gather";
    case Collective::reduce_scatter:
      return "reduce-scatter";
    case Collective::alltoall:
      return "all-to-all";
    default:
      return {};
  }
}

}  // namespace

std::optional<std::string> astra_network(const Plan& plan, const cost::Machine& machine) {
  if (!plan.failed.empty() || plan.overlay) return std::nullopt;
  std::optional<std::vector<ProductAxis>> axes = network::product_axes(plan.network, {});
  if (!axes || axes->empty()) return std::nullopt;
  std::ranges::reverse(*axes);
  const cost::LinkTimes times(plan.network, plan.failed, cost::with_even_shares(machine));
  std::vector<std::string_view> topologies;
  std::vector<network::Coordinate> extents;
  std::vector<std::string> bandwidths, latencies;
  for (const ProductAxis& axis : *axes) {
    const std::optional<cost::LinkTime> link = link_of(axis, times);
    if (!link) return std::nullopt;
    topologies.push_back(axis.shape == AxisShape::ring ? "Ring" : "FullyConnected");
    extents.push_back(axis.extent);
    bandwidths.push_back(fmt::format("{:.12g}", axis.rate * bandwidth_of(*link) / 1e9));
    latencies.push_back(fmt::format("{:.12g}", link->startup_s * 1e9));
  }
  return fmt::format(
      "# {}; the first dimension counts fastest\n"
      "topology: [ {} ]\n"
      "npus_count: [ {} ]\n"
      "bandwidth: [ {} ]  # GB/s\n"
      "latency: [ {} ]  # ns\n",
      plan.network.name(), fmt::join(topologies, ", "), fmt::join(extents, ", "), fmt::join(bandwidths, ", "),
      fmt::join(latencies, ", "));
}

std::string astra_system(const Plan& plan, const std::filesystem::path& prefix) {
  nlohmann::ordered_json system{{"scheduling-policy", "FIFO"}, {"preferred-dataset-splits", 1}};
  const std::string_view key = key_of(plan.task.collective);
  if (!key.empty())
    system[fmt::format("{}-implementation-custom", key)] = nlohmann::json::array({prefix.string()});
  system["local-mem-bw"] = 50;
  return system.dump(2) + "\n";
}

std::string astra_memory() {
  return nlohmann::json{{"memory-type", "NO_MEMORY_EXPANSION"}}.dump(2) + "\n";
}

}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the platform of a network and prints the facts that judge.py needs.
//
//     simgrid_platform NETWORK OVERHEAD_S FOLDER
//
// writes platform.xml, hosts (one per line, in order of ranks) and machine.json (of that platform, with an
// overhead of OVERHEAD_S seconds per message at both ends) into the folder, and prints:
//
//     nodes 8
//     diameter 3
//     broadcast 0.3333        the least number of blocks on the busiest link; for allreduce, of vectors
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/os.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/bound/bandwidth.hpp"
#include "isotrope/cost/machine.hpp"

#include "isotrope/io/machine_file.hpp"

#include "isotrope/exports/simgrid_platform.hpp"

namespace {

using isotrope::network::SurvivingNetwork;
using isotrope::schedule::Collective;

// A byte takes 1 ns, and every link of the way 1 us.
isotrope::cost::Machine machine_of(const isotrope::cost::Machine& links, double overhead_s) {
  isotrope::cost::Machine machine = links;
  machine.ports = isotrope::schedule::PortModel::all();
  machine.overhead_s = machine.receive_overhead_s = overhead_s;
  machine.cut_through = true;
  machine.hop_time_s = links.startup_s;
  return machine;
}

void write_files(const SurvivingNetwork& network, double overhead_s, const std::filesystem::path& folder) {
  const isotrope::cost::Machine& links = isotrope::exports::default_links;
  fmt::output_file((folder / "platform.xml").string())
      .print("{}", isotrope::exports::simgrid_platform(network, links));
  auto hosts = fmt::output_file((folder / "hosts").string());
  for (const isotrope::network::Node node : network.nodes()) hosts.print("n{}\n", node);
  isotrope::io::write_machine(folder / "machine.json",
                              {"SimGrid, " + network.whole().name(), machine_of(links, overhead_s)});
}

std::uint32_t diameter(const SurvivingNetwork& network) {
  std::uint32_t result = 0;
  for (const isotrope::network::Node node : network.nodes())
    result = std::max(result, std::ranges::max(network.distances(node)));
  return result;
}

// Many small parts, so that rounding is negligible.
void print_bound(const SurvivingNetwork& network, std::string_view name) {
  constexpr std::uint32_t parts = 1 << 16;
  const isotrope::schedule::Task task{.collective = isotrope::schedule::parse_collective(name),
                                      .parts = parts};
  const auto bound = isotrope::bound::bandwidth_bound(
      isotrope::schedule::Problem{.network = network.whole(), .failed = network.failures(), .task = task});
  double blocks = bound ? static_cast<double>(bound->value) / parts : 0;
  if (task.collective == Collective::allreduce) blocks /= static_cast<double>(network.nodes().size());
  fmt::print("{} {}\n", name, blocks);
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 4) {
    fmt::print(stderr, "usage: simgrid_platform NETWORK OVERHEAD_S FOLDER\n");
    return 2;
  }
  try {
    const auto named = isotrope::network::parse_named(argv[1]);
    const SurvivingNetwork network(named.network, named.lacks);
    write_files(network, std::stod(argv[2]), argv[3]);
    fmt::print("nodes {}\ndiameter {}\n", network.nodes().size(), diameter(network));
    for (const std::string_view name :
         {"broadcast", "scatter", "gather", "reduce", "allgather", "alltoall", "reduce-scatter", "allreduce"})
      print_bound(network, name);
  } catch (const std::exception& error) {
    fmt::print(stderr, "simgrid_platform: {}\n", error.what());
    return 2;
  }
  return 0;
}

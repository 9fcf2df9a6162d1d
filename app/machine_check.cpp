// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope machine check: what a machine file describes, in words and as a picture of its network.
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/losses.hpp"
#include "isotrope/network/node_places.hpp"
#include "isotrope/network/nodes_left.hpp"
#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/node_places.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/machine_network.hpp"
#include "isotrope/io/network_layout.hpp"
#include "isotrope/io/network_picture.hpp"
#include "isotrope/io/text_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

using network::Port;

// A machine file with what follows from it.
struct Understood {
  const io::NamedMachine& file;
  std::uint32_t ranks_per_node;
  cost::Machine machine;                            // for the places
  std::optional<network::NamedNetwork> nodes = {};  // with its failures; nothing if the file gives no network
  std::optional<network::NamedNetwork> places = {};  // what is planned on
  network::RankMap ranks = {};
};

Understood understood_file(const MachineCheckOptions& options) {
  const io::NamedMachine& file = machine_file(options.machine);
  Understood result{.file = file, .ranks_per_node = ranks_per_node(options), .machine = file.machine};
  if (file.nodes.network.empty()) return result;
  result.nodes = io::nodes_of_machine(options.machine, file.nodes, io::read_text);
  network::require_connected(*result.nodes);
  result.places = network::network_of_places(*result.nodes, result.ranks_per_node);
  result.machine = on_places(file.machine, options, *result.places);
  check(result.machine, result.places->network.degree());
  const cost::LinkTimes times(result.places->network, result.places->lacks, result.machine);
  result.ranks =
      io::ranks_of_machine(options.machine, file.nodes, *result.nodes, result.ranks_per_node, io::read_text);
  return result;
}

// Every error names the file.
Understood understood(const MachineCheckOptions& options) {
  try {
    return understood_file(options);
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (what.starts_with(options.machine) || what.starts_with(excerpt(options.machine))) throw;
    throw Error(fmt::format("{}: {}", excerpt(options.machine), what));
  }
}

std::string open_axes_in_words(const network::NamedNetwork& named) {
  if (!named.lacks.edges.empty()) return "";
  const auto& axes = named.lacks.open_axes;
  if (axes.empty()) return line("open axes", "none");
  return line("open axes", fmt::format("{}: no link closes them", fmt::join(axes, ", ")));
}

std::string failures_in_words(const io::MachineNodes& nodes) {
  std::string text;
  if (!nodes.failed_nodes.empty())
    text += line("failed nodes", fmt::format("{}", fmt::join(nodes.failed_nodes, ", ")));
  if (!nodes.failed_links.empty())
    text += line("failed links", excerpt(fmt::format("{}", fmt::join(nodes.failed_links, ", "))));
  return text.empty() ? line("failures", "none") : text;
}

std::string rank_map_in_words(const Understood& found) {
  const io::MachineNodes& nodes = found.file.nodes;
  const bool several = found.ranks_per_node > 1;
  if (!nodes.ranks_file.empty()) return fmt::format("ranks from {}", excerpt(nodes.ranks_file));
  if (!nodes.nodes_of_ranks.empty()) return "by the list of the file";
  if (!found.nodes->lacks.nodes.empty()) return "in the order of the nodes that are left";
  if (!several) return "rank r is node r";
  return fmt::format("ranks {0} v to {0} v + {1} are on node v; under MPI, as the hosts say",
                     found.ranks_per_node, found.ranks_per_node - 1);
}

// No rank is on a failed node.
std::size_t ranks_of(const network::NamedNetwork& places) {
  return places.network.order() - places.lacks.nodes.size();
}

std::string ranks_in_words(const Understood& found) {
  if (found.ranks_per_node == 1) return "one a node";
  const cost::LinkTime memory = io::memory_of_machine(found.file.nodes);
  return fmt::format("{} a node, {:g} us and {:g} ns per byte between them", found.ranks_per_node,
                     memory.startup_s * 1e6, memory.byte_time_s * 1e9);
}

std::string in_words(const Understood& found, const MachineCheckOptions& options) {
  const io::NamedMachine& file = found.file;
  std::string text = excerpt(options.machine) + (file.name.empty() ? "" : ": " + excerpt(file.name)) + "\n";
  if (found.nodes) {
    const network::Network& network = found.nodes->network;
    text += line("network", fmt::format("{}, {}",
                                        file.nodes.network == network.name() ? network.name()
                                                                             : excerpt(file.nodes.network),
                                        counted(network.order(), "node"))) +
            open_axes_in_words(*found.nodes) + failures_in_words(file.nodes);
  } else {
    text += line("network", "not given: name one beside the file, as by --network");
  }
  text += line("ranks", ranks_in_words(found));
  if (found.nodes) text += line("rank map", rank_map_in_words(found));
  text += line("links", app::in_words(file.machine)) + line("ports", to_string(file.machine.ports));
  if (found.places && found.ranks_per_node > 1)
    text += line("planned on", fmt::format("{}, {}", found.places->network.name(),
                                           counted(ranks_of(*found.places), "rank"))) +
            line("with times", app::in_words(found.machine));
  return options.output.empty() ? text : text + line("drawn in", options.output);
}

Json facts_of(const Understood& found, const MachineCheckOptions& options) {
  const io::MachineNodes& nodes = found.file.nodes;
  Json facts{{"file", options.machine},
             {"name", found.file.name},
             {"startup_s", found.file.machine.startup_s},
             {"byte_time_s", found.file.machine.byte_time_s},
             {"ports", to_string(found.file.machine.ports)},
             {"ranks_per_node", found.ranks_per_node}};
  if (!found.nodes) return facts;
  facts.update({{"network", nodes.network},
                {"nodes", found.nodes->network.order()},
                {"ranks", ranks_of(*found.places)},
                {"planned_on", found.places->network.name()},
                {"open_axes", found.nodes->lacks.open_axes},
                {"failed_nodes", nodes.failed_nodes},
                {"failed_links", nodes.failed_links}});
  if (!nodes.ranks_file.empty()) facts["rank_map"] = nodes.ranks_file;
  if (!found.ranks.is_identity()) facts["places"] = found.ranks.nodes(found.places->network.order());
  return facts;
}

// The links of each class, in a colour, from their lower coordinate.
void add_classes(const Understood& found, io::NetworkPicture& picture) {
  constexpr std::array<const char*, cost::most_link_classes> colours{
      "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8B6914"};
  const auto& [network, lacks] = *found.nodes;
  const network::SurvivingNetwork survivors(network, lacks);
  std::size_t number = 0;
  for (const cost::LinkClass& links : found.file.machine.link_classes()) {
    const char* const colour = colours[number++];
    std::string text;
    for (std::uint64_t axes = links.axes; axes != 0; axes &= axes - 1)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", std::countr_zero(axes));
    picture.key.push_back({io::KeyEntry::Sign::arrow, colour, fmt::format("link class of axes {}", text)});
    for (Port port = 0; port < network.degree(); ++port) {
      const auto axis = network::axis_of(network, port);
      const bool is_of_class = axis && *axis < cost::most_class_axes && (links.axes >> *axis & 1) != 0;
      if (!is_of_class || port > network.opposite(port)) continue;
      for (network::Node node = 0; node < network.order(); ++node) {
        if (survivors.carries(node, port) &&
            (port != network.opposite(port) || node < network.neighbour(node, port)))
          picture.links.push_back({{node, port}, colour, ""});
      }
    }
  }
}

std::string picture_of(const Understood& found, const MachineCheckOptions& options) {
  if (!options.output.ends_with(".svg"))
    throw Error(fmt::format("-o {}: pictures are SVG; give a name that ends in .svg", options.output));
  if (!found.nodes)
    throw Error(fmt::format("-o {}: {} gives no network to draw", options.output, options.machine));
  const auto& [network, lacks] = *found.nodes;
  io::check_pictured(network, lacks);
  io::NetworkPicture picture;
  picture.title = network.name() + network::losses(network, lacks);
  if (found.ranks_per_node > 1) picture.title += fmt::format(", {} ranks a node", found.ranks_per_node);
  picture.failed = lacks;
  NetworkOptions of_nodes;
  of_nodes.network = found.file.nodes.network;
  picture.coordinates = chosen_coordinates(of_nodes);
  add_classes(found, picture);
  return draw_network(network, picture);
}

}  // namespace

int machine_command(const MachineCheckOptions& options) {
  if (options.action != "check")
    throw Error(fmt::format("machine {}: give `isotrope machine check FILE`", excerpt(options.action)));
  const Understood found = understood(options);
  if (!options.output.empty()) {
    const std::string picture = picture_of(found, options);
    io::write_atomically(options.output, [&](std::ostream& out) { out << picture; });
  }
  print(options.json ? answer("machine", facts_of(found, options)) : in_words(found, options));
  return 0;
}

}  // namespace isotrope::app

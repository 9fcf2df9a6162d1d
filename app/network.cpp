// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope network: the properties of a network and of one of its nodes.
#include "isotrope/network/network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh_route.hpp"

#include "isotrope/graph/connectivity.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"

namespace isotrope::app {
namespace {

using network::Network;
using network::Node;
using network::Port;

void add_node(Json& facts, const Network& network, Node node) {
  Json neighbours = Json::array();
  for (Port port = 0; port < network.degree(); ++port) neighbours.push_back(network.neighbour(node, port));
  facts["node"] = {
      {"number", node}, {"coordinates", network.group().coordinates(node)}, {"neighbours", neighbours}};
  if (const auto size = network::hexmesh_size(network))
    facts["node"]["labels"] = network::hexmesh_labels(*size, node);
}

Json facts_of(const Network& network) {
  Json generators = Json::array(), opposite = Json::array();
  for (Port port = 0; port < network.degree(); ++port) {
    generators.push_back(network.group().coordinates(network.generators()[port]));
    opposite.push_back(network.opposite(port));
  }
  Json facts{{"network", network.name()},
             {"nodes", network.order()},
             {"degree", network.degree()},
             {"links", network.directed_links() / 2},
             {"diameter", network.diameter()},
             {"average_distance", network.average_distance()},
             {"link_connectivity", network.degree()}};
  if (network.directed_links() <= graph::largest_connectivity_links)
    facts["connectivity"] = graph::node_connectivity(network);
  facts.update({{"moduli", network.group().moduli()}, {"generators", generators}, {"opposite", opposite}});
  return facts;
}

std::string in_words(const Network& network, const Json& facts) {
  constexpr std::size_t most_ports_shown = 16;
  std::string text = network.name() + "\n" + line("nodes", fmt::format("{}", network.order())) +
                     line("ports", fmt::format("{} at every node", network.degree())) +
                     line("links", fmt::format("{}", network.directed_links() / 2)) +
                     line("diameter", fmt::format("{}", network.diameter())) +
                     line("mean distance", fmt::format("{:.4f}", network.average_distance()));
  const bool counted = facts.contains("connectivity");
  text += line("connectivity",
               counted ? fmt::format("{} nodes, {} links", facts.at("connectivity").dump(), network.degree())
                       : fmt::format("{} links; node connectivity is not computed above {} directed links",
                                     network.degree(), graph::largest_connectivity_links));
  text += line("group", fmt::format("Z_{}", fmt::join(network.group().moduli(), " x Z_")));
  for (Port port = 0; port < network.degree() && port < most_ports_shown; ++port) {
    text += line(
        fmt::format("port {}", port),
        fmt::format("+{}  back over port {}", facts.at("generators")[port].dump(), network.opposite(port)));
  }
  if (network.degree() > most_ports_shown)
    text += line("", fmt::format("... and {} more ports", network.degree() - most_ports_shown));
  return text;
}

}  // namespace

int network_command(const ShowNetworkOptions& options) {
  const Network network = chosen_network(options);
  Json facts = facts_of(network);
  std::string text = options.json ? "" : in_words(network, facts);
  if (options.node || options.to) {
    require_node("--node", options.node.value_or(0), network);
    const auto node = static_cast<Node>(options.node.value_or(0));
    add_node(facts, network, node);
    const Json& shown = facts.at("node");
    text += line("node", fmt::format("{} = {}, neighbours {}", node, shown.at("coordinates").dump(),
                                     shown.at("neighbours").dump()));
    if (shown.contains("labels"))
      text += line("labels", fmt::format("{} along x, y, z", shown.at("labels").dump()));
    if (options.to) {
      require_node("--to", *options.to, network);
      const auto to = static_cast<Node>(*options.to);
      facts["distance"] = network.distance(node, to);
      text += line("distance", fmt::format("{} from {} to {}", network.distance(node, to), node, to));
    }
  }
  print_or_write(options, options.json ? answer("network", facts) : text);
  return 0;
}

}  // namespace isotrope::app

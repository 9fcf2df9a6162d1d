// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope network: the properties of a network and of one of its nodes.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh_route.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/graph/bisection.hpp"
#include "isotrope/graph/connectivity.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/subject.hpp"
#include "isotrope/reproduce/architecture_facts.hpp"

namespace isotrope::app {
namespace {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;

void add_node(Json& facts, const network::NamedNetwork& named, Node node) {
  const Network& network = named.network;
  std::optional<SurvivingNetwork> open;
  if (!named.lacks.empty()) open.emplace(network, named.lacks);
  Json neighbours = Json::array();
  for (Port port = 0; port < network.degree(); ++port) {
    const bool exists = !open || open->carries(node, port);
    neighbours.push_back(exists ? Json(network.neighbour(node, port)) : Json());
  }
  facts["node"] = {
      {"number", node}, {"coordinates", network.group().coordinates(node)}, {"neighbours", neighbours}};
  if (const auto size = network::hexmesh_size(network))
    facts["node"]["labels"] = network::hexmesh_labels(*size, node);
}

void add_group(Json& facts, const Network& network) {
  Json generators = Json::array(), opposite = Json::array();
  for (Port port = 0; port < network.degree(); ++port) {
    generators.push_back(network.group().coordinates(network.generators()[port]));
    opposite.push_back(network.opposite(port));
  }
  facts.update({{"moduli", network.group().moduli()}, {"generators", generators}, {"opposite", opposite}});
}

// The most nodes of a network that is halved, and of one with open axes.
constexpr Node most_searched = 1024, most_searched_open = 4096;

Json as_json(const graph::Bisection& bisection) {
  return {{"at_least", bisection.at_least}, {"at_most", bisection.at_most}};
}

void add_rates(Json& facts, const Network& network) {
  if (network::has_copies(network)) facts["rates"] = network::port_rates(network);
}

// By arithmetic, but for the connectivity and the bisection.
Json facts_of(const Network& network) {
  Json facts{{"network", network.name()},      {"nodes", network.order()},
             {"degree", network.degree()},     {"links", network.directed_links() / 2},
             {"diameter", network.diameter()}, {"average_distance", network.average_distance()}};
  if (const auto links = graph::link_connectivity(network)) facts["link_connectivity"] = *links;
  if (network.directed_links() <= graph::largest_connectivity_links)
    facts["connectivity"] = graph::node_connectivity(network);
  if (network.order() <= most_searched) facts["bisection"] = as_json(graph::bisection({network, {}}));
  return facts;
}

// By searches from every node. A product of connected networks has as many link-disjoint paths between any two nodes as its
// least degree if each factor has (J.-M. Xu, C. Yang 2006); a line and a Cayley graph have. Of unlike links the cuts are searched.
Json facts_of(const Network& network, const network::Failures& lacks) {
  if (network.order() > most_searched_open)
    throw Error(
        fmt::format("{}: networks with open axes are searched from every node, of {} at most; take a "
                    "smaller one",
                    network.name(), most_searched_open));
  const reproduce::ArchitectureFacts searched = reproduce::facts_of({network.name(), network, lacks});
  Json facts{{"network", network.name()},         {"nodes", searched.nodes},
             {"degree", searched.degrees.back()}, {"least_degree", searched.degrees.front()},
             {"links", searched.links},           {"open_axes", lacks.open_axes},
             {"diameter", searched.diameter},     {"average_distance", searched.mean_distance}};
  if (!network::has_copies(network) || network.order() <= most_searched)
    facts["link_connectivity"] = network::has_copies(network)
                                     ? graph::link_connectivity(SurvivingNetwork(network, lacks))
                                     : searched.degrees.front();
  if (searched.connectivity) facts["connectivity"] = *searched.connectivity;
  if (searched.bisection) facts["bisection"] = as_json(*searched.bisection);
  return facts;
}

Json facts_of(const network::NamedNetwork& named) {
  Json facts = named.lacks.empty() ? facts_of(named.network) : facts_of(named.network, named.lacks);
  add_group(facts, named.network);
  add_rates(facts, named.network);
  return facts;
}

std::string ports_in_words(const Json& facts) {
  const std::string most = facts.at("degree").dump();
  return facts.contains("least_degree")
             ? fmt::format("{} to {} a node", facts.at("least_degree").dump(), most)
             : fmt::format("{} at every node", most);
}

std::string connectivity_in_words(const Json& facts) {
  const std::string nodes = facts.contains("connectivity")
                                ? fmt::format("{} nodes", facts.at("connectivity").dump())
                                : "that of nodes is not computed on networks of this size";
  if (!facts.contains("link_connectivity"))
    return fmt::format("{}; that of links of unlike rates is not computed on networks of this size", nodes);
  const std::string links = fmt::format("{} links", facts.at("link_connectivity").dump());
  return facts.contains("connectivity") ? fmt::format("{}, {}", nodes, links)
                                        : fmt::format("{}; {}", links, nodes);
}

std::string bisection_in_words(const Json& facts) {
  const std::string least = facts.at("at_least").dump(), most = facts.at("at_most").dump();
  return least == most ? most + " links" : fmt::format("{} to {} links", least, most);
}

// "2 on ports 0-7, 1 on ports 8-9": runs of ports with one rate.
std::string rates_in_words(const Network& network) {
  constexpr std::size_t most_shown = 8;
  const std::vector<std::uint32_t> rates = network::port_rates(network);
  std::vector<std::string> runs;
  for (auto first = rates.begin(); first != rates.end();) {
    const auto end = std::find_if(first, rates.end(), [&](std::uint32_t rate) { return rate != *first; });
    if (runs.size() == most_shown) {
      runs.emplace_back("...");
      break;
    }
    runs.push_back(fmt::format("{} on ports {}-{}", *first, first - rates.begin(), end - rates.begin() - 1));
    first = end;
  }
  return fmt::format("{}: so many links lie side by side", fmt::join(runs, ", "));
}

std::string in_words(const network::NamedNetwork& named, const Json& facts) {
  constexpr std::size_t most_ports_shown = 16;
  const Network& network = named.network;
  std::string text =
      network.name() + "\n" + line("nodes", facts.at("nodes").dump()) + line("ports", ports_in_words(facts)) +
      line("links", facts.at("links").dump()) + line("diameter", facts.at("diameter").dump()) +
      line("mean distance", fmt::format("{:.4f}", std::get<double>(facts.at("average_distance").value()))) +
      line("connectivity", connectivity_in_words(facts));
  if (facts.contains("bisection")) text += line("bisection", bisection_in_words(facts.at("bisection")));
  text += line("group", fmt::format("Z_{}", fmt::join(network.group().moduli(), " x Z_")));
  if (const auto& axes = named.lacks.open_axes; !axes.empty())
    text += line("open axes", fmt::format("{}: no link closes them", fmt::join(axes, ", ")));
  if (facts.contains("rates")) text += line("rates", rates_in_words(network));
  for (Port port = 0; port < network.degree() && port < most_ports_shown; ++port) {
    text += line(
        fmt::format("port {}", port),
        fmt::format("+{}  back over port {}", facts.at("generators")[port].dump(), network.opposite(port)));
  }
  if (network.degree() > most_ports_shown)
    text += line("", fmt::format("... and {} more ports", network.degree() - most_ports_shown));
  return text;
}

std::uint32_t distance(const network::NamedNetwork& named, Node from, Node to) {
  if (named.lacks.empty()) return named.network.distance(from, to);
  return SurvivingNetwork(named.network, named.lacks).distances(from)[to];
}

}  // namespace

int network_command(const ShowNetworkOptions& options) {
  const network::NamedNetwork named = chosen_named_network(options);
  const Network& network = named.network;
  Json facts = facts_of(named);
  std::string text = options.json ? "" : in_words(named, facts);
  if (options.node || options.to) {
    require_node("--node", options.node.value_or(0), network);
    const auto node = static_cast<Node>(options.node.value_or(0));
    add_node(facts, named, node);
    const Json& shown = facts.at("node");
    text += line("node", fmt::format("{} = {}, neighbours {}", node, shown.at("coordinates").dump(),
                                     shown.at("neighbours").dump()));
    if (shown.contains("labels"))
      text += line("labels", fmt::format("{} along x, y, z", shown.at("labels").dump()));
    if (options.to) {
      require_node("--to", *options.to, network);
      const auto to = static_cast<Node>(*options.to);
      facts["distance"] = distance(named, node, to);
      text += line("distance", fmt::format("{} from {} to {}", facts.at("distance").dump(), node, to));
    }
  }
  print_or_write(options, options.json ? answer("network", facts) : text);
  return 0;
}

}  // namespace isotrope::app

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
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/hexmesh_route.hpp"
#include "isotrope/network/rates.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/graph/shortest_paths.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/subject.hpp"
#include "isotrope/reproduce/architecture_facts.hpp"

namespace isotrope::app {
namespace {

using network::Network;
using network::Node;
using network::Port;
using network::SurvivingNetwork;

// A network with open axes lacks the links that would close them.
using Lacking = std::optional<SurvivingNetwork>;

void add_node(Json& facts, const Network& network, const Lacking& lacking, Node node) {
  Json neighbours = Json::array();
  for (Port port = 0; port < network.degree(); ++port) {
    const bool exists = !lacking || lacking->carries(node, port);
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

// Closed networks are measured by arithmetic if that is possible, others by searches from every node.
Json facts_of(const network::NamedNetwork& named) {
  constexpr Node most_searched = network::largest_edge_list_order;
  const auto& [network, lacks] = named;
  if (!lacks.empty() && network.order() > most_searched)
    throw Error(
        fmt::format("{}: networks without symmetry are searched from every node, of {} at most; take a "
                    "smaller one",
                    network.name(), most_searched));
  const reproduce::ArchitectureFacts measured = reproduce::facts_of({network.name(), network, lacks});
  Json facts = graph_facts(measured);
  facts.update({{"network", network.name()}, {"degree", measured.degrees.back()}});
  if (measured.link_connectivity) facts["link_connectivity"] = *measured.link_connectivity;
  if (!lacks.empty()) facts["least_degree"] = measured.degrees.front();
  if (lacks.edges.empty()) {
    if (!lacks.open_axes.empty()) facts["open_axes"] = lacks.open_axes;
    if (network::has_copies(network)) facts["rates"] = network::port_rates(network);
    add_group(facts, network);
  }
  return facts;
}

std::string ports_in_words(const Json& facts) {
  const std::string most = facts.at("degree").dump();
  if (!facts.contains("least_degree")) return most + " at every node";
  const std::string least = facts.at("least_degree").dump();
  return least == most ? most + " at every node" : fmt::format("{} to {} a node", least, most);
}

std::string connectivity_in_words(const Json& facts) {
  const auto number_of = [&](const char* key, const char* noun) {
    return facts.contains(key) ? fmt::format("{} {}", facts.at(key).dump(), noun)
                               : fmt::format("of {} not computed on networks of this size", noun);
  };
  return number_of("connectivity", "nodes") + ", " + number_of("link_connectivity", "links");
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

std::string paths_in_words(const Json& facts) {
  constexpr double most_digits = 1e9;
  const auto number = [&](const char* name) {
    const auto paths = std::get<std::uint64_t>(facts.at(name).value());
    return paths == graph::too_many_paths ? "2^64 - 1 or more" : fmt::format("{}", paths);
  };
  if (facts.at("fewest").dump() == facts.at("most").dump())
    return number("most") + " shortest between any two nodes";
  std::string text = fmt::format("{} to {} shortest between two nodes", number("fewest"), number("most"));
  if (!facts.contains("mean")) return text;
  const double mean = std::get<double>(facts.at("mean").value());
  return text + (mean < most_digits ? fmt::format(", {:.1f} on average", mean)
                                    : fmt::format(", {:.3g} on average", mean));
}

// "long: 3 links, 5 us per message; fast: 2 links of rate 4"
std::string classes_in_words(const std::vector<io::FileLinkClass>& classes) {
  std::vector<std::string> words;
  for (const io::FileLinkClass& links : classes) {
    std::string text = fmt::format("{}: {}", excerpt(links.name), counted(links.links, "link"));
    if (links.rate > 1) text += fmt::format(" of rate {}", links.rate);
    if (links.latency_s) text += fmt::format(", {:g} us per message", *links.latency_s * 1e6);
    if (links.byte_time_s) text += fmt::format(", {:g} ns per byte", *links.byte_time_s * 1e9);
    words.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

Json in_json(const std::vector<io::FileLinkClass>& classes) {
  Json result;
  for (const io::FileLinkClass& links : classes) {
    Json one{{"name", links.name}, {"rate", links.rate}, {"links", links.links}};
    if (links.latency_s) one["latency_s"] = *links.latency_s;
    if (links.byte_time_s) one["byte_time_s"] = *links.byte_time_s;
    result.push_back(std::move(one));
  }
  return result;
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
  if (facts.contains("shortest_paths")) text += line("paths", paths_in_words(facts.at("shortest_paths")));
  if (!named.lacks.edges.empty())
    return text + line("links of", fmt::format("{}, of which few exist", network.name()));
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

// "9 over port 2, 5 over port 3": few of many ports have links.
std::string neighbours_in_words(const SurvivingNetwork& network, Node node) {
  std::vector<std::string> words;
  network.for_each_neighbour(node, [&](Port port, Node neighbour) {
    words.push_back(fmt::format("{} over port {}", neighbour, port));
  });
  return fmt::format("{}", fmt::join(words, ", "));
}

std::uint32_t distance(const Network& network, const Lacking& lacking, Node from, Node to) {
  return lacking ? lacking->distances(from)[to] : network.distance(from, to);
}

}  // namespace

int network_command(const ShowNetworkOptions& options) {
  const network::NamedNetwork named = chosen_named_network(options);
  const Network& network = named.network;
  std::optional<ElapsedProgress> progress(std::in_place, "measuring");
  Json facts = facts_of(named);
  progress.reset();
  std::string text = options.json ? "" : in_words(named, facts);
  if (const auto classes = chosen_link_classes(options); !classes.empty()) {
    facts["link_classes"] = in_json(classes);
    text += line("link classes", classes_in_words(classes));
  }
  if (options.node || options.to) {
    require_node("--node", options.node.value_or(0), network);
    const auto node = static_cast<Node>(options.node.value_or(0));
    Lacking lacking;
    if (!named.lacks.empty()) lacking.emplace(network, named.lacks);
    add_node(facts, network, lacking, node);
    const Json& shown = facts.at("node");
    text += line("node", fmt::format("{} = {}, neighbours {}", node, shown.at("coordinates").dump(),
                                     named.lacks.edges.empty() ? shown.at("neighbours").dump()
                                                               : neighbours_in_words(*lacking, node)));
    if (shown.contains("labels"))
      text += line("labels", fmt::format("{} along x, y, z", shown.at("labels").dump()));
    if (options.to) {
      require_node("--to", *options.to, network);
      const auto to = static_cast<Node>(*options.to);
      facts["distance"] = distance(network, lacking, node, to);
      text += line("distance", fmt::format("{} from {} to {}", facts.at("distance").dump(), node, to));
    }
  }
  print_or_write(options, options.json ? answer("network", facts) : text);
  return 0;
}

}  // namespace isotrope::app

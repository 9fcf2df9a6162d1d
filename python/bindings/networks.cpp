// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/losses.hpp"

#include "isotrope/graph/shortest_paths.hpp"

#include "isotrope/io/network_picture.hpp"

#include "python/bindings/long_work.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/nodes.hpp"

namespace isotrope::python {
namespace {

// Beside what the name lacks; texts as --failed-nodes and --failed-links take them.
void add_failures(Nodes& nodes, const std::string& failed_nodes, const std::string& failed_links) {
  network::NamedNetwork& named = nodes.named;
  if (!failed_nodes.empty()) named.lacks.nodes = network::parse_failed_nodes(failed_nodes, named.network);
  if (!failed_links.empty())
    named.lacks.links = network::parse_failed_links(failed_links, named.network, named.lacks.before());
}

Nodes named_nodes(const std::string& name, const std::string& failed_nodes, const std::string& failed_links) {
  Nodes nodes{io::named_network(name)};
  if (io::names_network_file(name)) nodes.coordinates = io::read_network_file(name).coordinates;
  add_failures(nodes, failed_nodes, failed_links);
  return nodes;
}

Nodes described_nodes(const std::string& name, const std::string& json, const std::string& failed_nodes,
                      const std::string& failed_links) {
  io::NetworkFile file = io::parse_network_file(name, json);
  Nodes nodes{std::move(file.named), std::move(file.coordinates)};
  add_failures(nodes, failed_nodes, failed_links);
  return nodes;
}

void require_node(const network::Network& network, std::uint64_t node) {
  if (node < network.order()) return;
  throw Error(fmt::format("node {}: the nodes of {} are 0..{}", node, network.name(), network.order() - 1));
}

network::Node neighbour(const Nodes& nodes, std::uint64_t node, std::uint64_t port) {
  const network::Network& network = nodes.named.network;
  require_node(network, node);
  if (port >= network.degree())
    throw Error(fmt::format("port {}: {} has {} ports a node, counted from 0", port, network.name(),
                            network.degree()));
  return network.neighbour(static_cast<network::Node>(node), static_cast<network::Port>(port));
}

std::uint32_t distance(const Nodes& nodes, std::uint64_t from, std::uint64_t to) {
  const network::Network& network = nodes.named.network;
  for (const std::uint64_t node : {from, to}) require_node(network, node);
  const auto a = static_cast<network::Node>(from), b = static_cast<network::Node>(to);
  if (nodes.named.lacks.empty()) return network.distance(a, b);
  const std::uint32_t result = nodes.surviving().distances(a)[b];
  if (result != network::unreachable) return result;
  throw Error(fmt::format("no way leads from node {} to node {}: something has failed", from, to));
}

// Between all nodes that are left, by a search from each.
graph::ShortestPaths paths_of(const Nodes& nodes) {
  return LongWork(py::none()).run([&](const auto&) {
    const network::SurvivingNetwork surviving = nodes.surviving();
    if (!surviving.cut_off(surviving.nodes().front()).empty())
      throw Error(fmt::format("{}{}: nodes are cut off from each other, so some have no distance",
                              nodes.named.network.name(),
                              network::losses(nodes.named.network, nodes.named.lacks)));
    return graph::shortest_paths(surviving, surviving.nodes());
  });
}

std::uint32_t diameter(const Nodes& nodes) {
  return nodes.named.lacks.empty() ? nodes.named.network.diameter() : paths_of(nodes).longest;
}

double average_distance(const Nodes& nodes) {
  return nodes.named.lacks.empty() ? nodes.named.network.average_distance() : paths_of(nodes).mean_length;
}

// A row for every directed link that is there: from, port, to.
py::array_t<std::uint32_t> links_of(const Nodes& nodes) {
  const network::SurvivingNetwork surviving = nodes.surviving();
  py::array_t<std::uint32_t> links(
      {static_cast<py::ssize_t>(2 * surviving.links()), static_cast<py::ssize_t>(3)});
  std::uint32_t* next = links.mutable_data();
  for (const network::Node from : surviving.nodes()) {
    surviving.for_each_neighbour(from, [&](network::Port port, network::Node to) {
      *next++ = from;
      *next++ = port;
      *next++ = to;
    });
  }
  return links;
}

std::string svg_of(const Nodes& nodes) {
  io::NetworkPicture picture;
  picture.title = nodes.named.network.name() + network::losses(nodes.named.network, nodes.named.lacks);
  picture.failed = nodes.named.lacks;
  picture.coordinates = nodes.coordinates;
  return draw_network(nodes.named.network, picture);
}

// Nothing if the network is too large.
std::optional<std::string> svg_if_drawable(const Nodes& nodes) {
  try {
    return svg_of(nodes);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string in_words(const Nodes& nodes) {
  const network::Network& network = nodes.named.network;
  return fmt::format("<isotrope.Network {}{}: {} nodes, {} ports a node>", network.name(),
                     network::losses(network, nodes.named.lacks), network.order(), network.degree());
}

}  // namespace

void add_networks(py::module_& module) {
  py::class_<Nodes>(module, "Network", R"(A network: nodes 0..order-1, with ports 0..degree-1 each.

Immutable. Made by isotrope.network().)")
      .def_property_readonly(
          "name", [](const Nodes& nodes) { return nodes.named.network.name(); },
          "In the grammar of names, or 'cayley'.")
      .def_property_readonly(
          "order", [](const Nodes& nodes) { return nodes.named.network.order(); },
          "The number of nodes, failed ones among them.")
      .def_property_readonly(
          "degree", [](const Nodes& nodes) { return nodes.named.network.degree(); },
          "The number of ports of a node, before anything failed.")
      .def_property_readonly(
          "generators",
          [](const Nodes& nodes) {
            const auto generators = nodes.named.network.generators();
            return std::vector<network::Node>(generators.begin(), generators.end());
          },
          "The node to which each port of node 0 leads, in port order.")
      .def_property_readonly("failed_nodes", [](const Nodes& nodes) { return nodes.named.lacks.nodes; })
      .def_property_readonly(
          "failed_links",
          [](const Nodes& nodes) {
            std::vector<std::pair<network::Node, network::Node>> links;
            for (const auto [node, port] : nodes.named.lacks.links)
              links.emplace_back(node, nodes.named.network.neighbour(node, port));
            return links;
          },
          "Pairs of nodes.")
      .def_property_readonly(
          "is_symmetric", [](const Nodes& nodes) { return nodes.named.lacks.empty(); },
          "Whether no node or link of the Cayley graph is missing.")
      .def_property_readonly("diameter", &diameter, "The largest distance of two nodes, in hops.")
      .def_property_readonly("average_distance", &average_distance,
                             "The mean distance of two different nodes, in hops.")
      .def("neighbour", &neighbour, py::arg("node"), py::arg("port"), "The node to which a port leads.")
      .def("distance", &distance, py::arg("from_node"), py::arg("to_node"),
           "The least number of hops, around failures.")
      .def("links", &links_of,
           "The directed links that are there: an array of shape (links, 3) and type uint32, with columns "
           "from, port, to.")
      .def("svg", &svg_of,
           "The picture of `isotrope draw`, as SVG. Raises Error if the network is too large.")
      .def(
          "to_networkx", [](const py::object& self) { return figure("network_graph", self); },
          "A MultiGraph of NetworkX: the nodes that are left, and the links with the port of their lower "
          "node.")
      .def("_repr_svg_", &svg_if_drawable)
      .def("__eq__",
           [](const Nodes& a, const Nodes& b) {
             return network::same_network(a.named.network, b.named.network) && a.named.lacks == b.named.lacks;
           })
      .def("__repr__", &in_words);
  module.def("named_network", &named_nodes, py::arg("name"), py::arg("failed_nodes"),
             py::arg("failed_links"));
  module.def("described_network", &described_nodes, py::arg("name"), py::arg("json"), py::arg("failed_nodes"),
             py::arg("failed_links"));
}

}  // namespace isotrope::python

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// testbed_hosts [--network NAME] [--machine FILE] [--rate BITS] [--ranks R] [--switch]: prints what the testbed has to raise,
// for the script run, one fact a line:
//
//     host 3                     a host; those of failed nodes are left out
//     link 3 1 4 50000000        a directed link: node, port, neighbour, bits per second
//     port 3 50000000            in place of links: the one port of a host, to a switch
//     rank 3                     the host of rank 0, then that of rank 1, ...
//
// The machine file gives what options leave open: network, failed nodes and links, link classes, ranks a node, rank map
// and the rate of a link, 8 / byte_time_s. Links side by side are one link of their common rate.
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/cost/link_times.hpp"

#include "isotrope/io/machine_file.hpp"
#include "isotrope/io/machine_network.hpp"
#include "isotrope/io/network_file.hpp"
#include "isotrope/io/text_file.hpp"

namespace isotrope::testbed {
namespace {

using network::Node;
using network::Port;

constexpr std::uint64_t most_hosts = 32, most_ranks = 64;
constexpr double default_rate = 50e6, least_rate = 1e5, most_rate = 1e10;  // bits per second

struct Options {
  std::string network, machine;
  double rate = 0;          ///< bits per second; 0: that of the machine file
  std::uint64_t ranks = 0;  ///< of a host; 0: that of the machine file
  bool has_switch = false;
};

// The machine of the file, or links of the default rate if none is given.
io::NamedMachine given_machine(const Options& options) {
  if (!options.machine.empty()) return io::read_machine(options.machine);
  io::NamedMachine links;
  links.machine.byte_time_s = 8 / default_rate;
  return links;
}

// As everywhere, a network that is named replaces that of the machine with its failures.
network::NamedNetwork given_network(const Options& options, const io::MachineNodes& machine) {
  if (!options.network.empty()) return io::named_network(options.network);
  if (machine.network.empty())
    throw Error("no network: give --network NAME, or a machine file with \"network\"");
  return io::nodes_of_machine(options.machine, machine, io::read_text);
}

network::SurvivingNetwork raised_network(const Options& options, const io::MachineNodes& machine) {
  network::NamedNetwork named = given_network(options, machine);
  const Node order = named.network.order();
  if (order < 2 || order > most_hosts)
    throw Error(fmt::format("{} has {} nodes: give a network of 2 to {}", excerpt(named.network.name()),
                            order, most_hosts));
  network::SurvivingNetwork network(std::move(named.network), std::move(named.lacks));
  if (network.nodes().size() < 2) throw Error("fewer than 2 nodes are left: give fewer failed nodes");
  if (const auto cut_off = network.cut_off(network.nodes().front()); !cut_off.empty())
    throw Error(fmt::format("node {} cannot be reached from node {}: give failed links that leave a way",
                            cut_off.front(), network.nodes().front()));
  return network;
}

/// The rates of the links of a network, in bits per second.
class Rates {
 public:
  Rates(const Options& options, const cost::Machine& machine, const network::SurvivingNetwork& network)
      : times_(network.whole(), network.failures(), machine), byte_time_(machine.byte_time_s) {
    if (!(byte_time_ > 0)) throw Error("\"byte_time_s\" of 0: give seconds per byte, such as 1.6e-7");
    faster_ = options.rate > 0 ? options.rate * byte_time_ / 8 : 1;
  }

  /// Of `copies` links side by side that leave by `port`.
  double of(Node node, Port port, std::uint32_t copies) const {
    return checked(copies * 8 / times_.all()[times_.of(node, port)].byte_time_s);
  }
  double of_switch() const { return checked(8 / byte_time_); }

 private:
  double checked(double of_file) const {
    const double rate = faster_ * of_file;
    if (rate < least_rate || rate > most_rate)
      throw Error(fmt::format("a link of {:.6g} bits per second: give links of 100kbit to 10gbit", rate));
    return rate;
  }

  cost::LinkTimes times_;
  double byte_time_, faster_ = 1;
};

std::string links_in_words(const network::SurvivingNetwork& network, const Rates& rates) {
  std::string text;
  const network::Network& whole = network.whole();
  for (const Node node : network.nodes()) {
    std::map<Node, std::vector<Port>> towards;
    for (const Port port : network.ports(node)) towards[whole.neighbour(node, port)].push_back(port);
    for (const auto& [neighbour, ports] : towards) {
      const double rate = rates.of(node, ports.front(), static_cast<std::uint32_t>(ports.size()));
      text += fmt::format("link {} {} {} {:.0f}\n", node, ports.front(), neighbour, rate);
    }
  }
  return text;
}

std::string switch_in_words(const network::SurvivingNetwork& network, const Rates& rates) {
  const network::Network& whole = network.whole();
  if (!whole.name().starts_with("complete:") || network.failures().any_failed())
    throw Error(
        fmt::format("{} behind a switch: give complete:N without failures, N hosts with one port each",
                    excerpt(whole.name())));
  std::string text;
  for (const Node node : network.nodes()) text += fmt::format("port {} {:.0f}\n", node, rates.of_switch());
  return text;
}

// By rank. Without a map, rank r is on host r / R.
std::vector<Node> hosts_of_ranks(const Options& options, const io::MachineNodes& machine,
                                 const network::SurvivingNetwork& network) {
  const std::uint64_t each = options.ranks > 0 ? options.ranks : machine.ranks_per_node.value_or(1);
  const std::uint64_t all = each * network.nodes().size();
  if (each > most_ranks || all > most_ranks)
    throw Error(fmt::format("{} ranks on each of {} hosts: give 1 to {} ranks in total", each,
                            network.nodes().size(), most_ranks));
  const bool has_map = !machine.ranks_file.empty() || !machine.nodes_of_ranks.empty();
  std::vector<Node> result;
  if (has_map && options.ranks == 0 && options.network.empty()) {
    const auto in_each = static_cast<std::uint32_t>(each);
    const network::RankMap map = io::ranks_of_machine(
        options.machine, machine, {network.whole(), network.failures()}, in_each, io::read_text);
    for (const Node place : map.nodes(static_cast<Node>(all)))
      result.push_back(network.nodes()[place / in_each]);
    return result;
  }
  for (const Node node : network.nodes()) result.insert(result.end(), each, node);
  return result;
}

bool has_one_port(const cost::Machine& machine) {
  return machine.ports == schedule::PortModel::one() || machine.ports == schedule::PortModel::ports(1);
}

void print_hosts(const Options& options) {
  const io::NamedMachine machine = given_machine(options);
  const network::SurvivingNetwork network = raised_network(options, machine.nodes);
  const Rates rates(options, machine.machine, network);
  std::string text;
  for (const Node node : network.nodes()) text += fmt::format("host {}\n", node);
  const bool is_complete = network.whole().name().starts_with("complete:");
  const bool is_switch = is_complete && !network.failures().any_failed() && has_one_port(machine.machine);
  const bool has_switch = options.has_switch || (!options.machine.empty() && is_switch);
  text += has_switch ? switch_in_words(network, rates) : links_in_words(network, rates);
  for (const Node host : hosts_of_ranks(options, machine.nodes, network))
    text += fmt::format("rank {}\n", host);
  fmt::print("{}", text);
}

// Their form has been checked by the script run.
Options parsed(std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view option = arguments[i];
    if (option == "--switch") {
      options.has_switch = true;
      continue;
    }
    if (++i == arguments.size()) throw Error(fmt::format("{} without a value", option));
    const std::string value = arguments[i];
    if (option == "--network") options.network = value;
    if (option == "--machine") options.machine = value;
    if (option == "--rate") options.rate = static_cast<double>(whole_number(value).value_or(0));
    if (option == "--ranks") options.ranks = whole_number(value).value_or(0);
  }
  return options;
}

}  // namespace
}  // namespace isotrope::testbed

int main(int argc, char** argv) {
  try {
    isotrope::testbed::print_hosts(
        isotrope::testbed::parsed(std::span(argv, static_cast<std::size_t>(argc)).subspan(1)));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}

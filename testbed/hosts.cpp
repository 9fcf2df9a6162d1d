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
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/port_axis.hpp"
#include "isotrope/network/surviving_network.hpp"

#include "isotrope/io/network_file.hpp"
#include "isotrope/io/text_file.hpp"

namespace isotrope::testbed {
namespace {

using Json = nlohmann::json;
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

// The keys of a machine file that say which hosts and links there are. Its readers check the rest of the file.
class MachineKeys {
 public:
  explicit MachineKeys(const std::string& file) : file_(file) {
    if (file.empty()) return;
    keys_ = Json::parse(io::read_text(file), nullptr, false);
    if (!keys_.is_object() || keys_.value("format", Json()) != "isotrope-machine/1")
      throw Error(fmt::format("{} is no machine file: give JSON with \"format\": \"isotrope-machine/1\"",
                              excerpt(file)));
  }

  std::string network() const { return has("network") ? path(text("network"), names_file) : ""; }
  std::string rank_file() const {
    return has("ranks") && keys_["ranks"].is_string() ? path(text("ranks"), [](auto) { return true; }) : "";
  }
  /// Items of a list, each as a rank file writes them.
  std::optional<std::string> rank_list() const {
    if (!has("ranks") || keys_["ranks"].is_string()) return std::nullopt;
    std::string lines;
    for (const Json& node : list("ranks")) lines += node.dump() + "\n";
    return lines;
  }
  /// Items of a list of numbers or texts, with commas between them.
  std::string listed(const char* key) const {
    std::string result;
    if (!has(key)) return result;
    for (const Json& item : list(key)) {
      if (!result.empty()) result += ',';
      result += item.is_string() ? item.get<std::string>() : item.dump();
    }
    return result;
  }
  std::uint64_t ranks_per_node() const {
    if (!has("ranks_per_node")) return 1;
    const Json& value = keys_["ranks_per_node"];
    if (!value.is_number_unsigned() || value == 0) fail("ranks_per_node", "a whole number, 1 or more");
    return value.get<std::uint64_t>();
  }
  bool has_one_port() const { return has("ports") && (keys_["ports"] == "one" || keys_["ports"] == 1); }
  /// Seconds per byte over a link; nothing if no file is given.
  std::optional<double> byte_time() const {
    if (file_.empty()) return std::nullopt;
    return seconds(keys_, "byte_time_s");
  }
  /// By axis, of the axes that have a time of their own.
  std::map<std::uint64_t, double> byte_times_of_axes() const {
    std::map<std::uint64_t, double> result;
    if (!has("link_classes")) return result;
    for (const Json& given : list("link_classes")) {
      if (!given.is_object() || !given.contains("axes") || !given["axes"].is_array())
        fail("link_classes", "a list of objects with \"axes\"");
      if (!given.contains("byte_time_s")) continue;
      for (const Json& axis : given["axes"]) {
        if (!axis.is_number_unsigned()) fail("link_classes", "axes as whole numbers");
        result[axis.get<std::uint64_t>()] = seconds(given, "byte_time_s");
      }
    }
    return result;
  }

 private:
  bool has(const char* key) const { return keys_.is_object() && keys_.contains(key); }
  static bool names_file(std::string_view text) { return io::names_network_file(text); }
  // Files are beside the machine file.
  template <class IsFile>
  std::string path(const std::string& given, IsFile is_file) const {
    return is_file(given) ? (std::filesystem::path(file_).parent_path() / given).string() : given;
  }
  std::string text(const char* key) const {
    if (!keys_[key].is_string()) fail(key, "a text");
    return keys_[key].get<std::string>();
  }
  const Json& list(const char* key) const {
    if (!keys_[key].is_array()) fail(key, "a list");
    return keys_[key];
  }
  double seconds(const Json& object, const char* key) const {
    const bool is_number = object.contains(key) && object[key].is_number();
    const double value = is_number ? object[key].get<double>() : 0;
    if (!(value > 0)) fail(key, "seconds per byte, more than 0, such as 1.6e-7");
    return value;
  }
  [[noreturn]] void fail(const char* key, std::string_view allowed) const {
    throw Error(fmt::format("{}: \"{}\": give {}", excerpt(file_), key, allowed));
  }

  std::string file_;
  Json keys_;
};

network::SurvivingNetwork raised_network(const Options& options, const MachineKeys& keys) {
  const std::string name = options.network.empty() ? keys.network() : options.network;
  if (name.empty()) throw Error("no network: give --network NAME, or a machine file with \"network\"");
  network::NamedNetwork named = io::named_network(name);
  const Node order = named.network.order();
  if (order < 2 || order > most_hosts)
    throw Error(fmt::format("{} has {} nodes: give a network of 2 to {}", excerpt(name), order, most_hosts));
  network::Failures lacks = named.lacks;
  if (const std::string nodes = keys.listed("failed_nodes"); !nodes.empty())
    lacks.nodes = network::parse_failed_nodes(nodes, named.network);
  if (const std::string links = keys.listed("failed_links"); !links.empty())
    lacks.links = network::parse_failed_links(links, named.network, named.lacks);
  network::SurvivingNetwork network(std::move(named.network), std::move(lacks));
  if (network.nodes().size() < 2) throw Error("fewer than 2 nodes are left: give fewer failed nodes");
  if (const auto cut_off = network.cut_off(network.nodes().front()); !cut_off.empty())
    throw Error(fmt::format("node {} cannot be reached from node {}: give failed links that leave a way",
                            cut_off.front(), network.nodes().front()));
  return network;
}

double checked_rate(double rate) {
  if (rate < least_rate || rate > most_rate)
    throw Error(fmt::format("a link of {:.6g} bits per second: give links of 100kbit to 10gbit", rate));
  return rate;
}

/// The rates of the links of a network, in bits per second.
class Rates {
 public:
  Rates(const Options& options, const MachineKeys& keys, const network::Network& network)
      : of_axes_(keys.byte_times_of_axes()), byte_time_(keys.byte_time().value_or(8 / default_rate)) {
    unit_ = options.rate > 0 ? options.rate : 8 / byte_time_;
    for (const auto& [axis, seconds] : of_axes_) {
      if (axis >= network.group().rank())
        throw Error(fmt::format("link_classes: {} has no axis {}", excerpt(network.name()), axis));
    }
  }

  /// Of `copies` links side by side that leave by `port`.
  double of(const network::Network& network, Port port, std::uint32_t copies) const {
    const auto axis = network::axis_of(network, port);
    const auto found = axis ? of_axes_.find(*axis) : of_axes_.end();
    const double share = found == of_axes_.end() ? 1 : byte_time_ / found->second;
    // If classes give bandwidths, they are those of whole links.
    return checked_rate(unit_ * share * (of_axes_.empty() ? copies : 1));
  }
  double of_switch() const { return checked_rate(unit_); }

 private:
  std::map<std::uint64_t, double> of_axes_;
  double byte_time_, unit_ = 0;
};

std::string links_in_words(const network::SurvivingNetwork& network, const Rates& rates) {
  std::string text;
  const network::Network& whole = network.whole();
  for (const Node node : network.nodes()) {
    std::map<Node, std::vector<Port>> towards;
    for (const Port port : network.ports(node)) towards[whole.neighbour(node, port)].push_back(port);
    for (const auto& [neighbour, ports] : towards) {
      const double rate = rates.of(whole, ports.front(), static_cast<std::uint32_t>(ports.size()));
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

// A node by its number or its coordinates, as rank files write them (io/rank_map_file.hpp).
std::optional<Node> node_in(std::string_view words, const network::Group& group) {
  std::vector<network::Coordinate> numbers;
  for (const std::string_view word : split(words, ' ')) {
    if (word.empty()) continue;
    const auto value = whole_number(word);
    if (!value || *value >= group.order()) return std::nullopt;
    numbers.push_back(static_cast<network::Coordinate>(*value));
  }
  if (numbers.size() == 1) return numbers.front();
  const bool fits = std::ranges::equal(numbers, group.moduli(), std::less<>());
  return fits ? std::optional(group.number(numbers)) : std::nullopt;
}

// The host of every rank by a rank map. Unlike a map of one rank a node, it may give a node to several ranks.
std::vector<Node> mapped_hosts(const std::string& name, std::string text,
                               const network::SurvivingNetwork& network) {
  std::vector<Node> result;
  std::size_t line = 0;
  const auto fail = [&](const char* what) {
    throw Error(fmt::format("{}:{}: {}", excerpt(name), line, what));
  };
  const auto is_mark = [](char c) { return std::string_view("()[],\t\r").find(c) != std::string_view::npos; };
  std::ranges::replace_if(text, is_mark, ' ');
  for (const std::string_view whole : split(text, '\n')) {
    ++line;
    const std::string_view words = whole.substr(0, whole.find('#'));
    if (words.find_first_not_of(' ') == std::string_view::npos) continue;
    const auto node = node_in(words, network.whole().group());
    if (!node) fail("no node of the network: give its number or its coordinates");
    if (!network.alive(*node)) fail("a failed node: give one that is left");
    result.push_back(*node);
  }
  return result;
}

// By rank. Without a map, rank r is on host r / R.
std::vector<Node> hosts_of_ranks(const Options& options, const MachineKeys& keys,
                                 const network::SurvivingNetwork& network) {
  const std::uint64_t each = options.ranks > 0 ? options.ranks : keys.ranks_per_node();
  std::vector<Node> result;
  if (const std::string file = keys.rank_file(); !file.empty() && options.ranks == 0)
    result = mapped_hosts(file, io::read_text(file), network);
  else if (const auto lines = keys.rank_list(); lines && options.ranks == 0)
    result = mapped_hosts(options.machine + ", ranks", *lines, network);
  else if (each <= most_ranks)
    for (const Node node : network.nodes()) result.insert(result.end(), each, node);
  if (result.empty() || result.size() > most_ranks)
    throw Error(fmt::format("{} on {} hosts with {} each: give 1 to {} ranks in total",
                            result.empty() ? std::string("ranks") : fmt::format("{} ranks", result.size()),
                            network.nodes().size(), each, most_ranks));
  return result;
}

void print_hosts(const Options& options) {
  const MachineKeys keys(options.machine);
  const network::SurvivingNetwork network = raised_network(options, keys);
  const Rates rates(options, keys, network.whole());
  std::string text;
  for (const Node node : network.nodes()) text += fmt::format("host {}\n", node);
  const bool is_complete = network.whole().name().starts_with("complete:");
  const bool has_switch = options.has_switch || (keys.has_one_port() && is_complete);
  text += has_switch ? switch_in_words(network, rates) : links_in_words(network, rates);
  for (const Node host : hosts_of_ranks(options, keys, network)) text += fmt::format("rank {}\n", host);
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

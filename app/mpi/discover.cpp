// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope discover: measures which network the hosts of a job form, and writes a machine file with a rank map.
//
// Ranks that share a memory are a host (MPI_Comm_split_type); hosts are numbered by their lowest ranks, which measure the
// latencies between hosts (latency.hpp). The latencies tell the network and the place of every host in it
// (graph/latency_fit.hpp). If they fit no family, the nearest pairs are the links of a network file.
#include <algorithm>
#include <filesystem>
#include <mpi.h>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/edge_list.hpp"

#include "isotrope/graph/latency_fit.hpp"

#include "isotrope/io/atomic_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/mpi/job.hpp"
#include "app/mpi/latency.hpp"

namespace isotrope::app {
namespace {

using network::Node;

// The hosts of a job. Movable only by reference: frees its communicators.
class Hosts {
 public:
  explicit Hosts(bool every_rank) {
    if (every_rank) {
      MPI_Comm_split(MPI_COMM_WORLD, job_rank(), 0, &own_);
    } else {
      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, job_rank(), MPI_INFO_NULL, &own_);
    }
    int place = 0;
    MPI_Comm_rank(own_, &place);
    MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, job_rank(), &first_ranks_);
    int host = 0;
    if (is_first()) MPI_Comm_rank(first_ranks_, &host);
    MPI_Bcast(&host, 1, MPI_INT, 0, own_);
    of_ranks_.resize(static_cast<std::size_t>(job_size()));
    MPI_Allgather(&host, 1, MPI_INT, of_ranks_.data(), 1, MPI_INT, MPI_COMM_WORLD);
  }
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;
  ~Hosts() {
    if (is_first()) MPI_Comm_free(&first_ranks_);
    MPI_Comm_free(&own_);
  }

  Node count() const { return static_cast<Node>(*std::ranges::max_element(of_ranks_)) + 1; }
  /// Of every rank.
  const std::vector<int>& of_ranks() const { return of_ranks_; }
  /// By host.
  std::vector<int> ranks_on_each() const {
    std::vector<int> result(count(), 0);
    for (const int host : of_ranks_) ++result[static_cast<std::size_t>(host)];
    return result;
  }
  /// Whether this rank is the first one of its host.
  bool is_first() const { return first_ranks_ != MPI_COMM_NULL; }
  /// The first ranks of all hosts; of no other rank.
  MPI_Comm first_ranks() const { return first_ranks_; }
  /// The ranks of this host.
  MPI_Comm own() const { return own_; }

 private:
  MPI_Comm own_ = MPI_COMM_NULL, first_ranks_ = MPI_COMM_NULL;
  std::vector<int> of_ranks_;
};

// What rank 0 knows in the end.
struct Finding {
  graph::Discovery discovery;
  std::optional<network::MappedNetwork> network;  ///< with the places of the hosts
  MeasuredLinks links;
  std::optional<MeasuredLinks> memory;  ///< of a host with several ranks
  double seconds = 0;                   ///< of measuring
  unsigned passes = 0;                  ///< over all pairs of hosts
};

std::vector<int> neighbours_of_first(const network::MappedNetwork& network) {
  const auto& [named, places] = network;
  const network::SurvivingNetwork graph(named.network, named.lacks);
  std::vector<int> result;
  for (const network::Port port : graph.ports(places.node_of(0))) {
    const Node node = named.network.neighbour(places.node_of(0), port);
    result.push_back(static_cast<int>(places.rank_of(node)));
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void share(std::vector<int>& numbers, MPI_Comm comm) {
  auto count = static_cast<int>(numbers.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, comm);
  numbers.resize(static_cast<std::size_t>(count));
  MPI_Bcast(numbers.data(), count, MPI_INT, 0, comm);
}

// Measures until a family fits or time is over. Complete on rank 0; of the first ranks of all hosts.
graph::Discovery found_by_latencies(const Hosts& hosts, double limit, unsigned& passes) {
  const double end = MPI_Wtime() + limit;
  graph::Discovery result;
  LatencyMeasurement measurement(hosts.first_ranks());
  for (int is_over = 0; is_over == 0;) {
    measurement.measure(std::max(end - MPI_Wtime(), 0.1 * limit));
    if (const auto table = measurement.table()) result = graph::discovered(*table);
    is_over = result.is_family || MPI_Wtime() > end ? 1 : 0;
    MPI_Bcast(&is_over, 1, MPI_INT, 0, hosts.first_ranks());
  }
  passes = measurement.passes();
  return result;
}

// Complete on rank 0.
Finding measured(const Hosts& hosts, double limit) {
  const double begin = MPI_Wtime();
  Finding result;
  if (hosts.is_first()) {
    result.discovery = found_by_latencies(hosts, limit, result.passes);
    std::vector<int> partners;
    if (job_rank() == 0) {
      const auto& [best, is_family, edges] = result.discovery;
      result.network = is_family ? best.front().network
                                 : network::MappedNetwork{network::from_edges(hosts.count(), edges)};
      partners = neighbours_of_first(*result.network);
    }
    share(partners, hosts.first_ranks());
    result.links = measured_links(hosts.first_ranks(), partners);
  }
  meet_quietly();
  int ranks = 1;
  MPI_Comm_size(hosts.own(), &ranks);
  const bool is_on_first_host = hosts.of_ranks()[static_cast<std::size_t>(job_rank())] == 0;
  if (is_on_first_host && ranks > 1) result.memory = measured_links(hosts.own(), {1});
  meet_quietly();
  result.seconds = MPI_Wtime() - begin;
  return result;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string best_in_words(const graph::Discovery& discovery, std::size_t first) {
  std::vector<std::string> words;
  for (std::size_t i = first; i < discovery.best.size(); ++i) {
    const graph::LatencyFit& fit = discovery.best[i];
    words.push_back(fmt::format("{} {}", fit.network.named.network.name(), percent(fit.misfit)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// The files beside that of the machine.
std::string beside(const std::string& output, const char* ending) {
  std::filesystem::path path(output);
  return path.replace_extension(ending).string();
}

bool is_even(const std::vector<int>& ranks_on_each) {
  return std::ranges::all_of(ranks_on_each, [&](int ranks) { return ranks == ranks_on_each.front(); });
}

std::string hosts_in_words(const std::vector<int>& ranks_on_each) {
  const std::string hosts = counted(ranks_on_each.size(), "host");
  if (!is_even(ranks_on_each)) return fmt::format("{} with {} ranks", hosts, fmt::join(ranks_on_each, ", "));
  return fmt::format("{} with {} each", hosts,
                     counted(static_cast<std::uint64_t>(ranks_on_each.front()), "rank"));
}

std::string ports_in_words(const Finding& finding, std::size_t neighbours) {
  if (finding.links.ports >= neighbours) return "all";
  return finding.links.ports == 1 ? "one" : fmt::format("{}", finding.links.ports);
}

// The text of a machine file, a key a line.
class MachineText {
 public:
  void add(const char* key, const Json& value) {
    text_ += fmt::format("{}\n  \"{}\": {}", text_.empty() ? "" : ",", key, value.dump());
  }
  std::string whole() const { return "{" + text_ + "\n}\n"; }

 private:
  std::string text_;
};

// A host's ports are those that it uses at once.
std::string machine_text(const Finding& finding, const Hosts& hosts, const std::string& network,
                         const std::string& ranks) {
  const std::vector<int> each = hosts.ranks_on_each();
  const std::size_t neighbours = neighbours_of_first(*finding.network).size();
  const std::string ports = ports_in_words(finding, neighbours);
  MachineText machine;
  machine.add("format", "isotrope-machine/1");
  machine.add("name", hosts_in_words(each) + ", discovered");
  machine.add("network", network);
  machine.add("ranks", ranks);
  if (is_even(each) && each.front() > 1) machine.add("ranks_per_node", each.front());
  machine.add("startup_s", finding.links.startup_s);
  machine.add("byte_time_s", finding.links.byte_time_s);
  machine.add("ports", ports == "all" || ports == "one" ? Json(ports) : Json(finding.links.ports));
  if (finding.discovery.is_family) {
    const std::vector<double>& by_distance = finding.discovery.best.front().by_distance;
    const auto further = static_cast<double>(by_distance.size() - 1);
    machine.add("cut_through", true);
    machine.add("hop_time_s", further > 0 ? (by_distance.back() - by_distance.front()) / further : 0.0);
  }
  if (finding.memory)
    machine.add("memory",
                {{"startup_s", finding.memory->startup_s}, {"byte_time_s", finding.memory->byte_time_s}});
  return machine.whole();
}

std::vector<Node> nodes_of_ranks(const Finding& finding, const Hosts& hosts) {
  std::vector<Node> result;
  for (const int host : hosts.of_ranks())
    result.push_back(finding.network->ranks.node_of(static_cast<network::Rank>(host)));
  return result;
}

// A line a rank with the node of its host: several ranks of a host have the same.
void write_ranks(const std::string& file, const Finding& finding, const Hosts& hosts) {
  const network::Group& group = finding.network->named.network.group();
  io::write_atomically(file, [&](std::ostream& out) {
    for (const Node node : nodes_of_ranks(finding, hosts))
      out << fmt::format("{}\n", fmt::join(group.coordinates(node), ","));
  });
}

void write_network(const std::string& file, const Finding& finding, Node order) {
  Json network = {{"format", "isotrope-network/1"}, {"nodes", order}, {"links", Json::array()}};
  for (const auto& [low, high] : finding.discovery.edges) network["links"].push_back({low, high});
  io::write_atomically(file, [&](std::ostream& out) { out << network.dump() << '\n'; });
}

std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// The machine file comes last: it names the others.
std::vector<std::string> write_files(const std::string& output, const Finding& finding, const Hosts& hosts) {
  std::vector<std::string> files = {output, beside(output, ".ranks.txt")};
  std::string network = finding.network->named.network.name();
  if (!finding.discovery.is_family) {
    files.push_back(beside(output, ".network.json"));
    network = name_of_file(files.back());
    write_network(files.back(), finding, hosts.count());
  }
  write_ranks(files[1], finding, hosts);
  const std::string machine = machine_text(finding, hosts, network, name_of_file(files[1]));
  io::write_atomically(output, [&](std::ostream& out) { out << machine; });
  return files;
}

std::string in_words(const Finding& finding, const Hosts& hosts) {
  const auto& [best, is_family, edges] = finding.discovery;
  std::string text = hosts_in_words(hosts.ranks_on_each()) + "\n";
  if (is_family) {
    const graph::LatencyFit& fit = best.front();
    text +=
        line("network", fmt::format("{}, misfit {}", fit.network.named.network.name(), percent(fit.misfit)));
    std::vector<std::string> hops;
    for (const double latency : fit.by_distance) hops.push_back(fmt::format("{:.3g}", latency * 1e6));
    text += line("latency",
                 fmt::format("{} us over 1 to {}", fmt::join(hops, ", "), counted(hops.size(), "hop")));
  } else {
    text += line("network", "none that has a name; least misfits: " + best_in_words(finding.discovery, 0));
    text += line("links", fmt::format("between the {} nearest pairs of hosts", edges.size()));
  }
  const std::size_t neighbours = neighbours_of_first(*finding.network).size();
  text += line("messages",
               fmt::format("{:.3g} us and {:.3g} ns per byte, ports {}", finding.links.startup_s * 1e6,
                           finding.links.byte_time_s * 1e9, ports_in_words(finding, neighbours)));
  if (finding.memory)
    text += line("memory", fmt::format("{:.3g} us and {:.3g} ns per byte", finding.memory->startup_s * 1e6,
                                       finding.memory->byte_time_s * 1e9));
  return text + line("measured",
                     fmt::format("in {:.1f} s, {} passes over all pairs", finding.seconds, finding.passes));
}

Json facts_of(const Finding& finding, const Hosts& hosts) {
  Json best = Json::array();
  for (const graph::LatencyFit& fit : finding.discovery.best)
    best.push_back({{"network", fit.network.named.network.name()}, {"misfit", fit.misfit}});
  Json facts = {{"hosts", hosts.count()},
                {"ranks", hosts.of_ranks().size()},
                {"is_family", finding.discovery.is_family},
                {"best", best},
                {"nodes", nodes_of_ranks(finding, hosts)},
                {"startup_s", finding.links.startup_s},
                {"byte_time_s", finding.links.byte_time_s},
                {"seconds", finding.seconds}};
  if (finding.discovery.is_family) {
    facts["network"] = finding.network->named.network.name();
    facts["latencies_s"] = finding.discovery.best.front().by_distance;
  }
  return facts;
}

void require_hosts(const Hosts& hosts) {
  if (job_size() == 1)
    throw Error("discover on 1 rank: start a rank on every host, as in mpirun -n 16 --map-by node");
  if (hosts.count() == 1)
    throw Error(fmt::format(
        "all {} ranks are on one host: start ranks on several hosts, or give --every-rank to take "
        "every rank as a host of its own",
        job_size()));
  if (hosts.count() > graph::Latencies::most_nodes)
    throw Error(
        fmt::format("{} hosts: discover takes at most {}", hosts.count(), graph::Latencies::most_nodes));
}

}  // namespace

int mpi_discover_command(const DiscoverOptions& options) {
  const Hosts hosts(options.every_rank);
  on_all_ranks([&] {
    require_hosts(hosts);
    return true;
  });
  constexpr double default_limit = 7.5;
  const Finding finding = measured(hosts, options.time_limit.value_or(default_limit));
  std::vector<std::string> files;
  on_all_ranks([&] {
    if (job_rank() == 0 && !options.output.empty()) files = write_files(options.output, finding, hosts);
    return true;
  });
  if (job_rank() != 0) return 0;
  if (options.json) {
    say(answer("discover", facts_of(finding, hosts)));
  } else {
    say(in_words(finding, hosts) +
        (files.empty() ? "" : line("written to", fmt::format("{}", fmt::join(files, ", ")))));
  }
  return 0;
}

}  // namespace isotrope::app

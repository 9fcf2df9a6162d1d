// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi/neighbour_times.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "isotrope/base/median.hpp"

#include "app/mpi/job.hpp"

namespace isotrope::app {
namespace {

using network::Node;
using network::Port;

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

NeighbourTimes::NeighbourTimes(MPI_Comm comm, const network::NamedNetwork& nodes)
    : comm_(comm),
      network_(nodes.network, nodes.lacks),
      own_(network_.nodes()[static_cast<std::size_t>(rank_in(comm))]),
      send_(large_bytes * std::max<Port>(network_.degree(own_), 1), 1),
      receive_(send_.size()) {
  find_farthest();
}

int NeighbourTimes::rank_of(Node node) const {
  const std::vector<Node>& nodes = network_.nodes();
  return static_cast<int>(std::ranges::lower_bound(nodes, node) - nodes.begin());
}

Port NeighbourTimes::most_links(const Ports& ports) const {
  std::ptrdiff_t most = 0;
  for (const Node node : network_.nodes())
    most = std::max(most, std::ranges::count_if(network_.ports(node), ports));
  return static_cast<Port>(most);
}

Partners NeighbourTimes::over_one_link(const Ports& ports) const {
  const network::Network& whole = network_.whole();
  std::vector<std::pair<std::size_t, Port>> by_links;  // fewer than all, port
  for (Port port = 0; port < whole.degree(); ++port) {
    if (!ports(port)) continue;
    const auto carrying = static_cast<std::size_t>(
        std::ranges::count_if(network_.nodes(), [&](Node node) { return network_.carries(node, port); }));
    by_links.emplace_back(network_.nodes().size() - carrying, port);
  }
  std::ranges::sort(by_links);
  std::vector<std::uint8_t> sends(whole.order(), 0), receives(whole.order(), 0);
  Partners result;
  for (const auto& [missing, port] : by_links) {
    for (const Node node : network_.nodes()) {
      const Node to = whole.neighbour(node, port);
      if (!network_.carries(node, port) || sends[node] != 0 || receives[to] != 0) continue;
      sends[node] = receives[to] = 1;
      if (node == own_) result.to.push_back(rank_of(to));
      if (to == own_) result.from.push_back(rank_of(node));
    }
  }
  return result;
}

Partners NeighbourTimes::over_all_links(const Ports& ports) const {
  Partners result;
  network_.for_each_neighbour(own_, [&](Port port, Node neighbour) {
    if (ports(port)) result.to.push_back(rank_of(neighbour));
    if (ports(network_.whole().opposite(port))) result.from.push_back(rank_of(neighbour));
  });
  return result;
}

Partners NeighbourTimes::farthest() const {
  if (farthest_ < 0) return {};
  return {{farthest_}, {farthest_}};
}

// The same pairs on all ranks.
void NeighbourTimes::find_farthest() {
  std::vector<std::uint8_t> is_paired(network_.whole().order(), 0);
  const auto pair = [&](Node node, Node other) {
    is_paired[node] = is_paired[other] = 1;
    if (node == own_) farthest_ = rank_of(other);
    if (other == own_) farthest_ = rank_of(node);
  };
  for (const Node node : network_.nodes()) {
    const std::vector<std::uint32_t> distances = network_.distances(node);
    for (const Node other : network_.nodes()) {
      const std::uint32_t distance = distances[other];
      if (distance == network::unreachable || distance < diameter_) continue;
      if (distance > diameter_) {
        diameter_ = distance;
        std::ranges::fill(is_paired, std::uint8_t{0});
        farthest_ = -1;
      }
      if (node != other && is_paired[node] == 0 && is_paired[other] == 0) pair(node, other);
    }
  }
}

double NeighbourTimes::time(const Partners& partners, std::uint64_t bytes) {
  const unsigned calls = bytes <= small_bytes ? 200 : 10;
  std::vector<double> times;
  double shortest = std::numeric_limits<double>::max();
  for (int batch = 0; batch < 9; ++batch) {
    const auto call = [&] {
      const double begin = MPI_Wtime();
      exchange(partners, bytes);
      shortest = std::min(shortest, MPI_Wtime() - begin);
    };
    times.push_back(slowest_seconds(calls, call, comm_));
  }
  MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_DOUBLE, MPI_MAX, comm_);
  const double result = median(std::move(times));
  spread_ = std::max(spread_, result / std::max(shortest, MPI_Wtick()));
  return result;
}

double NeighbourTimes::byte_time(const Partners& partners) {
  const double difference = time(partners, large_bytes) - time(partners, medium_bytes);
  return std::max(difference, 0.0) / static_cast<double>(large_bytes - medium_bytes);
}

std::uint64_t NeighbourTimes::best_piece(std::span<const Partners> ways) {
  constexpr std::uint64_t kib = 1024;
  constexpr std::array<std::uint64_t, 5> pieces{large_bytes, 64 * kib, 32 * kib, 16 * kib, 8 * kib};
  constexpr int batches = 3;
  constexpr unsigned calls = 2;
  std::array<double, pieces.size()> shares{};  // of the time of whole messages
  for (const Partners& partners : ways) {
    std::array<std::vector<double>, pieces.size()> ratios;
    for (int batch = 0; batch < batches; ++batch) {
      double whole = MPI_Wtick();
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const double seconds = slowest_seconds(
            calls, [&] { exchange(partners, large_bytes, pieces.at(i)); }, comm_);
        if (i == 0) whole = std::max(whole, seconds);
        ratios.at(i).push_back(seconds / whole);
      }
    }
    for (std::size_t i = 0; i < pieces.size(); ++i)
      shares.at(i) += median(std::move(ratios.at(i))) / static_cast<double>(ways.size());
  }
  constexpr double least_gain = 0.15, as_good = 1.05;
  const double least = *std::ranges::min_element(shares);
  if (least > 1 - least_gain) return 0;
  const auto* const largest =
      std::ranges::find_if(shares, [&](double share) { return share <= as_good * least; });
  return pieces.at(static_cast<std::size_t>(largest - shares.begin()));
}

void NeighbourTimes::exchange(const Partners& partners, std::uint64_t bytes, std::uint64_t piece) {
  requests_.clear();
  const auto post = [&](char* memory, const auto& start) {
    for (std::uint64_t done = 0; done < bytes; done += piece)
      start(memory + done, static_cast<int>(std::min(piece, bytes - done)), &requests_.emplace_back());
  };
  for (std::size_t i = 0; i < partners.from.size(); ++i)
    post(receive_.data() + i * large_bytes, [&](char* to, int count, MPI_Request* request) {
      MPI_Irecv(to, count, MPI_BYTE, partners.from[i], 0, comm_, request);
    });
  for (std::size_t i = 0; i < partners.to.size(); ++i)
    post(send_.data() + i * large_bytes, [&](const char* from, int count, MPI_Request* request) {
      MPI_Isend(from, count, MPI_BYTE, partners.to[i], 0, comm_, request);
    });
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/bound/delay.hpp"

#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

namespace isotrope::bound {
namespace {

using schedule::Collective;

// Machines that take jobs in turn.
class Machines {
 public:
  explicit Machines(network::Port count) : busy_until_(count, 0) {}

  // `count` jobs of `length`, each on the next machine.
  void run(std::uint64_t length, std::uint64_t count) {
    packets_ += count;
    const std::uint64_t rounds = count / busy_until_.size();
    const std::uint64_t rest = count % busy_until_.size();
    for (std::uint64_t i = 0; i < busy_until_.size(); ++i) {
      std::uint64_t& busy_until = busy_until_[(next_ + i) % busy_until_.size()];
      const std::uint64_t jobs = rounds + (i < rest ? 1 : 0);
      const std::uint64_t pairs = jobs % 2 == 0 ? jobs / 2 * (jobs + 1) : (jobs + 1) / 2 * jobs;
      sum_ += jobs * busy_until + length * pairs;
      magnitude_ += static_cast<double>(jobs) * static_cast<double>(busy_until) +
                    static_cast<double>(length) * static_cast<double>(pairs);
      busy_until += jobs * length;
    }
    next_ = (next_ + rest) % busy_until_.size();
  }

  DelayBound bound() const {
    if (packets_ == 0) return {};
    const bool fits = magnitude_ < 0x1p63;
    const double sum = fits ? static_cast<double>(sum_) : magnitude_;
    return {packets_, fits ? sum_ : std::uint64_t{1} << 63, sum / static_cast<double>(packets_)};
  }

 private:
  std::vector<std::uint64_t> busy_until_;
  std::uint64_t next_ = 0;
  std::uint64_t packets_ = 0;
  std::uint64_t sum_ = 0;  // modulo 2^64
  double magnitude_ = 0;
};

// The number of packets of one origin at distance 0, 1, ..., diameter.
std::vector<std::uint64_t> packets_by_distance(const network::Network& network, const schedule::Task& task) {
  std::vector<std::uint64_t> packets = network.distance_counts();
  if (task.collective == Collective::isotropic) {
    packets.assign(packets.size(), 0);
    for (const auto [to, blocks] : task.destinations)
      packets[network.distance(0, to)] += std::uint64_t{blocks} * task.parts;
    return packets;
  }
  const bool everywhere = task.collective == Collective::alltoall;
  if (!everywhere && task.collective != Collective::neighborhood)
    throw Error(fmt::format("{} has no fixed relative destinations: give alltoall or neighborhood:K:L",
                            to_string(task)));
  for (std::uint64_t distance = 1; distance < packets.size(); ++distance) {
    const bool wanted = everywhere || (task.nearest <= distance && distance <= task.farthest);
    packets[distance] *= wanted ? task.parts : 0;
  }
  return packets;
}

}  // namespace

DelayBound delay_bound(const Problem& problem) {
  const std::vector<std::uint64_t> packets = packets_by_distance(problem.network, problem.task);
  if (problem.ports.half_duplex())
    throw Error(
        "half duplex: the delay bound is for ports that send and receive at the same time; "
        "give one port, k ports or all");
  if (problem.network.order() == 1) return {};
  Machines machines(problem.ports.sends(problem.network.degree()));
  for (std::uint64_t distance = 1; distance < packets.size(); ++distance)
    machines.run(distance, packets[distance]);
  return machines.bound();
}

}  // namespace isotrope::bound

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/timetable/port_shares.hpp"

#include <algorithm>
#include <numeric>

#include "isotrope/schedule/ceil_div.hpp"

namespace isotrope::algorithm {
namespace {

using network::Port;

class Sharing {
 public:
  Sharing(std::span<PortClaim> claims, Port degree) : claims_(claims), loads_(degree, 0), of_port_(degree) {
    for (std::size_t i = 0; i < claims.size(); ++i) {
      for (std::size_t k = 0; k < claims[i].ports.size(); ++k) of_port_[claims[i].ports[k]].push_back({i, k});
      total_ += claims[i].packets;
    }
  }

  void run() {
    for (PortClaim& claim : claims_) pour(claim);
    for (;;) {
      const auto most = std::max_element(loads_.begin(), loads_.end());
      if (*most <= schedule::ceil_div(total_, loads_.size())) return;
      if (!relieve(static_cast<Port>(most - loads_.begin()))) return;
    }
  }

 private:
  struct Share {
    std::size_t claim, place;
  };
  // The last step of a search to a port: a packet of `claim` could move there from port `from`.
  struct PortStep {
    Port from;
    std::size_t claim, from_place, to_place;
  };

  // Raises the ports of a claim to a common level, the lowest first.
  void pour(PortClaim& claim) {
    const std::size_t ports = claim.ports.size();
    claim.shares.assign(ports, 0);
    order_.resize(ports);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto load = [&](std::size_t place) { return loads_[claim.ports[place]]; };
    std::ranges::sort(order_, {}, load);
    std::uint64_t sum = claim.packets;  // the packets to pour plus the loads of the ports to raise
    std::size_t raised = 0;
    while (raised < ports && load(order_[raised]) * raised < sum) sum += load(order_[raised++]);
    for (std::size_t i = 0; i < raised; ++i) {
      const std::uint64_t level = sum / raised + (i < sum % raised ? 1 : 0);
      const std::size_t place = order_[i];
      claim.shares[place] = level - load(place);
      loads_[claim.ports[place]] = level;
    }
  }

  // Moves packets from port `from` along a shortest path to a port with a smaller load.
  bool relieve(Port from) {
    steps_.assign(loads_.size(), {});
    is_reached_.assign(loads_.size(), false);
    is_reached_[from] = true;
    std::vector<Port> reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const auto [claim, place] : of_port_[reached[i]]) {
        if (claims_[claim].shares[place] == 0) continue;
        for (std::size_t k = 0; k < claims_[claim].ports.size(); ++k) {
          const Port to = claims_[claim].ports[k];
          if (is_reached_[to]) continue;
          is_reached_[to] = true;
          steps_[to] = {reached[i], claim, place, k};
          reached.push_back(to);
          if (loads_[to] + 1 < loads_[from]) {
            move(from, to);
            return true;
          }
        }
      }
    }
    return false;
  }

  void move(Port from, Port to) {
    std::uint64_t packets = (loads_[from] - loads_[to]) / 2;
    for (Port port = to; port != from; port = steps_[port].from)
      packets = std::min(packets, claims_[steps_[port].claim].shares[steps_[port].from_place]);
    for (Port port = to; port != from; port = steps_[port].from) {
      std::vector<std::uint64_t>& shares = claims_[steps_[port].claim].shares;
      shares[steps_[port].from_place] -= packets;
      shares[steps_[port].to_place] += packets;
    }
    loads_[from] -= packets;
    loads_[to] += packets;
  }

  std::span<PortClaim> claims_;
  std::vector<std::uint64_t> loads_;         // by port
  std::vector<std::vector<Share>> of_port_;  // by port: its claims
  std::uint64_t total_ = 0;
  std::vector<std::size_t> order_;  // used by pour
  std::vector<PortStep> steps_;     // by port, used by relieve
  std::vector<bool> is_reached_;
};

}  // namespace

void share_out(std::span<PortClaim> claims, Port degree) {
  Sharing(claims, degree).run();
}

}  // namespace isotrope::algorithm

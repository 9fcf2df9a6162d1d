// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/delivery_bound.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "isotrope/schedule/ceil_div.hpp"
#include "isotrope/schedule/port_sum.hpp"

namespace isotrope::schedule {
namespace {

// Packets of one node by distance.
struct Travel {
  Node from;
  std::uint32_t distance;
  std::uint64_t packets;
};

class DeliveryBounds {
 public:
  DeliveryBounds(const Network& network, std::span<const Delivery> deliveries, std::uint32_t parts,
                 PortModel ports)
      : network_(network),
        half_duplex_(ports.half_duplex()),
        c_(ports.sends(network.degree())),
        sent_(network.order(), 0),
        received_(network.order(), 0),
        relative_(network.order(), 0) {
    for (const auto [from, to, blocks] : deliveries) {
      const std::uint64_t packets = std::uint64_t{blocks} * parts;
      if (from == to || packets == 0) continue;
      sent_[from] += packets;
      received_[to] += packets;
      relative_[network.group().subtract(to, from)] += packets;
      travels_.push_back({from, network.distance(from, to), packets});
      hops_ += travels_.back().distance * packets;
    }
    std::sort(travels_.begin(), travels_.end(), [](const Travel& a, const Travel& b) {
      return std::pair(a.from, b.distance) < std::pair(b.from, a.distance);  // the farthest first
    });
  }

  Bound degree() const {
    Node busiest = 0;
    std::uint64_t most = 0;
    for (Node node = 0; node < network_.order(); ++node) {
      const std::uint64_t packets =
          half_duplex_ ? sent_[node] + received_[node] : std::max(sent_[node], received_[node]);
      if (packets > most) {
        most = packets;
        busiest = node;
      }
    }
    return {"degree", ceil_div(most, c_),
            fmt::format("node {} must {} {} packets, at most {} a round: ceil({}/{}) = {}", busiest,
                        half_duplex_             ? "send or receive"
                        : sent_[busiest] == most ? "send"
                                                 : "receive",
                        most, c_, most, c_, ceil_div(most, c_))};
  }

  Bound distance() const {
    Bound best{"distance", 0, "no packet has to move"};
    std::uint64_t packets = 0;
    for (std::size_t i = 0; i < travels_.size(); ++i) {
      const auto [from, distance, more] = travels_[i];
      packets = i > 0 && travels_[i - 1].from == from ? packets + more : more;
      const std::uint64_t last = ceil_div(packets, c_);
      if (last - 1 + distance <= best.value) continue;
      best.value = last - 1 + distance;
      best.because = fmt::format(
          "{} packets of node {} have {} or more hops to go and the last of them leaves in round {} or "
          "later: "
          "{} - 1 + {} = {}",
          packets, from, distance, last, last, distance, best.value);
    }
    return best;
  }

  Bound farthest() const {
    std::uint64_t reach = 0;
    for (const Travel& travel : travels_) reach = std::max<std::uint64_t>(reach, travel.distance);
    return {"distance", reach, fmt::format("the farthest destination is {} hops from its origin", reach)};
  }

  Bound distance_sum() const {
    const std::uint64_t room = half_duplex_ ? network_.order() / 2 : std::uint64_t{network_.order()} * c_;
    return {"distance-sum", ceil_div(hops_, room),
            fmt::format("the packets need {} hops, and all nodes together can send {} packets a round: "
                        "ceil({}/{}) = {}",
                        hops_, room, hops_, room, ceil_div(hops_, room))};
  }

  // Nothing where weights do no better than equal ones.
  std::optional<Bound> port_sums() const {
    const auto sum = port_sum(network_, mean_destinations(), c_);
    if (!sum || half_duplex_) return std::nullopt;
    const std::uint64_t room = sum->capacity * network_.order(), value = ceil_div(sum->length, room);
    if (value <= distance_sum().value) return std::nullopt;
    return Bound{
        "port-sum", value,
        fmt::format("with links of length {} by port, the packets have {} to go, and all nodes together "
                    "can send over {} a round: ceil({}/{}) = {}",
                    fmt::join(sum->weights, ","), sum->length, room, sum->length, room, value)};
  }

 private:
  // The packets of all origins in relative addresses.
  std::vector<RelativeDestination> mean_destinations() const {
    std::vector<RelativeDestination> result;
    for (Node to = 1; to < network_.order(); ++to) {
      if (relative_[to] > 0) result.push_back({to, static_cast<std::uint32_t>(relative_[to])});
    }
    return result;
  }

  const Network& network_;
  bool half_duplex_;
  Port c_;
  std::vector<std::uint64_t> sent_, received_;  // packets, by node
  std::vector<std::uint64_t> relative_;         // packets, by relative destination
  std::vector<Travel> travels_;
  std::uint64_t hops_ = 0;
};

}  // namespace

std::vector<Bound> lower_bounds(const Network& network, std::span<const Delivery> deliveries,
                                std::uint32_t parts, PortModel ports, RoundKind rounds) {
  if (network.order() == 1) return {{"degree", 0, "a single node has nothing to send"}};
  const DeliveryBounds of(network, deliveries, parts, ports);
  if (rounds == RoundKind::combining) return {of.farthest()};
  std::vector<Bound> bounds{of.distance_sum(), of.degree(), of.distance()};
  if (auto bound = of.port_sums()) bounds.push_back(*std::move(bound));
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const Bound& a, const Bound& b) { return a.value > b.value; });
  return bounds;
}

}  // namespace isotrope::schedule

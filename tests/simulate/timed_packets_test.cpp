// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets over links that take times of their own: as in rounds if these are alike, and never two at once if not.
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/parse.hpp"

#include "isotrope/simulate/packet_simulator.hpp"

#include "tests/cost/plans.hpp"

namespace isotrope::simulate {
namespace {

using schedule::PortModel;
using testing::HasSubstr;
using Order = RoutingPolicy::Order;

constexpr std::array timed_orders = {Order::random, Order::oldest, Order::nearest, Order::farthest,
                                     Order::largest_residual};

PacketTask exchange(const Network& network) {
  return {schedule::relative_destinations(network, schedule::parse_task("alltoall", network))};
}

HopTimes alike(double seconds) {
  return {{seconds}, [](Node, Port) { return 0U; }, true};
}

// Ports of the last two take twice and thrice as long as the others.
HopTimes unlike(const Network& network) {
  const Port degree = network.degree();
  return {{1e-6, 2e-6, 3e-6},
          [degree](Node, Port port) { return port + 2 >= degree ? 1 + (degree - 1 - port) : 0U; },
          true};
}

const std::vector<network::NamedNetwork>& networks() {
  static const std::vector<network::NamedNetwork> all{
      network::parse_named("hypercube:4"), network::parse_named("torus:4x5"),
      network::parse_named("hexmesh:3"), network::parse_named("mesh:3x4"),
      network::from_edges(7, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 6}})};
  return all;
}

TEST(TimedPackets, on_links_that_are_alike_go_as_in_rounds) {
  constexpr double hop_s = 0.7e-6;
  for (const auto& [network, missing] : networks()) {
    for (const bool symmetric : {false, true}) {
      if (symmetric && !missing.empty()) continue;
      for (const Order order : timed_orders) {
        for (const PortModel model : {PortModel::all(), PortModel::ports(2), PortModel::one()}) {
          const RoutingPolicy policy{order, symmetric};
          const PacketRun rounds = PacketSimulator(network, exchange(network), policy, model, missing).run(3);
          const PacketRun timed =
              PacketSimulator(network, exchange(network), policy, model, missing, alike(hop_s)).run(3);
          EXPECT_NEAR(timed.seconds / hop_s, static_cast<double>(rounds.rounds), 1e-6)
              << network.name() << " " << to_string(policy);
          EXPECT_NEAR(timed.mean_delay_s() / hop_s, rounds.mean_delay(), 1e-6);
          EXPECT_NEAR(timed.mean_queue, rounds.mean_queue, 1e-9);
          EXPECT_EQ(timed.longest_queue, rounds.longest_queue);
          EXPECT_EQ(timed.port_transmissions, rounds.port_transmissions);
          EXPECT_TRUE(timed.complete);
        }
      }
    }
  }
}

// Three packets from 0 over the link 0 -> 1 of 2 us, of which one goes on over 1 -> 2 of 5 us: farthest first.
TEST(TimedPackets, take_the_time_of_each_link) {
  const auto ring = network::parse("ring:7");
  const PacketTask task{.listed = {{0, 2, 1}, {0, 1, 2}}};
  const HopTimes times{{2e-6, 5e-6}, [](Node from, Port) { return from == 0 ? 0U : 1U; }, false};
  const auto run = [&](Order order) {
    return PacketSimulator(ring, task, {order, false}, PortModel::all(), {}, times).run(1);
  };
  EXPECT_DOUBLE_EQ(run(Order::farthest).seconds, 7e-6);
  EXPECT_DOUBLE_EQ(run(Order::farthest).mean_delay_s(), (7e-6 + 4e-6 + 6e-6) / 3);
  EXPECT_DOUBLE_EQ(run(Order::nearest).seconds, 11e-6);
  EXPECT_DOUBLE_EQ(run(Order::farthest).mean_queue, (3 * 4 + 2 * 2 + 1 * 1) / 7. / 7.);
}

// No link carries two at once, nor do more ports of a node than allowed, and a packet leaves no earlier than it came.
TEST(TimedPackets, share_no_link_and_keep_the_ports) {
  for (const auto& [network, missing] : networks()) {
    const HopTimes times = unlike(network);
    for (const Order order : timed_orders) {
      for (const PortModel model : {PortModel::all(), PortModel::one()}) {
        const Port at_once = model.sends(network.degree());
        struct Span {
          double start_s, end_s;
        };
        std::map<std::pair<Node, Port>, std::vector<Span>> of_link;
        std::map<Node, std::vector<Span>> sends, receipts;
        const PacketSimulator simulator(network, exchange(network), {order, false}, model, missing, times);
        const PacketRun run =
            simulator.run(1, {.visit = [&, &network = network](const Transmission& sent) {
                            const double hop_s = times.seconds[times.link_class(sent.from, sent.port)];
                            const Span span{sent.start_s, sent.start_s + hop_s};
                            of_link[{sent.from, sent.port}].push_back(span);
                            sends[sent.from].push_back(span);
                            receipts[network.neighbour(sent.from, sent.port)].push_back(span);
                          }});
        double end_s = 0;
        for (const auto& [link, spans] : of_link) {
          for (std::size_t i = 1; i < spans.size(); ++i)
            EXPECT_GE(spans[i].start_s, spans[i - 1].end_s - 1e-12);
          end_s = std::max(end_s, spans.back().end_s);
        }
        EXPECT_NEAR(end_s, run.seconds, 1e-12);
        for (const auto* nodes : {&sends, &receipts}) {
          for (const auto& [node, spans] : *nodes) {
            for (const Span& one : spans) {
              const auto at_the_same_time = std::ranges::count_if(spans, [&](const Span& other) {
                return other.start_s <= one.start_s + 1e-12 && other.end_s > one.start_s + 1e-12;
              });
              EXPECT_LE(at_the_same_time, at_once) << network.name();
            }
          }
        }
      }
    }
  }
}

TEST(TimedPackets, refuse_what_has_no_time_or_no_symmetry) {
  const auto ring = network::parse("ring:5");
  const auto error = [&](const HopTimes& times, bool symmetric) {
    return cost::error_of([&] {
      PacketSimulator(ring, exchange(ring), {Order::random, symmetric}, PortModel::all(), {}, times);
    });
  };
  EXPECT_THAT(error(alike(0), false), HasSubstr("give links a start-up or a time per byte"));
  EXPECT_THAT(error({{1, 2}, [](Node from, Port) { return from == 0 ? 0U : 1U; }, false}, true),
              HasSubstr("without 'symmetric-'"));
}

}  // namespace
}  // namespace isotrope::simulate

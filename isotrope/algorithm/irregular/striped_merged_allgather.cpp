// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/striped_merged_allgather.hpp"

#include <utility>
#include <vector>

#include "isotrope/network/surviving_network.hpp"

#include "isotrope/algorithm/irregular/merged_allgather.hpp"
#include "isotrope/algorithm/lanes.hpp"

namespace isotrope::algorithm {
namespace {

using network::Node;
using network::Port;
using schedule::PacketId;

class Stripes {
 public:
  Stripes(const network::Network& network, const network::Failures& failed, std::uint32_t parts)
      : places_(places_of_node(network)),
        lane_(lane_of(network)),
        in_node_(ports_in_node(network)),
        nodes_(lane_.network, failures_of_nodes(network, failed)),
        parts_(parts) {}

  schedule::Stage stage() const {
    schedule::Stage result{schedule::Flow::copy, schedule::Replication::none(), {}, {}};
    for (const Node node : nodes_.nodes()) {
      for (std::uint32_t place = 0; place < places_; ++place) {
        for (std::uint32_t part = 0; part < parts_; ++part)
          result.packets.push_back({node * places_ + place, schedule::to_all, 0, part});
      }
    }
    add_lanes(result.rounds);
    add_memory(result.rounds);
    return result;
  }

 private:
  // `origin` counts the nodes that are left.
  void add_block(schedule::Rounds& rounds, std::size_t origin, std::uint32_t place, Node from,
                 Port port) const {
    const std::size_t first = (origin * places_ + place) * parts_;
    for (std::uint32_t part = 0; part < parts_; ++part)
      rounds.add({static_cast<PacketId>(first + part), from, port});
  }

  void add_lanes(schedule::Rounds& rounds) const {
    const schedule::Schedule one = merged_allgather(nodes_, 1);
    const schedule::Rounds& between = one.stages.front().rounds;
    for (std::size_t t = 0; t < between.size(); ++t) {
      for (const schedule::Hop& hop : between.round(t)) {
        for (std::uint32_t place = 0; place < places_; ++place)
          add_block(rounds, hop.packet, place, hop.from * places_ + place, lane_.ports[hop.port]);
      }
      rounds.close_round();
    }
  }

  void add_memory(schedule::Rounds& rounds) const {
    for (const Node node : nodes_.nodes()) {
      for (std::uint32_t place = 0; place < places_; ++place) {
        for (std::uint32_t step = 1; step < places_; ++step) {
          for (std::size_t origin = 0; origin < nodes_.nodes().size(); ++origin)
            add_block(rounds, origin, place, node * places_ + place, in_node_[step].front());
        }
      }
    }
    rounds.close_round();
  }

  std::uint32_t places_;
  Lane lane_;
  std::vector<std::vector<Port>> in_node_;
  network::SurvivingNetwork nodes_;
  std::uint32_t parts_;
};

}  // namespace

schedule::Schedule striped_merged_allgather(const network::Network& network, const network::Failures& failed,
                                            std::uint32_t parts) {
  schedule::Schedule result{schedule::PortModel::all(), schedule::RoundKind::aggregated, {}};
  result.stages.push_back(Stripes(network, failed, parts).stage());
  return result;
}

}  // namespace isotrope::algorithm

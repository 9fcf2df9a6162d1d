// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Timetables: one table yields merged schedules of scatter, gather, allgather, reduce-scatter and alltoall, with few
// rounds and all ports busy (timetable_schedules.hpp).
//
// A packet with relative address x, the rest of its way, leaves in round(x) over port(x) and has address
// x - generators[port(x)] from then on. Every part of a block may have its own table.
//
//     ring:5, two rounds    address x        0      1      2      3      4        2 --> 1 --> 0 <-- 4 <-- 3
//     ports 1+ and 1-       round, port      -    1, 1+  0, 1+  0, 1-  1, 1-        0     1     1     0
//
// Two rules make a table: every chain of addresses ends at 0, and rounds grow along it. Then
//
//     scatter      sends every packet along the chain of its destination. At the root, the packets over port g
//                  in round t are those of the addresses with departure (t, g); at any other node they are some
//                  of these, because an address stands for one packet there.
//     allgather    runs the table backwards: node x hears part p in round R-1-round(x) over port(x) from
//                  x - generators[port(x)], which has heard it earlier. Its loads are those of scatter.
//     alltoall     is scatter from every node. A link carries a packet for each chain through an address that
//                  the table sends over it.
//
// Memory: 8 bytes per node and table.
#pragma once

#include <cstdint>
#include <vector>

#include "isotrope/network/network.hpp"

namespace isotrope::algorithm {

/// The round and the port of a packet's departure.
struct Departure {
  std::uint32_t round = 0;
  network::Port port = 0;

  bool operator==(const Departure&) const = default;
};

/// Tables for the parts of blocks: part p uses table p modulo the number of tables.
class Timetable {
 public:
  /// `tables` >= 1 empty tables of `order` nodes, with departures in rounds 0..rounds-1.
  Timetable(network::Node order, std::uint32_t tables, std::uint32_t rounds)
      : order_(order), tables_(tables), rounds_(rounds), departures_(std::size_t{order} * tables) {}

  network::Node order() const { return order_; }
  std::uint32_t tables() const { return tables_; }
  std::uint32_t rounds() const { return rounds_; }

  /// The departure from relative address `address` > 0 in a table.
  Departure& at(std::uint32_t table, network::Node address) {
    return departures_[std::size_t{table} * order_ + address];
  }
  const Departure& at(std::uint32_t table, network::Node address) const {
    return departures_[std::size_t{table} * order_ + address];
  }

 private:
  network::Node order_;
  std::uint32_t tables_;
  std::uint32_t rounds_;
  std::vector<Departure> departures_;
};

}  // namespace isotrope::algorithm

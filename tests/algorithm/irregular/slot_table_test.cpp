// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/slot_table.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "isotrope/base/split_mix.hpp"

namespace isotrope::algorithm {
namespace {

// The picture of the header: packets 1, 3 and 5 end on link 0, the others go on over link 1.
SlotTable table_of_header() {
  SlotTable table(2, 9, 6);
  table.put(0, std::vector<Slot>{{0, 0}, {1, 1}});
  table.put(1, std::vector<Slot>{{0, 1}});
  table.put(2, std::vector<Slot>{{0, 2}, {1, 3}});
  table.put(3, std::vector<Slot>{{0, 4}});
  table.put(4, std::vector<Slot>{{0, 5}, {1, 8}});
  table.put(5, std::vector<Slot>{{0, 7}});
  return table;
}

TEST(SlotTable, opens_free_slots_and_last_hops_that_can_be_put_off) {
  SlotTable table = table_of_header();
  EXPECT_EQ(table.first_open(0, 0, 8), 1u);
  EXPECT_EQ(table.first_open(0, 2, 8), 3u);
  EXPECT_EQ(table.first_open(0, 4, 8), 4u);
  EXPECT_EQ(table.first_open(0, 5, 5), SlotTable::none);
  EXPECT_EQ(table.first_open(0, 7, 7), 7u);  // free is 8
  EXPECT_EQ(table.free_slots(0), 3u);
}

TEST(SlotTable, puts_off_the_last_hop_whose_slot_is_taken) {
  SlotTable table = table_of_header();
  table.take_out(0);
  table.put(0, std::vector<Slot>{{0, 1}, {1, 4}});
  EXPECT_EQ(table.holder({0, 1}), 0u);
  EXPECT_EQ(table.holder({0, 8}), 1u);
  EXPECT_EQ(table.holder({0, 0}), SlotTable::none);
  EXPECT_EQ(table.holder({1, 1}), SlotTable::none);
  EXPECT_EQ(table.first_open(0, 7, 8), SlotTable::none);  // the latest free slot is 6 now
}

// A packet has as many slots after any changes as it was given, one on each of its links, and none if it is out.
TEST(SlotTable, keeps_every_packet_whole) {
  constexpr std::uint32_t links = 6, rounds = 150, packets = 120;
  SlotTable table(links, rounds, packets);
  SplitMix random(1);
  std::map<std::uint32_t, std::vector<Slot>> given;
  for (int change = 0; change < 5000; ++change) {
    const std::uint32_t packet = random.below(packets);
    if (table.holds_any(packet)) {
      table.take_out(packet);
      given.erase(packet);
    } else {
      std::vector<Slot> route;
      std::uint32_t round = random.below(rounds);
      for (std::uint32_t link = random.below(links); link < links && round < rounds; ++link) {
        round = table.first_open(link, round, rounds - 1);
        if (round == SlotTable::none) break;
        route.push_back({link, round++});
      }
      if (!route.empty()) table.put(packet, given[packet] = route);
    }
    if (change % 100 != 0) continue;
    std::map<std::uint32_t, std::uint32_t> slots;
    for (std::uint32_t link = 0; link < links; ++link) {
      std::uint32_t free = 0;
      for (std::uint32_t t = 0; t < rounds; ++t) {
        if (table.holder({link, t}) == SlotTable::none) {
          ++free;
        } else {
          ++slots[table.holder({link, t})];
        }
      }
      ASSERT_EQ(table.free_slots(link), free);
    }
    ASSERT_EQ(slots.size(), given.size());
    for (const auto& [id, route] : given) ASSERT_EQ(slots[id], route.size());
  }
}

}  // namespace
}  // namespace isotrope::algorithm

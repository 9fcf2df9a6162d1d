// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/packets.hpp"

#include <gtest/gtest.h>

#include "isotrope/network/parse.hpp"

namespace isotrope::schedule {
namespace {

class PacketsTest : public testing::Test {
 protected:
  Packets packets(std::string_view collective, Flow flow, Replication replication, Node root = 0) {
    task_ = parse_task(collective, network_, root, 2);
    stage_ = {flow, replication, {}, {}};
    return {network_, task_, stage_};
  }

  Network network_ = network::parse("ring:5");
  Task task_;
  Stage stage_;
};

TEST_F(PacketsTest, of_alltoall_are_numbered_by_relative_destination) {
  const Packets all = packets("alltoall", Flow::move, Replication::all());

  EXPECT_EQ(all.size(), 10u);
  EXPECT_EQ(all[7], (Packet{0, 3, 3, 1}));
}

TEST_F(PacketsTest, of_scatter_start_at_the_root) {
  const Packets all = packets("scatter", Flow::move, Replication::none(), 4);

  EXPECT_EQ(all.size(), 10u);
  EXPECT_EQ(all[7], (Packet{4, 2, 3, 1}));
}

TEST_F(PacketsTest, of_gather_are_those_of_scatter_going_the_other_way) {
  const Packets all = packets("gather", Flow::move, Replication::none(), 4);

  EXPECT_EQ(all[7], (Packet{2, 4, 0, 1}));
}

TEST_F(PacketsTest, of_broadcast_and_allgather_are_parts) {
  const Packets broadcast = packets("broadcast", Flow::copy, Replication::none(), 3);
  EXPECT_EQ(broadcast.size(), 2u);
  EXPECT_EQ(broadcast[1], (Packet{3, to_all, 0, 1}));

  const Packets allgather = packets("allgather", Flow::copy, Replication::all());
  EXPECT_EQ(allgather[1], (Packet{0, to_all, 0, 1}));
}

TEST_F(PacketsTest, of_reductions_end_at_the_root) {
  const Packets reduce = packets("reduce", Flow::reduce, Replication::none(), 3);
  EXPECT_EQ(reduce[1], (Packet{3, 3, 0, 1}));

  const Packets first_stage = packets("allreduce", Flow::reduce, Replication::all());
  EXPECT_EQ(first_stage[0], (Packet{0, 0, 0, 0}));
}

TEST_F(PacketsTest, are_those_listed_where_some_are_listed) {
  task_ = parse_task("task", network_);
  stage_ = {Flow::move, Replication::none(), {{1, 2, 0, 0}}, {}};
  const Packets listed(network_, task_, stage_);

  EXPECT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0], (Packet{1, 2, 0, 0}));
}

TEST_F(PacketsTest, are_implied_only_in_the_forms_of_the_format) {
  const auto implied = [&](std::string_view collective, Flow flow, Replication replication) {
    return implies_packets(parse_task(collective, network_), flow, replication);
  };

  EXPECT_TRUE(implied("alltoall", Flow::move, Replication::all()));
  EXPECT_FALSE(implied("alltoall", Flow::move, Replication::none()));
  EXPECT_FALSE(implied("allgather", Flow::copy, Replication::even(0)));
  EXPECT_TRUE(implied("scatter", Flow::move, Replication::none()));
  EXPECT_FALSE(implied("scatter", Flow::move, Replication::all()));
  EXPECT_TRUE(implied("allreduce", Flow::reduce, Replication::none()));
  EXPECT_TRUE(implied("allreduce", Flow::copy, Replication::all()));
  EXPECT_FALSE(implied("isotropic", Flow::move, Replication::all()));
  EXPECT_FALSE(implied("neighborhood:1:1", Flow::move, Replication::all()));
}

}  // namespace
}  // namespace isotrope::schedule

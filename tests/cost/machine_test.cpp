// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/cost/machine.hpp"

#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cost/plans.hpp"

namespace isotrope::cost {
namespace {

using schedule::PortModel;
using testing::HasSubstr;

TEST(Machine, charges_a_start_up_and_the_bytes) {
  const Machine machine{.startup_s = 2, .byte_time_s = 0.25};
  EXPECT_EQ(machine.message_time(12), 2 + 3);
  EXPECT_EQ(machine.message_time(0), 2);
}

// 2500 bytes are pieces of 1024, 1024 and 452.
TEST(Machine, charges_a_start_up_for_every_internal_packet) {
  const Machine machine{.startup_s = 2, .byte_time_s = 0.25, .internal_packet = 1024};
  EXPECT_EQ(machine.startups(2500), 3u);
  EXPECT_EQ(machine.message_time(2500), 3 * 2 + 625);
  for (const auto& [bytes, startups] : {std::pair{0u, 1u}, {1u, 1u}, {1024u, 1u}, {1025u, 2u}, {2048u, 2u}}) {
    EXPECT_EQ(machine.startups(bytes), startups) << bytes;
  }
}

// 5 messages of 0.5 s each and 16 bytes of 0.125 s, then 4 + 1 s on the wire, then 3 receipts of 2 s.
TEST(Machine, charges_a_round_its_busiest_processor_and_link) {
  const Machine machine{.startup_s = 4,
                        .byte_time_s = 0.25,
                        .overhead_s = 0.5,
                        .overhead_byte_s = 0.125,
                        .receive_overhead_s = 2};
  EXPECT_EQ(machine.round_time(5, 16, 4, 3), 2.5 + 2 + 5 + 6);
  EXPECT_EQ(machine.round_time(0, 0, 4, 0), machine.message_time(4));
}

// Messages of 8 bytes in 2 pieces: 2 * 4 s. 20 bytes on the busiest link take 5 s; the farthest
// message has 5 more links of 0.125 s before it and 2 s of its own.
TEST(Machine, charges_direct_sends_their_way) {
  const Machine machine{
      .startup_s = 4, .byte_time_s = 0.25, .internal_packet = 5, .cut_through = true, .hop_time_s = 0.125};
  EXPECT_EQ(machine.direct_time(8, 20, 6), 8 + 5);
  EXPECT_EQ(machine.direct_time(8, 8, 6), 8 + 0.625 + 2);
}

// Three messages to send, three or one to take: what has come is taken while others are on their way.
TEST(Machine, takes_direct_sends_while_others_are_on_their_way) {
  Machine machine{.overhead_s = 0.5, .receive_overhead_s = 2, .cut_through = true};
  EXPECT_EQ(machine.direct_round_time(3, 0, 3, 0.5), 1.5 + 6);      // the processor is never idle
  EXPECT_EQ(machine.direct_round_time(3, 0, 3, 20), 0.5 + 20 + 6);  // from when the first has come
  EXPECT_EQ(machine.direct_round_time(3, 0, 1, 20), 1.5 + 20 + 2);  // the last is the only one
  machine.receive_overhead_s = 0.25;
  EXPECT_EQ(machine.direct_round_time(3, 0, 3, 20), 1.5 + 20 + 0.25);
}

TEST(Machine, of_the_paper_handles_one_action_at_a_time) {
  const Machine machine = intel_ipsc();
  EXPECT_NO_THROW(check(machine, 7));
  EXPECT_EQ(machine.startups(60 * 1024), 60u);
  EXPECT_EQ(machine.ports, PortModel::half());
  EXPECT_EQ(machine.overlap, 0.2);
}

TEST(Machine, refuses_what_is_no_time) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (double seconds : {-1.0, nan, infinity, -infinity}) {
    EXPECT_THAT(error_of([&] { check({.startup_s = seconds}, 3); }), HasSubstr("start-up of"));
    EXPECT_THAT(error_of([&] { check({.byte_time_s = seconds}, 3); }), HasSubstr("byte time of"));
    EXPECT_THAT(error_of([&] { check({.overhead_s = seconds}, 3); }), HasSubstr("overhead of"));
    EXPECT_THAT(error_of([&] { check({.receive_overhead_s = seconds}, 3); }), HasSubstr("of a receipt"));
    EXPECT_THAT(error_of([&] { check({.cut_through = true, .hop_time_s = seconds}, 3); }),
                HasSubstr("hop time of"));
  }
  EXPECT_THAT(error_of([] { check({.startup_s = -1}, 3); }),
              HasSubstr("finite number of seconds, 0 or more"));
  EXPECT_EQ(error_of([] { check({.startup_s = 0, .byte_time_s = 0}, 3); }), "");
}

TEST(Machine, refuses_what_is_no_share) {
  for (double overlap : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(error_of([&] { check({.overlap = overlap}, 3); }), HasSubstr("give a share from 0 to 1"));
  }
  for (double overlap : {0.0, 1.0}) EXPECT_EQ(error_of([&] { check({.overlap = overlap}, 3); }), "");
}

TEST(Machine, refuses_hop_times_without_cut_through) {
  EXPECT_THAT(error_of([] { check({.hop_time_s = 1}, 3); }), HasSubstr("without cut-through"));
  EXPECT_EQ(error_of([] { check({.cut_through = true, .hop_time_s = 1}, 3); }), "");
}

TEST(Machine, refuses_more_ports_than_there_are) {
  for (Port k : {0u, 4u}) {
    EXPECT_THAT(error_of([&] { check({.ports = PortModel::ports(k)}, 3); }),
                HasSubstr("give 1 to 3, the degree"));
  }
  for (Port k : {1u, 3u}) EXPECT_EQ(error_of([&] { check({.ports = PortModel::ports(k)}, 3); }), "");
}

}  // namespace
}  // namespace isotrope::cost

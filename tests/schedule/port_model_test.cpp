// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/schedule/port_model.hpp"

#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

namespace isotrope::schedule {
namespace {

TEST(PortModel, sends_at_most_its_ports) {
  EXPECT_EQ(PortModel::all().sends(6), 6u);
  EXPECT_EQ(PortModel::ports(4).sends(6), 4u);
  EXPECT_EQ(PortModel::one().sends(6), 1u);
  EXPECT_EQ(PortModel::half().sends(6), 1u);
  EXPECT_EQ(PortModel::one().sends(0), 0u);
}

TEST(PortModel, reads_what_it_prints) {
  for (PortModel ports : {PortModel::all(), PortModel::ports(3), PortModel::one(), PortModel::half()}) {
    EXPECT_EQ(parse_port_model(to_string(ports), 6), ports);
  }
  EXPECT_EQ(parse_port_model("all", 6), PortModel::all());
  EXPECT_EQ(parse_port_model("3", 6), PortModel::ports(3));
}

TEST(PortModel, refuses_what_the_network_has_not) {
  for (const char* text : {"0", "7", "-1", "two", "", "3-ports", "1.5"}) {
    EXPECT_THROW(parse_port_model(text, 6), Error) << text;
  }
}

}  // namespace
}  // namespace isotrope::schedule

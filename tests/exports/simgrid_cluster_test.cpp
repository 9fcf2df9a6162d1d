// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters of SimGrid. That their links are those of the network is what SimGrid says (replay_test).
#include "isotrope/exports/simgrid_cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::exports {
namespace {

using testing::HasSubstr;

std::string cluster(const std::string& name, const cost::Machine& machine = default_links) {
  const network::NamedNetwork named = network::parse_named(name);
  return simgrid_cluster(network::SurvivingNetwork(named.network, named.lacks), machine);
}

TEST(SimgridCluster, of_tori) {
  EXPECT_THAT(cluster("torus:4x4x8"),
              HasSubstr("radical=\"0-127\" speed=\"1Gf\" bw=\"1000000000Bps\" lat=\"1e-06s\" "
                        "sharing_policy=\"SPLITDUPLEX\" topology=\"TORUS\" "
                        "topo_parameters=\"8,4,4\"/>"));
  EXPECT_THAT(cluster("hypercube:3"), HasSubstr("topo_parameters=\"2,2,2\""));
  EXPECT_THAT(cluster("torus:5x1x3"), HasSubstr("topo_parameters=\"3,5\""));
  EXPECT_THAT(cluster("ring:6@3", {.startup_s = 2e-6, .byte_time_s = 5e-10}),
              HasSubstr("bw=\"6000000000Bps\" lat=\"2e-06s\""));
  EXPECT_THAT(cluster("torus:64x64x64"), HasSubstr("radical=\"0-262143\""));
}

TEST(SimgridCluster, refuses_other_networks) {
  cost::Machine unlike = default_links;
  unlike.link_class_count = 1;
  unlike.listed_classes[0] = {.axes = 1, .startup_s = 2e-6};
  const auto refusal = [](const std::string& name,
                          const cost::Machine& machine = default_links) -> std::string {
    try {
      return cluster(name, machine);
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal("hexmesh:3"),
            "a SimGrid cluster of hexmesh:3: it is no torus; --format simgrid takes such networks");
  EXPECT_THAT(refusal("twisted-torus:2x2x4"), HasSubstr("it is no torus"));
  EXPECT_THAT(refusal("complete:5"), HasSubstr("it is no torus"));
  EXPECT_THAT(refusal("line:5"), HasSubstr("nodes or links are missing"));
  EXPECT_THAT(refusal("torus:4x4@2,1"), HasSubstr("its links are of different rates"));
  EXPECT_THAT(refusal("torus:4x4", unlike), HasSubstr("its links are of different classes"));
}

}  // namespace
}  // namespace isotrope::exports

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/failures.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Failures, are_read_as_lists) {
  const Network mesh = parse("hexmesh:3");
  EXPECT_THAT(parse_failed_nodes("5,12", mesh), ElementsAre(5u, 12u));
  // +x leads from 3 to 4, -x back; +y of hexmesh:3 is -7.
  EXPECT_THAT(parse_failed_links("3-4,7:2,0-18", mesh), ElementsAre(Link{3, 0}, Link{7, 2}, Link{0, 1}));
}

struct Refused {
  std::string text;
  std::string reason;
};

TEST(Failures, that_are_none_are_refused) {
  const Network mesh = parse("hexmesh:3");
  for (const auto& [text, reason] : {Refused{"19", "'19' is no node of hexmesh:3, whose nodes are 0..18"},
                                     {"", "'' is no node"},
                                     {"3,", "'' is no node"},
                                     {"x", "'x' is no node"},
                                     {"3,3", "3 is named twice"}}) {
    try {
      parse_failed_nodes(text, mesh);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
  for (const auto& [text, reason] :
       {Refused{"3", "name it by its two nodes, as 3-4, or by a node and its port"},
        {"3-19", "'19' is no node"},
        {"3-6", "nodes 3 and 6 of hexmesh:3 are not neighbours"},
        {"3:6", "'6' is no port of hexmesh:3, whose ports are 0..5"},
        {"3-4,4-3", "4-3 is named twice"},
        {"3:0,4:1", "4:1 is named twice"}}) {
    try {
      parse_failed_links(text, mesh);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
}

}  // namespace
}  // namespace isotrope::network

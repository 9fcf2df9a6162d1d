// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/network/hexagonal_mesh.hpp"

#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/hexmesh_route.hpp"

namespace isotrope::network {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::uint32_t largest_tested = 30;

// Rows of H_3 along x are as one reads; along y they run from upper left to lower right, the top one on the
// right; along z from upper right to lower left, the top one on the lower right.
TEST(HexagonalMesh, rows_are_those_of_the_drawing) {
  const HexagonalMesh mesh(3);

  EXPECT_EQ(mesh.order(), 19);
  EXPECT_THAT(mesh.row(HexDirection::x, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(mesh.row(HexDirection::x, 2), ElementsAre(7, 8, 9, 10, 11));
  EXPECT_THAT(mesh.row(HexDirection::y, 0), ElementsAre(2, 6, 11));
  EXPECT_THAT(mesh.row(HexDirection::y, 3), ElementsAre(3, 8, 13, 17));
  EXPECT_THAT(mesh.row(HexDirection::z, 0), ElementsAre(11, 15, 18));
  EXPECT_THAT(mesh.row(HexDirection::z, 2), ElementsAre(2, 5, 9, 13, 16));
}

// Wrapping joins the last place of row i to the first of row i + 2 mod 5.
TEST(HexagonalMesh, labels_are_walked_over_the_wrapping) {
  const HexagonalMesh mesh(3);

  EXPECT_EQ(mesh.wrapped_neighbour(11, 0), 16);
  EXPECT_EQ(mesh.wrapped_neighbour(16, 1), 11);
  EXPECT_EQ(mesh.wrapped_neighbour(11, 2), 0);  // from row 0 along y, which holds 2, 6, 11, to row 2
  const std::vector<Node> along_x{14, 15, 16, 6, 7, 8, 9, 17, 18, 0, 1, 2, 10, 11, 12, 13, 3, 4, 5};
  for (Place place = 0; place < mesh.order(); ++place)
    EXPECT_EQ(mesh.label(place, HexDirection::x), along_x[place]);
}

TEST(HexagonalMesh, places_and_points_are_one_to_one) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const HexagonalMesh mesh(n);

    EXPECT_EQ(mesh.point(mesh.centre()), HexPoint{});
    for (Place place = 0; place < mesh.order(); ++place) {
      EXPECT_EQ(mesh.place(mesh.point(place)), place);
      EXPECT_LT(mesh.point(place).radius(), n);
    }
    const auto outside = static_cast<std::int32_t>(n);
    for (const HexPoint point : {HexPoint{outside, 0}, HexPoint{0, -outside}, HexPoint{outside - 1, -1}})
      EXPECT_EQ(mesh.place(point), std::nullopt);
  }
}

TEST(HexagonalMesh, without_wrapping_has_three_four_or_six_neighbours) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const HexagonalMesh mesh(n);

    std::array<std::uint32_t, 7> places_by_degree{};
    std::uint32_t ends = 0;
    for (Place place = 0; place < mesh.order(); ++place) {
      ++places_by_degree.at(mesh.unwrapped_degree(place));
      ends += mesh.unwrapped_degree(place);
    }
    EXPECT_THAT(places_by_degree, ElementsAre(0, 0, 0, 6, 6 * n - 12, 0, mesh.order() - 6 * (n - 1)));
    EXPECT_EQ(ends, 2 * (9 * n * n - 15 * n + 6));
  }
}

// Wrapping adds links and changes none.
TEST(HexagonalMesh, keeps_its_links_when_wrapped) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const HexagonalMesh mesh(n);

    for (Place place = 0; place < mesh.order(); ++place) {
      for (Port port = 0; port < 6; ++port) {
        const Place next = mesh.wrapped_neighbour(place, port);
        EXPECT_EQ(mesh.wrapped_neighbour(next, port ^ 1), place);
        EXPECT_EQ(mesh.unwrapped_neighbour(place, port).value_or(next), next);
      }
    }
  }
}

// Chen, Shin, Kandlur, Theorem 1.
TEST(HexagonalMesh, labels_along_y_and_z_follow_from_those_along_x) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const HexagonalMesh mesh(n);

    for (Place place = 0; place < mesh.order(); ++place) {
      EXPECT_EQ(hexmesh_labels(n, mesh.label(place, HexDirection::x)),
                (std::array{mesh.label(place, HexDirection::x), mesh.label(place, HexDirection::y),
                            mesh.label(place, HexDirection::z)}));
      const std::uint64_t x = mesh.label(place, HexDirection::x), y = mesh.label(place, HexDirection::y),
                          z = mesh.label(place, HexDirection::z);
      EXPECT_EQ(x, (3 * n * n - 6 * n + 3) * y % mesh.order());
      EXPECT_EQ(x, (3 * n * n - 6 * n + 2) * z % mesh.order());
    }
  }
}

TEST(HexagonalMesh, is_the_circulant_network_by_x_label) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const HexagonalMesh mesh(n);
    const Network network = hexmesh(n);

    ASSERT_EQ(network.order(), mesh.order());
    for (Place place = 0; place < mesh.order(); ++place) {
      for (Port port = 0; port < network.degree(); ++port) {
        EXPECT_EQ(network.neighbour(mesh.label(place, HexDirection::x), port),
                  mesh.label(mesh.wrapped_neighbour(place, port), HexDirection::x));
      }
    }
  }
}

// The record of a route from the centre tells where an address is drawn, as y = x + z.
TEST(HexagonalMesh, has_its_places_where_routes_lead) {
  for (std::uint32_t n = 2; n <= largest_tested; ++n) {
    const HexagonalMesh mesh(n);
    const HexmeshRouting routing(n);

    for (Place place = 0; place < mesh.order(); ++place) {
      const RoutingRecord record = routing.record(mesh.label(place, HexDirection::x));
      EXPECT_EQ(mesh.point(place), (HexPoint{record.x + record.y, record.y + record.z}));
      EXPECT_EQ(mesh.point(place).radius(), record.hops());
    }
  }
}

TEST(HexagonalMesh, draws_neighbours_at_distance_one) {
  const HexagonalMesh mesh(4);

  const PlanarPoint centre = planar(mesh.point(mesh.centre()));
  EXPECT_EQ(centre.right, 0);
  EXPECT_EQ(centre.down, 0);
  for (Place place = 0; place < mesh.order(); ++place) {
    for (Port port = 0; port < 6; ++port) {
      const auto neighbour = mesh.unwrapped_neighbour(place, port);
      if (!neighbour) continue;
      const PlanarPoint a = planar(mesh.point(place)), b = planar(mesh.point(*neighbour));
      const double right = b.right - a.right, down = b.down - a.down;
      EXPECT_NEAR(std::hypot(right, down), 1, 1e-12);
      // The neighbour over the port next clockwise is 60 degrees on, with `down` growing downwards.
      if (const auto other = mesh.unwrapped_neighbour(place, clockwise(port))) {
        const PlanarPoint c = planar(mesh.point(*other));
        EXPECT_NEAR(right * (c.down - a.down) - down * (c.right - a.right), std::sqrt(3.0) / 2, 1e-12);
      }
    }
  }
}

TEST(HexagonalMesh, refuses_other_sizes) {
  for (const std::uint32_t n : {0u, 1u, 4731u, UINT32_MAX}) {
    EXPECT_THAT([n] { HexagonalMesh mesh(n); },
                ThrowsMessage<Error>(HasSubstr("a hexagonal mesh has size 2 to 4730")));
  }
}

}  // namespace
}  // namespace isotrope::network

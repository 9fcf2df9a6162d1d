// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan in motion, in a picture of its network (network_picture.hpp): packets fly along the links, nodes fill up.
//
// Method: animations of CSS in the SVG, over and over, a second a round. All packets of a round share their key
// frames, all nodes that fill up alike share theirs; what differs is written at the packet. Viewers who prefer less
// motion see the end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isotrope/network/failures.hpp"

namespace isotrope::io {

/// A packet on a link in a round.
struct Flight {
  std::uint64_t round = 0;
  network::Link link;
  bool followed = false;  ///< in the colour of the key, and larger
};

struct Animation {
  std::uint64_t rounds = 0;
  std::vector<Flight> flights;
  std::vector<std::vector<double>> shares;  ///< by node: 0..1 before every round and after the last one
};

inline constexpr const char* followed_colour = "#E69F00";
inline constexpr const char* other_colour = "#56B4E9";
inline constexpr const char* filling_colour = "#0072B2";

/// The style sheet of an animation, and the classes that it gives to what moves.
class AnimationStyle {
 public:
  explicit AnimationStyle(const Animation& animation);

  /// A style element.
  std::string element() const;
  /// The classes of a packet on half `half` (0 or 1) of its way in two parts, or on the whole way (2).
  std::string flight_class(std::uint64_t round, int half) const;
  std::string round_class(std::uint64_t round) const;
  std::string node_class(network::Node node) const;

 private:
  double percent(double round) const;
  std::string flight_frames(std::uint64_t round, int half) const;
  std::string filling_frames(const std::vector<double>& shares) const;

  const Animation& animation_;
  std::map<std::vector<double>, std::size_t> fillings_;
};

}  // namespace isotrope::io

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A network as SVG, pale, with some directed links and nodes highlighted (network_layout.hpp gives the places).
//
//     title
//        (0)---3-->(1)--7      A highlighted link is an arrow with its label. The number at the end of a stub
//         |         |          names its far node. Failed nodes and links are dashed and crossed out.
//     key of the colours
//     note
//
// Of a network that is too large, the slice around the first highlighted node is drawn (network_slice.hpp), and the
// note says so.
//
// The picture is self-contained, on white, as large as its network, and the same for the same input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isotrope/network/failures.hpp"
#include "isotrope/network/network.hpp"

#include "isotrope/io/animation.hpp"
#include "isotrope/io/network_file.hpp"

namespace isotrope::io {

struct LinkHighlight {
  network::Link link;
  std::string colour;
  std::string label;  ///< may be empty
};

struct NodeHighlight {
  network::Node node = 0;
  std::string colour;
};

struct KeyEntry {
  enum class Sign { arrow, node };

  Sign sign = Sign::arrow;
  std::string colour;
  std::string text;
};

/// The content of a picture. Texts are UTF-8; colours are those of SVG, such as "#0072B2".
struct NetworkPicture {
  std::string title;
  std::string note;  ///< small print below the picture
  std::vector<LinkHighlight> links;
  std::vector<NodeHighlight> nodes;
  std::vector<KeyEntry> key;
  network::Failures failed;
  Coordinates coordinates;  ///< of the nodes, if a file gives them
  std::optional<Animation> animation = {};
};

/// @throws Error with the reason if neither the network nor a slice of it can be drawn.
void check_pictured(const network::Network& network, const network::Failures& failed = {});

/// @pre links and nodes are those of the network, no directed link is highlighted twice.
/// @throws Error as check_pictured.
std::string draw_network(const network::Network& network, const NetworkPicture& picture);

}  // namespace isotrope::io

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Network files: any connected graph as JSON (docs/network-file.md), with the keys of NetworkX's node-link form, so that a
// graph saved by networkx.node_link_data is one.
//
//     {"format": "isotrope-network/1", "nodes": 4, "links": [[0, 1], [1, 2], [2, 3]]}
//
//     {"directed": false, "nodes": [{"id": "a", "pos": [0, 0]}, {"id": "b", "pos": [1, 0]}],
//      "links": [{"source": "a", "target": "b"}]}
//
// Convention: nodes are numbered in the order of the file, or by their names if these are the numbers 0 to N - 1.
// Method: one pass over the text; a node or link is taken as soon as its value is complete, with the number of its line.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/network/parse.hpp"

namespace isotrope::io {

/// Places of nodes, for pictures, by node: x to the right, y upwards, z to the back, in any unit. Empty if they are not known.
using Coordinates = std::vector<std::array<double, 3>>;

/// A class of links that a file names.
struct FileLinkClass {
  std::string name;
  std::uint32_t rate = 1;
  std::optional<double> latency_s = {};  ///< seconds per message; nothing: the machine's
  std::optional<double> byte_time_s =
      {};                   ///< seconds per byte over the whole link; nothing: the machine's over the rate
  std::uint64_t links = 0;  ///< that the file gives this class, by name
};

struct NetworkFile {
  network::NamedNetwork named;
  std::vector<std::string> names;           ///< by node, as JSON: "\"a\"" or "0"
  Coordinates coordinates;                  ///< empty if some node has none
  std::vector<FileLinkClass> classes = {};  ///< ascending by name
};

/// @throws Error naming the file, and the line of a node or link at fault: not JSON, unknown keys, nodes that are given
/// twice, loops, links that are given twice, that lead one way or to unknown nodes, links side by side of unlike times, or
/// a graph that is not connected
NetworkFile read_network_file(const std::filesystem::path& file);

/// The network that `text` describes, the content of a file. @param name of the file, for errors
NetworkFile parse_network_file(const std::string& name, const std::string& text);

/// Whether `text` names a network file rather than a network: it ends in .json.
bool names_network_file(std::string_view text);

/// Whether `file` is JSON whose keys, as far as they tell, are those of a network and not of a plan.
bool is_network_file(const std::filesystem::path& file);

/// Gives the text of a file: read_text, or the text that one rank has read for all.
using ReadFile = std::function<std::string(const std::string& file)>;

/// The network called `name`, or that of the network file of this name, which `read` reads.
/// @throws Error as network::parse_named and parse_network_file
network::NamedNetwork named_network(const std::string& name, const ReadFile& read);
/// The same with a file that this process reads.
network::NamedNetwork named_network(const std::string& name);

}  // namespace isotrope::io

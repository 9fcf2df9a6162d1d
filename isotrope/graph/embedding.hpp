// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A good rank map of a Cartesian program on a machine: of small dilation (dilation.hpp). Ways, until one has dilation 1:
//
//     in order         rank r is node r
//     along axes       each axis of the grid along a cycle or path of axes of the machine (axis_embedding.hpp), which may be
//                      recognised from a list of links (recognition.hpp)
//     along a cycle    a grid of one axis, along a Hamiltonian cycle of a symmetric machine
//     by exchanges     the best of these made better by exchanging pairs of ranks (pair_exchange.hpp)
//     by search        for dilation 1, 2, ... in turn, a map or a proof that there is none (near_placing.hpp)
//
// Search and exchanges have budgets, so the result is the same on all computers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isotrope/graph/axis_embedding.hpp"
#include "isotrope/graph/dilation.hpp"

namespace isotrope::graph {

/// What a search may spend.
struct EmbeddingBudget {
  std::uint64_t comparisons = 100'000'000;  ///< of distances, in the search for one dilation
  std::uint64_t exchanges = 2'000'000;      ///< of pairs
};

struct Embedding {
  network::RankMap ranks = {};
  Dilation dilation = {};
  std::string way = {};  ///< as above
  /// Why no map has a smaller dilation; empty if that is not known.
  std::string why_least = {};
};

/// The ranks of a grid on the nodes of a machine.
class GridEmbedding {
 public:
  /// @throws Error if the grid has another number of ranks than the machine nodes, or the machine is too large
  GridEmbedding(std::vector<GridAxis> grid, network::NamedNetwork machine);

  /// The grid as a network.
  const network::Network& program() const { return program_.whole(); }
  /// How good a map is. @pre it fits the machine
  Dilation dilation_of(const network::RankMap& ranks) const { return dilation(program_, in_machine_, ranks); }
  Embedding propose(const EmbeddingBudget& budget = {}) const;

 private:
  std::optional<network::RankMap> along_recognised_axes(std::uint64_t budget) const;
  std::optional<network::RankMap> along_a_cycle() const;
  bool looks_the_same() const;
  void exchange(Embedding& best, std::uint64_t most_steps) const;
  std::optional<std::string> search(Embedding& best, std::uint32_t reach, std::uint64_t budget) const;

  std::vector<GridAxis> grid_;
  network::NamedNetwork machine_network_;
  network::SurvivingNetwork program_, machine_;
  Distances in_program_, in_machine_;
};

}  // namespace isotrope::graph

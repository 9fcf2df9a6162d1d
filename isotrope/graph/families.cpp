// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/graph/families.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isotrope/network/factorisations.hpp"

namespace isotrope::graph {
namespace {

using network::Coordinate;
using network::Node;

enum class Kind : std::uint8_t { ring, line, complete };

struct Factor {
  Kind kind;
  Coordinate extent;
};

// Whether the factor is no other one under another name.
bool is_named(Factor factor) {
  if (factor.kind == Kind::line) return factor.extent > 2;
  return factor.kind == Kind::ring || factor.extent > 3;
}

std::string name_of(const std::vector<Factor>& factors) {
  const auto all = [&](Kind kind) {
    return std::ranges::all_of(factors, [kind](Factor factor) { return factor.kind == kind; });
  };
  std::vector<Coordinate> extents;
  for (const Factor& factor : factors) extents.push_back(factor.extent);
  if (all(Kind::ring)) {
    const auto is_square = [](Coordinate extent) { return extent == 2 || extent == 4; };
    std::uint64_t order = 1;
    for (const Coordinate extent : extents) order *= extent;
    if (std::ranges::all_of(extents, is_square))
      return fmt::format("hypercube:{}", std::bit_width(order) - 1);
    return fmt::format("{}:{}", factors.size() == 1 ? "ring" : "torus", fmt::join(extents, "x"));
  }
  if (all(Kind::line) && factors.size() > 1) return fmt::format("mesh:{}", fmt::join(extents, "x"));
  std::vector<std::string> words;
  for (const Factor& factor : factors) {
    const char* const kind = factor.kind == Kind::ring   ? "ring"
                             : factor.kind == Kind::line ? "line"
                                                         : "complete";
    words.push_back(fmt::format("{}:{}", kind, factor.extent));
  }
  return fmt::format("{}", fmt::join(words, "x"));
}

class Families {
 public:
  explicit Families(Node order) : order_(order) {}

  std::vector<network::NamedNetwork> list() {
    network::visit_factorisations(order_, [this](const std::vector<Coordinate>& extents) {
      // Two extents of 2 are one of 4.
      const bool is_first =
          std::ranges::is_sorted(extents, std::greater<>()) && std::ranges::count(extents, 2U) < 2;
      constexpr std::size_t most_factors = 4;
      const bool is_cube =
          std::ranges::all_of(extents, [](Coordinate extent) { return extent == 2 || extent == 4; });
      if (is_first && (extents.size() <= most_factors || is_cube)) choose(extents, {});
      return false;
    });
    add_others();
    return std::move(networks_);
  }

 private:
  // Gives every further extent a kind; alike extents have ascending kinds.
  void choose(const std::vector<Coordinate>& extents, const std::vector<Factor>& chosen) {
    constexpr std::size_t most_unlike = 4;
    if (chosen.size() == extents.size()) return add(name_of(chosen));
    const Coordinate extent = extents[chosen.size()];
    for (const Kind kind : {Kind::ring, Kind::line, Kind::complete}) {
      const bool is_alike = !chosen.empty() && chosen.back().extent == extent;
      if (!is_named({kind, extent}) || (is_alike && kind < chosen.back().kind)) continue;
      if (kind != Kind::ring && extents.size() > most_unlike) continue;
      std::vector<Factor> next = chosen;
      next.push_back({kind, extent});
      choose(extents, next);
    }
  }

  void add_others() {
    for (std::uint64_t size = 3; 3 * size * (size - 1) + 1 <= order_; ++size) {
      if (3 * size * (size - 1) + 1 == order_) add(fmt::format("hexmesh:{}", size));
    }
    for (std::uint64_t k = 3; 2 * k * k <= order_; ++k) {
      if (2 * k * k == order_) add(fmt::format("twisted-torus:{}x{}", k, 2 * k));
      if (2 * k * k * k == order_) add(fmt::format("twisted-torus:{0}x{0}x{1}", k, 2 * k));
      if (4 * k * k * k == order_) add(fmt::format("twisted-torus:{0}x{1}x{1}", k, 2 * k));
    }
  }

  void add(const std::string& name) {
    if (names_.insert(name).second) networks_.push_back(network::parse_named(name));
  }

  Node order_;
  std::set<std::string> names_;
  std::vector<network::NamedNetwork> networks_;
};

}  // namespace

std::vector<network::NamedNetwork> families_of(Node order) {
  return Families(order).list();
}

}  // namespace isotrope::graph

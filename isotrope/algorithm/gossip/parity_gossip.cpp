// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/gossip/parity_gossip.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <span>
#include <tuple>
#include <utility>

namespace isotrope::algorithm {
namespace {

using Words = std::vector<std::uint64_t>;

// The classes of the nodes, 0 or 1, by the parity of coordinates; all 0 for one class.
struct Parity {
  std::vector<std::uint8_t> of;  // by node
  bool two_classes = false;
};

Parity parity_of(const Network& network, const std::vector<std::size_t>& axes) {
  Parity result{std::vector<std::uint8_t>(network.order(), 0), !axes.empty()};
  for (Node node = 0; node < network.order(); ++node) {
    const auto coordinates = network.group().coordinates(node);
    for (const std::size_t axis : axes)
      result.of[node] = static_cast<std::uint8_t>(result.of[node] ^ (coordinates[axis] & 1U));
  }
  return result;
}

// One class; the parity of all coordinates of even modulus together; that of each alone.
std::vector<Parity> parities(const Network& network) {
  std::vector<std::size_t> even;
  const auto& moduli = network.group().moduli();
  for (std::size_t axis = 0; axis < moduli.size(); ++axis) {
    if (moduli[axis] % 2 == 0) even.push_back(axis);
  }
  std::vector<Parity> result{parity_of(network, {})};
  if (!even.empty()) result.push_back(parity_of(network, even));
  if (even.size() > 1) {
    for (const std::size_t axis : even) result.push_back(parity_of(network, {axis}));
  }
  return result;
}

// The ports over which the classes send at once; no_port: silent.
using Move = std::array<Port, 2>;

struct State {
  std::array<Words, 2> known, next;      // by class: before the round, and with what its moves so far tell
  std::vector<std::vector<Move>> moves;  // by round
  std::uint64_t count = 0;               // of `next`
};

class BeamSearch {
 public:
  BeamSearch(const Network& network, schedule::PortModel ports, const Parity& parity)
      : network_(network),
        parity_(parity),
        classes_(parity.two_classes ? 2 : 1),
        per_round_(ports.half_duplex() ? 1 : ports.sends(network.degree())),
        words_((network.order() + 63) / 64) {
    list_moves(ports.half_duplex());
  }

  // Ends where the rounds reach `enough`.
  std::optional<Gossip> run(std::size_t width, std::uint64_t enough, std::uint32_t seed,
                            SearchBudget& budget) {
    if (moves_.empty()) return std::nullopt;
    random_.seed(seed);
    std::vector<State> beam{start()};
    while (beam.front().moves.size() + 1 < enough) {
      const std::uint64_t before = beam.front().count;
      for (State& state : beam) state.moves.emplace_back();
      for (std::uint32_t port = 0; port < per_round_; ++port) beam = widened(beam, width, budget);
      for (State& state : beam) state.known = state.next;
      if (beam.front().count == std::uint64_t{classes_} * network_.order()) return gossip(beam.front());
      if (beam.front().count == before) break;  // the ports of the moves do not reach all nodes
    }
    return std::nullopt;
  }

 private:
  void list_moves(bool half_duplex) {
    const auto odd = [&](Port port) { return parity_.of[network_.neighbour(0, port)] != 0; };
    for (Port a = 0; a < network_.degree(); ++a) {
      if (half_duplex) {
        if (odd(a)) moves_.insert(moves_.end(), {{a, no_port}, {no_port, a}});
      } else if (classes_ == 1) {
        moves_.push_back({a, no_port});
      } else {
        for (Port b = 0; b < network_.degree(); ++b) {
          if (odd(a) == odd(b)) moves_.push_back({a, b});
        }
      }
    }
  }

  State start() const {
    State result;
    for (std::uint32_t c = 0; c < classes_; ++c) {
      result.known[c].assign(words_, 0);
      result.known[c][0] = 1;
    }
    result.next = result.known;
    result.count = classes_;
    return result;
  }

  struct Step {
    float score;
    std::uint32_t state, move;
  };

  // The best states after one more move of the round.
  std::vector<State> widened(const std::vector<State>& beam, std::size_t width, SearchBudget& budget) {
    std::vector<Step> steps;
    for (std::uint32_t s = 0; s < beam.size(); ++s) {
      for (std::uint32_t m = 0; m < moves_.size(); ++m) {
        if (uses_port_twice(beam[s].moves.back(), moves_[m])) continue;
        const auto known = static_cast<float>(beam[s].count + gain(beam[s], moves_[m]));
        steps.push_back({known + noise_(random_), s, m});
      }
      budget.spend(moves_.size() * words_);
    }
    if (steps.empty()) return beam;
    std::ranges::sort(steps, [](const Step& a, const Step& b) {
      return std::tuple(-a.score, a.state, a.move) < std::tuple(-b.score, b.state, b.move);
    });
    std::vector<State> result;
    for (const auto& [score, s, m] : steps) {
      if (result.size() == width) break;
      State state = beam[s];
      apply(state, moves_[m]);
      const auto same = [&](const State& other) { return other.next == state.next; };
      if (per_round_ == 1 && std::ranges::any_of(result, same)) continue;
      result.push_back(std::move(state));
    }
    return result;
  }

  static bool uses_port_twice(std::span<const Move> round, const Move& move) {
    return std::ranges::any_of(round, [&](const Move& other) {
      return (move[0] != no_port && other[0] == move[0]) || (move[1] != no_port && other[1] == move[1]);
    });
  }

  // Calls `visit(receiver class, told set)` for the sends of a move.
  template <class Visit>
  void for_each_send(const State& state, const Move& move, Visit visit) const {
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (move[c] == no_port) continue;
      const Port back = network_.opposite(move[c]);
      Words told(words_, 0);
      for (std::size_t i = 0; i < words_; ++i) {
        for (std::uint64_t rest = state.known[c][i]; rest != 0; rest &= rest - 1) {
          const Node x = network_.neighbour(
              static_cast<Node>(64 * i + static_cast<std::size_t>(std::countr_zero(rest))), back);
          told[x / 64] |= std::uint64_t{1} << x % 64;
        }
      }
      visit(c ^ parity_.of[network_.neighbour(0, move[c])], told);
    }
  }

  std::uint64_t gain(const State& state, const Move& move) const {
    std::uint64_t result = 0;
    for_each_send(state, move, [&](std::uint32_t to, const Words& told) {
      for (std::size_t i = 0; i < words_; ++i)
        result += static_cast<std::uint64_t>(std::popcount(told[i] & ~state.next[to][i]));
    });
    return result;
  }

  void apply(State& state, const Move& move) const {
    for_each_send(state, move, [&](std::uint32_t to, const Words& told) {
      for (std::size_t i = 0; i < words_; ++i) state.next[to][i] |= told[i];
    });
    state.moves.back().push_back(move);
    state.count = 0;
    for (const Words& set : state.next) {
      for (const std::uint64_t word : set) state.count += static_cast<std::uint64_t>(std::popcount(word));
    }
  }

  Gossip gossip(const State& state) const {
    Gossip result{classes_ == 1, {}};
    for (const std::vector<Move>& round : state.moves) {
      auto& sends = result.rounds.emplace_back();
      const Node nodes = result.invariant ? 1 : network_.order();
      for (Node node = 0; node < nodes; ++node) {
        for (const Move& move : round) {
          if (move[parity_.of[node]] != no_port) sends.push_back({node, move[parity_.of[node]]});
        }
      }
    }
    return result;
  }

  const Network& network_;
  const Parity& parity_;
  std::uint32_t classes_;
  std::uint32_t per_round_;  // moves
  std::size_t words_;
  std::vector<Move> moves_;
  std::mt19937 random_;
  std::uniform_real_distribution<float> noise_{0, 1};
};

// How many states are kept: fewer where each costs more.
std::size_t states_kept(const Network& network) {
  constexpr std::uint64_t most_steps = std::uint64_t{1} << 18;
  const std::uint64_t moves = std::uint64_t{network.degree()} * network.degree();
  return std::clamp<std::uint64_t>(most_steps / (moves * network.order() + 1), 2, 64);
}

}  // namespace

std::optional<Gossip> parity_gossip(const Network& network, schedule::PortModel ports,
                                    const SearchLimits& limits) {
  const std::vector<Parity> all = parities(network);
  std::optional<Gossip> best;
  SearchBudget budget(limits);
  for (std::uint32_t run = 1; run <= 4 && budget.allows(run); ++run) {
    for (const Parity& parity : all) {
      const std::uint64_t enough = best ? best->rounds.size() : network.order() * std::uint64_t{2} + 1;
      if (enough <= limits.target || !budget.allows(run)) break;
      // Two classes need a listed schedule.
      if (parity.two_classes && network.order() > most_gossiping_nodes) continue;
      auto found = BeamSearch(network, ports, parity)
                       .run(run * states_kept(network), enough, limits.seed + run, budget);
      if (found) best = std::move(found);
    }
  }
  return best;
}

}  // namespace isotrope::algorithm

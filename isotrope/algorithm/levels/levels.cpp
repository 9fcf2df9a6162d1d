// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/levels.hpp"

#include <algorithm>
#include <utility>

#include "isotrope/algorithm/levels/exchange_writer.hpp"
#include "isotrope/algorithm/levels/level_components.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using schedule::ValueId;

// One share of the vector, round by round.
class LevelCopy {
 public:
  LevelCopy(const LevelPlan& plan, Node nodes, std::uint32_t first_part)
      : plan_(plan), components_(plan, nodes), first_part_(first_part) {
    for (const RegisterProgram& program : plan.programs) {
      for (const RegisterStep& step : program) steps_.push_back({&step, &step == program.data()});
    }
  }

  std::size_t rounds() const { return 2 * plan_.divisions.size() + steps_.size(); }

  void write(std::size_t round, ExchangeWriter& writer) {
    const std::size_t divisions = plan_.divisions.size();
    if (round < divisions) {
      divide(round, writer, Receipt::added);
    } else if (round < divisions + steps_.size()) {
      step(steps_[round - divisions], writer);
    } else if (round < rounds()) {
      divide(rounds() - 1 - round, writer, Receipt::complete);
    }
  }

 private:
  struct Step {
    const RegisterStep* sends;
    bool begins_program;
  };

  // Added: from all nodes of the parent to the component that owns the block. Complete: back.
  void divide(std::size_t division, ExchangeWriter& writer, Receipt receipt) const {
    const bool adds = receipt == Receipt::added;
    components_.each_transfer(division, [&](Node outer, Node inner, std::size_t block) {
      writer.send(adds ? outer : inner, adds ? inner : outer, part(block), receipt);
    });
  }

  void step(const Step& step, ExchangeWriter& writer) {
    // All nodes have received as much of their blocks.
    if (step.begins_program) values_before_ = writer.values(components_.owner(0), part(0));
    for (const RegisterSend& send : *step.sends) {
      const std::vector<ValueId> values = values_of(send.registers);
      for (std::size_t block = 0; block < components_.blocks(); ++block) {
        const schedule::PacketId sum = writer.sum_of(part(block), values);
        for (const Node node : components_.members(block)) writer.send(node, send.to[node], sum);
      }
    }
  }

  std::vector<ValueId> values_of(const std::vector<std::uint32_t>& registers) const {
    std::vector<ValueId> result;
    for (const std::uint32_t each : registers) {
      if (each > 0) {
        result.push_back(values_before_ + each - 1);
        continue;
      }
      for (ValueId value = 0; value < values_before_; ++value) result.push_back(value);
    }
    return result;
  }

  std::uint32_t part(std::size_t block) const { return first_part_ + static_cast<std::uint32_t>(block); }

  const LevelPlan& plan_;
  LevelComponents components_;
  std::uint32_t first_part_;
  std::vector<Step> steps_;    // of all programs
  ValueId values_before_ = 1;  // the program under way
};

// The messages of one share of the vector, round by round.
class CountedCopy {
 public:
  CountedCopy(const LevelPlan& plan, std::uint32_t share)
      : plan_(plan), share_(share), steps_(steps_of(plan)) {
    // A component owns as many blocks as all others of its level.
    std::uint64_t blocks = block_count(plan);
    for (const auto& partners : plan.divisions) owned_.push_back(blocks /= partners.size() + 1);
  }

  std::size_t rounds() const { return 2 * plan_.divisions.size() + steps_.size(); }

  void count(std::size_t round, OverlayTally& tally) const {
    const std::size_t divisions = plan_.divisions.size();
    if (round < divisions) {
      each_partner(round, [&](Node outer, Node inner) { tally.add(share_, outer, inner, owned_[round]); });
    } else if (round < divisions + steps_.size()) {
      for (const RegisterSend& send : *steps_[round - divisions]) {
        for (Node node = 0; node < send.to.size(); ++node) tally.add(share_, node, send.to[node], 1);
      }
    } else if (round < rounds()) {
      const std::size_t division = rounds() - 1 - round;
      each_partner(division,
                   [&](Node outer, Node inner) { tally.add(share_, inner, outer, owned_[division]); });
    }
  }

  // Values of a block that are added where its sum is complete.
  std::uint64_t additions() const {
    std::uint64_t result = 0;
    for (const auto& partners : plan_.divisions) result += partners.size();
    for (const RegisterStep* step : steps_) result += step->size();
    return result;
  }

 private:
  template <class Visit>
  void each_partner(std::size_t division, Visit visit) const {
    for (const Permutation& partner : plan_.divisions[division]) {
      for (Node node = 0; node < partner.size(); ++node) visit(node, partner[node]);
    }
  }

  const LevelPlan& plan_;
  std::uint32_t share_;
  std::vector<const RegisterStep*> steps_;
  std::vector<std::uint64_t> owned_;  // blocks of a component, by the division that splits it off
};

}  // namespace

OverlaidSchedule exchange_by_levels(const Network& network, std::span<const LevelPlan> copies,
                                    schedule::PortModel ports) {
  const std::uint32_t blocks = block_count(copies.front());
  ExchangeWriter writer(network, blocks * static_cast<std::uint32_t>(copies.size()));
  std::vector<LevelCopy> running;
  std::size_t rounds = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    running.emplace_back(copies[i], network.order(), blocks * static_cast<std::uint32_t>(i));
    rounds = std::max(rounds, running.back().rounds());
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (LevelCopy& copy : running) copy.write(round, writer);
    writer.close_round();
  }
  return std::move(writer).finish(ports);
}

ExchangeCounts count_by_levels(const Network& network, std::span<const LevelPlan> copies) {
  const auto shares = static_cast<std::uint32_t>(copies.size());
  OverlayTally tally(network, shares);
  std::vector<CountedCopy> running;
  std::size_t rounds = 0;
  std::uint64_t additions = 0;
  for (std::uint32_t i = 0; i < shares; ++i) {
    running.emplace_back(copies[i], i);
    rounds = std::max(rounds, running.back().rounds());
    additions += running.back().additions();
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const CountedCopy& copy : running) copy.count(round, tally);
    tally.close_round();
  }
  return {std::move(tally).finish(), block_count(copies.front()) * shares, additions / shares};
}

}  // namespace isotrope::algorithm

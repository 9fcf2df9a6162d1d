// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/levels/offset_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "isotrope/base/split_mix.hpp"

#include "isotrope/network/network_memo.hpp"

#include "isotrope/algorithm/levels/group_part.hpp"

namespace isotrope::algorithm {
namespace {

using network::Network;
using network::Node;
using Registers = std::vector<std::uint32_t>;

// What nodes with an even coordinate receive: from the node at this offset, the sum of these registers.
struct Receipt {
  Node from;
  Registers registers;
};

using Receipts = std::vector<Receipt>;  // of one step

// A step of n messages over h hops.
std::uint32_t units_of(std::size_t messages, std::uint32_t hops) {
  return static_cast<std::uint32_t>(messages) + 1 + hops;
}

// The greatest factor by which the steps of so many units can make a set grow: n messages n + 1 times, in n + 2 units at least.
std::vector<std::uint64_t> greatest_growth(Node nodes) {
  std::vector<std::uint64_t> result{1};
  while (result.back() < nodes) {
    std::uint64_t most = result.back();
    for (std::size_t units = 3; units <= result.size(); ++units)
      most = std::max(most, (units - 1) * result[result.size() - units]);
    result.push_back(most);
  }
  return result;
}

// A part of a group as tables. Its offsets are numbered; 0 is the first.
class PartTables {
 public:
  PartTables(const Network& network, const GroupPart& part)
      : size_(static_cast<Node>(part.offsets.size())),
        received_(std::size_t{size_} * size_),
        sent_(received_.size()),
        negatives_(size_) {
    const network::Group& group = network.group();
    std::vector<Node> numbers(network.order(), 0);
    for (Node i = 0; i < size_; ++i) numbers[part.offsets[i]] = i;
    for (Node from = 0; from < size_; ++from) {
      const Node sender = part.offsets[from];
      const bool is_odd = part.parity && group.coordinate(sender, *part.parity) % 2 != 0;
      hops_.push_back(network.distance(0, sender));
      negatives_[from] = numbers[group.negate(sender)];
      for (Node i = 0; i < size_; ++i) {
        const Node offset = part.offsets[i];
        const Node number = numbers[group.add(sender, is_odd ? group.negate(offset) : offset)];
        received_[from * size_ + i] = static_cast<std::uint16_t>(number);
        sent_[from * size_ + number] = static_cast<std::uint16_t>(i);
      }
    }
  }

  Node size() const { return size_; }
  std::uint32_t hops(Node offset) const { return hops_[offset]; }
  /// @pre no parity
  Node negative(Node offset) const { return negatives_[offset]; }
  /// The contribution that is at `offset` of the sender, seen from its receiver.
  Node received(Node from, Node offset) const { return received_[from * size_ + offset]; }
  /// The offset at the sender of what is at `offset` of the receiver.
  Node sent(Node from, Node offset) const { return sent_[from * size_ + offset]; }

 private:
  Node size_;
  std::vector<std::uint16_t> received_, sent_;
  std::vector<Node> negatives_;
  std::vector<std::uint32_t> hops_;
};

// What a node with an even coordinate has.
class Knowledge {
 public:
  explicit Knowledge(const PartTables& tables)
      : tables_(tables), sets_{{0}}, mirror_{0}, register_of_(tables.size(), none) {
    register_of_[0] = 0;
  }

  std::uint32_t size() const { return size_; }
  bool has(Node offset) const { return register_of_[offset] != none; }
  std::uint32_t registers() const { return static_cast<std::uint32_t>(sets_.size()); }
  const std::vector<Node>& set(std::uint32_t number) const { return sets_[number]; }
  /// The register with the offset. @pre has(offset)
  std::uint32_t register_of(Node offset) const { return register_of_[offset]; }

  Receipt mirrored(const Receipt& receipt) const {
    Receipt result{tables_.negative(receipt.from), {}};
    for (const std::uint32_t each : receipt.registers) result.registers.push_back(mirror_[each]);
    std::ranges::sort(result.registers);
    return result;
  }
  void add(const Receipts& step) {
    // Of two receipts each is the mirror image of the other.
    for (std::uint32_t i = 0; i < step.size(); ++i) {
      const std::uint32_t number = registers();
      mirror_.push_back(step.size() == 1 ? number : i == 0 ? number + 1 : number - 1);
      std::vector<Node>& set = sets_.emplace_back();
      for (const std::uint32_t each : step[i].registers) {
        for (const Node offset : sets_[each]) set.push_back(tables_.received(step[i].from, offset));
      }
      for (const Node offset : set) register_of_[offset] = number;
      size_ += static_cast<std::uint32_t>(set.size());
    }
  }
  void take_back(std::size_t receipts) {
    for (; receipts > 0; --receipts) {
      for (const Node offset : sets_.back()) register_of_[offset] = none;
      size_ -= static_cast<std::uint32_t>(sets_.back().size());
      sets_.pop_back();
      mirror_.pop_back();
    }
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  const PartTables& tables_;
  std::vector<std::vector<Node>> sets_;  // by register
  Registers mirror_;                     // the register with the mirror image
  std::vector<std::uint32_t> register_of_;
  std::uint32_t size_ = 1;
};

// Covers what a node lacks by the receipts of one step, every offset once.
class LastStep {
 public:
  LastStep(const PartTables& tables, const Knowledge& known, std::uint64_t& work)
      : tables_(tables), known_(known), work_(work) {}

  /// By so many receipts at most, over at most so many hops. Empty if none are found in the work that one search may take.
  Receipts run(std::uint32_t receipts, std::uint32_t hops) {
    lacks_.assign(tables_.size(), 0);
    for (Node offset = 0; offset < tables_.size(); ++offset) lacks_[offset] = known_.has(offset) ? 0 : 1;
    left_ = tables_.size() - known_.size();
    most_hops_ = hops;
    end_ = work_ + most_work;
    found_.clear();
    if (!cover(receipts)) found_.clear();
    for (Receipt& receipt : found_) std::ranges::sort(receipt.registers);
    return std::move(found_);
  }

 private:
  static constexpr std::uint64_t most_work = std::uint64_t{1} << 15;

  bool cover(std::uint32_t receipts) {
    if (left_ == 0) return true;
    if (work_ > end_ || left_ > (receipts + found_.size()) * known_.size()) return false;
    const auto lacked = static_cast<Node>(std::ranges::find(lacks_, 1) - lacks_.begin());
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Node offset = tables_.sent(found_[i].from, lacked);
      ++work_;
      if (known_.has(offset) && put(i, known_.register_of(offset), receipts)) return true;
    }
    if (receipts == 0) return false;
    for (Node from = 1; from < tables_.size(); ++from) {
      if (tables_.hops(from) > most_hops_ || is_used(from)) continue;
      const Node offset = tables_.sent(from, lacked);
      ++work_;
      if (!known_.has(offset)) continue;
      found_.push_back({from, {}});
      if (put(found_.size() - 1, known_.register_of(offset), receipts - 1)) return true;
      found_.pop_back();
    }
    return false;
  }
  bool is_used(Node from) const { return std::ranges::find(found_, from, &Receipt::from) != found_.end(); }

  // The register joins receipt i, and the rest is covered.
  bool put(std::size_t i, std::uint32_t number, std::uint32_t receipts) {
    const Node from = found_[i].from;
    const std::vector<Node>& set = known_.set(number);
    for (const Node offset : set) {
      ++work_;
      if (lacks_[tables_.received(from, offset)] == 0) return false;
    }
    mark(from, set, 0);
    left_ -= static_cast<std::uint32_t>(set.size());
    found_[i].registers.push_back(number);
    if (cover(receipts)) return true;
    found_[i].registers.pop_back();
    left_ += static_cast<std::uint32_t>(set.size());
    mark(from, set, 1);
    return false;
  }
  void mark(Node from, const std::vector<Node>& set, std::uint8_t lacked) {
    for (const Node offset : set) lacks_[tables_.received(from, offset)] = lacked;
  }

  const PartTables& tables_;
  const Knowledge& known_;
  std::uint64_t& work_;
  std::uint64_t end_ = 0;
  std::vector<std::uint8_t> lacks_;
  std::uint32_t left_ = 0, most_hops_ = 0;
  Receipts found_;
};

class Walk {
 public:
  // Mirrored without a coordinate whose parity counts.
  Walk(const Network& network, const GroupPart& part, std::uint32_t last_receipts, std::uint64_t most_work)
      : tables_(network, part),
        by_parity_(part.parity.has_value()),
        growth_(greatest_growth(tables_.size())),
        known_(tables_),
        taken_(tables_.size(), 0),
        diameter_(network.diameter()),
        most_last_receipts_(last_receipts),
        most_work_(most_work) {}

  /// Steps of fewer units than so many; none if none are found.
  std::vector<Receipts> run(std::uint32_t best_units) {
    best_units_ = best_units;
    while (work_ < most_work_) {
      const std::uint64_t before = work_;
      go_on();
      if (work_ == before) ++work_;
    }
    return std::move(best_);
  }
  /// Of the steps found last.
  std::uint32_t units() const { return best_units_; }

 private:
  bool is_hopeless() const {
    std::size_t units = 0;
    while (growth_[units] * known_.size() < tables_.size()) ++units;
    return units_ + units >= best_units_;
  }

  void go_on() {
    constexpr std::uint32_t branches = 4;
    if (is_hopeless()) return;
    if ((most_last_receipts_ + 1) * known_.size() >= tables_.size()) end();
    for (std::uint32_t branch = 0; branch < (steps_.empty() ? 1 : branches) && work_ < most_work_; ++branch) {
      Receipts step = random_step();
      if (step.empty()) return;
      const auto receipts = static_cast<std::uint32_t>(step.size());
      const std::uint32_t units = units_of(receipts, tables_.hops(step.front().from));
      known_.add(step);
      units_ += units;
      steps_.push_back(std::move(step));
      go_on();
      steps_.pop_back();
      units_ -= units;
      known_.take_back(receipts);
    }
  }

  void end() {
    const std::uint32_t rest = tables_.size() - known_.size();
    for (std::uint32_t receipts = 1; receipts <= most_last_receipts_; ++receipts) {
      if (rest > receipts * known_.size()) continue;
      while (units_ + receipts + 2 < best_units_) {
        const std::uint32_t hops = std::min(best_units_ - units_ - receipts - 2, diameter_);
        const Receipts last = LastStep(tables_, known_, work_).run(receipts, hops);
        if (last.empty()) break;
        best_ = steps_;
        best_.push_back(last);
        best_units_ = units_ + units_of(receipts, farthest(last));
      }
    }
  }
  std::uint32_t farthest(const Receipts& step) const {
    std::uint32_t result = 0;
    for (const Receipt& receipt : step) result = std::max(result, tables_.hops(receipt.from));
    return result;
  }

  // A step that makes what a node has grow by half at least; mostly one that takes all that the senders have. Empty if none is
  // found.
  Receipts random_step() {
    constexpr std::uint32_t attempts = 256;
    const bool takes_all = random_.below(4) != 0;
    const bool leaves_some = !takes_all && random_.below(3) == 0;
    for (std::uint32_t attempt = 0; attempt < attempts; ++attempt) {
      work_ += 4;
      const Node from = random_offset();
      if (from == 0 || (!by_parity_ && tables_.negative(from) == from)) continue;
      Receipt receipt{from, taken_from(from, leaves_some)};
      std::uint32_t grown = 0;
      for (const std::uint32_t each : receipt.registers)
        grown += static_cast<std::uint32_t>(known_.set(each).size());
      if (takes_all ? grown < known_.size() : 2 * grown < known_.size()) continue;
      if (by_parity_) return {std::move(receipt)};
      Receipt other = known_.mirrored(receipt);
      return {std::move(receipt), std::move(other)};
    }
    return {};
  }

  // Near ones four times as often as those a hop farther; 0 if the draw is rejected.
  Node random_offset() {
    const Node offset = random_.below(tables_.size());
    const std::uint32_t farther = offset == 0 ? 0 : std::min(tables_.hops(offset) - 1, 3U);
    return random_.below(std::uint32_t{1} << (2 * farther)) == 0 ? offset : 0;
  }

  // Registers of the sender, drawn one after the other, that meet neither what is there nor their mirror images.
  Registers taken_from(Node from, bool leaves_some) {
    Registers order(known_.registers()), result;
    std::iota(order.begin(), order.end(), 0U);
    shuffle(std::span(order), random_);
    std::vector<Node> marked;
    for (const std::uint32_t each : order) {
      if (leaves_some && random_.below(4) == 0) continue;
      if (take(from, known_.set(each), marked)) result.push_back(each);
    }
    for (const Node offset : marked) taken_[offset] = 0;
    std::ranges::sort(result);
    return result;
  }
  bool take(Node from, const std::vector<Node>& set, std::vector<Node>& marked) {
    const std::size_t before = marked.size();
    const auto claim = [&](Node offset) {
      ++work_;
      if (known_.has(offset) || taken_[offset] != 0) return false;
      taken_[offset] = 1;
      marked.push_back(offset);
      return true;
    };
    const bool fits = std::ranges::all_of(set, [&](Node offset) {
      const Node there = tables_.received(from, offset);
      return claim(there) && (by_parity_ || claim(tables_.negative(there)));
    });
    if (fits) return true;
    for (; marked.size() > before; marked.pop_back()) taken_[marked.back()] = 0;
    return false;
  }

  PartTables tables_;
  bool by_parity_;
  std::vector<std::uint64_t> growth_;
  Knowledge known_;
  std::vector<std::uint8_t> taken_;  // by the step under construction
  std::uint32_t diameter_, most_last_receipts_;
  std::vector<Receipts> steps_, best_;
  std::uint32_t units_ = 0, best_units_ = 0;
  std::uint64_t work_ = 0, most_work_;
  SplitMix random_{1};
};

// Small groups have few programs. Smaller parts of large groups need less to find as good ones.
std::uint64_t work_for(std::uint64_t nodes, bool is_divided) {
  return std::clamp(nodes * nodes * nodes * nodes, std::uint64_t{1} << 16,
                    std::uint64_t{1} << (is_divided ? 22 : 24));
}

// The symmetries of programs.
std::vector<GroupPart> wholes(const Network& network, std::uint32_t receipts) {
  std::vector<GroupPart> result;
  if (receipts > 1) result.push_back(whole_group(network, std::nullopt));
  for (std::size_t coordinate = 0; coordinate < network.group().rank(); ++coordinate) {
    if (network.group().moduli()[coordinate] % 2 == 0) result.push_back(whole_group(network, coordinate));
  }
  return result;
}

// A part that divisions leave.
struct DividedPart {
  std::vector<OffsetStep> divisions;
  std::uint32_t units = 0;  // of the divisions, there and back
  GroupPart part;
  std::uint64_t hops = 0;  // to all of the part
};

OffsetStep sends_of(const Network& network, const PartDivision& division) {
  OffsetStep result;
  for (const Node partner : division.partners) {
    const bool is_turned = division.part.parity.has_value();
    result.push_back({partner, is_turned ? network.group().negate(partner) : partner, {}});
  }
  return result;
}

// A sender of the same parity is at the negative offset of its receiver's; one of the other parity at its own.
OffsetProgram program_of(const Network& network, const GroupPart& part, const std::vector<Receipts>& steps) {
  OffsetProgram result{part.parity.value_or(0), {}};
  for (const Receipts& step : steps) {
    OffsetStep& sends = result.steps.emplace_back();
    for (const auto& [number, registers] : step) {
      const Node from = part.offsets[number], to = network.group().negate(from);
      if (!part.parity) {
        sends.push_back({to, to, registers});
      } else if (network.group().coordinate(from, *part.parity) % 2 != 0) {
        sends.push_back({from, to, registers});
      } else {
        sends.push_back({to, from, registers});
      }
    }
  }
  return result;
}

// The parts after one more division; the most promising ones.
std::vector<DividedPart> divided(const Network& network, const std::vector<DividedPart>& parts,
                                 std::uint32_t receipts) {
  constexpr std::size_t most_of_part = 3, most = 12;
  std::vector<DividedPart> result;
  for (const DividedPart& before : parts) {
    std::size_t left = most_of_part;
    for (PartDivision& division : divisions_of(network, before.part)) {
      if (division.partners.size() > receipts || division.part.offsets.size() < 2) continue;
      DividedPart& next = result.emplace_back(before);
      next.divisions.push_back(sends_of(network, division));
      next.units += 2 * units_of(division.partners.size(), network.distance(0, division.partners.front()));
      next.part = std::move(division.part);
      next.hops = division.hops;
      if (--left == 0) break;
    }
  }
  std::ranges::stable_sort(result, {},
                           [](const DividedPart& part) { return std::pair(part.units, part.hops); });
  if (result.size() > most) result.resize(most);
  return result;
}

std::optional<DividedProgram> search(const Network& network, std::uint32_t divisions,
                                     std::uint32_t receipts) {
  std::vector<DividedPart> parts;
  for (GroupPart& whole : wholes(network, receipts)) parts.push_back({{}, 0, std::move(whole)});
  for (; divisions > 0; --divisions) parts = divided(network, parts, receipts);
  std::erase_if(parts,
                [](const DividedPart& part) { return part.part.offsets.size() > most_searched_offsets; });
  std::optional<DividedProgram> best;
  std::uint32_t units = UINT32_MAX;
  for (DividedPart& part : parts) {
    if (part.units >= units) continue;
    const bool is_divided = !part.divisions.empty();
    Walk walk(network, part.part, receipts, work_for(part.part.offsets.size(), is_divided) / parts.size());
    const std::vector<Receipts> steps = walk.run(units - part.units);
    if (steps.empty()) continue;
    units = walk.units() + part.units;
    best = {std::move(part.divisions), program_of(network, part.part, steps)};
  }
  return best;
}

}  // namespace

std::optional<DividedProgram> search_offset_program(const Network& network, std::uint32_t divisions,
                                                    std::uint32_t messages) {
  using Found = network::NetworkMemo<std::optional<DividedProgram>>;
  thread_local std::array<std::array<Found, most_searched_messages>, most_searched_divisions + 1> found;
  return found[divisions][messages - 1].get(network, [&] { return search(network, divisions, messages); });
}

}  // namespace isotrope::algorithm

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/algorithm/irregular/plan_repair.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "isotrope/schedule/delivery.hpp"

#include "isotrope/algorithm/irregular/route_negotiation.hpp"
#include "isotrope/algorithm/irregular/slot_search.hpp"
#include "isotrope/algorithm/irregular/slot_table.hpp"
#include "isotrope/algorithm/irregular/timetable_routes.hpp"

namespace isotrope::algorithm {
namespace {

using network::SurvivingNetwork;
using schedule::Packet;
using schedule::PacketId;

struct Setting {
  EjectionCosts costs;
  bool persistent;  ///< whether an attempt goes on though its queue does not get shorter
};
constexpr Setting quick{{.fee = 3000, .history = 500}, false};
constexpr Setting persistent{{.fee = 1000, .history = 50}, true};

// Of a quick attempt: searches a packet to insert.
constexpr std::size_t most_searches = 3;
constexpr std::size_t many_to_insert = 5000;
constexpr std::uint64_t rounds_worth_a_step = 512;
constexpr int persistent_attempts = 2;

// One attempt: a timetable of so many rounds, and the packets that have no place yet.
class Attempt {
 public:
  Attempt(const SurvivingDistances& distances, std::span<const Packet> packets, const TimetableRoutes& routes,
          std::uint32_t rounds, const Setting& setting)
      : distances_(distances),
        packets_(packets),
        table_(distances.network().directed_links(), rounds, packets.size()),
        search_(distances, packets, table_, setting.costs),
        setting_(setting) {
    for (PacketId id = 0; id < packets.size(); ++id) {
      if (is_up(routes.of(id), rounds)) {
        table_.put(id, routes.of(id));
      } else {
        queue_.push_back(id);
      }
    }
    std::stable_sort(queue_.begin(), queue_.end(),
                     [&](PacketId a, PacketId b) { return distance(a) > distance(b); });
  }

  std::size_t to_insert() const { return queue_.size(); }
  std::uint64_t links_seen() const { return search_.links_seen(); }

  // Whether all packets find a place before `most_links` links are looked at.
  bool run(std::uint64_t most_links) {
    const std::size_t enough = most_searches * queue_.size(), few = queue_.size() / 32;
    for (std::size_t searches = 0; !queue_.empty();) {
      const std::size_t size = queue_.size();
      for (std::size_t i = 0; i < size; ++i) {
        if (links_seen() >= most_links) return false;
        insert_next();
      }
      searches += size;
      if (!setting_.persistent && (searches > enough || queue_.size() >= std::max(size, few))) return false;
    }
    return true;
  }

  schedule::Rounds rounds() const {
    const network::Port degree = distances_.network().degree();
    const auto links = static_cast<std::uint32_t>(distances_.network().directed_links());
    schedule::Rounds result;
    for (std::uint32_t round = 0; round < table_.rounds(); ++round) {
      for (std::uint32_t link = 0; link < links; ++link) {
        const PacketId id = table_.holder({link, round});
        if (id != SlotTable::none) result.add({id, link / degree, link % degree});
      }
      result.close_round();
    }
    return result;
  }

 private:
  std::uint32_t distance(PacketId id) const {
    return distances_.distance(packets_[id].origin, packets_[id].to);
  }

  bool is_up(std::span<const Slot> route, std::uint32_t rounds) const {
    const network::Port degree = distances_.network().degree();
    return !route.empty() && std::ranges::all_of(route, [&](Slot slot) {
      return slot.round < rounds && distances_.survivors().carries(slot.link / degree, slot.link % degree);
    });
  }

  // A packet without a way waits for others to change theirs.
  void insert_next() {
    const PacketId id = queue_.front();
    queue_.pop_front();
    const auto way = search_.way_of(id);
    if (way.empty()) return queue_.push_back(id);
    route_.clear();
    for (const auto& [slot, ejected] : way) {
      route_.push_back(slot);
      if (ejected == SlotTable::none || !table_.holds_any(ejected)) continue;
      table_.take_out(ejected);
      search_.note_ejection(slot, ejected);
      queue_.push_back(ejected);
    }
    table_.put(id, route_);
  }

  const SurvivingDistances& distances_;
  std::span<const Packet> packets_;
  SlotTable table_;
  SlotSearch search_;
  Setting setting_;
  std::deque<PacketId> queue_;
  std::vector<Slot> route_;
};

// The attempts of one repair.
class Repair {
 public:
  Repair(const SurvivingDistances& distances, std::span<const Packet> packets, const TimetableRoutes& routes,
         std::uint64_t most_links)
      : distances_(distances), packets_(packets), routes_(routes), links_left_(most_links) {}

  // Rounds from `bound` to `most`, if an attempt succeeds.
  std::optional<schedule::Rounds> run(std::uint64_t bound, std::uint64_t most) {
    bound = std::max<std::uint64_t>(bound, 1);
    rise(bound, most);
    descend(bound);
    return std::move(best_);
  }

 private:
  static constexpr std::uint64_t without_limit = UINT64_MAX;

  // Attempts of more and more rounds, until one succeeds: a quick one at the bound, persistent ones above it, then
  // quick ones. In long timetables a round is worth less.
  void rise(std::uint64_t bound, std::uint64_t most) {
    std::uint64_t rounds = bound, step = std::max<std::uint64_t>(1, bound / rounds_worth_a_step);
    if (rounds > most || (few_to_insert(bound) && succeeds(rounds, quick, without_limit))) return;
    for (int attempts = 0; attempts < persistent_attempts && rounds + step <= most; ++attempts) {
      rounds += step;
      step *= 2;
      if (succeeds(rounds, persistent, links_left_ / 3)) return;
    }
    while (rounds + step <= most) {
      rounds += step;
      step *= 2;
      if (succeeds(rounds, quick, without_limit)) return;
    }
  }

  bool few_to_insert(std::uint64_t rounds) const {
    return attempt_at(rounds, quick).to_insert() <= many_to_insert;
  }

  // Attempts of fewer rounds, by bisection, while links may be looked at.
  void descend(std::uint64_t least) {
    while (best_ && least < best_->size() && links_left_ > 0) {
      const std::uint64_t middle = least + (best_->size() - least) / 2;
      if (!succeeds(middle, persistent, middle == least ? links_left_ : links_left_ / 2)) least = middle + 1;
    }
  }

  Attempt attempt_at(std::uint64_t rounds, const Setting& setting) const {
    return {distances_, packets_, routes_, static_cast<std::uint32_t>(rounds), setting};
  }

  bool succeeds(std::uint64_t rounds, const Setting& setting, std::uint64_t most_links) {
    Attempt attempt = attempt_at(rounds, setting);
    const bool success = attempt.run(most_links);
    if (setting.persistent) links_left_ -= std::min(links_left_, attempt.links_seen());
    if (success) best_ = attempt.rounds();
    return success;
  }

  const SurvivingDistances& distances_;
  std::span<const Packet> packets_;
  const TimetableRoutes& routes_;
  std::uint64_t links_left_;  // for persistent attempts
  std::optional<schedule::Rounds> best_;
};

}  // namespace

std::optional<schedule::Schedule> repair_total_exchange(const SurvivingNetwork& network,
                                                        const schedule::Task& task,
                                                        const schedule::Schedule& whole,
                                                        std::uint64_t most_rounds,
                                                        const SearchLimits& limits) {
  const schedule::Problem problem{.network = network.whole(), .failed = network.failures(), .task = task};
  schedule::Stage stage{schedule::Flow::move,
                        schedule::Replication::none(),
                        packets_of(network.whole(), deliveries_of(problem), task.parts),
                        {}};
  if (!stage.packets.empty()) {
    const SurvivingDistances distances(network, stage.packets);
    const TimetableRoutes routes(network, task, whole);
    auto rounds = Repair(distances, stage.packets, routes, limits.links).run(limits.target, most_rounds);
    if (!rounds) return std::nullopt;
    stage.rounds = *std::move(rounds);
  }
  schedule::Schedule result{problem.ports, schedule::RoundKind::strict, {}};
  result.stages.push_back(std::move(stage));
  return result;
}

}  // namespace isotrope::algorithm

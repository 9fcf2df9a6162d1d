// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/catalog.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/network/rates.hpp"

#include "isotrope/planner/catalogue/shared.hpp"

namespace isotrope::planner {
namespace {

class Catalogue {
 public:
  Catalogue() {
    for (const auto source :
         {allreduces, scans,   bertsekas,        ho_johnsson,       chen,
          aggregated, abelian, cycle_allgathers, half_duplex_ports, searched,
          no_wait,    packed,  gossip,           products,          residual,
          overlays,   levels,  copied_levels,    axis_exchanges,    merged_around_failures}) {
      for (auto& algorithm : source()) keep_with_derived(std::move(algorithm));
    }
    publish();
  }

  std::span<const Algorithm* const> all() const { return *published_.load(std::memory_order_acquire); }

  void add(std::unique_ptr<const Algorithm> algorithm) {
    const std::lock_guard lock(adding_);
    keep_with_derived(std::move(algorithm));
    publish();
  }

 private:
  void keep_with_derived(std::unique_ptr<const Algorithm> algorithm) {
    auto derived = derived_from(*algorithm);
    require_new(*algorithm);
    for (const auto& each : derived) require_new(*each);
    keep(std::move(algorithm));
    for (auto& each : derived) keep(std::move(each));
  }
  void require_new(const Algorithm& algorithm) const {
    const Traits& traits = algorithm.traits();
    const auto same = [&](const Algorithm* other) {
      return other->traits().collective == traits.collective &&
             (other->is_called(traits.name) || std::ranges::any_of(traits.aliases, [&](const auto& alias) {
                return other->is_called(alias);
              }));
    };
    if (traits.name.empty()) throw Error("an algorithm without a name: give Traits::name");
    if (std::ranges::any_of(all_, same))
      throw Error(
          fmt::format("the catalogue has an algorithm {} for {} already, by name or alias: give another name",
                      traits.name, to_string(schedule::Task{.collective = traits.collective})));
  }
  void keep(std::unique_ptr<const Algorithm> algorithm) {
    all_.push_back(algorithm.get());
    owned_.push_back(std::move(algorithm));
  }

  // A copy of all_ that no registration changes, since other threads may read it.
  void publish() {
    lists_.push_back(all_);
    published_.store(&lists_.back(), std::memory_order_release);
  }

  std::mutex adding_;
  std::vector<std::unique_ptr<const Algorithm>> owned_;
  std::vector<const Algorithm*> all_;
  std::deque<std::vector<const Algorithm*>> lists_;  // one for each registration
  std::atomic<const std::vector<const Algorithm*>*> published_ = nullptr;
};

Catalogue& catalogue() {
  static Catalogue instance;
  return instance;
}

std::optional<std::string> unsuitable_losses(const Traits& traits, const Problem& problem) {
  const network::Failures& failed = problem.failed;
  if (failed.empty() || traits.around_failures) return std::nullopt;
  if (!traits.around_links)
    return failed.any_failed()       ? "it needs the whole network, and something has failed"
           : failed.only_open_axes() ? "it needs closed axes"
                                     : "it needs all links of a Cayley graph";
  if (!failed.nodes.empty() && !traits.around_nodes) return "it needs all nodes, and some have failed";
  if (!failed.only_open_axes() && network::has_copies(problem.network))
    return "it needs all of the links that lie side by side";
  return std::nullopt;
}

}  // namespace

std::span<const Algorithm* const> catalog() {
  return catalogue().all();
}

void register_algorithm(std::unique_ptr<const Algorithm> algorithm) {
  catalogue().add(std::move(algorithm));
}

std::optional<std::string> unsupported_reason(const Algorithm& algorithm, const Problem& problem,
                                              const Preferences& preferences) {
  const Traits& traits = algorithm.traits();
  if (traits.from_file && !preferences.plan_files) return "it is a plan file, and these take no part";
  if (auto reason = unsuitable_losses(traits, problem)) return reason;
  if (auto reason = algorithm.unsupported_reason(problem)) return reason;
  if (preferences.objective == Objective::delay && !traits.least_delay)
    return "it looks at completion only, not at delays";
  if (!problem.waiting && !traits.no_wait) return "its packets wait at nodes on their way";
  if (problem.step_limits && !traits.packs) return "its packets are not packed in steps";
  if (preferences.order && !traits.takes_order) return "it has no root order to choose";
  if (problem.aggregated() && !traits.aggregates) return "it sends single packets and aggregates none";
  if (!problem.aggregated() && !traits.strict)
    return "it aggregates packets, so give --merge K or --merge all";
  return std::nullopt;
}

}  // namespace isotrope::planner

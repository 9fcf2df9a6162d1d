// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/program_cache.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "isotrope/planner/choice.hpp"

#include "isotrope/mpi/forwarding.hpp"

namespace isotrope::mpi {

using schedule::Collective;

namespace {

// The smallest size of the class of `bytes`: the four leading bits are kept.
std::uint64_t size_class(std::uint64_t bytes) {
  constexpr int kept = 4;
  const auto width = static_cast<int>(std::bit_width(bytes));
  return width <= kept ? bytes : bytes >> (width - kept) << (width - kept);
}

// The value of `key`, made by `make` if it is not cached. The least recently used of more than `most` values goes.
template <class Cached, class Key, class Make>
auto found_or_made(Cached& values, const Key& key, std::size_t most, const Make& make) {
  const auto cached = std::ranges::find(values, key, [](const auto& value) { return value.first; });
  if (cached != values.end()) {
    values.splice(values.begin(), values, cached);
  } else {
    using Value = decltype(make());
    values.emplace_front(key, std::make_shared<const Value>(make()));
    if (values.size() > most) values.pop_back();
  }
  return values.front().second;
}

}  // namespace

ProgramCache::ProgramCache(network::NamedNetwork network, network::Node rank, cost::Machine machine)
    : network_(std::move(network)), rank_(rank), machine_(machine) {}

std::shared_ptr<const rank::RankProgram> ProgramCache::find(Collective collective, network::Node root,
                                                            std::uint64_t bytes, bool associative) {
  const std::scoped_lock lock(mutex_);
  const ProgramKey program{collective, root, size_class(bytes),
                           associative && collective == Collective::allreduce};
  return found_or_made(programs_, program, most_programs, [&] {
    ProgramKey planned = program;
    if (lacks().empty()) planned.root = 0;
    const auto plan = found_or_made(plans_, planned, most_plans, [&] { return make_plan(planned); });
    return rank::compile(*plan, rank_, root - planned.root);
  });
}

std::shared_ptr<ForwardingTables> ProgramCache::forwarding() {
  const std::scoped_lock lock(mutex_);
  if (!forwarding_) forwarding_ = std::make_shared<ForwardingTables>(network(), lacks(), rank_);
  return forwarding_;
}

schedule::Plan ProgramCache::make_plan(const ProgramKey& key) const {
  const schedule::Problem problem{.network = network(),
                                  .failed = lacks(),
                                  .task = {.collective = key.collective, .root = key.root},
                                  .ports = machine_.ports};
  const std::uint64_t bytes = std::max<std::uint64_t>(key.least_bytes, 1);
  const planner::Preferences preferences{.associative = key.associative};
  return planner::make_plan(planner::choose_for(problem, bytes, machine_, preferences).best());
}

}  // namespace isotrope::mpi

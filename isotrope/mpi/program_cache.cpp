// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/program_cache.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "isotrope/planner/choice.hpp"

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

ProgramCache::ProgramCache(network::Network network, network::Node rank, cost::Machine machine)
    : network_(std::move(network)), rank_(rank), machine_(machine) {}

std::shared_ptr<const rank::RankProgram> ProgramCache::find(Collective collective, network::Node root,
                                                            std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t least = size_class(bytes);
  return found_or_made(programs_, ProgramKey{collective, root, least}, most_programs, [&] {
    const auto plan = found_or_made(plans_, ProgramKey{collective, 0, least}, most_plans,
                                    [&] { return make_plan(collective, least); });
    return rank::compile(*plan, rank_, root);
  });
}

schedule::Plan ProgramCache::make_plan(Collective collective, std::uint64_t bytes) const {
  const schedule::Problem problem{
      .network = network_, .task = {.collective = collective}, .ports = machine_.ports};
  return planner::make_plan(planner::choose_for(problem, std::max<std::uint64_t>(bytes, 1), machine_).best());
}

}  // namespace isotrope::mpi

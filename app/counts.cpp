// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/counts.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/planner/packet_size.hpp"

#include "app/describe.hpp"
#include "app/values.hpp"

namespace isotrope::app {
namespace {

using network::Node;

constexpr std::array<std::string_view, 4> exchanges{"alltoallv", "alltoallw", "scatterv", "gatherv"};
constexpr std::array<std::string_view, 2> gatherings{"allgatherv", "reduce-scatter"};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void require_unequal(const ProblemOptions& options) {
  if (is_one_of(exchanges, options.collective) || is_one_of(gatherings, options.collective)) return;
  throw Error(fmt::format("--counts {}: collective {} has blocks of one size; give one of {}, {}",
                          options.counts, options.collective, fmt::join(exchanges, ", "),
                          fmt::join(gatherings, ", ")));
}

// The only source of a scatterv, the only destination of a gatherv.
void require_root(const Counts& counts, const ProblemOptions& options) {
  const bool scatters = counts.collective == "scatterv";
  if (!scatters && counts.collective != "gatherv") {
    if (options.root) throw Error(fmt::format("--root {}: {} has no root", *options.root, counts.collective));
    return;
  }
  const std::uint64_t root = counts.root;
  require_node("--root", root, counts.network);
  for (const schedule::SizedBlock& block : counts.exchange) {
    if ((scatters ? block.from : block.to) == root) continue;
    throw Error(fmt::format(
        "{}: a block from {} to {}, but the root of the {} is {}; give --root, or --collective alltoallv",
        options.counts, block.from, block.to, counts.collective, root));
  }
}

network::SurvivingNetwork surviving(const Counts& counts) {
  return {counts.network, counts.failed};
}

void require_alive(const Counts& counts, const std::string& file) {
  const auto network = surviving(counts);
  const auto require = [&](Node node) {
    if (!network.alive(node)) throw Error(fmt::format("{}: node {} has failed, and has a block", file, node));
  };
  for (const schedule::SizedBlock& block : counts.exchange) require(block.from), require(block.to);
  for (Node node = 0; node < counts.by_node.size(); ++node) {
    if (counts.by_node[node] > 0) require(node);
  }
}

}  // namespace

std::uint64_t packet_of(const Counts& counts, const PlanningOptions& options) {
  return planner::packet_of(counts.exchange, options.packet, "--packet");
}

std::uint64_t Counts::bytes() const {
  std::uint64_t result = std::accumulate(by_node.begin(), by_node.end(), std::uint64_t{0});
  for (const schedule::SizedBlock& block : exchange) result += block.bytes;
  return result;
}

std::uint64_t Counts::blocks() const {
  return exchange.size() + by_node.size() - static_cast<std::size_t>(std::ranges::count(by_node, 0U));
}

void require_equal_blocks(const std::string& collective) {
  if (!is_one_of(exchanges, collective) && collective != "allgatherv") return;
  throw Error(fmt::format(
      "collective {}: its blocks have sizes of their own; give them to `isotrope plan`, `bound` or `bench` "
      "as --counts FILE, with lines of source, destination and bytes",
      collective));
}

Counts chosen_counts(const ProblemOptions& given) {
  ProblemOptions options = given;
  if (options.collective.empty()) options.collective = exchanges.front();
  require_unequal(options);
  const network::NamedNetwork named = chosen_named_network(options);
  Counts result{.collective = options.collective,
                .network = named.network,
                .root = options.root.value_or(0),
                .failed = chosen_failures(options, named)};
  if (is_one_of(exchanges, result.collective)) {
    result.exchange = io::read_exchange_sizes(options.counts, result.network);
  } else {
    result.by_node = io::read_block_sizes(options.counts, result.network);
  }
  require_root(result, options);
  require_alive(result, options.counts);
  if (result.blocks() == 0) throw Error(fmt::format("{}: no block of 1 byte or more", options.counts));
  return result;
}

schedule::Problem problem_of(const Counts& counts, const PlanningOptions& options) {
  if (is_one_of(gatherings, counts.collective)) {
    throw Error(fmt::format(
        "{0} of unequal blocks has no plan of its own, and runs along trees or by a plan of equal blocks: "
        "`isotrope bound --counts {1}` bounds it, the MPI runtime carries it out",
        counts.collective, options.counts));
  }
  schedule::Task task = schedule::parse_task("task", counts.network);
  task.deliveries = planner::in_packets(counts.exchange, packet_of(counts, options));
  schedule::Problem problem = problem_with(options, counts.network, counts.failed, std::move(task));
  apply_goals(options, problem);
  return problem;
}

bound::LinkBytes bound_of(const Counts& counts) {
  const auto network = surviving(counts);
  if (counts.exchange.empty()) return bound::gathering_bound(network, counts.by_node);
  return bound::exchange_bound(network, counts.exchange);
}

Json facts_of(const Counts& counts) {
  const bound::LinkBytes bound = bound_of(counts);
  return {{"collective", counts.collective},
          {"bytes", counts.bytes()},
          {"blocks", counts.blocks()},
          {"link_bytes", bound.link_bytes},
          {"because", bound.reason}};
}

std::string payload_in_words(const Counts& counts) {
  return fmt::format("{} of {} in {}", counts.collective, format_size(counts.bytes()),
                     counted(counts.blocks(), "block"));
}

std::string in_words(const bound::LinkBytes& bound) {
  return fmt::format("{:.0f} at least over the busiest link: {}", bound.link_bytes, bound.reason);
}

std::string in_words(const Counts& counts) {
  return line("counts", payload_in_words(counts)) + line("link bytes", in_words(bound_of(counts)));
}

}  // namespace isotrope::app

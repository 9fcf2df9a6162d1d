// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/simgrid/rivals/catalogue.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "bench/simgrid/rivals/alltoall.hpp"
#include "bench/simgrid/rivals/buckets.hpp"
#include "bench/simgrid/rivals/grid.hpp"
#include "bench/simgrid/rivals/stages.hpp"

namespace judge::rivals {

namespace {

// A chain of `rank` on the grid, on the part of the data that the variant names.
using Build = Chain (*)(const Grid& grid, Variant variant, int rank);

struct Pattern {
  std::string_view collective, name;
  Layout layout;
  int (*blocks)(const Grid& grid);
  bool (*applies)(const Grid& grid);
  Build chain;
  bool symmetric = false;  // whether mirroring changes nothing
};

int one(const Grid&) {
  return 1;
}
int per_rank(const Grid& grid) {
  return grid.size();
}
int two_per_rank(const Grid& grid) {
  return 2 * grid.size();
}
bool always(const Grid&) {
  return true;
}
bool binary(const Grid& grid) {
  return grid.powers_of(2);
}
bool ternary(const Grid& grid) {
  return grid.powers_of(3);
}

std::vector<Stage> far_first(const Grid& grid, Family family, Variant variant) {
  std::vector<Stage> result = stages(grid, family, variant);
  std::reverse(result.begin(), result.end());
  return result;
}

// --- numbers of ranks that are no powers of 2 ---

int power_below(int ranks) {
  int power = 1;
  while (2 * power <= ranks) power *= 2;
  return power;
}

// The grid on which ranks double: the grid itself, or the first 2^k ranks.
Grid doubling_grid(const Grid& grid) {
  return binary(grid) ? grid : Grid({power_below(grid.size())});
}

int doubling_blocks(const Grid& grid) {
  return doubling_grid(grid).size();
}

std::vector<int> blocks_up_to(int count) {
  std::vector<int> result;
  for (int block = 0; block < count; ++block) result.push_back(block);
  return result;
}

// `inner` on the first 2^k ranks. Every other rank first hands its vector to one of these, and gets the result at the
// end.
Chain folded(const Grid& grid, Variant variant, int rank, int blocks, Build inner) {
  const Grid kept = doubling_grid(grid);
  if (kept.size() == grid.size()) return inner(kept, variant, rank);
  variant.first_axis = 0;
  const std::vector<int> all = blocks_up_to(blocks);
  if (rank >= kept.size()) {
    const int partner = rank - kept.size();
    Chain chain(inner(kept, variant, partner).size() + 2);
    chain.front().sends.push_back({partner, all});
    chain.back().receives.push_back({partner, all, false});
    return chain;
  }
  const int partner = rank + kept.size();
  Chain before(1), after(1);
  if (partner < grid.size()) {
    before[0].receives.push_back({partner, all, true});
    after[0].sends.push_back({partner, all});
  }
  return joined(joined(before, inner(kept, variant, rank)), after);
}

// --- reduce-scatter, allgather, allreduce ---

Chain scatter_ring(const Grid& grid, Variant variant, int rank) {
  return ring_reduce_scatter(grid, variant.direction(), rank);
}
Chain scatter_bucket(const Grid& grid, Variant variant, int rank) {
  return bucket_reduce_scatter(grid, variant.first_axis, variant.direction(), rank);
}
template <Family family>
Chain scatter_near_first(const Grid& grid, Variant variant, int rank) {
  return reduce_scatter(stages(grid, family, variant), grid.size(), rank);
}
Chain scatter_halving(const Grid& grid, Variant variant, int rank) {
  return reduce_scatter(far_first(grid, Family::doubling, variant), grid.size(), rank);
}

template <Build scatter>
Chain gather(const Grid& grid, Variant variant, int rank) {
  return backwards(scatter(grid, variant, rank), false);
}
template <Build scatter>
Chain both(const Grid& grid, Variant variant, int rank) {
  return joined(scatter(grid, variant, rank), gather<scatter>(grid, variant, rank));
}
template <Family family>
Chain whole(const Grid& grid, Variant variant, int rank) {
  return exchange(stages(grid, family, variant), rank);
}

Chain folded_doubling(const Grid& grid, Variant variant, int rank) {
  return folded(grid, variant, rank, 1, whole<Family::doubling>);
}
Chain folded_halving(const Grid& grid, Variant variant, int rank) {
  return folded(grid, variant, rank, doubling_blocks(grid), both<scatter_near_first<Family::doubling>>);
}

// --- broadcast and reduce ---

template <Family family, bool scatter>
Chain spread(const Grid& grid, Variant variant, int rank) {
  return tree(far_first(grid, family, variant), grid.size(), rank, scatter);
}
template <Family family>
Chain collect(const Grid& grid, Variant variant, int rank) {
  return backwards(spread<family, false>(grid, variant, rank), true);
}
template <Family family, Build scatter>
Chain spread_in_parts(const Grid& grid, Variant variant, int rank) {
  return joined(spread<family, true>(grid, variant, rank), gather<scatter>(grid, variant, rank));
}
Chain collect_in_parts(const Grid& grid, Variant variant, int rank) {
  return joined(scatter_near_first<Family::doubling>(grid, variant, rank),
                backwards(spread<Family::doubling, true>(grid, variant, rank), false));
}

// --- alltoall ---

template <Chain (*build)(int ranks, int rank)>
Chain direct(const Grid& grid, Variant, int rank) {
  return build(grid.size(), rank);
}

const std::vector<Pattern>& patterns() {
  constexpr auto doubling = Family::doubling;
  constexpr auto swing = Family::swing;
  constexpr auto trivance = Family::trivance;
  constexpr auto vector = Layout::vector;
  constexpr auto own = Layout::per_rank;
  static const std::vector<Pattern> all{
      {"broadcast", "binomial", vector, one, always, spread<doubling, false>},
      {"broadcast", "bine", vector, one, binary, spread<swing, false>},
      {"broadcast", "scatter-allgather", vector, per_rank, binary,
       spread_in_parts<doubling, scatter_halving>},
      {"broadcast", "scatter-ring", vector, per_rank, always, spread_in_parts<doubling, scatter_ring>},
      {"broadcast", "bine-scatter-allgather", vector, per_rank, binary,
       spread_in_parts<swing, scatter_near_first<swing>>},
      {"reduce", "binomial", vector, one, always, collect<doubling>},
      {"reduce", "bine", vector, one, binary, collect<swing>},
      {"reduce", "rabenseifner", vector, per_rank, binary, collect_in_parts},
      {"reduce-scatter", "ring", own, per_rank, always, scatter_ring},
      {"reduce-scatter", "bucket", own, per_rank, always, scatter_bucket},
      {"reduce-scatter", "recursive-halving", own, per_rank, binary, scatter_halving},
      {"reduce-scatter", "swing", own, per_rank, binary, scatter_near_first<swing>},
      {"reduce-scatter", "trivance", own, per_rank, ternary, scatter_near_first<trivance>, true},
      {"allgather", "ring", own, per_rank, always, gather<scatter_ring>},
      {"allgather", "bucket", own, per_rank, always, gather<scatter_bucket>},
      {"allgather", "recursive-doubling", own, per_rank, binary, gather<scatter_halving>},
      {"allgather", "swing", own, per_rank, binary, gather<scatter_near_first<swing>>},
      {"allgather", "trivance", own, per_rank, ternary, gather<scatter_near_first<trivance>>, true},
      {"allreduce", "ring", vector, per_rank, always, both<scatter_ring>},
      {"allreduce", "bucket", vector, per_rank, always, both<scatter_bucket>},
      {"allreduce", "recursive-doubling", vector, one, always, folded_doubling},
      {"allreduce", "rabenseifner", vector, doubling_blocks, always, folded_halving},
      {"allreduce", "swing-latency", vector, one, binary, whole<swing>},
      {"allreduce", "swing-bandwidth", vector, per_rank, binary, both<scatter_near_first<swing>>},
      {"allreduce", "trivance-latency", vector, one, ternary, whole<trivance>, true},
      {"allreduce", "trivance-bandwidth", vector, per_rank, ternary, both<scatter_near_first<trivance>>,
       true},
      {"alltoall", "linear", Layout::pairs, two_per_rank, always, direct<linear_alltoall>},
      {"alltoall", "pairwise", Layout::pairs, two_per_rank, always, direct<pairwise_alltoall>},
      {"alltoall", "bruck", Layout::turned, per_rank, always, direct<bruck_alltoall>},
  };
  return all;
}

// How many chains share the data.
enum class Ports { one, two, all };

struct Form {
  std::string_view suffix;
  Ports ports;
};
constexpr Form forms[] = {{"", Ports::one}, {"-two", Ports::two}, {"-all", Ports::all}};

// An extent of 2 has one direction.
bool has_directions(const Grid& grid) {
  for (int axis = 0; axis < grid.axes(); ++axis) {
    if (grid.extent(axis) > 2) return true;
  }
  return false;
}

// Two: from the first two axes, or in both directions of the only one.
std::vector<Variant> variants(const Grid& grid, Ports ports, bool symmetric) {
  const bool directed = has_directions(grid) && !symmetric;
  std::vector<Variant> result;
  for (const bool mirrored : {false, true}) {
    if (mirrored && !directed) continue;
    for (int axis = 0; axis < grid.axes(); ++axis) result.push_back({axis, mirrored});
  }
  const std::size_t most = ports == Ports::one ? 1 : ports == Ports::two ? 2 : result.size();
  result.resize(std::min(most, result.size()));
  return result;
}

// Nothing if the form has no chain more than a smaller one.
std::optional<Program> program_of(const Pattern& pattern, Ports ports, const Grid& grid, int rank) {
  const auto own = variants(grid, ports, pattern.symmetric);
  for (const Ports smaller : {Ports::one, Ports::two}) {
    if (smaller < ports && variants(grid, smaller, pattern.symmetric).size() == own.size())
      return std::nullopt;
  }
  Program result{pattern.layout, pattern.blocks(grid), {}};
  for (const Variant variant : own) result.chains.push_back(pattern.chain(grid, variant, rank));
  return result;
}

}  // namespace

std::vector<std::string> names(const std::string& collective) {
  std::vector<std::string> result;
  for (const Pattern& pattern : patterns()) {
    if (pattern.collective != collective) continue;
    for (const Form& form : forms) {
      if (form.ports == Ports::one || collective != "alltoall")
        result.push_back(std::string(pattern.name).append(form.suffix));
    }
  }
  return result;
}

std::optional<Program> program(const std::string& collective, const std::string& name,
                               const std::string& network, int ranks, int rank) {
  for (const Pattern& pattern : patterns()) {
    for (const Form& form : forms) {
      if (pattern.collective != collective || name != std::string(pattern.name).append(form.suffix)) continue;
      const Grid grid = grid_of(network, ranks);
      if (!pattern.applies(grid)) return std::nullopt;
      return program_of(pattern, form.ports, grid, rank);
    }
  }
  throw std::runtime_error("no rival for " + collective + " is called " + name);
}

}  // namespace judge::rivals

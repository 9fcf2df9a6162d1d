// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/mpi/unequal_call.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "app/values.hpp"

namespace isotrope::app {
namespace {

using mpi::VectorCollective;

bool is_reduction(const Counts& counts) {
  return counts.collective == "reduce-scatter";
}

VectorCollective vector_collective(const Counts& counts) {
  constexpr std::array exchanges{VectorCollective::scatterv, VectorCollective::gatherv,
                                 VectorCollective::allgatherv, VectorCollective::alltoallv,
                                 VectorCollective::alltoallw};
  if (is_reduction(counts)) return VectorCollective::reduce_scatter;
  return *std::ranges::find_if(
      exchanges, [&](VectorCollective each) { return mpi::name_of(each) == counts.collective; });
}

void require_whole_floats(const Counts& counts, const std::string& file) {
  for (std::size_t node = 0; node < counts.by_node.size(); ++node) {
    if (counts.by_node[node] % sizeof(float) == 0) continue;
    throw Error(
        fmt::format("{}: node {} has {} bytes, but a reduce-scatter adds floats; give multiples of {}", file,
                    node, counts.by_node[node], sizeof(float)));
  }
}

// The bytes of the larger buffer of each node.
std::vector<std::uint64_t> buffer_bytes(const Counts& counts) {
  std::vector<std::uint64_t> sent(counts.network.order()), received(sent.size());
  for (const schedule::SizedBlock& block : counts.exchange) {
    sent[block.from] += block.bytes;
    received[block.to] += block.bytes;
  }
  const std::uint64_t gathered =
      std::accumulate(counts.by_node.begin(), counts.by_node.end(), std::uint64_t{0});
  std::ranges::transform(sent, received, sent.begin(), [&](std::uint64_t out, std::uint64_t in) {
    return std::max({out, in, gathered});
  });
  return sent;
}

// The blocks of the nodes of a collective with one block each, in elements.
std::vector<int> elements_by_node(const Counts& counts) {
  const std::uint64_t element = is_reduction(counts) ? sizeof(float) : 1;
  std::vector<int> result;
  for (const std::uint64_t bytes : counts.by_node) result.push_back(static_cast<int>(bytes / element));
  return result;
}

}  // namespace

void require_suitable_for_mpi(const Counts& counts, const std::string& file) {
  if (is_reduction(counts)) require_whole_floats(counts, file);
  const std::vector<std::uint64_t> buffers = buffer_bytes(counts);
  const auto largest = std::ranges::max_element(buffers);
  if (*largest <= INT_MAX) return;
  throw Error(fmt::format("{}: a buffer of {} at node {}; the MPI library's {} takes less than 2 GiB", file,
                          format_size(*largest), largest - buffers.begin(), counts.collective));
}

UnequalCall::Blocks::Blocks(std::vector<int> sizes) : counts(std::move(sizes)), places(counts.size()) {
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
}

std::size_t UnequalCall::Blocks::elements() const {
  return static_cast<std::size_t>(places.back()) + static_cast<std::size_t>(counts.back());
}

UnequalCall::Blocks UnequalCall::sent_by(int rank, const Counts& counts) {
  if (is_reduction(counts)) return Blocks(elements_by_node(counts));
  if (!counts.by_node.empty()) return Blocks({elements_by_node(counts)[static_cast<std::size_t>(rank)]});
  std::vector<int> sizes(counts.network.order());
  for (const auto& [from, to, bytes] : counts.exchange) {
    if (from == static_cast<network::Node>(rank)) sizes[to] = static_cast<int>(bytes);
  }
  return Blocks(std::move(sizes));
}

UnequalCall::Blocks UnequalCall::received_by(int rank, const Counts& counts) {
  if (is_reduction(counts)) return Blocks({elements_by_node(counts)[static_cast<std::size_t>(rank)]});
  if (!counts.by_node.empty()) return Blocks(elements_by_node(counts));
  std::vector<int> sizes(counts.network.order());
  for (const auto& [from, to, bytes] : counts.exchange) {
    if (to == static_cast<network::Node>(rank)) sizes[from] = static_cast<int>(bytes);
  }
  return Blocks(std::move(sizes));
}

UnequalCall::UnequalCall(mpi::Communicator& comm, const Counts& counts)
    : UnequalCall(comm, vector_collective(counts), static_cast<int>(counts.root),
                  sent_by(comm.rank(), counts), received_by(comm.rank(), counts)) {}

UnequalCall::UnequalCall(mpi::Communicator& comm, VectorCollective collective, int root, Blocks sent,
                         Blocks received)
    : ComparedCall(sent.elements() * (collective == VectorCollective::reduce_scatter ? sizeof(float) : 1),
                   received.elements() * (collective == VectorCollective::reduce_scatter ? sizeof(float) : 1),
                   collective == VectorCollective::reduce_scatter),
      comm_(comm),
      collective_(collective),
      root_(root),
      sent_(std::move(sent)),
      received_(std::move(received)),
      types_(static_cast<std::size_t>(comm.size()), MPI_BYTE) {}

int UnequalCall::isotrope_code() {
  const void* const from = send_.data();
  void* const to = receive_.data();
  const auto self = comm_.self();
  const auto root = static_cast<std::size_t>(root_);
  const int *const sent = sent_.counts.data(), *const sent_places = sent_.places.data();
  const int *const received = received_.counts.data(), *const places = received_.places.data();
  switch (collective_) {
    case VectorCollective::scatterv:
      return comm_.run(
          mpi::scatterv(self, from, sent, sent_places, MPI_BYTE, to, received[root], MPI_BYTE, root_));
    case VectorCollective::gatherv:
      return comm_.run(mpi::gatherv(self, from, sent[root], MPI_BYTE, to, received, places, MPI_BYTE, root_));
    case VectorCollective::allgatherv:
      return comm_.run(mpi::allgatherv(self, from, sent[0], MPI_BYTE, to, received, places, MPI_BYTE));
    case VectorCollective::alltoallv:
      return comm_.run(
          mpi::alltoallv(self, from, sent, sent_places, MPI_BYTE, to, received, places, MPI_BYTE));
    case VectorCollective::alltoallw:
      return comm_.run(
          mpi::alltoallw(self, from, sent, sent_places, types_.data(), to, received, places, types_.data()));
    case VectorCollective::reduce_scatter:
      return comm_.run(mpi::reduce_scatter(self, from, to, sent, MPI_FLOAT, MPI_SUM));
  }
  return MPI_ERR_INTERN;
}

int UnequalCall::library_code() {
  const void* const from = send_.data();
  void* const to = receive_.data();
  const auto root = static_cast<std::size_t>(root_);
  const int *const sent = sent_.counts.data(), *const sent_places = sent_.places.data();
  const int *const received = received_.counts.data(), *const places = received_.places.data();
  const MPI_Comm world = MPI_COMM_WORLD;
  switch (collective_) {
    case VectorCollective::scatterv:
      return MPI_Scatterv(from, sent, sent_places, MPI_BYTE, to, received[root], MPI_BYTE, root_, world);
    case VectorCollective::gatherv:
      return MPI_Gatherv(from, sent[root], MPI_BYTE, to, received, places, MPI_BYTE, root_, world);
    case VectorCollective::allgatherv:
      return MPI_Allgatherv(from, sent[0], MPI_BYTE, to, received, places, MPI_BYTE, world);
    case VectorCollective::alltoallv:
      return MPI_Alltoallv(from, sent, sent_places, MPI_BYTE, to, received, places, MPI_BYTE, world);
    case VectorCollective::alltoallw:
      return MPI_Alltoallw(from, sent, sent_places, types_.data(), to, received, places, types_.data(),
                           world);
    case VectorCollective::reduce_scatter:
      return MPI_Reduce_scatter(from, to, sent, MPI_FLOAT, MPI_SUM, world);
  }
  return MPI_ERR_INTERN;
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that all ranks of a communicator make the same call. Method and cost: one reduction of ten numbers over
// all ranks, the maxima of every compared value and of its negative.
#include <array>

#include <fmt/format.h>

#include "isotrope/mpi/associativity.hpp"
#include "isotrope/mpi/collectives.hpp"

namespace isotrope::mpi {
namespace {

enum Compared : std::size_t { invalid, collective, root, bytes, operation, field_count };

// MPI's predefined operations have the same number on all ranks. Handles of user-defined operations may
// differ between ranks, so their number only says whether they commute.
std::int64_t number_of(MPI_Op op) {
  if (const int number = predefined_number(op); number > 0) return number;
  int commutes = 0;
  if (op != MPI_OP_NULL) MPI_Op_commutative(op, &commutes);
  return -commutes;
}

// Neighbourhood collectives come after those of schedule::Collective, and those with unequal blocks after them.
constexpr std::int64_t first_neighbour_collective = 1000, first_vector_collective = 2000;

std::int64_t number_of(const CallSignature& signature) {
  if (signature.vector) return first_vector_collective + static_cast<std::int64_t>(*signature.vector);
  return signature.neighbour ? first_neighbour_collective + static_cast<std::int64_t>(*signature.neighbour)
                             : static_cast<std::int64_t>(signature.collective);
}

std::string name_of(std::int64_t value) {
  if (value >= first_vector_collective)
    return name_of(static_cast<VectorCollective>(value - first_vector_collective));
  if (value >= first_neighbour_collective)
    return name_of(static_cast<NeighbourCollective>(value - first_neighbour_collective));
  return to_string(schedule::Task{.collective = static_cast<schedule::Collective>(value)});
}

}  // namespace

void require_agreement(const CallSignature& signature, bool valid, MPI_Comm comm, ProgressEngine& progress) {
  std::array<std::int64_t, 2 * field_count> extremes{};
  extremes[collective] = number_of(signature);
  extremes[root] = signature.root;
  extremes[bytes] = static_cast<std::int64_t>(signature.bytes);
  extremes[operation] = number_of(signature.op);
  extremes[invalid] = valid ? 0 : 1;
  for (std::size_t i = 0; i < field_count; ++i) extremes[field_count + i] = -extremes[i];
  MPI_Request request = MPI_REQUEST_NULL;
  require_success(MPI_Iallreduce(MPI_IN_PLACE, extremes.data(), static_cast<int>(extremes.size()),
                                 MPI_INT64_T, MPI_MAX, comm, &request),
                  "comparing the arguments of all ranks");
  require_success(progress.wait(request), "comparing the arguments of all ranks");
  if (!valid) return;
  const auto most = [&](Compared field) { return extremes[field]; };
  const auto least = [&](Compared field) { return -extremes[field_count + field]; };
  const auto differ = [&](Compared field) { return least(field) != most(field); };
  const std::string name = name_of(most(collective));
  if (most(invalid) != 0)
    throw Failure(MPI_ERR_ARG, fmt::format("{}: the arguments of another rank are invalid", name));
  if (differ(collective)) {
    const std::int64_t own = number_of(signature);
    throw Failure(MPI_ERR_OTHER,
                  fmt::format("ranks disagree on the collective: {} here, {} on another", name_of(own),
                              name_of(most(collective) == own ? least(collective) : most(collective))));
  }
  if (differ(root)) {
    throw Failure(MPI_ERR_ROOT, fmt::format("{}: ranks disagree on the root: from {} to {}", name,
                                            least(root), most(root)));
  }
  if (differ(bytes)) {
    throw Failure(MPI_ERR_COUNT, fmt::format("{}: ranks disagree on the size of a block: from {} to {} bytes",
                                             name, least(bytes), most(bytes)));
  }
  if (differ(operation)) throw Failure(MPI_ERR_OP, fmt::format("{}: ranks disagree on the operation", name));
}

}  // namespace isotrope::mpi

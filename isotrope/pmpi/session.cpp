// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/session.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/topology.hpp"

namespace isotrope::pmpi {
namespace {

// The value of the attribute: nothing if the communicator is not served.
using Served = std::optional<mpi::Communicator>;
using mpi::rank_in;
using mpi::size_of;

#ifdef OPEN_MPI
constexpr std::string_view built_for = "Open MPI";
#else
constexpr std::string_view built_for = "MPICH";
#endif

// Prints one warning, from rank 0.
void warn(MPI_Comm comm, std::string_view what) {
  if (rank_in(comm) == 0) fmt::print(stderr, "isotrope: {}; {} serves this communicator\n", what, built_for);
}

// The variable of rank 0, on all ranks: they must serve the same calls.
std::string shared_variable(const char* name) {
  std::string value = environment_variable(name);
  int length = static_cast<int>(value.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  value.resize(static_cast<std::size_t>(length));
  MPI_Bcast(value.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return value;
}

std::optional<network::Network> network_of_world() {
  const std::string name = shared_variable("ISOTROPE_NETWORK");
  if (name.empty()) return std::nullopt;
  try {
    network::Network network = network::parse(name);
    const int size = size_of(MPI_COMM_WORLD);
    if (network.order() == static_cast<network::Node>(size)) return network;
    throw Error(fmt::format("{} has {} nodes and MPI_COMM_WORLD {} ranks: give as many ranks as nodes",
                            network.name(), network.order(), size));
  } catch (const Error& error) {
    warn(MPI_COMM_WORLD, fmt::format("ISOTROPE_NETWORK: {}", error.what()));
    return std::nullopt;
  }
}

// Frees the serving communicator. All ranks call this, when they free the program's communicator.
int free_served(MPI_Comm, int, void* served, void*) {
  const std::unique_ptr<Served> owned(static_cast<Served*>(served));
  return MPI_SUCCESS;
}

}  // namespace

Session& Session::of_process() {
  static Session session;
  return session;
}

void Session::require_matching_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view name(text.data(), static_cast<std::size_t>(length));
  if (name.starts_with(built_for)) return;
  fmt::print(stderr,
             "isotrope: this libisotrope_pmpi.so is for {} and the program has {}: preload the other one\n",
             built_for, name.substr(0, name.find_first_of(",:\n")));
  std::_Exit(EXIT_FAILURE);
}

void Session::begin() {
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_served, &key_, nullptr);
  world_network_ = network_of_world();
  const std::string report = shared_variable("ISOTROPE_REPORT");
  prints_report_ = !report.empty() && report != "0";
}

// Communicators that the program has not freed keep their attribute: only all their ranks together could free
// it.
void Session::end() {
  if (key_ == MPI_KEYVAL_INVALID) return;
  if (prints_report_) print_report();
  Served* served = nullptr;
  int is_known = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, key_, &served, &is_known);
  if (is_known != 0) MPI_Comm_delete_attr(MPI_COMM_WORLD, key_);
  key_ = MPI_KEYVAL_INVALID;
}

// The counts of a function are those of the rank with most calls.
void Session::print_report() const {
  std::array<std::uint64_t, 2 * reported.size()> own{}, most{};
  std::ranges::transform(counters_, own.begin(), [](const auto& counter) { return counter.load(); });
  MPI_Reduce(own.data(), most.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  std::string text = fmt::format("isotrope: {:<26}{:>10}{:>12}\n", "calls", "taken", "left to MPI");
  for (std::size_t i = 0; i < reported.size(); ++i) {
    const std::uint64_t served = most[2 * i], passed_on = most[2 * i + 1];
    const std::string_view name =
        reported[i] ? schedule::traits_of(*reported[i]).mpi_function : "MPI_Reduce_scatter";
    if (served + passed_on > 0)
      text += fmt::format("isotrope: {:<26}{:>10}{:>12}\n", name, served, passed_on);
  }
  fmt::print(stderr, "isotrope: MPI_COMM_WORLD {}\n{}",
             world_network_ ? "is " + world_network_->name() : "has no network", text);
}

mpi::Communicator* Session::communicator(MPI_Comm comm) {
  if (key_ == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL) return nullptr;
  Served* served = nullptr;
  int is_known = 0;
  if (MPI_Comm_get_attr(comm, key_, &served, &is_known) != MPI_SUCCESS) return nullptr;
  if (is_known == 0) {
    auto made = std::make_unique<Served>(make_communicator(comm));
    if (MPI_Comm_set_attr(comm, key_, made.get()) != MPI_SUCCESS) return nullptr;
    served = made.release();
  }
  return *served ? &**served : nullptr;
}

std::optional<mpi::Communicator> Session::make_communicator(MPI_Comm comm) const {
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (inter != 0 || size_of(comm) == 1) return std::nullopt;
  try {
    auto network = mpi::topology_network(comm);
    if (!network && world_network_) {
      int order = MPI_UNEQUAL;
      MPI_Comm_compare(comm, MPI_COMM_WORLD, &order);
      if (order == MPI_IDENT || order == MPI_CONGRUENT) network = world_network_;
    }
    if (!network) return std::nullopt;
    return mpi::Communicator(comm, *std::move(network));
  } catch (const Error& error) {
    warn(comm, error.what());
    return std::nullopt;
  }
}

}  // namespace isotrope::pmpi

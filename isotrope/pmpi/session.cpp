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

#ifdef OPEN_MPI
constexpr std::string_view built_for = "Open MPI";
#else
constexpr std::string_view built_for = "MPICH";
#endif

// The name and version of the loaded library.
std::string loaded_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

// Prints one warning, from rank 0.
void warn(MPI_Comm comm, std::string_view what) {
  if (rank_in(comm) == 0) fmt::print(stderr, "isotrope: {}; all is left to {}\n", what, built_for);
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

bool is_world(MPI_Comm comm) {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
  return result == MPI_IDENT || result == MPI_CONGRUENT;
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
  const std::string name = loaded_library();
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

void Session::print_report() const {
  const std::string text = counters_.text();
  if (rank_in(MPI_COMM_WORLD) != 0) return;
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
    auto network = network_of(comm);
    if (!network) return std::nullopt;
    return mpi::Communicator(comm, *std::move(network));
  } catch (const Error& error) {
    warn(comm, error.what());
    return std::nullopt;
  }
}

std::optional<network::Network> Session::network_of(MPI_Comm comm) const {
  if (auto network = mpi::topology_network(comm)) return network;
  if (world_network_ && is_world(comm)) return world_network_;
  return std::nullopt;
}

}  // namespace isotrope::pmpi

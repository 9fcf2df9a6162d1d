// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/session.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::pmpi {
namespace {

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

// Every rank calls this when it frees the program's communicator.
int free_served(MPI_Comm, int, void* served, void*) {
  const std::unique_ptr<Served> owned(static_cast<Served*>(served));
  if (owned->slot) Session::of_process().give_back(*owned->slot);
  return MPI_SUCCESS;
}

// The machine that rank 0 reads, on all ranks; nothing, after one warning, if it cannot.
std::optional<cost::Machine> shared_machine() {
  static_assert(std::is_trivially_copyable_v<cost::Machine>);
  cost::Machine machine = mpi::shared_memory();
  int readable = 1;
  if (rank_in(MPI_COMM_WORLD) == 0) {
    try {
      machine = mpi::machine_of_environment();
    } catch (const Error& error) {
      fmt::print(stderr, "isotrope: ISOTROPE_MACHINE: {}; {} serves all communicators\n", error.what(),
                 built_for);
      readable = 0;
    }
  }
  MPI_Bcast(&readable, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&machine, sizeof(machine), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (readable == 0) return std::nullopt;
  return machine;
}

bool is_set(const std::string& value) {
  return !value.empty() && value != "0";
}

int largest_tag(MPI_Comm comm) {
  constexpr int least = 32767;
  int* bound = nullptr;
  int is_known = 0;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &bound, &is_known);
  return is_known == 0 ? least : *bound;
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
  prints_report_ = is_set(shared_variable("ISOTROPE_REPORT"));
  checks_ = is_set(shared_variable("ISOTROPE_CHECK"));
  machine_ = shared_machine();
  MPI_Comm_dup(MPI_COMM_WORLD, &job_);  // nobody has set attributes yet
  MPI_Comm_set_errhandler(job_, MPI_ERRORS_RETURN);
  slots_.set_largest_tag(largest_tag(job_));
  MPI_Comm_dup(MPI_COMM_SELF, &self_);
  MPI_Comm_set_errhandler(self_, MPI_ERRORS_RETURN);
}

// The library checks the datatype of a message to nobody too, and reads no element.
bool Session::accepts(MPI_Datatype type) const {
  const std::byte element{};
  return MPI_Send(&element, 1, type, MPI_PROC_NULL, 0, self_) == MPI_SUCCESS;
}

// An operation on no element is checked too.
bool Session::accepts(MPI_Datatype type, MPI_Op op) {
  if (!accepts(type)) return false;
  const std::scoped_lock lock(asking_);
  return MPI_Allreduce(MPI_IN_PLACE, nullptr, 0, type, op, self_) == MPI_SUCCESS;
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
  MPI_Comm_free(&job_);
  MPI_Comm_free(&self_);
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
    auto made = std::make_unique<Served>(make_served(comm));
    if (MPI_Comm_set_attr(comm, key_, made.get()) != MPI_SUCCESS) return nullptr;
    served = made.release();
  }
  return served->communicator ? &*served->communicator : nullptr;
}

std::optional<network::Network> Session::network_of(MPI_Comm comm) const {
  auto network = mpi::topology_network(comm);
  if (network || !world_network_) return network;
  int order = MPI_UNEQUAL;
  MPI_Comm_compare(comm, MPI_COMM_WORLD, &order);
  return order == MPI_IDENT || order == MPI_CONGRUENT ? world_network_ : std::nullopt;
}

// Nothing, on all ranks of `comm`, if some of them are not of this job.
std::optional<mpi::Channel> Session::channel_of(MPI_Comm comm, std::optional<int>& slot) {
  MPI_Group ours = MPI_GROUP_NULL, jobs = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &ours);
  MPI_Comm_group(job_, &jobs);
  std::vector<int> own(static_cast<std::size_t>(size_of(comm))), ranks(own.size());
  std::iota(own.begin(), own.end(), 0);
  MPI_Group_translate_ranks(ours, static_cast<int>(own.size()), own.data(), jobs, ranks.data());
  MPI_Group_free(&ours);
  MPI_Group_free(&jobs);
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end()) return std::nullopt;
  slot = slots_.take(comm);
  if (!slot) return mpi::Channel::of_its_own(comm);
  return mpi::Channel(job_, std::move(ranks), slots_.first_tag(*slot), slots_.tags());
}

// Communicators with the same network share the programs of a rank.
std::shared_ptr<mpi::ProgramCache> Session::programs_of(const network::Network& network, int rank) {
  const std::scoped_lock lock(making_);
  const auto node = static_cast<network::Node>(rank);
  for (const auto& programs : programs_) {
    if (programs->rank() == node && same_network(programs->network(), network)) return programs;
  }
  constexpr std::size_t most_kept = 64;
  if (programs_.size() == most_kept) programs_.erase(programs_.begin());
  return programs_.emplace_back(std::make_shared<mpi::ProgramCache>(network, node, *machine_));
}

Served Session::make_served(MPI_Comm comm) {
  Served result;
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (inter != 0 || size_of(comm) == 1 || !machine_) return result;
  try {
    auto network = network_of(comm);
    if (!network) return result;
    check(*machine_, network->degree());
    if (auto channel = channel_of(comm, result.slot))
      result.communicator.emplace(comm, *std::move(channel), programs_of(*network, rank_in(comm)), checks_);
  } catch (const Error& error) {
    warn(comm, error.what());
  }
  return result;
}

}  // namespace isotrope::pmpi

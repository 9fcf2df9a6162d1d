// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/session.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/parse.hpp"
#include "isotrope/network/part.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/part_machine.hpp"

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/library.hpp"
#include "isotrope/mpi/own_plans.hpp"
#include "isotrope/mpi/topology.hpp"
#include "isotrope/pmpi/all_ranks.hpp"
#include "isotrope/pmpi/being_freed.hpp"
#include "isotrope/pmpi/libraries.hpp"
#include "isotrope/pmpi/rank_zero.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::rank_in;
using mpi::size_of;

// Rank 0 names the misspelt variables of its environment.
void warn_of_meaningless_variables() {
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  for (const std::string& line : meaningless_variables()) say(line);
}

// Errors of what is still open go elsewhere.
void forget_comm(Served& served) {
  if (served.communicator) served.communicator->forget_comm();
  for (const auto& persistent : served.persistent) {
    if (const ServedPointer existing = persistent.lock()) forget_comm(*existing);
  }
}

// Every rank calls this when it frees the program's communicator.
int free_member(MPI_Comm, int, void* member, void*) {
  const std::unique_ptr<Member> owned(static_cast<Member*>(member));
  Session::of_process().forget(*owned);
  if (owned->served) forget_comm(*owned->served);
  return MPI_SUCCESS;
}

int end_session(MPI_Comm, int, void*, void*) {
  const ReentryGuard guard;
  Session::of_process().end();
  return MPI_SUCCESS;
}

// Has the session end when MPI_Finalize deletes the attributes of MPI_COMM_SELF, the last one first: after the callbacks of the
// program, which set its attributes later. They may still call collectives.
void end_in_finalize() {
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_session, &key, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  PMPI_Comm_free_keyval(&key);
}

// One of the same ranks that returns errors. MPI_Comm_dup would copy attributes, which a profiler may have set already.
MPI_Comm communicator_like(MPI_Comm comm) {
  MPI_Group ranks = MPI_GROUP_NULL;
  MPI_Comm result = MPI_COMM_NULL;
  PMPI_Comm_group(comm, &ranks);
  PMPI_Comm_create(comm, ranks, &result);
  PMPI_Group_free(&ranks);
  PMPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN);
  return result;
}

Chooser shared_chooser(Chooser otherwise) {
  constexpr std::array<std::pair<std::string_view, Chooser>, 3> known{
      {{"measure", Chooser::measure}, {"model", Chooser::model}, {"library", Chooser::library}}};
  const std::string given = shared_variable("ISOTROPE_CHOOSE");
  if (given.empty()) return otherwise;
  const auto* const found = std::ranges::find(known, given, [](const auto& row) { return row.first; });
  if (found != known.end()) return found->second;
  say(fmt::format("ISOTROPE_CHOOSE: '{}' is not known: give measure, model or library", excerpt(given)));
  return otherwise;
}

// The memory of ranks that have a processor each, to plan by: a rank sends one message and receives one at a time. Trees and
// recursive doubling come out, where shared_memory() has one rank take from all.
cost::Machine memory_through_one_port() {
  return {.startup_s = 5e-7, .byte_time_s = 2e-10, .overhead_s = 1e-7};
}

}  // namespace

constinit std::atomic<Session*> Session::the_session = nullptr;

Session& Session::make() {
  static auto* const session = new Session;
  the_session.store(session, std::memory_order_release);
  return *session;
}

Served::~Served() {
  if (slot) Session::of_process().give_back(*slot);
}

void Session::require_matching_library() {
  if (library_of_process().runs_programs_for(library_built_for())) return;
  fmt::print(stderr,
             "isotrope: this libisotrope_pmpi.so is for {} and the program has {}: preload the other one\n",
             library_built_for().name, library_of_process().name);
  std::_Exit(EXIT_FAILURE);
}

void Session::begin() {
  end_in_finalize();
  await_all_ranks();
  warn_of_meaningless_variables();
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_member, &key_, nullptr);
  network_.find();
  prints_report_ = is_on(shared_variable("ISOTROPE_REPORT"));
  if (prints_report_) print_start();
  own_plans_ = mpi::share_own_plans(MPI_COMM_WORLD);
  checks_ = is_on(shared_variable("ISOTROPE_CHECK"));
  reproducible_ = is_on(shared_variable("ISOTROPE_REPRODUCIBLE"));
  chooser_ = shared_chooser(checks_ ? Chooser::model : Chooser::measure);
  kept_.begin();
  job_ = communicator_like(MPI_COMM_WORLD);
  slots_.set_largest_tag(mpi::largest_tag());
  self_ = communicator_like(MPI_COMM_SELF);
  library_checks_.begin(self_);
  int threads = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&threads);
  counts_.set_threaded(threads == MPI_THREAD_MULTIPLE);
  // Threads would call it at once. Where the library serves all calls, it stays unused.
  if (threads != MPI_THREAD_MULTIPLE && network_.world() && chooser_ != Chooser::library)
    host_memory_ = mpi::HostMemory::of(job_);
  open_.begin(self_);
  Member* const world = member(MPI_COMM_WORLD);
  if (chooser_ == Chooser::model && world != nullptr) serve(MPI_COMM_WORLD, *world);
  serve_new(MPI_COMM_WORLD);
  start_progress_thread();
}

void Session::print_start() const {
  const std::string running = library_of_process().in_words(), built = library_built_for().in_words();
  say(fmt::format("built for {}{}; MPI_COMM_WORLD {}", built,
                  running == built ? "" : fmt::format(", runs with {}", running), network_.in_words()));
}

bool Session::wants_progress_thread() {
  return environment_variable("ISOTROPE_PROGRESS") == "thread";
}

void Session::start_progress_thread() {
  const std::string progress = shared_variable("ISOTROPE_PROGRESS");
  int provided = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&provided);
  if (progress == "thread" && provided == MPI_THREAD_MULTIPLE) {
    progress_thread_.start(open_);
  } else if (!progress.empty() && progress != "calls") {
    const std::string why =
        progress == "thread"
            ? fmt::format("{} does not provide MPI_THREAD_MULTIPLE", library_of_process().name)
            : fmt::format("'{}' is not known: give thread or calls", excerpt(progress));
    say(fmt::format("ISOTROPE_PROGRESS: {}; collectives advance in calls of MPI", why));
  }
}

// Communicators that the program has not freed keep their attribute: only all their ranks together could free
// it.
void Session::end() {
  if (key_ == MPI_KEYVAL_INVALID) return;
  open_.finish();
  progress_thread_.stop();
  if (prints_report_) print_report();
  Member* member = nullptr;
  int is_known = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, key_, &member, &is_known);
  if (is_known != 0) PMPI_Comm_delete_attr(MPI_COMM_WORLD, key_);
  freed_.fetch_add(1, std::memory_order_release);
  kept_.write();
  key_ = MPI_KEYVAL_INVALID;
  PMPI_Comm_free(&job_);
  PMPI_Comm_free(&self_);
}

void Session::print_report() const {
  const std::string rows = counts_.rows();
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  fmt::print(stderr, "isotrope: MPI_COMM_WORLD {}\nisotrope: {:<30}{:>10}{:>12}\n{}", network_.in_words(),
             "calls", "taken", "left to MPI", rows);
  for (const std::string& plan : mpi::own_plans_chosen()) say("plan file chosen by the model: " + plan);
  if (const std::string grids = grids_.in_words(); !grids.empty()) say(grids);
  if (parts_ + others_ == 0) return;
  say(
      fmt::format("communicators of rank 0 that are a part of the network: {}; left to MPI, as their "
                  "ranks are no box of nodes: {}",
                  parts_.load(), others_.load()));
}

std::optional<network::MappedNetwork> Session::whole_network_of(MPI_Comm comm) const {
  const std::optional<TimedNetwork>& world = network_.world();
  if (key_ == MPI_KEYVAL_INVALID || !world || !network_.machine() || chooser_ == Chooser::library)
    return std::nullopt;
  int inter = 0;
  if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0) return std::nullopt;
  const network::NamedNetwork& named = world->mapped.named;
  if (size_of(comm) != static_cast<int>(named.network.order())) return std::nullopt;
  const auto ranks = ranks_in_job(comm);
  if (!ranks) return std::nullopt;
  return network::MappedNetwork{named, network::RankMap(network_.nodes_of(*ranks))};
}

Member* Session::find_member(MPI_Comm comm) {
  const std::uint64_t freed = freed_.load(std::memory_order_acquire);
  if (key_ == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL) return nullptr;
  // MPI_Finalize deletes the attributes of MPI_COMM_SELF as MPI_Comm_free does those of others.
  if (comm == MPI_COMM_SELF || BeingFreed::has(comm)) return nullptr;
  Member* member = nullptr;
  int is_known = 0;
  if (PMPI_Comm_get_attr(comm, key_, &member, &is_known) != MPI_SUCCESS) return nullptr;
  if (is_known == 0) {
    auto made = new_member(comm);
    if (PMPI_Comm_set_attr(comm, key_, made.get()) != MPI_SUCCESS) return nullptr;
    member = made.release();
  }
  last_member = {comm, member, freed};
  return member;
}

// Sends nothing.
std::unique_ptr<Member> Session::new_member(MPI_Comm comm) {
  const int size = size_of(comm);
  auto member = std::make_unique<Member>(
      Member{.rank = rank_in(comm),
             .size = size,
             .choices = CommunicatorChoices(size, open_, !reproducible_, comm == MPI_COMM_WORLD)});
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0 || size == 1 || !network_.machine() || (chooser_ == Chooser::library && !reproducible_))
    member->state = Member::State::passed_on;
  return member;
}

// That of its topology, or else the part of the network of MPI_COMM_WORLD that its ranks are: every rank finds the same.
std::optional<TimedNetwork> Session::network_of(MPI_Comm comm, const std::vector<int>& ranks) {
  if (auto network = mpi::topology_network(comm))
    return TimedNetwork{{*std::move(network)}, network_.machine()->links};
  const std::optional<TimedNetwork>& world = network_.world();
  if (!world) return std::nullopt;
  const network::NamedNetwork& named = world->mapped.named;
  std::vector<network::Node> nodes = network_.nodes_of(ranks);
  if (nodes.size() == named.network.order())
    return TimedNetwork{{named, network::RankMap(std::move(nodes))}, world->machine};
  auto network = network::part_of(named, nodes);
  ++(network ? parts_ : others_);
  if (!network) return std::nullopt;
  return TimedNetwork{*std::move(network),
                      cost::machine_of_part(world->machine, network::axes_of_part(named.network, nodes))};
}

// The ranks of `comm` in the communicator of the job; nothing, on all of them, if some are not of this job, such as
// spawned processes, which may have no drop-in. Sends nothing.
std::optional<std::vector<int>> Session::ranks_in_job(MPI_Comm comm) const {
  MPI_Group ours = MPI_GROUP_NULL, jobs = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &ours);
  PMPI_Comm_group(job_, &jobs);
  std::vector<int> own(static_cast<std::size_t>(size_of(comm))), ranks(own.size());
  std::iota(own.begin(), own.end(), 0);
  PMPI_Group_translate_ranks(ours, static_cast<int>(own.size()), own.data(), jobs, ranks.data());
  PMPI_Group_free(&ours);
  PMPI_Group_free(&jobs);
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end()) return std::nullopt;
  return ranks;
}

mpi::Channel Session::channel_of(MPI_Comm comm, std::vector<int> ranks, std::optional<int>& slot) {
  slot = slots_.take(comm, open_);
  if (!slot) return mpi::Channel::of_its_own(comm);
  mpi::Channel channel(job_, std::move(ranks), slots_.first_tag(*slot), slots_.tags());
  channel.use(host_memory_);
  return channel;
}

// Whether plans are measured on one host, of which no file says that it stands for another machine: each rank reaches each
// other alike then, whatever the network.
bool Session::plans_for_memory(const std::vector<int>& ranks) const {
  return chooser_ == Chooser::measure && host_memory_ && network_.machine()->links == mpi::shared_memory() &&
         host_memory_->holds(ranks);
}

// Communicators with the same network share the programs of a rank.
std::shared_ptr<mpi::ProgramCache> Session::programs_of(const TimedNetwork& network, int rank) {
  const std::scoped_lock lock(making_);
  const auto own = static_cast<network::Rank>(rank);
  for (const auto& programs : programs_) {
    const auto& [named, ranks] = network.mapped;
    if (programs->rank() == own && programs->ranks() == ranks && programs->machine() == network.machine &&
        programs->lacks() == named.lacks && same_network(programs->network(), named.network))
      return programs;
  }
  constexpr std::size_t most_kept = 64;
  if (programs_.size() == most_kept) programs_.erase(programs_.begin());
  return programs_.emplace_back(
      std::make_shared<mpi::ProgramCache>(network.mapped, own, network.machine, own_plans_));
}

mpi::Communicator* Session::serve(MPI_Comm comm, Member& member) {
  if (member.state == Member::State::unknown) {
    member.served = make_served(comm, member.rank, std::nullopt);
    member.state = member.served ? Member::State::served : Member::State::passed_on;
  }
  return member.served ? &*member.served->communicator : nullptr;
}

void Session::serve_new(MPI_Comm comm) {
  if (!reproducible_) return;
  Member* const known = member(comm);
  if (known != nullptr) serve(comm, *known);
}

void Session::warn_of_library_sums(MPI_Comm comm, const char* why) const {
  if (reproducible_) warn(comm, fmt::format("ISOTROPE_REPRODUCIBLE: {}: its sums are not reproducible", why));
}

ServedPointer Session::served_again(MPI_Comm comm, Member& member) {
  const mpi::Communicator& first = *member.served->communicator;
  ServedPointer result =
      make_served(comm, member.rank,
                  TimedNetwork{{{first.network(), first.lacks()}, first.ranks()}, member.served->machine});
  std::vector<std::weak_ptr<Served>>& persistent = member.served->persistent;
  std::erase_if(persistent, [](const auto& known) { return known.expired(); });
  if (result) persistent.push_back(result);
  return result;
}

// Nothing, on all ranks, if `comm` cannot be served. `network` is that of `comm`, if it is known.
ServedPointer Session::make_served(MPI_Comm comm, int rank, std::optional<TimedNetwork> network) {
  try {
    auto ranks = ranks_in_job(comm);
    if (!ranks) {
      warn_of_library_sums(comm, "a communicator has ranks of another job");
      return nullptr;
    }
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH)
      prepare_to_block();  // the ranks exchange neighbours
    if (!network) network = network_of(comm, *ranks);
    auto result = std::make_shared<Served>();
    result->is_for_sums = !network && reproducible_;
    const bool shares_memory = network && plans_for_memory(*ranks);
    if (result->is_for_sums || shares_memory)
      network = TimedNetwork{{network::parse_named(fmt::format("complete:{}", size_of(comm)))},
                             network_.machine()->links};
    if (!network) return nullptr;
    const network::NamedNetwork& named = network->mapped.named;
    check(network->machine, named.network.degree());
    cost::LinkTimes(named.network, named.lacks, network->machine);  // refuses classes of other networks
    result->machine = network->machine;
    result->plans = {programs_of(*network, rank)};
    if (shares_memory)
      result->plans.push_back(programs_of({network->mapped, memory_through_one_port()}, rank));
    auto channel = channel_of(comm, *std::move(ranks), result->slot);
    result->communicator.emplace(comm, std::move(channel), result->plans.front(), checks_, open_)
        .accept_same_buffers();
    if (reproducible_) result->communicator->reduce_reproducibly();
    return result;
  } catch (const Error& error) {
    warn(comm, error.what());
    warn_of_library_sums(comm, "a communicator cannot be served");
    return nullptr;
  }
}

MeasuredChoice Session::make_choice(const Member& member, const CallKind& kind, int run) const {
  // Blocks of unequal sizes are sent directly or forwarded, and have no plan.
  const std::size_t challengers = kind.collective.is_unequal ? 1 : member.served->plans.size();
  const int least_run = MeasuredChoice::affordable_run(static_cast<int>(challengers));
  MeasuredChoice choice = calls_overlap(kind.collective)
                              ? MeasuredChoice(1 + challengers, std::max(run, least_run))
                              : MeasuredChoice(1 + challengers);
  kept_.add_priors(choice, kind, *member.served->communicator);
  return choice;
}

void Session::forget(const Member& member) {
  freed_.fetch_add(1, std::memory_order_release);
  if (member.served) kept_.keep(member.choices, *member.served->communicator);
}

}  // namespace isotrope::pmpi

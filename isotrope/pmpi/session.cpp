// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/pmpi/session.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/losses.hpp"
#include "isotrope/network/parse.hpp"
#include "isotrope/network/part.hpp"

#include "isotrope/cost/link_times.hpp"
#include "isotrope/cost/part_machine.hpp"

#include "isotrope/io/text_file.hpp"

#include "isotrope/mpi/channel.hpp"
#include "isotrope/mpi/host_memory.hpp"
#include "isotrope/mpi/library.hpp"
#include "isotrope/mpi/own_plans.hpp"
#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/mpi/topology.hpp"
#include "isotrope/pmpi/all_ranks.hpp"
#include "isotrope/pmpi/same_buffers.hpp"

namespace isotrope::pmpi {
namespace {

using mpi::rank_in;
using mpi::size_of;

const mpi::MpiLibrary& built_for() {
  static const mpi::MpiLibrary library = mpi::MpiLibrary::of(ISOTROPE_MPI_LIBRARY);
  return library;
}

const mpi::MpiLibrary& library_of_process() {
  static const mpi::MpiLibrary library = mpi::MpiLibrary::of_process();
  return library;
}

// Prints one warning, from rank 0 of `comm`, unless this process has printed it before.
void warn(MPI_Comm comm, std::string_view what) {
  constexpr std::size_t longest = 500;
  static std::mutex mutex;
  static std::set<std::string> printed;
  if (rank_in(comm) != 0) return;
  const std::scoped_lock lock(mutex);
  const auto [text, is_new] = printed.insert(excerpt(what, longest));
  if (is_new)
    fmt::print(stderr, "isotrope: {}; {} serves this communicator\n", *text, library_of_process().name);
}

// Rank 0 names the misspelt variables of its environment.
void warn_of_meaningless_variables() {
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  for (const std::string& line : meaningless_variables()) fmt::print(stderr, "isotrope: {}\n", line);
}

// The variable of rank 0, on all ranks: they must serve the same calls.
std::string shared_variable(const char* name) {
  return mpi::shared_text(environment_variable(name), MPI_COMM_WORLD);
}

// A short name of a list of nodes (FNV-1a).
class NodeHash {
 public:
  void add(network::Node node) { hash_ = (hash_ ^ node) * 0x100000001b3U; }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

// The name of the network in choices files. Many graphs are given by edges of the same network, so these count too, as do the
// places of the ranks.
std::string name_of(const mpi::Communicator& communicator) {
  std::string name = communicator.network().name();
  if (!communicator.lacks().edges.empty()) {
    NodeHash hash;
    for (const auto [low, high] : communicator.lacks().edges) {
      for (const network::Node node : {low, high}) hash.add(node);
    }
    name += " with edges " + hash.text();
  }
  if (!communicator.ranks().is_identity()) {
    NodeHash hash;
    for (network::Rank rank = 0; rank < communicator.network().order(); ++rank)
      hash.add(communicator.ranks().node_of(rank));
    name += " with rank map " + hash.text();
  }
  return name;
}

// An error in a rank map.
struct WrongRanks : Error {
  using Error::Error;
};

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

Chooser shared_chooser(Chooser otherwise) {
  constexpr std::array<std::pair<std::string_view, Chooser>, 3> known{
      {{"measure", Chooser::measure}, {"model", Chooser::model}, {"library", Chooser::library}}};
  const std::string given = shared_variable("ISOTROPE_CHOOSE");
  if (given.empty()) return otherwise;
  const auto* const found = std::ranges::find(known, given, [](const auto& row) { return row.first; });
  if (found != known.end()) return found->second;
  if (rank_in(MPI_COMM_WORLD) == 0)
    fmt::print(stderr, "isotrope: ISOTROPE_CHOOSE: '{}' is not known: give measure, model or library\n",
               excerpt(given));
  return otherwise;
}

// The choices in the file that rank 0 reads, on all ranks: those of this MPI library. A file that does not exist has none.
std::vector<io::MeasuredCall> shared_priors(std::string& file) {
  std::string text;
  int is_bad = 0;
  std::error_code unknown;  // what cannot be told is for the reader to report
  if (rank_in(MPI_COMM_WORLD) == 0 && (std::filesystem::exists(file, unknown) || unknown)) {
    try {
      text = io::read_text(file);
      io::parse_choices(file, text);
    } catch (const Error& error) {
      fmt::print(stderr, "isotrope: ISOTROPE_CHOICES: {}; the file stays as it is\n", error.what());
      is_bad = 1;
    }
  }
  PMPI_Bcast(&is_bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text = mpi::shared_text(std::move(text), MPI_COMM_WORLD);
  if (is_bad != 0) file.clear();
  if (is_bad != 0 || text.empty()) return {};
  io::MeasuredChoices choices = io::parse_choices(file, text);
  if (choices.library != library_of_process().in_words()) return {};
  return std::move(choices.calls);
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
  if (library_of_process().runs_programs_for(built_for())) return;
  fmt::print(stderr,
             "isotrope: this libisotrope_pmpi.so is for {} and the program has {}: preload the other one\n",
             built_for().name, library_of_process().name);
  std::_Exit(EXIT_FAILURE);
}

void Session::begin() {
  end_in_finalize();
  await_all_ranks();
  warn_of_meaningless_variables();
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_member, &key_, nullptr);
  find_machine();
  find_world();
  prints_report_ = is_on(shared_variable("ISOTROPE_REPORT"));
  if (prints_report_) print_start();
  own_plans_ = mpi::share_own_plans(MPI_COMM_WORLD);
  checks_ = is_on(shared_variable("ISOTROPE_CHECK"));
  reproducible_ = is_on(shared_variable("ISOTROPE_REPRODUCIBLE"));
  chooser_ = shared_chooser(checks_ ? Chooser::model : Chooser::measure);
  choices_file_ = shared_variable("ISOTROPE_CHOICES");
  if (!choices_file_.empty()) priors_ = shared_priors(choices_file_);
  PMPI_Comm_dup(MPI_COMM_WORLD, &job_);  // nobody has set attributes yet
  PMPI_Comm_set_errhandler(job_, MPI_ERRORS_RETURN);
  slots_.set_largest_tag(mpi::largest_tag());
  PMPI_Comm_dup(MPI_COMM_SELF, &self_);
  PMPI_Comm_set_errhandler(self_, MPI_ERRORS_RETURN);
  int threads = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&threads);
  counts_.set_threaded(threads == MPI_THREAD_MULTIPLE);
  // Threads would call it at once. Where the library serves all calls, it stays unused.
  if (threads != MPI_THREAD_MULTIPLE && world_ && chooser_ != Chooser::library)
    host_memory_ = mpi::HostMemory::of(job_);
  open_.begin(self_);
  Member* const world = member(MPI_COMM_WORLD);
  if (chooser_ == Chooser::model && world != nullptr) serve(MPI_COMM_WORLD, *world);
  serve_new(MPI_COMM_WORLD);
  start_progress_thread();
}

void Session::find_machine() {
  try {
    machine_ = mpi::machine_of_environment(MPI_COMM_WORLD);
  } catch (const Error& error) {
    serve_nothing(error.what());
  }
}

// The network of ISOTROPE_NETWORK, or else of the machine file, with the ranks in their places. Without the right places nothing is served.
void Session::find_world() {
  ranks_file_ = shared_variable("ISOTROPE_RANKS");
  const std::string name = shared_variable("ISOTROPE_NETWORK");
  const char* const variable = name.empty() ? "ISOTROPE_MACHINE" : "ISOTROPE_NETWORK";
  try {
    std::optional<network::NamedNetwork> nodes;
    if (!name.empty()) nodes = mpi::shared_network(name, MPI_COMM_WORLD);
    if (name.empty() && machine_) nodes = mpi::network_of_machine(*machine_, MPI_COMM_WORLD);
    if (nodes) {
      mpi::PlacedJob job = placed_world(*nodes, name.empty());
      check(job.machine, job.network.named.network.degree());
      ranks_per_node_ = job.ranks_per_node;
      if (!nodes->lacks.nodes.empty()) left_of_ = nodes->network.name();
      lost_ = network::losses(nodes->network, network::Failures({}, nodes->lacks.links));
      placed_by_ = ranks_file_;
      if (name.empty() && ranks_file_.empty() && machine_->nodes.places_ranks()) placed_by_ = machine_->file;
      world_ = TimedNetwork{std::move(job.network), job.machine};
    }
  } catch (const WrongRanks& error) {
    serve_nothing(error.what());
  } catch (const Error& error) {
    leave_world(variable, error.what());
  }
  if (machine_ && !world_ && !ranks_file_.empty())
    serve_nothing(
        "ISOTROPE_RANKS: MPI_COMM_WORLD has no network whose nodes these are: name one by ISOTROPE_NETWORK");
}

// @throws WrongRanks for a wrong rank map
mpi::PlacedJob Session::placed_world(const network::NamedNetwork& nodes, bool is_of_machine) {
  const std::uint32_t ranks = machine_ ? machine_->nodes.ranks_per_node.value_or(0) : 0;
  const auto given = [&](const network::NamedNetwork& network, std::uint32_t ranks_per_node) {
    try {
      auto map = mpi::ranks_of_environment(network, ranks_per_node, MPI_COMM_WORLD);
      if (!map && is_of_machine)
        map = mpi::ranks_of_machine(*machine_, network, ranks_per_node, MPI_COMM_WORLD);
      return map;
    } catch (const Error& error) {
      throw WrongRanks(error.what());
    }
  };
  return mpi::place_job(nodes, machine_.value_or(mpi::JobMachine()), ranks, given, MPI_COMM_WORLD);
}

void Session::leave_world(const char* variable, const char* what) {
  constexpr std::size_t longest = 300;
  no_world_because_ = excerpt(what, longest);
  warn(MPI_COMM_WORLD, fmt::format("{}: {}", variable, what));
}

void Session::serve_nothing(const char* what) {
  constexpr std::size_t longest = 500;
  no_world_because_ = excerpt(what, longest);
  if (rank_in(MPI_COMM_WORLD) == 0)
    fmt::print(stderr, "isotrope: {}; {} serves all communicators\n", excerpt(what, longest),
               library_of_process().name);
  world_.reset();
  machine_.reset();
}

std::string Session::world_in_words() const {
  if (!world_)
    return no_world_because_.empty() ? "has no network"
                                     : fmt::format("has no network: {}", no_world_because_);
  std::string text = "is " + excerpt(world_->mapped.named.network.name());
  if (!left_of_.empty()) text += fmt::format(", {} without its failed nodes", excerpt(left_of_));
  if (!lost_.empty()) text += fmt::format("{}{}", left_of_.empty() ? "" : " and", excerpt(lost_));
  if (ranks_per_node_ > 1) text += fmt::format(", {} ranks a node", ranks_per_node_);
  return placed_by_.empty() ? text : fmt::format("{}, its ranks placed by {}", text, excerpt(placed_by_));
}

// One line of rank 0 for the report.
void Session::print_start() const {
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  const std::string running = library_of_process().in_words(), built = built_for().in_words();
  fmt::print(stderr, "isotrope: built for {}{}; MPI_COMM_WORLD {}\n", built,
             running == built ? "" : fmt::format(", runs with {}", running), world_in_words());
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
  } else if (!progress.empty() && progress != "calls" && rank_in(MPI_COMM_WORLD) == 0) {
    const std::string why =
        progress == "thread"
            ? fmt::format("{} does not provide MPI_THREAD_MULTIPLE", library_of_process().name)
            : fmt::format("'{}' is not known: give thread or calls", excerpt(progress));
    fmt::print(stderr, "isotrope: ISOTROPE_PROGRESS: {}; collectives advance in calls of MPI\n", why);
  }
}

// The library checks the datatype of a message to nobody too, and reads no element.
bool Session::accepts(MPI_Datatype type) const {
  const std::byte element{};
  return PMPI_Send(&element, 1, type, MPI_PROC_NULL, 0, self_) == MPI_SUCCESS;
}

// An operation on no element is checked too.
bool Session::accepts(MPI_Datatype type, MPI_Op op) {
  if (!accepts(type)) return false;
  const std::scoped_lock lock(asking_);
  return PMPI_Allreduce(MPI_IN_PLACE, nullptr, 0, type, op, self_) == MPI_SUCCESS;
}

bool Session::refuses_same_buffers(schedule::Collective collective, MPI_Count count) {
  const int asked = count > 1 ? 2 : 1;
  const std::scoped_lock lock(asking_);
  const auto [answer, is_new] = refuses_same_buffers_.try_emplace({collective, asked});
  if (is_new) answer->second = pmpi::refuses_same_buffers(collective, asked, self_);
  return answer->second;
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
  write_choices();
  key_ = MPI_KEYVAL_INVALID;
  PMPI_Comm_free(&job_);
  PMPI_Comm_free(&self_);
}

void Session::print_report() const {
  const std::string rows = counts_.rows();
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  fmt::print(stderr, "isotrope: MPI_COMM_WORLD {}\nisotrope: {:<30}{:>10}{:>12}\n{}", world_in_words(),
             "calls", "taken", "left to MPI", rows);
  for (const std::string& plan : mpi::own_plans_chosen())
    fmt::print(stderr, "isotrope: plan file chosen by the model: {}\n", plan);
  if (reordered_grids_ + kept_grids_ > 0)
    fmt::print(stderr, "isotrope: Cartesian communicators with reorder: {} reordered{}, {} left to MPI\n",
               reordered_grids_.load(),
               reordered_grids_ == 0 ? ""
                                     : fmt::format(" (neighbours at most {} apart, else {})",
                                                   farthest_in_grid_.load(), farthest_before_.load()),
               kept_grids_.load());
  if (parts_ + others_ == 0) return;
  fmt::print(stderr,
             "isotrope: communicators of rank 0 that are a part of the network: {}; left to MPI, as their "
             "ranks are no box of nodes: {}\n",
             parts_.load(), others_.load());
}

std::optional<network::MappedNetwork> Session::whole_network_of(MPI_Comm comm) const {
  if (key_ == MPI_KEYVAL_INVALID || !world_ || !machine_ || chooser_ == Chooser::library) return std::nullopt;
  int inter = 0;
  if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0) return std::nullopt;
  const network::NamedNetwork& named = world_->mapped.named;
  if (size_of(comm) != static_cast<int>(named.network.order())) return std::nullopt;
  const auto ranks = ranks_in_job(comm);
  if (!ranks) return std::nullopt;
  return network::MappedNetwork{named, network::RankMap(nodes_in_world(*ranks))};
}

void Session::count_grid(const GridOrder* order) {
  ++(order != nullptr ? reordered_grids_ : kept_grids_);
  if (order == nullptr) return;
  farthest_in_grid_ = std::max(farthest_in_grid_.load(), order->dilation);
  farthest_before_ = std::max(farthest_before_.load(), order->dilation_before);
}

Member* Session::find_member(MPI_Comm comm) {
  const std::uint64_t freed = freed_.load(std::memory_order_acquire);
  if (key_ == MPI_KEYVAL_INVALID || comm == MPI_COMM_NULL) return nullptr;
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
  auto member = std::make_unique<Member>(Member{
      .rank = rank_in(comm), .size = size, .choices = CommunicatorChoices(size, open_, !reproducible_)});
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0 || size == 1 || !machine_ || (chooser_ == Chooser::library && !reproducible_))
    member->state = Member::State::passed_on;
  return member;
}

// The nodes of ranks of the job. @pre the network of MPI_COMM_WORLD is known
std::vector<network::Node> Session::nodes_in_world(const std::vector<int>& ranks) const {
  std::vector<network::Node> result;
  for (const int rank : ranks)
    result.push_back(world_->mapped.ranks.node_of(static_cast<network::Rank>(rank)));
  return result;
}

// That of its topology, or else the part of the network of MPI_COMM_WORLD that its ranks are: every rank finds the same.
std::optional<Session::TimedNetwork> Session::network_of(MPI_Comm comm, const std::vector<int>& ranks) {
  if (auto network = mpi::topology_network(comm)) return TimedNetwork{{*std::move(network)}, machine_->links};
  if (!world_) return std::nullopt;
  const network::NamedNetwork& named = world_->mapped.named;
  std::vector<network::Node> nodes = nodes_in_world(ranks);
  if (nodes.size() == named.network.order())
    return TimedNetwork{{named, network::RankMap(std::move(nodes))}, world_->machine};
  auto network = network::part_of(named, nodes);
  ++(network ? parts_ : others_);
  if (!network) return std::nullopt;
  return TimedNetwork{*std::move(network),
                      cost::machine_of_part(world_->machine, network::axes_of_part(named.network, nodes))};
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
  return chooser_ == Chooser::measure && host_memory_ && machine_->links == mpi::shared_memory() &&
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
      network =
          TimedNetwork{{network::parse_named(fmt::format("complete:{}", size_of(comm)))}, machine_->links};
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
  io::MeasuredCall call{name_of(*member.served->communicator), kind.collective.base, kind.least_bytes()};
  call.has_unequal_blocks = kind.collective.is_unequal;
  const auto known =
      std::ranges::find_if(priors_, [&](const io::MeasuredCall& prior) { return prior.is_same_kind(call); });
  if (known == priors_.end()) return choice;
  choice.add_prior(MeasuredChoice::library, known->library_s);
  choice.add_prior(own_plans, known->isotrope_s);
  if (known->one_port_s && challengers >= one_port_plans)
    choice.add_prior(one_port_plans, *known->one_port_s);
  choice.decide();
  return choice;
}

void Session::forget(const Member& member) {
  freed_.fetch_add(1, std::memory_order_release);
  keep_choices(member);
}

void Session::keep_choices(const Member& member) {
  if (choices_file_.empty() || !member.served) return;
  const std::scoped_lock lock(making_);
  for (const auto& [kind, choice] : member.choices.all()) {
    if (choice.samples(MeasuredChoice::library) == 0 || choice.samples(own_plans) == 0) continue;
    io::MeasuredCall call{name_of(*member.served->communicator), kind.collective.base, kind.least_bytes(),
                          choice.estimate(MeasuredChoice::library), choice.estimate(own_plans)};
    if (choice.candidates() > one_port_plans && choice.samples(one_port_plans) > 0)
      call.one_port_s = choice.estimate(one_port_plans);
    call.has_unequal_blocks = kind.collective.is_unequal;
    std::erase_if(measured_, [&](const io::MeasuredCall& known) { return known.is_same_kind(call); });
    measured_.push_back(std::move(call));
  }
}

// What rank 0 has measured replaces what the file says of the same kinds of calls.
void Session::write_choices() const {
  if (choices_file_.empty() || rank_in(MPI_COMM_WORLD) != 0) return;
  std::vector<io::MeasuredCall> calls = measured_;
  std::ranges::copy_if(priors_, std::back_inserter(calls), [&](const io::MeasuredCall& prior) {
    return std::ranges::none_of(measured_, [&](const auto& call) { return call.is_same_kind(prior); });
  });
  try {
    io::write_choices(choices_file_, {.library = library_of_process().in_words(), .calls = std::move(calls)});
  } catch (const Error& error) {
    fmt::print(stderr, "isotrope: ISOTROPE_CHOICES: {}\n", error.what());
  }
}

}  // namespace isotrope::pmpi

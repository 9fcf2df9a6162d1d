// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/host_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"

#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

constexpr std::uint64_t line = 64;
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

std::uint64_t in_lines(std::uint64_t bytes) {
  return (bytes + line - 1) / line * line;
}

// What a rank tells the others.
struct Home {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 64> host = {};  // its name, and the boot of its kernel
  dev_t objects = 0;                                        // the file system of shared objects
  int process = 0, object = 0;  // the name of the object, if this rank creates one
  bool is_off = false;          // by the environment

  bool is_same_host(const Home& other) const { return host == other.host && objects == other.objects; }
  std::string name_of_object() const { return fmt::format("/isotrope-{}-{}", process, object); }
};
static_assert(std::is_trivially_copyable_v<Home>);

std::string first_line(const char* file) {
  std::string result;
  std::getline(std::ifstream(file), result);
  return result;
}

Home own_home() {
  static std::atomic<int> objects = 0;
  Home result{.process = getpid(),
              .object = objects.fetch_add(1),
              .is_off = environment_variable("ISOTROPE_HOST_MEMORY") == "0"};
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name = {};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  const std::string host = fmt::format("{} {}", name.data(), first_line("/proc/sys/kernel/random/boot_id"));
  host.copy(result.host.data(), result.host.size() - 1);
  struct stat of_objects = {};
  if (stat("/dev/shm", &of_objects) == 0) result.objects = of_objects.st_dev;
  return result;
}

// By rank.
std::vector<Home> homes(MPI_Comm comm) {
  std::vector<Home> result(static_cast<std::size_t>(size_of(comm)));
  const Home own = own_home();
  const int bytes = sizeof(Home);
  if (MPI_Allgather(&own, bytes, MPI_BYTE, result.data(), bytes, MPI_BYTE, comm) != MPI_SUCCESS) return {};
  return result;
}

// The ranks of a host, ascending.
std::vector<int> ranks_at(const Home& host, const std::vector<Home>& all) {
  std::vector<int> result;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].is_same_host(host)) result.push_back(static_cast<int>(rank));
  }
  return result;
}

// Whether the environment of rank 0 leaves it on, some host has several ranks, and each rank is a process: those of a simulator are
// not, and would wait for each other for ever.
bool are_to_share(const std::vector<Home>& all) {
  std::set<std::pair<std::array<char, sizeof(Home::host)>, int>> processes;
  std::set<std::array<char, sizeof(Home::host)>> hosts;
  for (const Home& home : all) {
    processes.emplace(home.host, home.process);
    hosts.insert(home.host);
  }
  return !all.front().is_off && processes.size() == all.size() && hosts.size() < all.size();
}

bool on_all_ranks(bool here, MPI_Comm comm) {
  int result = here ? 1 : 0;
  return MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && result != 0;
}

// A new object of that many bytes, which are there: a full file system is found now. @returns the file, or -1
int created_object(const std::string& name, std::uint64_t bytes) {
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  if (file < 0) return -1;
  // A timer of the program would interrupt it, again and again.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error == 0) return file;
  close(file);
  shm_unlink(name.c_str());
  return -1;
}

// The object that the first rank of the host creates. All ranks of `comm` must call this. @returns the file, or -1
int shared_object(const std::string& name, bool creates, std::uint64_t bytes, MPI_Comm comm) {
  const int created = creates ? created_object(name, bytes) : -1;
  MPI_Barrier(comm);
  return creates ? created : shm_open(name.c_str(), O_RDWR, 0);
}

}  // namespace

std::uint64_t HostMemory::ring_bytes(std::uint32_t ranks) {
  constexpr std::uint64_t all = std::uint64_t{8} << 20, least = std::uint64_t{64} << 10,
                          most = std::uint64_t{1} << 20;
  return std::clamp(all / ranks / line * line, least, most);
}

std::uint32_t HostMemory::depth_of(std::uint32_t ranks) {
  constexpr std::uint64_t all = std::uint64_t{2} << 20, least = 16, most = 256;
  const std::uint64_t fitting = all / (std::uint64_t{ranks} * ranks * sizeof(Entry));
  return static_cast<std::uint32_t>(std::bit_floor(std::clamp(fitting, least, most)));
}

std::uint64_t HostMemory::bytes() const {
  const std::uint64_t pairs = std::uint64_t{ranks_} * ranks_;
  return pairs * (depth_ * sizeof(Entry) + sizeof(Taken)) + ranks_ * (sizeof(State) + ring_bytes_);
}

HostMemory::HostMemory(const std::vector<int>& ranks, int rank, int all)
    : places_(static_cast<std::size_t>(all)),
      rank_(rank),
      ranks_(static_cast<std::uint32_t>(ranks.size())),
      depth_(depth_of(ranks_)),
      ring_bytes_(ring_bytes(ranks_)),
      largest_piece_(std::min<std::uint64_t>(ring_bytes_ / 8, std::uint64_t{64} << 10)),
      written_(ranks_),
      read_(ranks_) {
  for (Place place = 0; place < ranks_; ++place) {
    if (ranks[place] == rank)
      own_ = place;
    else
      places_[static_cast<std::size_t>(ranks[place])] = place;
  }
  for (Written& written : written_) written.pieces.resize(depth_);
}

std::shared_ptr<HostMemory> HostMemory::of(MPI_Comm comm) {
  const std::vector<Home> all = homes(comm);
  if (all.empty() || !are_to_share(all)) return nullptr;
  const int rank = rank_in(comm);
  const std::vector<int> ranks = ranks_at(all[static_cast<std::size_t>(rank)], all);
  std::shared_ptr<HostMemory> result(new HostMemory(ranks, rank, static_cast<int>(all.size())));
  const std::string name = all[static_cast<std::size_t>(ranks.front())].name_of_object();
  const bool creates = ranks.front() == rank;
  const int file = shared_object(name, creates, result->bytes(), comm);
  const bool is_mapped = result->map(file);
  const bool are_all_mapped = on_all_ranks(is_mapped, comm);
  if (creates && file >= 0) shm_unlink(name.c_str());
  return are_all_mapped ? result : nullptr;
}

// New objects are zero: no entry has a ticket.
bool HostMemory::map(int file) {
  if (file < 0) return false;
  void* const memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return false;
  memory_ = memory;
  const std::size_t pairs = std::size_t{ranks_} * ranks_;
  auto* next = static_cast<std::byte*>(memory);
  entries_ = reinterpret_cast<Entry*>(next);
  next += pairs * depth_ * sizeof(Entry);
  taken_ = reinterpret_cast<Taken*>(next);
  next += pairs * sizeof(Taken);
  states_ = reinterpret_cast<State*>(next);
  rings_ = next + ranks_ * sizeof(State);
  return true;
}

HostMemory::~HostMemory() {
  if (memory_ != nullptr) munmap(memory_, bytes());
}

std::optional<HostMemory::Place> HostMemory::place_of(int rank) const {
  return places_[static_cast<std::size_t>(rank)];
}

bool HostMemory::holds(std::span<const int> ranks) const {
  return std::ranges::all_of(ranks, [&](int rank) { return rank == rank_ || place_of(rank); });
}

// ---- writing

std::byte* HostMemory::prepare(std::span<const Place> readers, std::uint64_t bytes) {
  if (!has_room(readers)) reclaim();
  std::byte* result = nullptr;
  if (has_room(readers)) result = bytes <= inline_bytes ? short_piece_ : room_in_ring(bytes);
  const std::uint32_t starved = result == nullptr ? 1 : 0;
  std::atomic<std::uint32_t>& told = states_[own_].is_starved;
  if (told.load(std::memory_order_relaxed) != starved) told.store(starved, std::memory_order_release);
  return result;
}

bool HostMemory::has_room(std::span<const Place> readers) const {
  return std::ranges::all_of(readers, [&](Place reader) {
    return written_[reader].published - written_[reader].reclaimed < depth_;
  });
}

// A piece lies in one stretch: the rest of the ring before its end is left out if it is too short.
std::byte* HostMemory::room_in_ring(std::uint64_t bytes) {
  const std::uint64_t needed = in_lines(bytes), offset = end_ % ring_bytes_;
  const std::uint64_t skipped = offset + needed <= ring_bytes_ ? 0 : ring_bytes_ - offset;
  const auto fits = [&] { return end_ + skipped + needed - begin_ <= ring_bytes_; };
  if (!fits()) reclaim();
  if (!fits()) return nullptr;
  prepared_ = end_ + skipped + needed;
  return ring(own_) + (end_ + skipped) % ring_bytes_;
}

void HostMemory::publish(std::span<const Place> readers, std::uint64_t bytes, int tag, bool is_last) {
  const bool is_short = bytes <= inline_bytes;
  const std::uint64_t number = is_short ? no_piece : first_piece_ + pieces_.size();
  const std::uint64_t position = is_short ? 0 : (prepared_ - in_lines(bytes)) % ring_bytes_;
  if (!is_short) {
    pieces_.push_back({prepared_, static_cast<std::uint32_t>(readers.size())});
    end_ = prepared_;
  }
  for (const Place reader : readers) {
    Written& written = written_[reader];
    Entry& entry = this->entry(own_, reader, written.published);
    written.pieces[written.published % depth_] = number;
    entry.tag = tag;
    entry.position = static_cast<std::uint32_t>(position);
    entry.bytes = static_cast<std::uint32_t>(bytes) & 0x7fffffffU;
    entry.is_last = is_last ? 1U : 0U;
    if (is_short) std::memcpy(entry.data, short_piece_, bytes);
    entry.ticket.store(++written.published, std::memory_order_release);
  }
}

void HostMemory::reclaim() {
  for (Place reader = 0; reader < ranks_; ++reader) {
    Written& written = written_[reader];
    if (written.reclaimed == written.published) continue;
    const std::uint32_t taken = this->taken(own_, reader).load(std::memory_order_acquire);
    for (; written.reclaimed != taken; ++written.reclaimed) {
      const std::uint64_t number = written.pieces[written.reclaimed % depth_];
      if (number != no_piece) --pieces_[number - first_piece_].readers;
    }
  }
  for (; !pieces_.empty() && pieces_.front().readers == 0; ++first_piece_) {
    begin_ = pieces_.front().end;
    pieces_.pop_front();
  }
}

// ---- reading

const std::byte* HostMemory::data_of(Place writer, const Entry& entry) const {
  return entry.bytes <= inline_bytes ? entry.data : ring(writer) + entry.position;
}

std::optional<HostMemory::Piece> HostMemory::find(Place writer, int tag) {
  if (!kept_.empty()) {
    const auto kept = std::ranges::find_if(
        kept_, [&](const KeptPiece& piece) { return piece.writer == writer && piece.tag == tag; });
    if (kept != kept_.end()) return Piece{kept->data.get(), kept->bytes, kept->is_last, true};
  }
  while (true) {
    Entry& entry = this->entry(writer, own_, read_[writer]);
    if (entry.ticket.load(std::memory_order_acquire) != read_[writer] + 1) return std::nullopt;
    if (entry.tag == tag) return Piece{data_of(writer, entry), entry.bytes, entry.is_last != 0, false};
    keep(writer, entry);
  }
}

void HostMemory::keep(Place writer, Entry& entry) {
  auto data = std::make_unique_for_overwrite<std::byte[]>(entry.bytes);
  if (entry.bytes > 0) std::memcpy(data.get(), data_of(writer, entry), entry.bytes);
  kept_.push_back({writer, entry.tag, entry.is_last != 0, entry.bytes, std::move(data)});
  taken(writer, own_).store(++read_[writer], std::memory_order_release);
}

void HostMemory::take(Place writer, int tag, const Piece& piece) {
  if (!piece.is_kept) {
    taken(writer, own_).store(++read_[writer], std::memory_order_release);
    return;
  }
  kept_.erase(std::ranges::find_if(
      kept_, [&](const KeptPiece& kept) { return kept.writer == writer && kept.tag == tag; }));
}

bool HostMemory::is_starved(Place writer) const {
  return states_[writer].is_starved.load(std::memory_order_acquire) != 0;
}

}  // namespace isotrope::mpi

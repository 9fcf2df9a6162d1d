// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// drop_in cells|long|vectors|communicators TURNS: what the drop-in costs or gains, against the library's own functions in the same
// process.
//
// A program that uses MPI alone, started with the drop-in preloaded. Its calls go to the drop-in; the library's own
// functions are taken from the library itself. Both take turns: a batch of calls of one, then of the other. The wall time
// of a batch is that of the slowest rank, the CPU time that of all ranks together. Ratios are medians over TURNS, each of
// two batches that other work on the machine disturbs alike. Ten calls of every cell come first: the drop-in chooses.
//
//     cells            a line per collective and size
//     long             the same of 4 to 64 MiB, for 4 ranks: 8 GiB of memory with 8
//     vectors          cells of collectives with blocks of unequal sizes, 0 to 2 times the size of the line
//     communicators    the figures of new communicators, and the memory of a rank after them
//
// Without the drop-in all ratios are those of the library to itself: the noise of the machine. The script `figures` beside
// this file runs both and compares.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <link.h>
#include <mpi.h>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// ---- the functions of the program and of the library

// Keeps the first loaded object that is an MPI library.
int keep_mpi_library(dl_phdr_info* info, std::size_t /*bytes*/, void* found) {
  const std::string_view path = info->dlpi_name;
  if (!path.substr(path.find_last_of('/') + 1).starts_with("libmpi")) return 0;
  void* const library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr || dlsym(library, "MPI_Init") == nullptr) return 0;
  *static_cast<void**>(found) = library;
  return 1;
}

template <class Function>
Function of_library(const char* name) {
  void* library = nullptr;
  dl_iterate_phdr(keep_mpi_library, &library);
  void* const address = library == nullptr ? nullptr : dlsym(library, name);
  if (address == nullptr) {
    fmt::print(stderr, "drop_in: no {} in the MPI library\n", name);
    std::exit(EXIT_FAILURE);  // NOLINT(concurrency-mt-unsafe): there is one thread
  }
  return reinterpret_cast<Function>(address);
}

// A function as the program calls it, and as the library has it.
template <class Function>
struct Both {
  Function program, library;

  Both(Function function, const char* name) : program(function), library(of_library<Function>(name)) {}
  Function get(bool is_library) const { return is_library ? library : program; }
};

// NOLINTBEGIN(bugprone-macro-parentheses): the name of a function
#define BOTH(name)                          \
  const Both<decltype(&name)> name##_both { \
    name, #name                             \
  }
// NOLINTEND(bugprone-macro-parentheses)

// ---- cells

using Call = std::function<void(bool is_library)>;

struct Buffers {
  std::vector<float> send, receive;
};

// A call of a collective with blocks of `bytes` bytes.
Call equal_call(std::string_view collective, int bytes, Buffers& buffers) {
  static BOTH(MPI_Bcast);
  static BOTH(MPI_Scatter);
  static BOTH(MPI_Gather);
  static BOTH(MPI_Allgather);
  static BOTH(MPI_Alltoall);
  static BOTH(MPI_Reduce);
  static BOTH(MPI_Allreduce);
  static BOTH(MPI_Reduce_scatter_block);
  static BOTH(MPI_Barrier);
  const int count = bytes / static_cast<int>(sizeof(float));
  buffers.send.assign(static_cast<std::size_t>(count) * static_cast<std::size_t>(world_size()), 1);
  buffers.receive.assign(buffers.send.size(), 0);
  float *const from = buffers.send.data(), *const to = buffers.receive.data();
  const MPI_Comm world = MPI_COMM_WORLD;
  const MPI_Datatype type = MPI_FLOAT;
  if (collective == "broadcast")
    return [=](bool library) { MPI_Bcast_both.get(library)(to, count, type, 0, world); };
  if (collective == "scatter")
    return [=](bool library) { MPI_Scatter_both.get(library)(from, count, type, to, count, type, 0, world); };
  if (collective == "gather")
    return [=](bool library) { MPI_Gather_both.get(library)(from, count, type, to, count, type, 0, world); };
  if (collective == "allgather")
    return [=](bool library) { MPI_Allgather_both.get(library)(from, count, type, to, count, type, world); };
  if (collective == "alltoall")
    return [=](bool library) { MPI_Alltoall_both.get(library)(from, count, type, to, count, type, world); };
  if (collective == "reduce")
    return [=](bool library) { MPI_Reduce_both.get(library)(from, to, count, type, MPI_SUM, 0, world); };
  if (collective == "allreduce")
    return [=](bool library) { MPI_Allreduce_both.get(library)(from, to, count, type, MPI_SUM, world); };
  if (collective == "reduce-scatter") {
    return [=](bool library) {
      MPI_Reduce_scatter_block_both.get(library)(from, to, count, type, MPI_SUM, world);
    };
  }
  return [=](bool library) { MPI_Barrier_both.get(library)(world); };
}

// Blocks one after the other, in elements.
struct Blocks {
  std::vector<int> counts, places, byte_places;

  int elements() const { return places.back() + counts.back(); }
};

// `count_of(rank)` elements for, or from, each rank.
template <class CountOf>
Blocks blocks_of(const CountOf& count_of) {
  Blocks result;
  int place = 0;
  for (int rank = 0; rank < world_size(); ++rank) {
    result.counts.push_back(count_of(rank));
    result.places.push_back(place);
    result.byte_places.push_back(place * static_cast<int>(sizeof(float)));
    place += result.counts.back();
  }
  return result;
}

// A call of a collective with blocks of 0, 1/2, ..., 2 times `bytes` bytes.
Call unequal_call(std::string_view collective, int bytes, Buffers& buffers) {
  static BOTH(MPI_Scatterv);
  static BOTH(MPI_Gatherv);
  static BOTH(MPI_Allgatherv);
  static BOTH(MPI_Alltoallv);
  static BOTH(MPI_Alltoallw);
  static BOTH(MPI_Reduce_scatter);
  const int half = bytes / 2 / static_cast<int>(sizeof(float)), self = world_rank();
  const auto count = [=](int from, int to) { return (from + 2 * to) % 5 * half; };
  const Blocks rows = blocks_of([&](int to) { return count(self, to); });
  const Blocks columns = blocks_of([&](int from) { return count(from, self); });
  const Blocks all = blocks_of([&](int rank) { return count(rank, 0); });  // the same list on every rank
  const auto elements =
      static_cast<std::size_t>(std::max({rows.elements(), columns.elements(), all.elements()}));
  buffers.send.assign(elements, 1);
  buffers.receive.assign(elements, 0);
  float *const from = buffers.send.data(), *const to = buffers.receive.data();
  const int own = all.counts[static_cast<std::size_t>(self)];
  const MPI_Comm world = MPI_COMM_WORLD;
  const MPI_Datatype type = MPI_FLOAT;
  if (collective == "scatterv") {
    return [=](bool library) {
      MPI_Scatterv_both.get(library)(from, all.counts.data(), all.places.data(), type, to, own, type, 0,
                                     world);
    };
  }
  if (collective == "gatherv") {
    return [=](bool library) {
      MPI_Gatherv_both.get(library)(from, own, type, to, all.counts.data(), all.places.data(), type, 0,
                                    world);
    };
  }
  if (collective == "allgatherv") {
    return [=](bool library) {
      MPI_Allgatherv_both.get(library)(from, own, type, to, all.counts.data(), all.places.data(), type,
                                       world);
    };
  }
  if (collective == "alltoallv") {
    return [=](bool library) {
      MPI_Alltoallv_both.get(library)(from, rows.counts.data(), rows.places.data(), type, to,
                                      columns.counts.data(), columns.places.data(), type, world);
    };
  }
  if (collective == "reduce-scatter") {
    return [=](bool library) {
      MPI_Reduce_scatter_both.get(library)(from, to, all.counts.data(), type, MPI_SUM, world);
    };
  }
  const std::vector<MPI_Datatype> types(rows.counts.size(), type);
  return [=](bool library) {
    MPI_Alltoallw_both.get(library)(from, rows.counts.data(), rows.byte_places.data(), types.data(), to,
                                    columns.counts.data(), columns.byte_places.data(), types.data(), world);
  };
}

// ---- time

struct Seconds {
  double wall = 0;  // of the slowest rank
  double cpu = 0;   // of all ranks together
};

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The library's own functions begin and end a batch, so the drop-in sees the calls of the batch alone.
Seconds time_of(int calls, const std::function<void()>& call) {
  static BOTH(MPI_Barrier);
  static BOTH(MPI_Allreduce);
  MPI_Barrier_both.library(MPI_COMM_WORLD);
  const double cpu = cpu_seconds(), wall = MPI_Wtime();
  for (int i = 0; i < calls; ++i) call();
  Seconds own{MPI_Wtime() - wall, cpu_seconds() - cpu}, all;
  MPI_Allreduce_both.library(&own.wall, &all.wall, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce_both.library(&own.cpu, &all.cpu, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

struct Ratios {
  double wall, cpu;
  double library_us;  // wall, per call
};

// The program's call over the library's.
Ratios compare(int turns, const Call& call) {
  constexpr int first_calls = 10;
  constexpr double batch_seconds = 0.02;
  for (int i = 0; i < first_calls; ++i) call(false);
  call(true);
  const double once = time_of(2, [&] { call(true); }).wall / 2;
  const int calls = std::clamp(static_cast<int>(batch_seconds / once), 1, 1000);
  std::vector<double> wall, cpu, library;
  for (int turn = 0; turn < turns; ++turn) {
    const bool library_first = turn % 2 != 0;
    std::array<Seconds, 2> seconds;  // of the program, of the library
    for (const bool is_library : {library_first, !library_first})
      seconds[is_library ? 1 : 0] = time_of(calls, [&] { call(is_library); });
    wall.push_back(seconds[0].wall / seconds[1].wall);
    cpu.push_back(seconds[0].cpu / seconds[1].cpu);
    library.push_back(1e6 * seconds[1].wall / calls);
  }
  return {median(wall), median(cpu), median(library)};
}

// ---- the table

struct Sum {
  std::vector<double> wall = {};
  int slower = 0;  // cells above the limit in both times

  void add(const Ratios& ratios) {
    constexpr double limit = 1.10;
    wall.push_back(ratios.wall);
    if (ratios.wall > limit && ratios.cpu > limit) ++slower;
  }
};

void print_cell(std::string_view collective, int bytes, const Ratios& ratios) {
  if (world_rank() != 0) return;
  fmt::print("| {:<14} | {:>9} | {:>5.2f} | {:>5.2f} | {:>10.1f} |\n", collective, bytes, ratios.wall,
             ratios.cpu, ratios.library_us);
  std::fflush(stdout);
}

constexpr std::array sizes{8, 1 << 10, 1 << 15, 1 << 16, 1 << 20};

// The rows of a table, in which `call_of` makes the calls.
class Cells {
 public:
  using CallOf = Call (*)(std::string_view collective, int bytes, Buffers& buffers);

  Cells(int turns, CallOf call_of) : turns_(turns), call_of_(call_of) {
    if (world_rank() == 0)
      fmt::print("| collective     |     bytes |  wall |   CPU | library us |\n|-|-|-|-|-|\n");
  }

  Ratios run(std::string_view collective, int bytes) {
    const Ratios ratios = compare(turns_, call_of_(collective, bytes, buffers_));
    print_cell(collective, bytes, ratios);
    return ratios;
  }
  void add(std::string_view collective, int bytes) { sum_.add(run(collective, bytes)); }
  void print_sum() const {
    if (world_rank() != 0) return;
    fmt::print("{} of {} cells above 1.10 in both times, wall: median {:.2f}, greatest {:.2f}\n", sum_.slower,
               sum_.wall.size(), median(sum_.wall), *std::ranges::max_element(sum_.wall));
  }

 private:
  int turns_;
  CallOf call_of_;
  Buffers buffers_;
  Sum sum_;
};

void print_cells(int turns) {
  Cells cells(turns, equal_call);
  for (const char* collective :
       {"broadcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce", "reduce-scatter"}) {
    for (const int bytes : sizes) cells.add(collective, bytes);
  }
  cells.add("barrier", 0);
  cells.run("allreduce", 64);
  cells.print_sum();
}

void print_long(int turns) {
  Cells cells(turns, equal_call);
  for (const char* collective : {"broadcast", "reduce", "allreduce"}) {
    for (const int bytes : {1 << 22, 1 << 24, 1 << 26}) cells.add(collective, bytes);
  }
  for (const char* collective : {"allgather", "alltoall", "reduce-scatter"}) {
    for (const int bytes : {1 << 22, 1 << 24}) cells.add(collective, bytes);
  }
  cells.print_sum();
}

void print_vectors(int turns) {
  Cells cells(turns, unequal_call);
  for (const char* collective :
       {"scatterv", "gatherv", "allgatherv", "alltoallv", "alltoallw", "reduce-scatter"}) {
    for (const int bytes : sizes) cells.add(collective, bytes);
  }
  cells.print_sum();
}

// ---- communicators

void print_communicators(int turns) {
  static BOTH(MPI_Allreduce);
  const auto storm = [&](bool is_library) {
    MPI_Comm copy = MPI_COMM_NULL;
    int one = 1, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Allreduce_both.get(is_library)(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
  };
  const Ratios ratios = compare(turns, storm);
  std::vector<double> first;
  for (int i = 0; i < turns; ++i) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    int one = 1, sum = 0;
    first.push_back(time_of(1, [&] { MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy); }).wall);
    MPI_Comm_free(&copy);
  }
  if (world_rank() != 0) return;
  fmt::print("dup, allreduce, free: {:.2f} times the library\n", ratios.wall);
  fmt::print("first collective on a communicator: {:.2f} ms, median of {}; greatest {:.2f}\n",
             1e3 * median(first), turns, 1e3 * *std::ranges::max_element(first));
}

// ---- memory

// The mean over the ranks, in MiB, of the memory that a rank shares with no other process.
double private_mebibytes() {
  static BOTH(MPI_Allreduce);
  std::ifstream file("/proc/self/smaps_rollup");
  double kibibytes = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Private_Dirty:"))
      kibibytes = std::strtod(line.c_str() + sizeof("Private_Dirty"), nullptr);
  }
  double sum = 0;
  MPI_Allreduce_both.library(&kibibytes, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  constexpr double kibibytes_per_mebibyte = 1024;
  return sum / world_size() / kibibytes_per_mebibyte;
}

void print_memory() {
  const double mebibytes = private_mebibytes();
  if (world_rank() == 0) fmt::print("memory of a rank: {:.2f} MiB\n", mebibytes);
}

int usage() {
  fmt::print(stderr, "usage: drop_in cells|long|vectors|communicators TURNS, with 1 turn or more\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int expected = 3;
  if (argc != expected) return usage();
  const std::string_view what = argv[1], text = argv[2];
  int turns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), turns);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && turns > 0;
  constexpr std::array<std::string_view, 4> parts{"cells", "long", "vectors", "communicators"};
  if (!is_number || std::ranges::find(parts, what) == parts.end()) return usage();
  MPI_Init(&argc, &argv);
  if (what == "cells") {
    print_cells(turns);
  } else if (what == "long") {
    print_long(turns);
  } else if (what == "vectors") {
    print_vectors(turns);
  } else {
    print_communicators(turns);
    print_memory();
  }
  MPI_Finalize();
}

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plan files: hops a second, written to and read from a file in the temporary folder.
#include <filesystem>
#include <unistd.h>

#include <benchmark/benchmark.h>

#include "isotrope/network/hypercube.hpp"

#include "isotrope/io/plan_file.hpp"

#include "isotrope/planner/plan.hpp"

namespace {

class Files {
 public:
  explicit Files(const char* ending)
      : plan_(make()),
        file_(std::filesystem::temp_directory_path() /
              ("isotrope-bench-" + std::to_string(getpid()) + ending)) {}
  ~Files() { std::filesystem::remove(file_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  void write() const { isotrope::io::write_plan(file_, plan_); }
  void read() const { benchmark::DoNotOptimize(isotrope::io::read_plan(file_)); }
  void report(benchmark::State& state) const {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(plan_.claims.hops));
    state.SetBytesProcessed(state.iterations() *
                            static_cast<std::int64_t>(std::filesystem::file_size(file_)));
  }

 private:
  static isotrope::schedule::Plan make() {
    const auto network = isotrope::network::hypercube(18);
    return isotrope::planner::make_plan(
        {.network = network, .task = isotrope::schedule::parse_task("alltoall", network)});
  }

  isotrope::schedule::Plan plan_;
  std::filesystem::path file_;
};

void write_plan(benchmark::State& state, const char* ending) {
  const Files files(ending);
  for (auto _ : state) files.write();
  files.report(state);
}

void read_plan(benchmark::State& state, const char* ending) {
  const Files files(ending);
  files.write();
  for (auto _ : state) files.read();
  files.report(state);
}

BENCHMARK_CAPTURE(write_plan, json, ".json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_plan, cbor, ".cbor")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_plan, json, ".json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_plan, cbor, ".cbor")->Unit(benchmark::kMillisecond);

}  // namespace

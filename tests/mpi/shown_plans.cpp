// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// shown_plans ISOTROPE FOLDER: what `isotrope plan` writes is what ranks execute. For every collective, network, size and
// one of the machines below in turn, the programs of two ranks compiled from the plan file of the program ISOTROPE equal those
// in the cache of a communicator. Prints the number of differences; fails if there is one.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "isotrope/network/parse.hpp"

#include "isotrope/io/machine_file.hpp"
#include "isotrope/io/plan_file.hpp"

#include "isotrope/mpi/program_cache.hpp"

namespace {

using namespace isotrope;

constexpr std::array networks{
    "ring:5",      "ring:8",    "hypercube:3", "hypercube:4",         "torus:3x3",  "torus:4x4",
    "torus:2x3x2", "hexmesh:2", "hexmesh:3",   "twisted-torus:2x4x4", "complete:6", "circulant:13:1,5"};
constexpr std::array collectives{"broadcast",      "scatter",   "gather", "reduce", "allgather", "alltoall",
                                 "reduce-scatter", "allreduce", "scan",   "exscan", "barrier"};
// The least sizes of their classes (program_cache.hpp).
constexpr std::array<std::uint64_t, 8> sizes{8, 64, 512, 3072, 16384, 65536, 458752, 2097152};

std::array<cost::Machine, 3> machines() {
  const cost::Machine neighbours{
      .startup_s = 1e-6, .byte_time_s = 1e-9, .ports = schedule::PortModel::all(), .overhead_byte_s = 1e-10};
  cost::Machine cut_through = neighbours;
  cut_through.cut_through = true;
  cut_through.hop_time_s = 1e-7;
  cost::Machine one_port = neighbours;
  one_port.ports = schedule::PortModel::one();
  one_port.overhead_s = 5e-7;
  return {neighbours, cut_through, one_port};
}

class ShownPlans {
 public:
  ShownPlans(std::string program, std::filesystem::path folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}

  int run() {
    std::filesystem::create_directories(folder_);
    const std::array all = machines();
    for (std::size_t i = 0; i < all.size(); ++i) {
      io::write_machine(folder_ / "machine.json", {"", all[i]});
      std::size_t turn = i;
      for (const char* network : networks) compare(network, all[i], turn++);
    }
    fmt::print("{} plans, {} differences\n", plans_, differences_);
    return differences_ == 0 ? 0 : 1;
  }

 private:
  // The sizes of every third turn, so that each is compared on one of the machines.
  void compare(const char* name, const cost::Machine& machine, std::size_t turn) {
    const network::Network network = network::parse(name);
    const network::Node last = network.order() - 1;
    mpi::ProgramCache first_cache({{network}}, 0, machine), last_cache({{network}}, last, machine);
    for (const char* collective : collectives) {
      const schedule::Collective kind = schedule::parse_collective(collective);
      for (const std::uint64_t bytes : sizes) {
        if (++turn % machines().size() != 0) continue;
        for (const bool associative : {false, true}) {
          if (associative && kind != schedule::Collective::allreduce) continue;
          ++plans_;
          const schedule::Plan plan = shown(name, collective, bytes, associative);
          const bool same = rank::compile(plan, 0) == *first_cache.find(kind, 0, bytes, associative) &&
                            rank::compile(plan, last) == *last_cache.find(kind, 0, bytes, associative);
          if (same) continue;
          ++differences_;
          fmt::print("{} of {} bytes on {}: the plan file and the cache differ\n", collective, bytes, name);
        }
      }
    }
  }

  schedule::Plan shown(const char* network, const char* collective, std::uint64_t bytes,
                       bool associative) const {
    const std::string file = (folder_ / "plan.cbor").string();
    const std::string command =
        fmt::format("'{}' plan --network {} --collective {} --bytes {} {} --machine '{}' -o '{}' > /dev/null",
                    program_, network, collective, bytes, associative ? "--associative" : "",
                    (folder_ / "machine.json").string(), file);
    if (std::system(command.c_str()) != 0) {
      fmt::print("failed: {}\n", command);
      std::exit(1);
    }
    return io::read_plan(file);
  }

  std::string program_;
  std::filesystem::path folder_;
  std::uint64_t plans_ = 0, differences_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: shown_plans ISOTROPE FOLDER\n");
    return 2;
  }
  return ShownPlans(argv[1], argv[2]).run();
}

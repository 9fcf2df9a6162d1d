// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/mpi/own_plans.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/environment.hpp"
#include "isotrope/base/error.hpp"
#include "isotrope/base/quantity.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/planner/plan_folder.hpp"

#include "isotrope/mpi/failure.hpp"
#include "isotrope/mpi/shared_network.hpp"
#include "isotrope/mpi/topology.hpp"

namespace isotrope::mpi {
namespace {

// The plan files of the process, and which of them were chosen.
class OwnPlans {
 public:
  static OwnPlans& of_process() {
    static OwnPlans plans;
    return plans;
  }

  // Reads and verifies the folder at the first call. The files that are registered.
  const std::vector<planner::PlanFile>& read(const std::string& folder) {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(is_read_, true)) return files_;
    try {
      files_ = planner::read_plan_folder(folder);
      for (const std::string& refused : planner::register_valid_plans(files_))
        fmt::print(stderr, "isotrope: ISOTROPE_PLANS: {}; this file is left out\n",
                   excerpt(refused, longest));
    } catch (const Error& error) {
      fmt::print(stderr, "isotrope: ISOTROPE_PLANS: {}\n", excerpt(error.what(), longest));
    }
    return files_;
  }

  bool has(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    return holds(name);
  }

  // A file that rank 0 of a communicator has registered.
  void add(planner::PlanFile file) {
    const std::scoped_lock lock(mutex_);
    if (holds(file.name)) return;
    planner::register_plan(file);
    files_.push_back(std::move(file));
    is_read_ = true;
  }

  void note(std::string_view name, schedule::Collective collective, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto [entry, is_new] = chosen_.try_emplace({std::string(name), collective}, bytes);
    if (bytes < entry->second) entry->second = bytes;
  }

  std::vector<std::string> chosen() {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> lines;
    for (const auto& [plan, bytes] : chosen_)
      lines.push_back(fmt::format("{}: {} from {}", plan.first,
                                  schedule::to_string(schedule::Task{.collective = plan.second}),
                                  format_size(bytes)));
    return lines;
  }

 private:
  static constexpr std::size_t longest = 500;  // of a warning

  bool holds(std::string_view name) const {
    return std::ranges::find(files_, name, &planner::PlanFile::name) != files_.end();
  }

  std::mutex mutex_;
  bool is_read_ = false;
  std::vector<planner::PlanFile> files_;
  std::map<std::pair<std::string, schedule::Collective>, std::uint64_t> chosen_;  // from so many bytes
};

}  // namespace

bool share_own_plans(MPI_Comm comm) {
  const bool reads = rank_in(comm) == 0;
  const std::string folder = reads ? environment_variable("ISOTROPE_PLANS") : "";
  std::vector<planner::PlanFile> files;
  if (!folder.empty()) files = OwnPlans::of_process().read(folder);
  auto count = static_cast<int>(files.size());
  require_success(MPI_Bcast(&count, 1, MPI_INT, 0, comm), "sharing the plans of rank 0");
  files.resize(static_cast<std::size_t>(count));
  int lacks = 0;
  for (planner::PlanFile& file : files) {
    file.name = shared_text(std::move(file.name), comm);
    if (!OwnPlans::of_process().has(file.name)) lacks = 1;
  }
  if (count > 0)
    require_success(MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, comm),
                    "asking who lacks plans of rank 0");
  if (lacks == 0) return count > 0;
  for (planner::PlanFile& file : files) {
    file.bytes = shared_text(std::move(file.bytes), comm);
    if (!reads) OwnPlans::of_process().add(std::move(file));
  }
  return true;
}

void note_own_plan(std::string_view name, schedule::Collective collective, std::uint64_t bytes) {
  OwnPlans::of_process().note(name, collective, bytes);
}

std::vector<std::string> own_plans_chosen() {
  return OwnPlans::of_process().chosen();
}

}  // namespace isotrope::mpi

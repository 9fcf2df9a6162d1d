// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope run --backend mpi: executes a plan over MPI, a rank a node, checks every byte, and tells the time
// of every round.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/describe.hpp"
#include "app/mpi/commands.hpp"
#include "app/mpi/job.hpp"
#include "app/size.hpp"
#include "isotrope/mpi/plan_run.hpp"

namespace isotrope::app {
namespace {

std::string rounds_in_words(const mpi::PlanRun& run) {
  constexpr std::size_t most = 64;
  std::string text;
  const std::size_t shown = std::min(run.round_seconds.size(), most);
  for (std::size_t t = 0; t < shown; ++t)
    text +=
        line(t == 0 ? "each round" : "", fmt::format("{:>5}  {}", t, format_seconds(run.round_seconds[t])));
  if (shown < run.round_seconds.size())
    text += line("", fmt::format("... and {} more (--json has them)", run.round_seconds.size() - shown));
  return text;
}

std::string run_in_words(const mpi::PlanRun& run, std::uint64_t block_bytes) {
  std::string text =
      line("moved", fmt::format("{} in {} messages over MPI, {} ranks, in {}", format_size(run.bytes_sent),
                                run.messages, job_size(), format_seconds(run.seconds))) +
      rounds_in_words(run);
  return text + (run.correct ? line("checked", fmt::format("blocks of {}, every byte right on every rank",
                                                           format_size(block_bytes)))
                             : line("WRONG", run.first_error));
}

// What rank 0 has found, on all.
bool valid_at_rank_zero(bool valid) {
  int value = valid ? 1 : 0;
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value == 1;
}

}  // namespace

int mpi_run_command(const Options& options) {
  const std::uint64_t bytes = on_all_ranks([&] { return chosen_bytes(options); });
  Subject subject = on_all_ranks([&] { return chosen_plan(options); });
  const verify::Report report = job_rank() == 0 ? verified(subject) : verify::Report();
  if (!valid_at_rank_zero(report.valid)) {
    if (job_rank() == 0) say(headline(subject) + findings_in_words(subject, report));
    return 1;
  }
  const mpi::PlanRun run =
      on_all_ranks([&] { return mpi::run_plan(MPI_COMM_WORLD, subject.plan, {.block_bytes = bytes}); });
  if (job_rank() != 0) return run.correct ? 0 : 1;
  write_chosen_plan(options, subject.plan);
  if (options.json) {
    Json facts = facts_of(subject);
    add_findings(facts, subject.plan, report);
    facts["backend"] = "mpi";
    facts["ranks"] = job_size();
    facts["block_bytes"] = bytes;
    facts["correct"] = run.correct;
    if (!run.correct) facts["first_error"] = run.first_error;
    facts["bytes_moved"] = run.bytes_sent;
    facts["messages"] = run.messages;
    facts["seconds"] = run.seconds;
    facts["round_seconds"] = run.round_seconds;
    say(dump(facts));
  } else {
    say(headline(subject) + findings_in_words(subject, report) + run_in_words(run, bytes));
  }
  return run.correct ? 0 : 1;
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope run --backend mpi: executes a plan over MPI, one rank per node, checks every byte, and reports the
// time of every round.
#include <algorithm>

#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/mpi/job.hpp"
#include "app/output.hpp"
#include "app/payload.hpp"
#include "app/values.hpp"
#include "isotrope/mpi/checked_run.hpp"

namespace isotrope::app {
namespace {

std::string rounds_in_words(const mpi::CheckedRun& run) {
  constexpr std::size_t most = 64;
  std::string text;
  const std::size_t shown = std::min(run.round_seconds.size(), most);
  for (std::size_t t = 0; t < shown; ++t)
    text +=
        line(t == 0 ? "each round" : "", fmt::format("{:>5}  {}", t, format_seconds(run.round_seconds[t])));
  if (shown < run.round_seconds.size())
    text += line("", fmt::format("... and {} more (--json lists them)", run.round_seconds.size() - shown));
  return text;
}

std::string run_in_words(const mpi::CheckedRun& run, bool is_mapped, const std::string& payload) {
  std::string text =
      line("moved", fmt::format("{} in {} messages over MPI, {} ranks{}, in {}", format_size(run.bytes_sent),
                                run.messages, job_size(), is_mapped ? " by a rank map" : "",
                                format_seconds(run.seconds))) +
      rounds_in_words(run);
  return text + (run.correct ? line("checked", payload + ", every byte right on every rank")
                             : line("WRONG", run.first_error));
}

// Ranks are the threads, and sum bytes.
bool takes_no_options_of_threads(const RunOptions& options) {
  if (!options.threads && options.type.empty() && options.operation.empty()) return true;
  throw Error("--threads, --type and --op are for --backend threads; leave them out");
}

// The verdict of rank 0, on all ranks.
bool valid_at_rank_zero(bool valid) {
  int value = valid ? 1 : 0;
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value == 1;
}

}  // namespace

int mpi_run_command(const RunOptions& options) {
  on_all_ranks([&] { return takes_no_options_of_threads(options); });
  Subject subject = on_all_ranks([&] { return chosen_plan(options); });
  const verify::Report report = job_rank() == 0 ? verified(subject) : verify::Report();
  if (!valid_at_rank_zero(report.valid)) {
    if (job_rank() == 0) print_findings("run", options, subject, report);
    return 1;
  }
  const std::uint64_t block = block_bytes(*options.bytes, blocks_in_count(subject.plan));
  const network::RankMap ranks =
      on_all_ranks([&] { return ranks_of_plan(options, options, subject.plan.network); });
  const mpi::CheckedRun run = on_all_ranks([&] {
    return mpi::run_plan_checked(MPI_COMM_WORLD, subject.plan, {.block_bytes = block, .ranks = ranks});
  });
  if (job_rank() != 0) return run.correct ? 0 : 1;
  write_chosen_plan(options, subject.plan);
  if (options.json) {
    Json facts = findings(subject, report);
    facts.update({{"backend", "mpi"},
                  {"ranks", job_size()},
                  {"bytes", *options.bytes},
                  {"block_bytes", block},
                  {"correct", run.correct}});
    if (!run.correct) facts["first_error"] = run.first_error;
    facts.update({{"bytes_moved", run.bytes_sent}, {"messages", run.messages}, {"seconds", run.seconds}});
    facts["round_seconds"] = run.round_seconds;
    say(answer("run", facts));
  } else {
    say(findings_in_words(subject, report) +
        run_in_words(run, !ranks.is_identity(), payload_in_words(subject.plan.task, *options.bytes)));
  }
  return run.correct ? 0 : 1;
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope run: plans or reads, verifies, then executes on real buffers in this process and checks every
// byte.
#include "isotrope/local/run.hpp"

#include <fstream>
#include <limits>
#include <string>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/progress.hpp"
#include "app/size.hpp"

namespace isotrope::app {
namespace {

// What can be allocated without swapping: free memory and caches that would be given up for it.
std::uint64_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string name; meminfo >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && meminfo >> kibibytes) return kibibytes * 1024;
    meminfo.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

unsigned threads_option(const std::string& value) {
  const std::uint64_t threads = number_option("--threads", value);
  if (threads >= 1 && threads <= local::most_threads) return static_cast<unsigned>(threads);
  throw Error(fmt::format("--threads {}: give 1 to {} threads", value, local::most_threads));
}

double rate(std::uint64_t bytes, double seconds) {
  return seconds > 0 ? static_cast<double>(bytes) / seconds / 1e9 : 0;
}

std::string result_in_words(const local::Result& result) {
  const double run_rate = rate(result.bytes_moved, result.seconds);
  const double memcpy_rate = rate(result.bytes_moved, result.memcpy_seconds);
  std::string text =
      line("moved", fmt::format("{} in {} on {} threads: {:.2f} GB/s", format_size(result.bytes_moved),
                                format_seconds(result.seconds), result.threads, run_rate)) +
      line("memcpy",
           fmt::format("the same bytes in {}: {:.2f} GB/s; the run is at {:.0f} % of it",
                       format_seconds(result.memcpy_seconds), memcpy_rate, 100 * run_rate / memcpy_rate)) +
      line("buffers", format_size(result.memory_bytes));
  text +=
      result.correct
          ? line("checked", fmt::format("{} delivered, every byte right", format_size(result.bytes_checked)))
          : line("WRONG", result.first_error);
  return text;
}

}  // namespace

int run_command(const Options& options) {
  const std::uint64_t bytes = chosen_bytes(options);
  Subject subject = chosen_plan(options);
  local::Options run_options{.block_bytes = bytes, .memory_limit = available_memory()};
  if (!options.threads.empty()) {
    run_options.threads = threads_option(options.threads);
  }
  const verify::Report report = verified(subject);
  if (!report.valid) {
    fmt::print("{}{}", headline(subject), findings_in_words(subject, report));
    return 1;
  }
  const local::Result result = [&] {
    Progress progress("running");
    run_options.progress = progress.callback();
    return local::run(subject.plan, run_options);
  }();
  write_chosen_plan(options, subject.plan);

  if (options.json) {
    Json facts = facts_of(subject);
    add_findings(facts, report);
    facts["block_bytes"] = bytes;
    facts["correct"] = result.correct;
    if (!result.correct) facts["first_error"] = result.first_error;
    facts["bytes_moved"] = result.bytes_moved;
    facts["bytes_checked"] = result.bytes_checked;
    facts["threads"] = result.threads;
    facts["seconds"] = result.seconds;
    facts["gb_per_s"] = rate(result.bytes_moved, result.seconds);
    facts["memcpy_gb_per_s"] = rate(result.bytes_moved, result.memcpy_seconds);
    fmt::print("{}", dump(facts));
  } else {
    fmt::print("{}{}{}", headline(subject), findings_in_words(subject, report), result_in_words(result));
  }
  return result.correct ? 0 : 1;
}

}  // namespace isotrope::app

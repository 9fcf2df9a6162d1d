// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope export: a network or a verified plan in the formats of other programs.
#include <array>
#include <filesystem>
#include <functional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/io/atomic_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/subject.hpp"
#include "isotrope/exports/chakra.hpp"
#include "isotrope/exports/csv.hpp"
#include "isotrope/exports/dot.hpp"
#include "isotrope/exports/goal.hpp"
#include "isotrope/exports/msccl.hpp"
#include "isotrope/exports/mscclpp.hpp"
#include "isotrope/exports/paths.hpp"
#include "isotrope/exports/ppermute.hpp"
#include "isotrope/exports/simgrid_cluster.hpp"
#include "isotrope/exports/simgrid_platform.hpp"
#include "isotrope/exports/simgrid_trace.hpp"

namespace isotrope::app {
namespace {

using network::SurvivingNetwork;
using schedule::Plan;

// What formats need beside the plan.
struct PlanExport {
  std::uint64_t bytes = 0;
  cost::Machine machine;
  std::function<void(double)> progress;
};

// The ways to write a format; absent if the format has no such form.
struct ExportFormat {
  std::string_view name;
  void (*of_network)(std::ostream&, const SurvivingNetwork&, const cost::Machine&) = nullptr;
  void (*of_plan)(std::ostream&, const Plan&, const PlanExport&) = nullptr;
  void (*folder_of_plan)(const std::filesystem::path&, const Plan&, const PlanExport&) = nullptr;
  bool needs_bytes = true;  // of a plan
};

constexpr std::array formats{
    ExportFormat{
        .name = "simgrid",
        .of_network = [](std::ostream& out, const SurvivingNetwork& network,
                         const cost::Machine& links) { out << exports::simgrid_platform(network, links); }},
    ExportFormat{
        .name = "simgrid-cluster",
        .of_network = [](std::ostream& out, const SurvivingNetwork& network,
                         const cost::Machine& links) { out << exports::simgrid_cluster(network, links); }},
    ExportFormat{.name = "ti",
                 .folder_of_plan =
                     [](const std::filesystem::path& folder, const Plan& plan, const PlanExport& with) {
                       exports::write_simgrid_traces(folder, plan, with.bytes, with.progress);
                     }},
    ExportFormat{
        .name = "goal",
        .of_plan = [](std::ostream& out, const Plan& plan,
                      const PlanExport& with) { exports::write_goal(out, plan, with.bytes, with.progress); }},
    ExportFormat{.name = "msccl",
                 .of_plan = [](std::ostream& out, const Plan& plan,
                               const PlanExport&) { exports::write_msccl(out, plan); },
                 .needs_bytes = false},
    ExportFormat{.name = "mscclpp",
                 .of_plan = [](std::ostream& out, const Plan& plan,
                               const PlanExport&) { exports::write_mscclpp(out, plan); },
                 .needs_bytes = false},
    ExportFormat{.name = "chakra",
                 .folder_of_plan =
                     [](const std::filesystem::path& folder, const Plan& plan, const PlanExport& with) {
                       exports::write_chakra_traces(folder, plan, with.bytes, with.machine, with.progress);
                     }},
    ExportFormat{.name = "dot",
                 .of_network = [](std::ostream& out, const SurvivingNetwork& network,
                                  const cost::Machine&) { exports::write_dot(out, network); },
                 .of_plan = [](std::ostream& out, const Plan& plan,
                               const PlanExport&) { exports::write_dot(out, plan); },
                 .needs_bytes = false},
    ExportFormat{.name = "paths",
                 .of_plan = [](std::ostream& out, const Plan& plan,
                               const PlanExport& with) { exports::write_paths(out, plan, with.progress); },
                 .needs_bytes = false},
    ExportFormat{.name = "ppermute",
                 .of_plan = [](std::ostream& out, const Plan& plan,
                               const PlanExport& with) { exports::write_ppermute(out, plan, with.progress); },
                 .needs_bytes = false},
    ExportFormat{
        .name = "csv",
        .of_network = [](std::ostream& out, const SurvivingNetwork& network,
                         const cost::Machine&) { exports::write_csv(out, network); },
        .of_plan = [](std::ostream& out, const Plan& plan,
                      const PlanExport& with) { exports::write_csv(out, plan, with.bytes, with.progress); }}};

const ExportFormat& chosen_format(const std::string& name) {
  for (const ExportFormat& format : formats) {
    if (format.name == name) return format;
  }
  const std::vector<std::string_view> names = export_formats();
  if (name.empty()) throw Error(fmt::format("no format: give --format, one of {}", fmt::join(names, ", ")));
  const std::vector<std::string_view> nearest = nearest_names(name, names);
  throw Error(fmt::format("--format {}: {}known are {}", name,
                          nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest.front()),
                          fmt::join(names, ", ")));
}

// Streams the answer into the file of -o, or prints it on stdout once all of it is made.
template <class Write>
void write_answer(const ExportOptions& options, const Write& write) {
  if (!options.output.empty()) {
    io::write_atomically(options.output, write);
    return;
  }
  std::ostringstream text;
  write(text);
  print(text.view());
}

// The links of --machine.
cost::Machine links_of(const ExportOptions& options, const network::NamedNetwork& places) {
  return on_places(chosen_machine({}, options, exports::default_links), options, places);
}

int export_network(const ExportOptions& options, const ExportFormat& format) {
  if (format.of_network == nullptr)
    throw Error(
        fmt::format("--format {} is for plans only; give a plan file or --collective NAME", format.name));
  if (options.bytes)
    throw Error(fmt::format("--bytes {}: only plans have a size; leave the option out", *options.bytes));
  const network::NamedNetwork named = chosen_named_network(options);
  const SurvivingNetwork network(named.network, chosen_failures(options, named));
  const cost::Machine links = links_of(options, named);
  write_answer(options, [&](std::ostream& out) { format.of_network(out, network, links); });
  return 0;
}

int export_plan(const ExportOptions& options, const ExportFormat& format) {
  if (format.folder_of_plan != nullptr && options.output.empty())
    throw Error(fmt::format("--format {}: a folder of files; give its name with -o FOLDER", format.name));
  if (format.needs_bytes && !options.bytes) throw Error("no size: give --bytes SIZE, such as --bytes 64KiB");
  Subject subject = chosen_plan(options);
  const verify::Report report = verified(subject);
  if (!report.valid) {
    print_findings("export", options, subject, report);
    return 1;
  }
  InterruptibleProgress progress("writing");
  const PlanExport with{
      .bytes = options.bytes.value_or(0),
      .machine = links_of(options, {.network = subject.plan.network, .lacks = subject.plan.failed}),
      .progress = progress.callback()};
  if (format.folder_of_plan != nullptr) {
    format.folder_of_plan(options.output, subject.plan, with);
  } else {
    write_answer(options, [&](std::ostream& out) { format.of_plan(out, subject.plan, with); });
  }
  return 0;
}

}  // namespace

std::vector<std::string_view> export_formats() {
  std::vector<std::string_view> names;
  for (const ExportFormat& format : formats) names.push_back(format.name);
  return names;
}

int export_command(const ExportOptions& options) {
  const ExportFormat& format = chosen_format(options.format);
  const bool has_plan = names_a_plan_file(options) || !options.collective.empty();
  const bool plan_wanted = has_plan && (format.of_plan != nullptr || format.folder_of_plan != nullptr);
  return plan_wanted ? export_plan(options, format) : export_network(options, format);
}

}  // namespace isotrope::app

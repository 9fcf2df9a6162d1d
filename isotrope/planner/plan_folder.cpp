// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/planner/plan_folder.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/quantity.hpp"

#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/text_file.hpp"
#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/catalog.hpp"

namespace isotrope::planner {
namespace {

using std::filesystem::path;

bool is_plan_file(const path& file) {
  return file.extension() == ".json" || file.extension() == ".cbor";
}

schedule::Plan plan_of(const PlanFile& file) {
  return io::read_plan(file.bytes, io::plan_format(file.name), file.name);
}

void require_valid(const PlanFile& file, const schedule::Plan& plan) {
  const verify::Report report = verify::verify(plan);
  if (!report.valid)
    throw Error(fmt::format("{}: not valid: {}", file.name, report.violations.front().message));
}

void register_plan(const PlanFile& file, schedule::Plan plan) {
  if (const auto reason = unsuitable_plan(plan))
    throw Error(fmt::format("{}: no candidate, as {}", file.name, *reason));
  const SizeRange sizes = sizes_of(file.name);
  try {
    register_algorithm(file_algorithm(path(file.name).stem().string(), "the plan file " + file.name,
                                      std::move(plan), sizes));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.name, error.what()));
  }
}

}  // namespace

SizeRange sizes_of(std::string_view file_name) {
  const std::string stem = path(file_name).stem().string();
  const std::size_t at = stem.find('@');
  if (at == std::string::npos) return {};
  const std::string sizes = stem.substr(at + 1);
  const std::size_t dash = sizes.find('-');
  const auto malformed = [&](std::string_view why) {
    return Error(fmt::format("{}: {}; name sizes as in sum@1KiB-64KiB.json, sum@-512.json or sum@1MiB-.json",
                             file_name, why));
  };
  if (dash == std::string::npos) throw malformed("its name has an @ and no range of sizes");
  SizeRange result;
  try {
    if (dash > 0) result.least = parse_size(sizes.substr(0, dash));
    if (dash + 1 < sizes.size()) result.most = parse_size(sizes.substr(dash + 1));
  } catch (const Error& error) {
    throw malformed(error.what());
  }
  if (result.least > result.most) throw malformed("its first size is above the second");
  return result;
}

std::vector<PlanFile> read_plan_folder(const path& folder) {
  std::error_code error;
  std::vector<path> names;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    if (is_plan_file(entry->path())) names.push_back(entry->path());
  if (error)
    throw Error(fmt::format("{}: {}; give a folder of plan files", folder.string(), error.message()));
  std::ranges::sort(names);
  std::vector<PlanFile> result;
  for (const path& file : names) result.push_back({file.filename().string(), io::read_text(file)});
  return result;
}

void register_plan(const PlanFile& file) {
  register_plan(file, plan_of(file));
}

std::vector<std::string> register_valid_plans(std::vector<PlanFile>& files) {
  std::vector<std::string> refused;
  std::erase_if(files, [&](const PlanFile& file) {
    try {
      schedule::Plan plan = plan_of(file);
      require_valid(file, plan);
      register_plan(file, std::move(plan));
      return false;
    } catch (const Error& error) {
      refused.emplace_back(error.what());
      return true;
    }
  });
  return refused;
}

}  // namespace isotrope::planner

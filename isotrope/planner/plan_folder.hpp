// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder of plan files, which become candidates of the planner beside the catalogue (ISOTROPE_PLANS).
//
//     gossip.json                 algorithm gossip, for any size
//     sum@1KiB-64KiB.cbor         algorithm sum@1KiB-64KiB, from 1 KiB to 64 KiB, as MPI counts bytes
//     tree@-512.json, tree@1MiB-.json      up to 512 bytes; from 1 MiB
//
// The plan says of what collective, on what network, over what ports and in how many parts it is. A candidate is chosen if no
// other has a lower predicted time. Every file is verified; one that is not valid is refused with the reason,
// and the others are registered all the same. Other files of the folder, whose names end otherwise, are left alone.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "isotrope/planner/file_algorithm.hpp"

namespace isotrope::planner {

/// The name and content of a file in the folder.
struct PlanFile {
  std::string name;
  std::string bytes;

  bool operator==(const PlanFile&) const = default;
};

/// The sizes in a file name. @throws Error if they are malformed, or the first is above the second
SizeRange sizes_of(std::string_view file_name);

/// The files of `folder` whose names end in .json or .cbor, by name.
/// @throws Error if it is no folder, or a file cannot be read
std::vector<PlanFile> read_plan_folder(const std::filesystem::path& folder);

/// Registers the plan of `file`.
/// @pre the plan is valid
/// @throws Error that begins with the name of the file, if it is no plan file or no algorithm can be made of it
void register_plan(const PlanFile& file);

/// The same of those that are valid; `files` keeps these. Returns why the others are refused, a line each.
std::vector<std::string> register_valid_plans(std::vector<PlanFile>& files);

}  // namespace isotrope::planner

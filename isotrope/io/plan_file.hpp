// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plan files, versions 1 and 2 (docs/plan-file.md): JSON, or the same document as CBOR if the name ends in
// `.cbor`. A plan that version 1 can hold is written in version 1.
//
// Both ways are streamed: a hop goes from the file into the schedule, or back, without a second copy in
// memory. Writing is atomic: beside the file, then renamed; a failed write leaves nothing behind.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

#include "isotrope/schedule/plan.hpp"

namespace isotrope::io {

enum class PlanFormat { json, cbor };

/// cbor if the name ends in ".cbor", else json.
PlanFormat plan_format(const std::filesystem::path& file);

/// Called now and then with the share done, 0..1.
using Progress = std::function<void(double)>;

/// Reads a plan. Checks form and ranges (packets, nodes, ports), not validity.
/// @throws Error naming the file and the place in it: not readable, not JSON or CBOR, truncated, another version,
/// unknown, missing or doubled keys, numbers out of range. Memory stays in proportion to the file's size.
schedule::Plan read_plan(const std::filesystem::path& file, const Progress& progress = {});

/// Reads a plan from memory; `name` stands for the file in messages.
schedule::Plan read_plan(std::string_view bytes, PlanFormat format, const std::string& name);

/// Writes a plan to `file`, replacing it only when everything is written.
/// @throws Error if the file cannot be written.
void write_plan(const std::filesystem::path& file, const schedule::Plan& plan, const Progress& progress = {});

/// Writes a plan to a stream.
void write_plan(std::ostream& out, const schedule::Plan& plan, PlanFormat format);

}  // namespace isotrope::io

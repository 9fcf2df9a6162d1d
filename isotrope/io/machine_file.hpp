// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Machine files, version 1: the cost model of a machine as JSON (docs/machine-file.md).
//
// Missing keys keep the defaults of cost::Machine; every file must give the start-up time and the time per byte.
// Writing is atomic: beside the file, then renamed.
#pragma once

#include <filesystem>
#include <string>

#include "isotrope/cost/machine.hpp"

namespace isotrope::io {

struct NamedMachine {
  std::string name;  ///< any text, also none
  cost::Machine machine;
  double spread = 0;  ///< how far its measurements spread, at least 1; 0 if unknown
};

/// Reads a machine. Checks everything but whether a network has as many ports, which cost::check does.
/// @throws Error naming the file, and the wrong key if any: not a regular file (input_file.hpp), not JSON, another format,
/// unknown, missing or doubled keys, wrong types, values out of range.
NamedMachine read_machine(const std::filesystem::path& file);

/// Writes a machine to `file`, replacing it only when everything is written.
/// @throws Error if the file cannot be written, or the machine could not be read again.
void write_machine(const std::filesystem::path& file, const NamedMachine& machine);

}  // namespace isotrope::io

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores a plan, and verifies what the file says: the file alone suffices.
#include "isotrope/io/plan_file.hpp"

#include <filesystem>
#include <iostream>

#include "isotrope/base/error.hpp"

#include "isotrope/network/parse.hpp"

#include "isotrope/schedule/task.hpp"

#include "isotrope/verify/verify.hpp"

#include "isotrope/planner/plan.hpp"

using namespace isotrope;

int main() {
  const std::filesystem::path file = "plan_file_example.cbor";
  try {
    const network::Network mesh = network::parse("hexmesh:4");
    schedule::Plan plan =
        planner::make_plan({.network = mesh, .task = schedule::parse_task("allgather", mesh)});
    planner::certify(plan);
    io::write_plan(file, plan);

    const verify::Report report = verify::verify(io::read_plan(file));
    std::cout << report.rounds << " rounds, " << (report.claims_hold ? "all claims hold" : "a claim is false")
              << '\n';
    std::filesystem::remove(file);

    io::read_plan("missing.cbor");
  } catch (const Error& error) {
    std::cout << error.what() << '\n';
  }
}

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the page of a plan shows, as JSON: the program writes it into pages without a checker, and the checker in a page
// computes it from the plan itself (app/page/checker.cpp).
#pragma once

#include <string>

#include "isotrope/io/network_file.hpp"
#include "isotrope/verify/verify.hpp"

#include "app/subject.hpp"

namespace isotrope::app {

/// {"title": the head line, "scene": io::scene_of}.
/// @throws Error for a plan that is too large for a page
std::string page_picture(const Subject& subject, const io::Coordinates& coordinates);

/// {"findings": as of `isotrope verify --json`, "words": as of `isotrope verify`}.
std::string page_proof(const Subject& subject, const verify::Report& report);

}  // namespace isotrope::app

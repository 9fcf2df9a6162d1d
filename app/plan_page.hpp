// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan as one page of HTML that needs nothing else: scripts, style, the plan, and the checker as WebAssembly. Such
// a page reads and checks the plan itself. A program that was built without the checker puts the picture in place of
// the plan.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isotrope/io/network_file.hpp"

#include "app/subject.hpp"

namespace isotrope::app {

/// @throws Error for a plan that is too large for a page
std::string plan_page(const Subject& subject, const io::Coordinates& coordinates);

/// `text` with every {{name}} replaced by its value.
/// @pre every name in the text has a value.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string>>& values);

/// `text` for HTML.
std::string html_text(std::string_view text);

}  // namespace isotrope::app

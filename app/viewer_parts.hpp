// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a page that shows a plan, as the build embeds them (viewer/).
#pragma once

#include <cstddef>
#include <string_view>

namespace isotrope::app {

struct ViewerParts {
  std::string_view page;     ///< HTML with the names of further parts in double braces
  std::string_view style;    ///< CSS
  std::string_view gallery;  ///< HTML of the index of a gallery, alike
  std::string_view scripts;  ///< JavaScript
  std::string_view checker;  ///< WebAssembly, gzip, base 64; empty if the program was built without it
};

ViewerParts viewer_parts();

}  // namespace isotrope::app

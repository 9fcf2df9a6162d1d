// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope view: a page that shows a plan in motion and checks it.
#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "app/commands.hpp"
#include "app/gallery.hpp"
#include "app/output.hpp"
#include "app/plan_page.hpp"
#include "app/subject.hpp"

namespace isotrope::app {

namespace {

int write_the_gallery(const ViewOptions& options) {
  if (!options.subject.empty() || !options.network.empty() || !options.collective.empty() ||
      !options.output.empty())
    throw Error(
        fmt::format("--gallery {} plans by itself: leave out the plan, the network, the collective and -o",
                    options.gallery));
  write_gallery(options.gallery);
  return 0;
}

}  // namespace

int view_command(const ViewOptions& options) {
  if (!options.gallery.empty()) return write_the_gallery(options);
  if (!options.output.empty() && !options.output.ends_with(".html"))
    throw Error(fmt::format("-o {}: pages are HTML; give a name that ends in .html", options.output));
  Subject subject = chosen_plan(options);
  // A plan that was made claims what is proved of it, as one that is written to a file.
  if (!subject.algorithm.empty()) verified(subject);
  const io::Coordinates coordinates =
      names_a_plan_file(options) ? io::Coordinates() : chosen_coordinates(options);
  print_or_write(options, plan_page(subject, coordinates));
  return 0;
}

}  // namespace isotrope::app

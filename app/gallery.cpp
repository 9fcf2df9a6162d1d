// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/gallery.hpp"

#include <array>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "isotrope/io/network_picture.hpp"

#include "app/animate.hpp"
#include "app/describe.hpp"
#include "app/plan_page.hpp"
#include "app/subject.hpp"
#include "app/viewer_parts.hpp"
#include "isotrope/exports/new_folder.hpp"

namespace isotrope::app {
namespace {

struct Exhibit {
  const char* file;
  const char* network;
  const char* collective;
  const char* ports;
  const char* failed_nodes;
  const char* sentence;
};

constexpr std::array<Exhibit, 14> exhibits{{
    {"total-exchange-4-cube", "hypercube:4", "alltoall", "all", "",
     "A total exchange on the 4-cube. Every link is busy in all eight rounds, so no plan is faster."},
    {"broadcast-4-cube", "hypercube:4", "broadcast", "one", "",
     "A broadcast with one send at a time: twice as many nodes know after every round."},
    {"allreduce-4-cube", "hypercube:4", "allreduce", "one", "", "All nodes add up their vectors."},
    {"scatter-5-cube", "hypercube:5", "scatter", "all", "", "Node 0 deals a block to every other node."},
    {"allgather-6-cube", "hypercube:6", "allgather", "all", "",
     "Cubes in cubes: all nodes learn all blocks."},
    {"total-exchange-doughnut", "torus:6x8", "alltoall", "all", "",
     "A torus is a doughnut: rows and columns close."},
    {"total-exchange-torus-8x8x8", "torus:8x8x8", "alltoall", "all", "",
     "512 nodes; 1.5 million hops in all."},
    {"broadcast-hexagon", "hexmesh:4", "broadcast", "one", "",
     "A hexagonal mesh whose borders are sewn together."},
    {"allgather-hexagon", "hexmesh:4", "allgather", "all", "", "The same mesh, all links at once."},
    {"total-exchange-circulant", "circulant:29:1,5,12", "alltoall", "all", "", "A circle with chords."},
    {"total-exchange-ring", "ring:12", "alltoall", "all", "", "The plainest network, both ways round."},
    {"scatter-mesh", "mesh:4x6", "scatter", "all", "", "Rows and columns that do not close."},
    {"total-exchange-twisted-torus", "twisted-torus:4x4x8", "alltoall", "all", "",
     "A torus whose seams are shifted, which shortens the ways."},
    {"allgather-failure", "torus:5x5", "allgather", "all", "12", "Around a failed node."},
}};

Subject planned(const Exhibit& exhibit) {
  PlanningOptions options;
  options.network = exhibit.network;
  options.collective = exhibit.collective;
  options.ports = exhibit.ports;
  options.failed_nodes = exhibit.failed_nodes;
  Subject subject = chosen_plan(options);
  verified(subject);
  return subject;
}

std::string card(const Exhibit& exhibit, const Subject& subject) {
  const bool moves = !reason_not_animated(subject.plan);
  return fmt::format("<a href=\"{0}.html\">{1}<strong>{2}</strong><span>{3}</span></a>\n", exhibit.file,
                     moves ? fmt::format("<img src=\"{}.svg\" alt=\"\" loading=\"lazy\">", exhibit.file) : "",
                     html_text(heading(problem_of(subject.plan))), html_text(exhibit.sentence));
}

void write(const exports::NewFolder& files, const std::string& name, const std::string& text) {
  files.write(name, [&](std::ostream& out) { out << text; });
}

}  // namespace

void write_gallery(const std::filesystem::path& folder) {
  exports::NewFolder files(folder);
  std::string cards;
  for (const Exhibit& exhibit : exhibits) {
    const Subject subject = planned(exhibit);
    const std::string name = exhibit.file;
    write(files, name + ".html", plan_page(subject, {}));
    if (!reason_not_animated(subject.plan))
      write(files, name + ".svg", io::draw_network(subject.plan.network, motion_picture(subject)));
    cards += card(exhibit, subject);
  }
  write(files, "index.html", filled(viewer_parts().gallery, {{"cards", cards}}));
  files.finish();
}

}  // namespace isotrope::app

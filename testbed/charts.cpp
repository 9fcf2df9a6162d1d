// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// testbed_charts FOLDER: reads points from stdin, lines "collective tree dimension packet seconds", and draws
// Figures 5 to 8 of Ho and Johnsson 1986 as FOLDER/figure-N.csv and .svg.
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/atomic_file.hpp"
#include "isotrope/io/chart.hpp"

namespace isotrope::testbed {
namespace {

using io::Chart;
using io::Series;

struct Measured {
  std::string collective;
  std::string tree;
  unsigned dimension = 0;
  unsigned packet = 0;
  double seconds = 0;
};
using Points = std::vector<Measured>;

constexpr unsigned paper_packet = 1024;  // bytes, Figures 6 to 8

Points read(std::istream& in) {
  Points points;
  Measured point;
  while (in >> point.collective >> point.tree >> point.dimension >> point.packet >> point.seconds)
    points.push_back(point);
  if (!in.eof() || points.empty())
    throw Error(
        fmt::format("point {}: give lines 'collective tree dimension packet seconds'", points.size()));
  return points;
}

// The times of one tree by dimension, for packets of the paper's size.
Series over_dimensions(const Points& points, const std::string& collective, const std::string& tree) {
  Series series{.name = tree, .points = {}};
  for (const Measured& point : points) {
    if (point.collective == collective && point.tree == tree && point.packet == paper_packet)
      series.points.push_back({static_cast<double>(point.dimension), point.seconds});
  }
  return series;
}

Chart chart(const std::string& title, const std::string& x, const std::string& y) {
  return {.title = title,
          .note = "medians of 5, over TCP between hosts whose links take 2.8 us per byte, on all ports",
          .x = {.label = x},
          .y = {.label = y},
          .series = {},
          .marks = {}};
}

const char* const dimension_label = "dimension of the cube, log N";

Chart figure_5(const Points& points) {
  Chart result = chart("Broadcast of 60 KiB along the binomial tree (Ho and Johnsson 1986, Figure 5)",
                       "external packet size (bytes)", "time (s)");
  result.x.logarithmic = result.y.logarithmic = true;
  result.x.log_base = 2;
  std::set<unsigned> dimensions;
  for (const Measured& point : points) dimensions.insert(point.dimension);
  for (const unsigned n : dimensions) {
    Series series{.name = fmt::format("log N = {}", n), .points = {}};
    for (const Measured& point : points) {
      if (point.collective == "broadcast" && point.tree == "SBT" && point.dimension == n)
        series.points.push_back({static_cast<double>(point.packet), point.seconds});
    }
    result.series.push_back(std::move(series));
  }
  return result;
}

Chart figure_6(const Points& points) {
  Chart result = chart("Broadcast of 60 KiB in packets of 1 KiB (Ho and Johnsson 1986, Figure 6)",
                       dimension_label, "time (s)");
  result.series = {over_dimensions(points, "broadcast", "SBT"), over_dimensions(points, "broadcast", "MSBT")};
  return result;
}

Chart figure_7(const Points& points) {
  Chart result = chart("Speed-up of the MSBT over the SBT (Ho and Johnsson 1986, Figure 7)", dimension_label,
                       "time along the SBT / time along the MSBT");
  const Series along_sbt = over_dimensions(points, "broadcast", "SBT");
  Series measured = over_dimensions(points, "broadcast", "MSBT");
  Series log_n{.name = "log N", .points = {}, .dashed = true};
  measured.name = "measured";
  for (std::size_t i = 0; i < measured.points.size() && i < along_sbt.points.size(); ++i) {
    measured.points[i].y = along_sbt.points[i].y / measured.points[i].y;
    log_n.points.push_back({measured.points[i].x, measured.points[i].x});
  }
  result.series = {std::move(measured), std::move(log_n)};
  return result;
}

Chart figure_8(const Points& points) {
  Chart result = chart("Personalized communication, 1 KiB per node (Ho and Johnsson 1986, Figure 8)",
                       dimension_label, "time (s)");
  result.y.logarithmic = true;
  result.series = {over_dimensions(points, "scatter", "SBT"), over_dimensions(points, "scatter", "BST")};
  return result;
}

void write(const std::filesystem::path& folder, int number, const Chart& chart) {
  const std::string name = fmt::format("figure-{}", number);
  io::write_atomically(folder / (name + ".csv"), [&](std::ostream& out) { io::write_csv(out, chart); });
  io::write_atomically(folder / (name + ".svg"), [&](std::ostream& out) { io::write_svg(out, chart); });
  fmt::print("{}\n", (folder / (name + ".svg")).string());
}

void draw(const std::filesystem::path& folder) {
  const Points points = read(std::cin);
  write(folder, 5, figure_5(points));
  write(folder, 6, figure_6(points));
  write(folder, 7, figure_7(points));
  write(folder, 8, figure_8(points));
}

}  // namespace
}  // namespace isotrope::testbed

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw isotrope::Error("give one folder for the figures, and the points on stdin");
    isotrope::testbed::draw(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "testbed_charts: {}\n", error.what());
    return 2;
  }
  return 0;
}

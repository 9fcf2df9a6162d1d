// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope reproduce: the papers' tables, measured again beside the printed values, and their figures. Exit status 1
// if a difference has no known reason.
#include <filesystem>
#include <ostream>
#include <sstream>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"

#include "isotrope/io/atomic_file.hpp"

#include "app/commands.hpp"
#include "app/describe.hpp"
#include "app/machine.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "isotrope/reproduce/exhibits.hpp"

namespace isotrope::app {
namespace {

using reproduce::Exhibit;
using reproduce::Score;
using reproduce::Table;

std::vector<const Exhibit*> chosen_exhibits(const ReproduceOptions& options) {
  std::vector<const Exhibit*> chosen;
  if (!options.name.empty()) {
    if (options.all) throw Error(fmt::format("{} and --all: give one of them", options.name));
    return {&reproduce::exhibit(options.name)};
  }
  for (const Exhibit& exhibit : reproduce::exhibits()) chosen.push_back(&exhibit);
  return chosen;
}

std::string written(const io::Chart& chart, void (*write)(std::ostream&, const io::Chart&)) {
  std::ostringstream out;
  write(out, chart);
  return out.str();
}

Json as_json(const Table& table) {
  Json facts{{"title", table.title}, {"columns", table.columns}};
  for (const reproduce::Row& row : table.rows) {
    Json cells = Json::array();
    for (const reproduce::Cell& cell : row.cells) {
      Json entry{{"measured", cell.measured}, {"printed", cell.printed}, {"equal", cell.equal()}};
      if (!cell.equal()) entry["reason"] = cell.reason;
      cells.push_back(std::move(entry));
    }
    facts["rows"].push_back({{"name", row.name}, {"cells", std::move(cells)}});
  }
  return facts;
}

Json as_json(const io::Chart& chart) {
  Json facts{{"title", chart.title}, {"note", chart.note}, {"x", chart.x.label}, {"y", chart.y.label}};
  for (const io::Series& series : chart.series) {
    Json points = Json::array();
    for (const io::Point& point : series.points) points.push_back({point.x, point.y});
    facts["series"].push_back({{"name", series.name}, {"points", std::move(points)}});
  }
  return facts;
}

// An exhibit for the terminal, for --json, and as files: the texts by the ends of their names.
struct ShownExhibit {
  std::string text;
  Json facts;
  std::vector<std::pair<const char*, std::string>> files;
};

ShownExhibit shown(const Table& table) {
  return {to_text(table) + "\n", as_json(table), {{".txt", to_text(table)}}};
}

ShownExhibit shown(const io::Chart& chart) {
  const std::string csv = written(chart, io::write_csv);
  return {fmt::format("{}\n  {}\n{}\n", chart.title, chart.note, csv),
          as_json(chart),
          {{".csv", csv}, {".svg", written(chart, io::write_svg)}}};
}

// Writes a file into the folder of -o.
void write(const ReproduceOptions& options, const std::string& name, const std::string& text) {
  std::error_code failed;
  std::filesystem::create_directories(options.output, failed);
  if (failed) {
    throw Error(fmt::format("-o {}: cannot make this folder: {}; give a folder for the files", options.output,
                            failed.message()));
  }
  const std::string path = (std::filesystem::path(options.output) / name).string();
  io::write_atomically(path, [&](std::ostream& out) { out << text; });
  print(path + "\n");
}

}  // namespace

int reproduce_command(const ReproduceOptions& options) {
  if (options.name.empty() && !options.all) {
    print("Give one of these, or --all:\n");
    for (const Exhibit& exhibit : reproduce::exhibits())
      print(fmt::format("  {:<22} {}\n", exhibit.name, exhibit.title));
    return 0;
  }
  const cost::Machine machine = chosen_machine(options, options, cost::intel_ipsc());
  Score cells;
  Json list = Json::array();
  for (const Exhibit* exhibit : chosen_exhibits(options)) {
    const auto made = [&] {
      Progress progress(fmt::format("measuring {}", exhibit->name));
      progress.show(0);
      return exhibit->make(machine);
    }();
    if (const auto* table = std::get_if<Table>(&made)) {
      const Score more = score(*table);
      cells.equal += more.equal;
      cells.explained += more.explained;
      cells.unexplained += more.unexplained;
    }
    const ShownExhibit entry = std::visit([](const auto& content) { return shown(content); }, made);
    if (options.json) {
      list.push_back({{"name", exhibit->name}});
      list.back().update(entry.facts);
    } else if (options.output.empty()) {
      print(entry.text);
    } else {
      for (const auto& [extension, text] : entry.files)
        write(options, fmt::format("{}{}", exhibit->name, extension), text);
    }
  }
  if (options.json) {
    print_or_write(options, answer("reproduce", {{"exhibits", list},
                                                 {"equal", cells.equal},
                                                 {"explained", cells.explained},
                                                 {"unexplained", cells.unexplained}}));
  } else if (cells.equal + cells.explained + cells.unexplained > 0) {
    print(
        fmt::format("{} cells as printed, {} different for a known reason, {} different for an unknown one\n",
                    cells.equal, cells.explained, cells.unexplained));
  }
  return cells.unexplained == 0 ? 0 : 1;
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// isotrope reproduce: the papers' tables, measured again beside the printed values, and their figures. Exit status 1
// if a difference has no known reason.
#include <filesystem>
#include <ostream>
#include <sstream>
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

std::string list() {
  std::string text = "Give one of these, or --all:\n";
  for (const Exhibit& exhibit : reproduce::exhibits())
    text += fmt::format("  {:<22} {}\n", exhibit.name, exhibit.title);
  return text;
}

std::string csv(const io::Chart& chart) {
  std::ostringstream out;
  io::write_csv(out, chart);
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

// Prints exhibits, or writes them into the folder of -o, and keeps the score.
class Gallery {
 public:
  explicit Gallery(const ReproduceOptions& options) : options_(options) {}

  void show(const Exhibit& exhibit, const cost::Machine& machine) {
    const auto made = [&] {
      Progress progress(fmt::format("measuring {}", exhibit.name));
      progress.show(0);
      return exhibit.make(machine);
    }();
    if (const auto* table = std::get_if<Table>(&made)) {
      add(score(*table));
      put(exhibit, *table);
    } else {
      put(exhibit, std::get<io::Chart>(made));
    }
  }

  int finish() {
    if (options_.json) {
      print_or_write_json();
    } else if (cells_.equal + cells_.explained + cells_.unexplained > 0) {
      print(fmt::format(
          "{} cells as printed, {} different for a known reason, {} different for an unknown one\n",
          cells_.equal, cells_.explained, cells_.unexplained));
    }
    return cells_.unexplained == 0 ? 0 : 1;
  }

 private:
  void add(const Score& more) {
    cells_.equal += more.equal;
    cells_.explained += more.explained;
    cells_.unexplained += more.unexplained;
  }

  void put(const Exhibit& exhibit, const Table& table) {
    if (options_.json) {
      collect(exhibit, as_json(table));
    } else if (options_.output.empty()) {
      print(to_text(table) + "\n");
    } else {
      write(fmt::format("{}.txt", exhibit.name), [&](std::ostream& out) { out << to_text(table); });
    }
  }

  void put(const Exhibit& exhibit, const io::Chart& chart) {
    if (options_.json) {
      collect(exhibit, as_json(chart));
    } else if (options_.output.empty()) {
      print(fmt::format("{}\n  {}\n{}\n", chart.title, chart.note, csv(chart)));
    } else {
      write(fmt::format("{}.csv", exhibit.name), [&](std::ostream& out) { io::write_csv(out, chart); });
      write(fmt::format("{}.svg", exhibit.name), [&](std::ostream& out) { io::write_svg(out, chart); });
    }
  }

  void collect(const Exhibit& exhibit, const Json& facts) {
    Json entry{{"name", exhibit.name}};
    entry.update(facts);
    exhibits_.push_back(std::move(entry));
  }

  template <class Write>
  void write(const std::string& name, Write write_to) {
    std::error_code failed;
    std::filesystem::create_directories(options_.output, failed);
    if (failed) {
      throw Error(fmt::format("-o {}: cannot make this folder: {}; give a folder for the files",
                              options_.output, failed.message()));
    }
    const std::string path = (std::filesystem::path(options_.output) / name).string();
    io::write_atomically(path, write_to);
    print(path + "\n");
  }

  void print_or_write_json() {
    print_or_write(options_, answer("reproduce", {{"exhibits", exhibits_},
                                                  {"equal", cells_.equal},
                                                  {"explained", cells_.explained},
                                                  {"unexplained", cells_.unexplained}}));
  }

  const ReproduceOptions& options_;
  Score cells_;
  Json exhibits_ = Json::array();
};

}  // namespace

int reproduce_command(const ReproduceOptions& options) {
  if (options.name.empty() && !options.all) {
    print(list());
    return 0;
  }
  const cost::Machine machine = chosen_machine(options, cost::intel_ipsc());
  Gallery gallery(options);
  for (const Exhibit* exhibit : chosen_exhibits(options)) gallery.show(*exhibit, machine);
  return gallery.finish();
}

}  // namespace isotrope::app

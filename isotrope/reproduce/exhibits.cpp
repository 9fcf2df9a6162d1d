// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/reproduce/exhibits.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

namespace isotrope::reproduce {
namespace {

using Made = std::variant<Table, io::Chart>;
using cost::Machine;

// Makes a table that holds for every machine.
template <Table (*make)()>
Made for_any(const Machine& /*machine*/) {
  return make();
}

template <auto make>
Made for_machine(const Machine& machine) {
  return make(machine);
}

constexpr std::array all{
    Exhibit{"bertsekas-table-1", "Optimal times and numbers of packet transmissions",
            for_any<bertsekas_table_1>},
    Exhibit{"bertsekas-figure-6", "Total exchange for d = 4", for_any<bertsekas_figure_6>},
    Exhibit{"varvarigos-completion", "Completion times of exchanges, by formula",
            for_any<varvarigos_completion>},
    Exhibit{"varvarigos-delay", "Least mean delays of total exchange, by formula", for_any<varvarigos_delay>},
    Exhibit{"chen-table-1", "Multiprocessor architectures compared", for_any<chen_table_1>},
    Exhibit{"ho-johnsson-table-1", "Propagation delays", for_any<ho_johnsson_table_1>},
    Exhibit{"ho-johnsson-table-2", "Cycles per distinct packet", for_any<ho_johnsson_table_2>},
    Exhibit{"ho-johnsson-table-3", "Broadcast in packets: times, best packets, least times",
            for_machine<ho_johnsson_table_3>},
    Exhibit{"ho-johnsson-table-4", "Broadcast compared to the MSBT", for_any<ho_johnsson_table_4>},
    Exhibit{"ho-johnsson-table-5", "The largest subtrees of the balanced spanning tree",
            for_any<ho_johnsson_table_5>},
    Exhibit{"ho-johnsson-table-6", "Personalized communication", for_any<ho_johnsson_table_6>},
    Exhibit{"ho-johnsson-figure-5", "Broadcast time against packet size", for_machine<ho_johnsson_figure_5>},
    Exhibit{"ho-johnsson-figure-6", "Broadcast time of SBT and MSBT", for_machine<ho_johnsson_figure_6>},
    Exhibit{"ho-johnsson-figure-7", "Speed-up of the MSBT over the SBT", for_machine<ho_johnsson_figure_7>},
    Exhibit{"ho-johnsson-figure-8", "Personalized communication along BST and SBT",
            for_machine<ho_johnsson_figure_8>},
};

}  // namespace

std::span<const Exhibit> exhibits() {
  return all;
}

const Exhibit& exhibit(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Exhibit& exhibit : all) {
    if (exhibit.name == name) return exhibit;
    names.push_back(exhibit.name);
  }
  throw Error(fmt::format("nothing named '{}' to reproduce: {}", name, name_hint(name, names)));
}

}  // namespace isotrope::reproduce

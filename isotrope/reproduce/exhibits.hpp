// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables and figures of the papers that are reproduced, by name.
//
// Tables hold measured values beside printed ones. Figures hold curves; their originals were measured on machines
// that are gone and are printed without numbers.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "isotrope/cost/machine.hpp"

#include "isotrope/io/chart.hpp"

#include "isotrope/reproduce/table.hpp"

namespace isotrope::reproduce {

Table bertsekas_table_1();
Table bertsekas_figure_6();
Table varvarigos_completion();
Table varvarigos_delay();
Table chen_table_1();
Table ho_johnsson_table_1();
Table ho_johnsson_table_2();
Table ho_johnsson_table_3(const cost::Machine& machine);
Table ho_johnsson_table_4();
Table ho_johnsson_table_5();
Table ho_johnsson_table_6();
io::Chart ho_johnsson_figure_5(const cost::Machine& machine);
io::Chart ho_johnsson_figure_6(const cost::Machine& machine);
io::Chart ho_johnsson_figure_7(const cost::Machine& machine);
io::Chart ho_johnsson_figure_8(const cost::Machine& machine);

struct Exhibit {
  std::string_view name;  ///< "ho-johnsson-table-3"
  std::string_view title;
  /// Figures and costs depend on the machine, most tables do not.
  std::variant<Table, io::Chart> (*make)(const cost::Machine& machine);
};

/// All exhibits, paper by paper.
std::span<const Exhibit> exhibits();

/// The one of that name.
/// @throws Error if there is none, with the nearest names.
const Exhibit& exhibit(std::string_view name);

}  // namespace isotrope::reproduce

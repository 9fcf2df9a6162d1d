// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/picture.hpp"

#include <ostream>

#include "isotrope/io/atomic_file.hpp"

namespace isotrope::app {

bool is_picture(const std::string& path) {
  return path.ends_with(".svg") || path.ends_with(".csv");
}

void write_chart(const std::string& path, const io::Chart& chart) {
  io::write_atomically(path, [&](std::ostream& out) {
    if (path.ends_with(".svg")) {
      io::write_svg(out, chart);
    } else {
      io::write_csv(out, chart);
    }
  });
}

}  // namespace isotrope::app

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/page_data.hpp"

#include <fmt/format.h>

#include "isotrope/io/scene.hpp"

#include "app/describe.hpp"

namespace isotrope::app {

std::string page_picture(const Subject& subject, const io::Coordinates& coordinates) {
  std::string title = headline(subject);
  title.pop_back();  // the end of the line
  return fmt::format(R"({{"title":{},"scene":{}}})", Json(title).dump(),
                     io::scene_of(subject.plan, coordinates));
}

std::string page_proof(const Subject& subject, const verify::Report& report) {
  const Json proof{{"findings", findings(subject, report)}, {"words", findings_in_words(subject, report)}};
  return proof.dump();
}

}  // namespace isotrope::app

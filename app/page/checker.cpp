// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The checker in a page: the program's reader and checker, compiled to WebAssembly, as three functions for the page's
// script. Text goes both ways as UTF-8 in the memory of the module.
//
//     page_room(bytes)          room for a plan as JSON, followed by the coordinates of its network file as JSON, if
//     any
//     page_read(plan, places)   reads the plan; an answer is {"title", "scene"} of page_data.hpp, or {"error": message}
//     page_check()              checks the plan that was read; an answer is {"findings", "words"}
//
// An answer ends with a zero byte and lives until the next call. CBOR is turned into JSON by the page
// (viewer/cbor.js), since its library cannot be had for WebAssembly; so this program refuses it.
#include <cstddef>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"

#include "isotrope/io/document_reader.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/verify/verify.hpp"

#include "app/json.hpp"
#include "app/page_data.hpp"

namespace isotrope::io {

void read_cbor(std::streambuf& /*bytes*/, PlanSchema& /*schema*/) {
  throw SyntaxError("byte 0: this checker reads JSON; `isotrope verify` reads CBOR");
}

}  // namespace isotrope::io

namespace isotrope::app {
namespace {

struct Page {
  std::string given;
  std::optional<Subject> subject;
  std::string answer;
};

Page& page() {
  static Page page;
  return page;
}

const char* answer(std::string text) {
  page().answer = std::move(text);
  return page().answer.c_str();
}

std::string refusal(const char* message) {
  return Json{{"error", message}}.dump();
}

// The page writes them itself, so that they are an array of arrays of three numbers.
io::Coordinates coordinates_from(std::string_view text) {
  return text.empty() ? io::Coordinates() : nlohmann::json::parse(text).get<io::Coordinates>();
}

std::string read(std::string_view plan, std::string_view places) {
  try {
    page().subject.reset();
    page().subject.emplace(Subject{io::read_plan(plan, io::PlanFormat::json, "the plan"), "", 0, 0});
    return page_picture(*page().subject, coordinates_from(places));
  } catch (const Error& error) {
    return refusal(error.what());
  } catch (const std::bad_alloc&) {
    return refusal("not enough memory for this plan: `isotrope verify` can use more");
  }
}

}  // namespace
}  // namespace isotrope::app

using namespace isotrope::app;

extern "C" {

char* page_room(std::size_t bytes) {
  page().given.resize(bytes);
  return page().given.data();
}

const char* page_read(std::size_t plan, std::size_t places) {
  const std::string_view given = page().given;
  return answer(read(given.substr(0, plan), given.substr(plan, places)));
}

const char* page_check() {
  if (!page().subject) return answer(refusal("no plan was read"));
  return answer(page_proof(*page().subject, isotrope::verify::verify(page().subject->plan)));
}
}

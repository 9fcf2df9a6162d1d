// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include "isotrope/io/byte_source.hpp"
#include "isotrope/io/cbor_reader.hpp"
#include "isotrope/io/json_reader.hpp"
#include "isotrope/io/plan_file.hpp"
#include "isotrope/io/syntax_error.hpp"
#include "isotrope/io/utf8.hpp"

namespace isotrope::io {
namespace {

PlanDraft read_draft(std::streambuf& bytes, PlanFormat format) {
  PlanDraft draft;
  PlanForm form(draft);
  try {
    format == PlanFormat::cbor ? read_cbor(bytes, form) : read_json(bytes, form);
  } catch (const SyntaxError&) {
    throw;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", form.place(), error.what()));
  }
  return draft;
}

// A message may quote the file, which may hold anything.
constexpr std::size_t longest_message = 1000;

// What `read` returns, its errors with the file's name before them.
template <class Function>
schedule::Plan named(const std::string& name, Function read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, one_line(error.what(), longest_message)));
  }
}

}  // namespace

PlanFormat plan_format(const std::filesystem::path& file) {
  return file.extension() == ".cbor" ? PlanFormat::cbor : PlanFormat::json;
}

schedule::Plan read_plan(const std::filesystem::path& file, const Progress& progress) {
  return named(file.string(), [&] {
    FileBytes bytes(file, progress);
    return checked_plan(read_draft(bytes, plan_format(file)));
  });
}

schedule::Plan read_plan(std::string_view bytes, PlanFormat format, const std::string& name) {
  return named(name, [&] {
    MemoryBytes source(bytes);
    return checked_plan(read_draft(source, format));
  });
}

}  // namespace isotrope::io

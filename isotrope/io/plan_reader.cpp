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

// The first byte tells JSON, which begins with a brace or a blank, from CBOR, which begins with a map.
void check_format(std::streambuf& bytes, PlanFormat format) {
  const auto first = bytes.sgetc();
  const bool json = first == '{' || first == ' ' || first == '\t' || first == '\n' || first == '\r';
  const bool cbor = 0xA0 <= first && first <= 0xBF;
  if (format == PlanFormat::cbor && json)
    throw Error("the name ends in .cbor, but this is JSON: name it .json");
  if (format == PlanFormat::json && cbor) throw Error("this is CBOR: give it a name that ends in .cbor");
}

RawPlan read_raw(std::streambuf& bytes, PlanFormat format) {
  check_format(bytes, format);
  RawPlan raw;
  PlanSchema schema(raw);
  try {
    format == PlanFormat::cbor ? read_cbor(bytes, schema) : read_json(bytes, schema);
  } catch (const SyntaxError&) {
    throw;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", schema.place(), error.what()));
  }
  return raw;
}

// A message may quote the file, which may hold anything.
constexpr std::size_t longest_message = 1000;

// Calls `read`, and puts the file's name before the message of its Error.
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
    return checked_plan(read_raw(bytes, plan_format(file)));
  });
}

schedule::Plan read_plan(std::string_view bytes, PlanFormat format, const std::string& name) {
  return named(name, [&] {
    MemoryBytes source(bytes);
    return checked_plan(read_raw(source, format));
  });
}

}  // namespace isotrope::io

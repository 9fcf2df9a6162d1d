// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/parse.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/complete.hpp"
#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/torus.hpp"
#include "isotrope/network/twisted_torus.hpp"

namespace isotrope::network {
namespace {

// The parameters behind the family and its colon.
class NameParameters {
 public:
  NameParameters(std::string_view name, std::string_view text, std::string_view example)
      : name_(name), text_(text), example_(example) {}

  std::string_view text() const { return text_; }

  [[noreturn]] void refuse(std::string_view why) const {
    throw Error(fmt::format("network '{}': {}; write, for example, {}", excerpt(name_), why, example_));
  }

  Coordinate number(std::string_view piece) const {
    const std::optional<std::uint64_t> value = whole_number(piece);
    if (!value || *value > largest_order)
      refuse(fmt::format("'{}' is not a whole number from 0 to {}", excerpt(piece), largest_order));
    return static_cast<Coordinate>(*value);
  }

  template <class Number = Coordinate>
  std::vector<Number> numbers(std::string_view text, char separator) const {
    std::vector<Number> result;
    for (std::string_view piece : split(text, separator)) result.push_back(number(piece));
    return result;
  }

  template <class Number = Coordinate>
  std::vector<std::vector<Number>> rows(std::string_view text) const {
    std::vector<std::vector<Number>> result;
    for (std::string_view row : split(text, '/')) result.push_back(numbers<Number>(row, ','));
    return result;
  }

  // The two fields of A:B.
  std::array<std::string_view, 2> fields() const {
    const std::vector<std::string_view> pieces = split(text_, ':');
    if (pieces.size() != 2) refuse(fmt::format("{} parameters instead of 2", pieces.size()));
    return {pieces[0], pieces[1]};
  }

 private:
  std::string_view name_, text_, example_;
};

struct Family {
  std::string_view name;
  std::string_view example;
  Network (*read)(const NameParameters&);
};

Network read_circulant(const NameParameters& parameters) {
  const auto [modulus, steps] = parameters.fields();
  return circulant(parameters.number(modulus), parameters.numbers(steps, ','));
}

Network read_cayley(const NameParameters& parameters) {
  const auto [moduli, generators] = parameters.fields();
  return cayley(parameters.numbers(moduli, 'x'), parameters.rows(generators));
}

Network read_twisted_torus(const NameParameters& parameters) {
  const std::string_view text = parameters.text();
  const bool has_basis = text.find_first_of(",/") != std::string_view::npos;
  return has_basis ? lattice_torus(parameters.rows<std::int64_t>(text))
                   : twisted_torus(parameters.numbers(text, 'x'));
}

constexpr std::array<Family, 8> families{{
    {"hypercube", "hypercube:6", [](const NameParameters& p) { return hypercube(p.number(p.text())); }},
    {"torus", "torus:4x4x8", [](const NameParameters& p) { return torus(p.numbers(p.text(), 'x')); }},
    {"ring", "ring:9", [](const NameParameters& p) { return ring(p.number(p.text())); }},
    {"hexmesh", "hexmesh:4", [](const NameParameters& p) { return hexmesh(p.number(p.text())); }},
    {"twisted-torus", "twisted-torus:4x4x8 or twisted-torus:8,0/3,8", read_twisted_torus},
    {"circulant", "circulant:13:1,5", read_circulant},
    {"complete", "complete:8", [](const NameParameters& p) { return complete(p.number(p.text())); }},
    {"cayley", "cayley:4x6:1,0/3,0/0,1/0,5", read_cayley},
}};

}  // namespace

Network parse(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view family_name = name.substr(0, colon);
  const auto family = std::ranges::find(families, family_name, &Family::name);
  if (family == families.end()) {
    std::array<std::string_view, families.size()> names;
    std::ranges::transform(families, names.begin(), &Family::name);
    throw Error(fmt::format("unknown network family '{}' in '{}': {}", excerpt(family_name), excerpt(name),
                            name_hint(family_name, names)));
  }
  const bool has_parameters = colon != std::string_view::npos && colon + 1 < name.size();
  const NameParameters parameters(name, has_parameters ? name.substr(colon + 1) : "", family->example);
  if (!has_parameters) parameters.refuse("its parameters are missing");
  return family->read(parameters);
}

}  // namespace isotrope::network

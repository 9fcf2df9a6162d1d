// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/parse.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/cayley.hpp"
#include "isotrope/network/complete.hpp"
#include "isotrope/network/hexmesh.hpp"
#include "isotrope/network/hypercube.hpp"
#include "isotrope/network/product.hpp"
#include "isotrope/network/torus.hpp"
#include "isotrope/network/tpu_slices.hpp"
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

Network read_line(const NameParameters& parameters) {
  const Coordinate nodes = parameters.number(parameters.text());
  return product(fmt::format("line:{}", nodes), {ring(nodes)});
}

Network read_mesh(const NameParameters& parameters) {
  const auto extents = parameters.numbers(parameters.text(), 'x');
  return product(fmt::format("mesh:{}", fmt::join(extents, "x")), {torus(extents)});
}

constexpr std::array<Family, 10> families{{
    {"hypercube", "hypercube:6", [](const NameParameters& p) { return hypercube(p.number(p.text())); }},
    {"torus", "torus:4x4x8", [](const NameParameters& p) { return torus(p.numbers(p.text(), 'x')); }},
    {"ring", "ring:9", [](const NameParameters& p) { return ring(p.number(p.text())); }},
    {"hexmesh", "hexmesh:4", [](const NameParameters& p) { return hexmesh(p.number(p.text())); }},
    {"twisted-torus", "twisted-torus:4x4x8 or twisted-torus:8,0/3,8", read_twisted_torus},
    {"circulant", "circulant:13:1,5", read_circulant},
    {"complete", "complete:8", [](const NameParameters& p) { return complete(p.number(p.text())); }},
    {"cayley", "cayley:4x6:1,0/3,0/0,1/0,5", read_cayley},
    {"line", "line:8", read_line},
    {"mesh", "mesh:4x8", read_mesh},
}};

bool has_open_axes(std::string_view factor) {
  return factor.starts_with("line:") || factor.starts_with("mesh:");
}

// A factor ends before an x between its last digit and the name of the next family.
std::vector<std::string_view> factors_of(std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  std::vector<std::string_view> result;
  std::size_t begin = 0;
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] != 'x' || !is_digit(name[i - 1]) || !is_letter(name[i + 1])) continue;
    result.push_back(name.substr(begin, i - begin));
    begin = i + 1;
  }
  result.push_back(name.substr(begin));
  return result;
}

// Those of 3 nodes or more: no link closes a shorter one. `first` is the factor's first coordinate.
std::vector<std::uint32_t> open_axes_of(const Network& factor, std::uint32_t first) {
  std::vector<std::uint32_t> result;
  const auto extents = factor.group().moduli();
  for (std::uint32_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] > 2) result.push_back(first + axis);
  }
  return result;
}

Network read_factor(std::string_view name, std::string_view whole) {
  const std::size_t colon = name.find(':');
  const std::string_view family_name = name.substr(0, colon);
  const auto family = std::ranges::find(families, family_name, &Family::name);
  if (family == families.end()) {
    std::array<std::string_view, families.size()> names;
    std::ranges::transform(families, names.begin(), &Family::name);
    throw Error(fmt::format("unknown network family '{}' in '{}': {}", excerpt(family_name), excerpt(whole),
                            name_hint(family_name, names)));
  }
  const bool has_parameters = colon != std::string_view::npos && colon + 1 < name.size();
  const NameParameters parameters(name, has_parameters ? name.substr(colon + 1) : "", family->example);
  if (!has_parameters) parameters.refuse("its parameters are missing");
  return family->read(parameters);
}

}  // namespace

NamedNetwork parse_named(std::string_view name) {
  constexpr std::string_view tpu = "tpu:";
  if (name.starts_with(tpu)) return parse_named(tpu_network(name.substr(tpu.size())));
  std::vector<Network> factors;
  std::vector<std::string> names;
  Failures lacks;
  std::uint32_t axes = 0;
  for (const std::string_view factor : factors_of(name)) {
    factors.push_back(read_factor(factor, name));
    names.push_back(factors.back().name());
    if (has_open_axes(factor)) {
      const auto open = open_axes_of(factors.back(), axes);
      lacks.open_axes.insert(lacks.open_axes.end(), open.begin(), open.end());
    }
    axes += static_cast<std::uint32_t>(factors.back().group().rank());
  }
  if (factors.size() == 1) return {std::move(factors.front()), std::move(lacks)};
  return {product(fmt::format("{}", fmt::join(names, "x")), factors), std::move(lacks)};
}

Network parse(std::string_view name) {
  auto [network, lacks] = parse_named(name);
  if (lacks.empty()) return std::move(network);
  throw Error(fmt::format(
      "network '{}' has open axes, which are not supported here: give a network with closed ones, "
      "as ring:8 for line:8",
      excerpt(name)));
}

}  // namespace isotrope::network

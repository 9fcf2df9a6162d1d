// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/network/parse.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
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
#include "isotrope/network/rates.hpp"
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
    if (!value || *value > largest_order) {
      const bool marked =
          !piece.empty() && name_.starts_with("torus:") && whole_number(piece.substr(0, piece.size() - 1));
      refuse(fmt::format("'{}' is not a whole number from 0 to {}{}", excerpt(piece), largest_order,
                         marked ? "; an axis that is open is a line, as in torus:4x6xline:8" : ""));
    }
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

// The name of networks that no shorter name implies.
constexpr std::string_view unnamed = "cayley";

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

std::uint32_t read_rate(std::string_view text, std::string_view factor) {
  const std::optional<std::uint64_t> rate = whole_number(text);
  if (rate && *rate >= 1 && *rate <= largest_rate) return static_cast<std::uint32_t>(*rate);
  throw Error(
      fmt::format("network '{}': rate '{}': rates are whole multiples, 1 to {}, of that of the slowest link; "
                  "write, for example, torus:8x8x8@2,2,1 for a last axis of half the rate",
                  excerpt(factor), excerpt(text), largest_rate));
}

// Families whose ports are those of one coordinate after the other.
bool has_axes(std::string_view family) {
  constexpr std::array<std::string_view, 5> with_axes{"torus", "mesh", "ring", "line", "twisted-torus"};
  return std::ranges::find(with_axes, family) != with_axes.end();
}

// The rates of the ports from one for each axis. An axis has no port, one, or two that are opposite.
std::vector<std::uint32_t> rates_by_axis(const Network& simple, const std::vector<std::uint32_t>& rates,
                                         std::string_view factor) {
  const std::string_view family = factor.substr(0, factor.find(':'));
  const auto extents = simple.group().moduli();
  if (!has_axes(family) || simple.name() == unnamed)
    throw Error(
        fmt::format("network '{}': {} rates, but its links have no axes: give one rate for all, as @{}",
                    excerpt(factor), rates.size(), rates.front()));
  if (rates.size() != extents.size())
    throw Error(fmt::format("network '{}': {} rates for {} axes: give one for each, or one for all",
                            excerpt(factor), rates.size(), extents.size()));
  std::vector<std::uint32_t> result;
  for (std::size_t axis = 0; axis < rates.size(); ++axis) {
    if (extents[axis] == 1 && family != "twisted-torus") continue;
    const auto port = static_cast<Port>(result.size());
    result.insert(result.end(), simple.opposite(port) == port ? 1 : 2, rates[axis]);
  }
  return result;
}

// `factor` with the rates behind its @, `text`.
Network rated(Network simple, std::string_view factor, std::string_view text) {
  std::vector<std::uint32_t> given;
  for (const std::string_view piece : split(text, ',')) given.push_back(read_rate(piece, factor));
  const std::vector<std::uint32_t> rates = given.size() == 1
                                               ? std::vector<std::uint32_t>(simple.degree(), given.front())
                                               : rates_by_axis(simple, given, factor);
  if (std::ranges::count(rates, 1U) == std::ssize(rates)) return simple;
  if (std::ranges::count(rates, rates.front()) == std::ssize(rates)) given.assign(1, rates.front());
  std::string name(simple.name());
  if (name != unnamed) name += fmt::format("@{}", fmt::join(given, ","));
  return with_rates(std::move(name), simple, rates);
}

Network read_simple_factor(std::string_view name, std::string_view whole) {
  const std::size_t colon = name.find(':');
  const std::string_view family_name = name.substr(0, colon);
  const auto family = std::ranges::find(families, family_name, &Family::name);
  if (family == families.end()) {
    const std::vector<std::string_view> names = family_names();
    throw Error(fmt::format("unknown network family '{}' in '{}': {}", excerpt(family_name), excerpt(whole),
                            name_hint(family_name, names)));
  }
  const bool has_parameters = colon != std::string_view::npos && colon + 1 < name.size();
  const NameParameters parameters(name, has_parameters ? name.substr(colon + 1) : "", family->example);
  if (!has_parameters) parameters.refuse("its parameters are missing");
  return family->read(parameters);
}

Network read_factor(std::string_view name, std::string_view whole) {
  const std::size_t at = name.find('@');
  Network simple = read_simple_factor(name.substr(0, at), whole);
  return at == std::string_view::npos ? std::move(simple)
                                      : rated(std::move(simple), name, name.substr(at + 1));
}

}  // namespace

std::vector<std::string_view> family_names() {
  std::vector<std::string_view> names;
  for (const Family& family : families) names.push_back(family.name);
  return names;
}

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

std::string name_with_rates(std::string_view name, std::span<const std::uint32_t> by_axis) {
  std::vector<std::string> factors;
  for (const std::string_view factor : factors_of(name)) {
    const std::size_t axes = read_factor(factor, name).group().rank();
    std::span<const std::uint32_t> rates = by_axis.first(axes);
    by_axis = by_axis.subspan(axes);
    if (std::ranges::adjacent_find(rates, std::not_equal_to()) == rates.end()) rates = rates.first(1);
    factors.push_back(fmt::format("{}@{}", factor, fmt::join(rates, ",")));
    if (rates.size() == 1 && rates.front() == 1) factors.back() = factor;
  }
  return fmt::format("{}", fmt::join(factors, "x"));
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

// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/animation.hpp"

#include <array>

#include <fmt/format.h>

namespace isotrope::io {
namespace {

constexpr double pause = 2;  // rounds, at the end
constexpr std::array<const char*, 3> halves{"a", "b", ""};

}  // namespace

AnimationStyle::AnimationStyle(const Animation& animation) : animation_(animation) {
  for (const std::vector<double>& shares : animation.shares) fillings_.emplace(shares, fillings_.size());
}

double AnimationStyle::percent(double round) const {
  return 100 * round / (static_cast<double>(animation_.rounds) + pause);
}

std::string AnimationStyle::flight_class(std::uint64_t round, int half) const {
  return fmt::format("f f{}{}", round, halves[static_cast<std::size_t>(half)]);
}

std::string AnimationStyle::round_class(std::uint64_t round) const {
  return fmt::format("t t{}", round);
}

std::string AnimationStyle::node_class(network::Node node) const {
  return fmt::format("n n{}", fillings_.at(animation_.shares[node]));
}

// Hidden but for its time, in which it moves by --x and --y.
std::string AnimationStyle::flight_frames(std::uint64_t round, int half) const {
  const auto t = static_cast<double>(round);
  const double begin = percent(half == 1 ? t + 0.5 : t), end = percent(half == 0 ? t + 0.5 : t + 1);
  constexpr double instant = 0.001;
  return fmt::format(
      "@keyframes "
      "f{0}{1}{{0%{{opacity:0}}{2:.3f}%{{opacity:0;transform:none}}{3:.3f}%{{opacity:1;transform:none}}"
      "{4:.3f}%{{opacity:1;transform:translate(var(--x),var(--y))}}{5:.3f}%,to{{opacity:0;transform:"
      "translate(var(--x),"
      "var(--y))}}}}\n.f{0}{1}{{animation-name:f{0}{1}}}\n",
      round, halves[static_cast<std::size_t>(half)], begin, begin + instant, end - instant, end);
}

std::string AnimationStyle::filling_frames(const std::vector<double>& shares) const {
  std::string frames;
  for (std::size_t t = 0; t < shares.size(); ++t)
    frames += fmt::format("{:.3f}%{{fill-opacity:{:.3f}}}", percent(static_cast<double>(t)), shares[t]);
  const std::size_t number = fillings_.at(shares);
  return fmt::format(
      "@keyframes n{0}{{{1}to{{fill-opacity:{2:.3f}}}}}\n.n{0}{{animation-name:n{0};fill-opacity:{2:.3f}}}\n",
      number, frames, shares.back());
}

std::string AnimationStyle::element() const {
  const double seconds = static_cast<double>(animation_.rounds) + pause;
  std::string text = fmt::format(
      "<style>\n.f,.n,.t{{animation:{0}s "
      "infinite}}\n.f,.t{{opacity:0}}\n.f{{animation-timing-function:ease-in-out}}\n"
      ".n,.t{{animation-timing-function:step-end}}\n"
      "@media (prefers-reduced-motion:reduce){{.f,.n,.t{{animation:none}}}}\n",
      seconds);
  for (std::uint64_t round = 0; round < animation_.rounds; ++round) {
    for (int half = 0; half < 3; ++half) text += flight_frames(round, half);
    text += fmt::format(
        "@keyframes "
        "t{0}{{0%{{opacity:0}}{1:.3f}%{{opacity:1}}{2:.3f}%,to{{opacity:0}}}}\n.t{0}{{animation-name:t{0}}}"
        "\n",
        round, percent(static_cast<double>(round)), percent(static_cast<double>(round) + 1));
  }
  for (const auto& [shares, number] : fillings_) text += filling_frames(shares);
  return text + "</style>\n";
}

}  // namespace isotrope::io

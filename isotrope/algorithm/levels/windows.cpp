// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for windows (axis_program.hpp): pieces in order of their offsets, the window of all of them.
#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "isotrope/algorithm/levels/axis_program.hpp"

namespace isotrope::algorithm {
namespace {

using network::Coordinate;

// What a node has: the own contribution, or what came in one message.
struct WindowPiece {
  std::uint32_t number;  // of the register
  Coordinate length;
};

// Consecutive pieces, which a neighbour on one side needs.
struct WindowRun {
  Coordinate length;
  Coordinate distance;  // from the receiver to the sender, on the side that the window grows to
  std::size_t first, last;
};

// Start-ups and hops come first, then what a link carries.
struct WindowPrice {
  std::uint64_t units = 0;  // messages and hops of all steps, and one unit a step
  std::uint64_t load = 0;   // vectors over the busiest link of every step

  auto operator<=>(const WindowPrice&) const = default;
};

struct RingWindow {
  std::vector<WindowPiece> pieces{{0, 1}};
  Coordinate below = 0;  // offsets below the own one
  Coordinate width = 1;
  std::uint32_t registers = 1;
};

enum class WindowSide { above, below };

class WindowSearch {
 public:
  explicit WindowSearch(Coordinate extent) : extent_(extent) {}

  AxisProgram run() {
    by_binary_digits();
    extend(RingWindow{}, {}, 0);
    return best_;
  }

 private:
  static constexpr std::uint32_t most_steps = 1U << 14;

  // The window grows by a run in a message: above by the window of a node above, which begins right after it.
  static Coordinate distance(const RingWindow& window, WindowSide side, Coordinate before,
                             Coordinate length) {
    // The run has the offsets before - below .. before + length - 1 - below.
    return side == WindowSide::above ? window.width - before : before + length;
  }

  // The nearest run of every length, the longest first.
  std::vector<WindowRun> runs(const RingWindow& window, WindowSide side) const {
    std::vector<WindowRun> result;
    Coordinate before = 0;
    for (std::size_t first = 0; first < window.pieces.size(); before += window.pieces[first++].length) {
      Coordinate length = 0;
      for (std::size_t last = first; last < window.pieces.size(); ++last) {
        length += window.pieces[last].length;
        add_nearest(result, {length, distance(window, side, before, length), first, last});
      }
    }
    std::ranges::sort(result, std::ranges::greater(), &WindowRun::length);
    return result;
  }
  void add_nearest(std::vector<WindowRun>& runs, const WindowRun& run) const {
    const auto same = std::ranges::find(runs, run.length, &WindowRun::length);
    if (same == runs.end()) {
      runs.push_back(run);
    } else if (hops(run) < hops(*same)) {
      *same = run;
    }
  }
  Coordinate hops(const WindowRun& run) const { return std::min(run.distance, extent_ - run.distance); }

  AxisSend send_of(const RingWindow& window, const WindowRun& run, WindowSide side) const {
    AxisSend result;
    result.even = result.odd = side == WindowSide::above ? extent_ - run.distance : run.distance;
    for (std::size_t i = run.first; i <= run.last; ++i) result.registers.push_back(window.pieces[i].number);
    std::ranges::sort(result.registers);
    return result;
  }
  static RingWindow grown(RingWindow window, const WindowRun* above, const WindowRun* below) {
    if (above != nullptr) {
      window.pieces.push_back({window.registers++, above->length});
      window.width += above->length;
    }
    if (below != nullptr) {
      window.pieces.insert(window.pieces.begin(), {window.registers++, below->length});
      window.width += below->length;
      window.below += below->length;
    }
    return window;
  }

  // Messages from above go down, unless the other way round is shorter.
  WindowPrice price(const WindowRun* above, const WindowRun* below) const {
    Coordinate down = 0, up = 0, farthest = 0;
    std::uint64_t messages = 0;
    for (const auto& [run, way, back] : {std::tuple(above, &down, &up), {below, &up, &down}}) {
      if (run == nullptr) continue;
      *(run->distance <= extent_ / 2 ? way : back) += hops(*run);
      farthest = std::max(farthest, hops(*run));
      ++messages;
    }
    return {messages + 1 + farthest, std::max(down, up)};
  }

  void by_binary_digits() {
    RingWindow window;
    for (int bit = static_cast<int>(std::bit_width(extent_)) - 2; bit >= 0; --bit) {
      const WindowSide side = bit % 2 == 0 ? WindowSide::above : WindowSide::below;
      const WindowSide other = side == WindowSide::above ? WindowSide::below : WindowSide::above;
      const WindowRun whole = runs(window, side).front();
      const WindowRun one = runs(window, other).back();
      const WindowRun* also = (extent_ >> bit & 1) != 0 ? &one : nullptr;
      window = side == WindowSide::above ? stepped(window, &whole, also) : stepped(window, also, &whole);
    }
    best_ = std::exchange(program_, {});
    best_price_ = std::exchange(price_, {});
  }

  // The window after a step, which joins the program under way.
  RingWindow stepped(const RingWindow& window, const WindowRun* above, const WindowRun* below) {
    AxisStep step;
    if (above != nullptr) step.push_back(send_of(window, *above, WindowSide::above));
    if (below != nullptr) step.push_back(send_of(window, *below, WindowSide::below));
    program_.push_back(std::move(step));
    const WindowPrice added = price(above, below);
    price_.units += added.units;
    price_.load += added.load;
    return grown(window, above, below);
  }

  // No program that begins as the one under way is better than this: a window grows to three times at most, and the
  // farthest contribution comes from extent / 2 hops away.
  WindowPrice least(const RingWindow& window, Coordinate hops) const {
    WindowPrice result = price_;
    std::uint64_t steps = 0;
    for (std::uint64_t width = window.width; width < extent_; width *= 3) ++steps;
    const std::uint64_t far = extent_ / 2 > hops ? extent_ / 2 - hops : 0;
    result.units += 2 * steps + std::max(steps, far);
    return result;
  }

  void extend(const RingWindow& window, const WindowPrice& before, Coordinate hops_before) {
    price_ = before;
    if (++tried_ > most_steps || least(window, hops_before) >= best_price_) return;
    if (window.width == extent_) {
      best_ = program_;
      best_price_ = price_;
      return;
    }
    const std::vector<WindowRun> above = runs(window, WindowSide::above),
                                 below = runs(window, WindowSide::below);
    for (std::size_t i = 0; i <= above.size(); ++i) {
      for (std::size_t j = 0; j <= below.size(); ++j)
        try_step(window, i < above.size() ? &above[i] : nullptr, j < below.size() ? &below[j] : nullptr,
                 before, hops_before);
    }
  }
  void try_step(const RingWindow& window, const WindowRun* above, const WindowRun* below,
                const WindowPrice& before, Coordinate hops_before) {
    const std::uint64_t added =
        std::uint64_t{above == nullptr ? 0 : above->length} + (below == nullptr ? 0 : below->length);
    if (added == 0 || window.width + added > extent_) return;
    price_ = before;
    const RingWindow next = stepped(window, above, below);
    const Coordinate farthest =
        std::max(above == nullptr ? 0 : hops(*above), below == nullptr ? 0 : hops(*below));
    extend(next, WindowPrice(price_), hops_before + farthest);
    program_.pop_back();
  }

  Coordinate extent_;
  AxisProgram program_;  // under way
  WindowPrice price_;    // of it
  AxisProgram best_;
  WindowPrice best_price_;
  std::uint32_t tried_ = 0;
};

}  // namespace

AxisProgram windows(Coordinate extent) {
  thread_local std::map<Coordinate, AxisProgram> found;
  const auto [program, is_new] = found.try_emplace(extent);
  if (is_new) program->second = WindowSearch(extent).run();
  return program->second;
}

}  // namespace isotrope::algorithm

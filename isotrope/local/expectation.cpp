// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/local/expectation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "isotrope/local/element.hpp"

namespace isotrope::local {
namespace {

class Exact : public Expectation {
 public:
  explicit Exact(Combine function) : function_(function) {}

  void begin(std::span<const std::byte> contribution) override {
    std::ranges::copy(contribution, expected_.begin());
  }
  void combine(std::span<const std::byte> contribution) override {
    function_(std::span(expected_).first(contribution.size()), contribution);
  }
  std::optional<std::string> error(std::span<const std::byte> received, std::uint64_t offset) override {
    if (std::memcmp(expected_.data(), received.data(), received.size()) == 0) return std::nullopt;
    const auto wrong =
        static_cast<std::size_t>(std::ranges::mismatch(received, expected_).in1 - received.begin());
    return fmt::format("at byte {}: {:#04x} instead of {:#04x}", offset + wrong,
                       std::to_integer<unsigned>(received[wrong]),
                       std::to_integer<unsigned>(expected_[wrong]));
  }

 private:
  Combine function_;
  std::array<std::byte, chunk_bytes> expected_;
};

template <class T>
using Wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// gamma for n roundings to T.
template <class T>
double gamma(std::uint64_t n) {
  const double all = static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  return all < 1 ? all / (1 - all) : std::numeric_limits<double>::infinity();
}

template <class T>
double bound(std::uint64_t contributors) {
  return gamma<T>(contributors - 1) + gamma<Wider<T>>(contributors - 1);
}

template <class T, bool is_sum>
class Rounded : public Expectation {
 public:
  explicit Rounded(std::uint64_t contributors) : bound_(bound<T>(contributors)) {}

  void begin(std::span<const std::byte> contribution) override {
    for (std::size_t i = 0; i < contribution.size() / sizeof(T); ++i) {
      result_[i] = load<T>(&contribution[i * sizeof(T)]);
      scale_[i] = std::abs(result_[i]);
    }
  }
  void combine(std::span<const std::byte> contribution) override {
    for (std::size_t i = 0; i < contribution.size() / sizeof(T); ++i) {
      const Wide x = load<T>(&contribution[i * sizeof(T)]);
      if constexpr (is_sum) {
        result_[i] += x;
        scale_[i] += std::abs(x);
      } else {
        result_[i] *= x;
        scale_[i] = std::abs(result_[i]);
      }
    }
  }
  std::optional<std::string> error(std::span<const std::byte> received, std::uint64_t offset) override {
    for (std::size_t i = 0; i < received.size() / sizeof(T); ++i) {
      const T value = load<T>(&received[i * sizeof(T)]);
      const Wide difference = std::abs(value - result_[i]);
      // The negation also reports NaN.
      if (!(difference <= bound_ * scale_[i])) return report(offset / sizeof(T) + i, value, i);
      if (difference != 0) largest_ = std::max(largest_, static_cast<double>(difference / scale_[i]));
    }
    return std::nullopt;
  }
  double largest_rounding() const override { return largest_; }

 private:
  using Wide = Wider<T>;

  std::string report(std::uint64_t element, T came, std::size_t i) const {
    return fmt::format("at element {}: {} instead of {}; rounding explains a difference of at most {:.2g}",
                       element, came, static_cast<T>(result_[i]), static_cast<double>(bound_ * scale_[i]));
  }

  double bound_;
  double largest_ = 0;
  std::array<Wide, chunk_bytes / sizeof(T)> result_;
  std::array<Wide, chunk_bytes / sizeof(T)> scale_;
};

template <class T>
std::unique_ptr<Expectation> rounded(Operation operation, std::uint64_t contributors) {
  if (operation == Operation::sum) return std::make_unique<Rounded<T, true>>(contributors);
  return std::make_unique<Rounded<T, false>>(contributors);
}

}  // namespace

std::unique_ptr<Expectation> exact_expectation(Combine function) {
  return std::make_unique<Exact>(function);
}

std::unique_ptr<Expectation> rounded_expectation(Reduction reduction, std::uint64_t contributors) {
  return reduction.type == Type::float32 ? rounded<float>(reduction.operation, contributors)
                                         : rounded<double>(reduction.operation, contributors);
}

double rounding_bound(Reduction reduction, std::uint64_t contributors) {
  if (!is_rounded(reduction)) return 0;
  return reduction.type == Type::float32 ? bound<float>(contributors) : bound<double>(contributors);
}

}  // namespace isotrope::local

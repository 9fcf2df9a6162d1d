// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a sanitizer slows the tests down, so that those that search for long are left to the release build.
#pragma once

namespace isotrope {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// A size or a number of trials, of which `sanitized` are enough to find what sanitizers find.
constexpr unsigned unless_sanitized(unsigned whole, unsigned sanitized) {
  return is_sanitized ? sanitized : whole;
}

/// Whether to leave out trial number `trial` of many alike: sanitizers make one of `of`.
constexpr bool is_left_out(unsigned trial, unsigned of) {
  return is_sanitized && trial % of != 0;
}

}  // namespace isotrope

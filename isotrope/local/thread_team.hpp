// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that work side by side and wait for each other at barriers.
#pragma once

#include <functional>

namespace isotrope::local {

/// Calls work(0), ..., work(threads - 1), threads >= 1, at the same time, work(0) on the calling thread, and
/// returns when all have returned. No work begins before every thread exists, so they may meet at a barrier.
/// `work` must not throw.
/// @throws Error if the system does not give so many threads; no work has begun then.
void on_threads(unsigned threads, const std::function<void(unsigned)>& work);

}  // namespace isotrope::local

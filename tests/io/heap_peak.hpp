// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory a piece of code takes, counted by replaced operators new and delete.
#pragma once

#include <cstddef>
#include <functional>

namespace isotrope::io {

/// The most bytes `function` held at any time through operator new, beyond those held when it began.
std::size_t heap_peak(const std::function<void()>& function);

}  // namespace isotrope::io

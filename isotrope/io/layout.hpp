// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace isotrope::io {

/// How the values of an object or array stand in a text: on the line of the container, or on one line each.
enum class Layout { line, lines };

}  // namespace isotrope::io

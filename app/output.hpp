// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers on stdout or in a file. Text that stdout does not accept is an error, whichever command prints it.
#pragma once

#include <string>
#include <string_view>

#include "app/options.hpp"

namespace isotrope::app {

/// To be called before anything is printed or opened: a closed stdout refuses text from now on, instead of lending
/// its number to the next file, and a limit on the size of files makes writing fail instead of ending the program.
void prepare_output();

/// Prints `text` on stdout.
/// @throws Error if stdout does not accept it.
void print(std::string_view text);

/// To be called last: hands all that was printed to the system.
/// @throws Error if stdout does not accept it.
void finish_output();

/// Prints `text` on stdout, or writes it to the file of -o.
/// @throws Error if either does not accept it.
void print_or_write(const OutputOptions& options, const std::string& text);

}  // namespace isotrope::app

# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes HEADER with the commit of the checkout SOURCE, if that differs from what HEADER says. Both strings are empty if
# SOURCE is no checkout, such as the sources of a release. ISOTROPE_COMMIT in the environment stands for the
# commit, for packages that are built from an archive.
function(ask_git result)
  execute_process(COMMAND git -C ${SOURCE} ${ARGN}
    OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(answer "")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

set(commit "$ENV{ISOTROPE_COMMIT}")
set(date "")
if(NOT commit AND EXISTS ${SOURCE}/.git)
  ask_git(commit describe --always --abbrev=12 --dirty=+changes --exclude=*)
  ask_git(date log -1 --format=%cs)
endif()

set(text "// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by every build (write_commit.cmake).
#pragma once

namespace isotrope::app {

inline constexpr const char* commit = \"${commit}\";
inline constexpr const char* commit_date = \"${date}\";

}  // namespace isotrope::app
")
set(old "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${HEADER} "${text}")
endif()

# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# The first step of every installation: if a file of it was not built, nothing is copied and the message says what to
# build. Without this step, `cmake --install` fails after it has copied a part.
set(ISOTROPE_CHECKER ${PROJECT_SOURCE_DIR}/build/proof/isotrope-checker CACHE FILEPATH
  "isotrope-checker, as `make proof` builds it; installed as component checker if it exists")
install(CODE "
  set(build ${PROJECT_BINARY_DIR})
  file(STRINGS \${build}/isotrope_installed.txt lines)
  foreach(line IN LISTS lines)
    string(REGEX MATCH \"^([^ ]+) (.*)$\" line \"\${line}\")
    set(needed \${CMAKE_MATCH_1})
    set(file \${CMAKE_MATCH_2})
    if((NOT CMAKE_INSTALL_COMPONENT OR CMAKE_INSTALL_COMPONENT STREQUAL needed) AND NOT EXISTS \${file})
      message(FATAL_ERROR \"\${file} is not built, so nothing is installed. Build it first: \"
        \"cmake --build \${build} --target isotrope_installed\")
    endif()
  endforeach()
  if(CMAKE_INSTALL_COMPONENT STREQUAL checker AND NOT EXISTS \"${ISOTROPE_CHECKER}\")
    message(FATAL_ERROR \"${ISOTROPE_CHECKER} is not built, so nothing is installed. Build it first: make proof\")
  endif()
" ALL_COMPONENTS)

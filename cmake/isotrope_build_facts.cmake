# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# What `isotrope --version` says about a build.

# isotrope_part(NAME TEXT): a line about a part of the project that is optional.
function(isotrope_part name text)
  string(SUBSTRING "${name}              " 0 14 label)
  set_property(GLOBAL APPEND_STRING PROPERTY isotrope_parts "\n${label}${text}")
endfunction()

# isotrope_mpi_parts(): the line about the MPI libraries for which the runtime is built.
function(isotrope_mpi_parts)
  set(texts)
  get_property(flavours GLOBAL PROPERTY isotrope_mpi_flavours)
  foreach(flavour IN LISTS flavours)
    string(REGEX REPLACE ",.*" "" name "${ISOTROPE_${flavour}_VERSION}")
    string(REGEX REPLACE "Version:[ \t]*" "" name "${name}")
    list(APPEND texts "${name} (isotrope-${flavour})")
  endforeach()
  list(JOIN texts ", " text)
  if(NOT text)
    set(text "none (-DISOTROPE_BUILD_MPI=ON builds the runtime)")
  endif()
  isotrope_part(MPI "${text}")
endfunction()

# Run when the whole project is configured, as any folder may have added a part.
function(isotrope_write_parts)
  get_property(ISOTROPE_PARTS GLOBAL PROPERTY isotrope_parts)
  string(REPLACE "\n" "\\n" ISOTROPE_PARTS "${ISOTROPE_PARTS}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/isotrope_parts.hpp.in ${PROJECT_BINARY_DIR}/facts/isotrope_parts.hpp @ONLY)
endfunction()

# isotrope_build_facts(TARGET): lets TARGET include isotrope_parts.hpp and isotrope_commit.hpp. Every build asks git for the
# commit, and compiles again only if the commit changed.
function(isotrope_build_facts target)
  isotrope_mpi_parts()
  cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL isotrope_write_parts)
  add_custom_target(isotrope_commit
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D HEADER=${PROJECT_BINARY_DIR}/facts/isotrope_commit.hpp
      -P ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake
    BYPRODUCTS ${PROJECT_BINARY_DIR}/facts/isotrope_commit.hpp
    COMMENT "Asking git for the commit")
  add_dependencies(${target} isotrope_commit)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/facts)
endfunction()

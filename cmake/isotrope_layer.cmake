# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0

# isotrope_warnings(TARGET): the warnings every target of the project is compiled with. CMake before 3.24 does not know
# CMAKE_COMPILE_WARNING_AS_ERROR.
function(isotrope_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror=switch)
  if(CMAKE_COMPILE_WARNING_AS_ERROR AND CMAKE_VERSION VERSION_LESS 3.24)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_UNITY_BUILD)
    # Sources that are compiled as one see the unnamed namespaces of one another, which is no fault of theirs.
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# isotrope_precompile(TARGET OWNER HEADER...): precompiles HEADERs for TARGET if it is OWNER, and lets TARGET use those of
# OWNER otherwise; both have the same compiler options.
function(isotrope_precompile target owner)
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# isotrope_compile_alone(SOURCE...): keeps sources of this folder out of unity builds, since their unnamed namespaces
# repeat names of others.
function(isotrope_compile_alone)
  foreach(source IN LISTS ARGN)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      message(FATAL_ERROR "isotrope_compile_alone: there is no ${source} in ${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
  endforeach()
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# isotrope_library(TARGET NAME): what all libraries have in common; others link TARGET as isotrope::NAME.
function(isotrope_library target name)
  add_library(isotrope::${name} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE fmt::fmt)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  isotrope_warnings(${target})
  isotrope_precompile(${target} isotrope_base
    <algorithm> <array> <bit> <cstdint> <deque> <functional> <map> <memory> <numeric> <optional> <queue> <set> <span> <string>
    <string_view> <tuple> <utility> <variant> <vector> <fmt/format.h>)
endfunction()

# isotrope_install(TARGET COMPONENT [ARGUMENT...]): installs a program or a library with a component. ARGUMENTs are those of
# install(TARGETS). What is installed is listed, so that an installation can check it before it begins (install.cmake).
function(isotrope_install target component)
  install(TARGETS ${target} ${ARGN} COMPONENT ${component})
  set_property(GLOBAL APPEND PROPERTY isotrope_installed ${target})
  set_property(GLOBAL APPEND_STRING PROPERTY isotrope_installed_files "${component} $<TARGET_FILE:${target}>\n")
endfunction()

# isotrope_public_headers(HEADER...): installs headers of this folder under the paths they have in the source tree, and
# appends these paths to the global property isotrope_public_headers.
function(isotrope_public_headers)
  foreach(header IN LISTS ARGN)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    get_filename_component(folder ${path} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
    set_property(GLOBAL APPEND PROPERTY isotrope_public_headers ${path})
  endforeach()
endfunction()

# isotrope_layer(NAME [PUBLIC_HEADERS ...] SOURCES ... [LINKS ...] [PRIVATE_LINKS ...] [PRIVATE_HEADERS_OF ...])
#
# One folder is one library: target isotrope_NAME, alias isotrope::NAME. PUBLIC_HEADERS are installed; they may include
# one another and no other header of the project. LINKS names the layers below, as targets; nothing else may be
# included. Every layer links fmt. PRIVATE_HEADERS_OF names targets of which only the sources include headers: a program
# that links the layer does not need them.
function(isotrope_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC_HEADERS;SOURCES;LINKS;PRIVATE_LINKS;PRIVATE_HEADERS_OF")
  set(target isotrope_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  isotrope_library(${target} ${name})
  isotrope_public_headers(${arg_PUBLIC_HEADERS})
  target_link_libraries(${target} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  foreach(header_library IN LISTS arg_PRIVATE_HEADERS_OF)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${header_library}>)
  endforeach()
  if(NOT BUILD_SHARED_LIBS)
    isotrope_install(${target} development EXPORT isotrope)
  endif()
  set_property(GLOBAL APPEND PROPERTY isotrope_layers isotrope::${name})
endfunction()

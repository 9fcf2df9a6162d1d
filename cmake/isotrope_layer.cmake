# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0

# isotrope_warnings(TARGET): the warnings every target of the project is compiled with.
function(isotrope_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
endfunction()

# isotrope_layer(NAME HEADERS ... [SOURCES ...] [LINKS ...] [PRIVATE_LINKS ...])
#
# One folder is one library: target isotrope_NAME, alias isotrope::NAME, headers installed under
# include/isotrope/NAME. LINKS names the layers below, as targets; nothing else may be included.
function(isotrope_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES;LINKS;PRIVATE_LINKS")
  set(target isotrope_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(isotrope::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON
    VERIFY_INTERFACE_HEADER_SETS ON)
  isotrope_warnings(${target})
  install(TARGETS ${target} EXPORT isotrope FILE_SET HEADERS)
  set_property(GLOBAL APPEND PROPERTY isotrope_layers isotrope::${name})
endfunction()

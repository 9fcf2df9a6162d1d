# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Files for pkg-config: isotrope.pc, and isotrope-FLAVOUR.pc for each MPI library. The prefix follows from the place of the
# file, so an installation can be moved.
#
#     g++ -std=c++20 mine.cpp $(pkg-config --cflags --libs isotrope)
set(pkg_config_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH up_to_prefix /${pkg_config_folder} /)
string(REGEX REPLACE "/$" "" up_to_prefix "${up_to_prefix}")

# isotrope_pkg_config(NAME DESCRIPTION REQUIRES LIBS CFLAGS)
function(isotrope_pkg_config name description requires libs cflags)
  set(file ${PROJECT_BINARY_DIR}/${name}.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/isotrope.pc.in ${file} @ONLY)
  install(FILES ${file} DESTINATION ${pkg_config_folder} COMPONENT development)
endfunction()

if(BUILD_SHARED_LIBS)
  isotrope_pkg_config(isotrope "${PROJECT_DESCRIPTION}" "" "-lisotrope" "")
else()
  # A static library stands before those that it uses.
  list(TRANSFORM layers REPLACE "isotrope::(.*)" "-lisotrope_\\1" OUTPUT_VARIABLE libs)
  list(REVERSE libs)
  list(JOIN libs " " libs)
  isotrope_pkg_config(isotrope "${PROJECT_DESCRIPTION}" "fmt libcbor" "${libs} -pthread" "")
endif()

# An MPI library that was named by its compiler wrapper has no module, and is found by the wrapper again.
foreach(flavour IN LISTS flavours)
  set(requires isotrope)
  if(${flavour}_FOUND)
    string(APPEND requires " ${isotrope_${flavour}_module}")
  endif()
  isotrope_pkg_config(isotrope-${flavour} "Collectives over MPI, for ${flavour}" "${requires}"
    "-lisotrope_mpi_${flavour}" "-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX")
endforeach()

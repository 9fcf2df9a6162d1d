# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the program, the libraries with their headers, and the CMake package by which others find them:
#
#     find_package(isotrope 0.1 REQUIRED)
#     target_link_libraries(mine PRIVATE isotrope::isotrope)      every layer; if they are static, also isotrope::planner, ...
#
# Before 1.0 a minor version may change the interface, so 0.1 is not satisfied by 0.2.
#
# Components: cli; one for each MPI library, such as openmpi, with the program for its jobs and the drop-in; development;
# with BUILD_SHARED_LIBS also libraries; checker, the program that `make proof` extracts, if there is one.
include(CMakePackageConfigHelpers)

# The program has the plain name, so the umbrella library is called all here and isotrope::isotrope outside.
add_library(isotrope_all INTERFACE)
add_library(isotrope::isotrope ALIAS isotrope_all)
set_target_properties(isotrope_all PROPERTIES EXPORT_NAME isotrope)
get_property(layers GLOBAL PROPERTY isotrope_layers)
target_link_libraries(isotrope_all INTERFACE ${layers})
target_include_directories(isotrope_all INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
if(NOT BUILD_SHARED_LIBS)
  install(TARGETS isotrope_all EXPORT isotrope COMPONENT development)
endif()

# Machine files of real machines (docs/machines.md).
set(data_folder ${CMAKE_INSTALL_DATADIR}/isotrope)
install(DIRECTORY machines/ DESTINATION ${data_folder}/machines COMPONENT cli FILES_MATCHING PATTERN "*.json")
install(FILES testbed/machine.json DESTINATION ${data_folder}/machines RENAME testbed.json COMPONENT cli)
install(FILES LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cli)
install(FILES docs/answer.schema.json docs/machine.schema.json docs/network.schema.json
  DESTINATION ${data_folder}/schemas COMPONENT cli)

# Coq builds isotrope-checker beside this build (docs/proof.md). Without it an installation is complete all the same, but a
# component that is named must be there (check_before_install.cmake).
install(PROGRAMS ${ISOTROPE_CHECKER} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT checker OPTIONAL)

install(DIRECTORY examples/ DESTINATION ${data_folder}/examples COMPONENT development)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/isotrope)
configure_package_config_file(cmake/isotrope-config.cmake.in ${PROJECT_BINARY_DIR}/isotrope-config.cmake
  INSTALL_DESTINATION ${package_folder}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/isotrope-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/isotrope-config.cmake ${PROJECT_BINARY_DIR}/isotrope-config-version.cmake
  DESTINATION ${package_folder} COMPONENT development)
install(EXPORT isotrope NAMESPACE isotrope:: FILE isotrope-targets.cmake DESTINATION ${package_folder} COMPONENT development)
# The runtime for each MPI library has a file of its own, so that builds for several can be installed side by side.
get_property(flavours GLOBAL PROPERTY isotrope_mpi_flavours)
foreach(flavour IN LISTS flavours)
  get_target_property(mpi_folders isotrope_mpi_api_${flavour} INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT mpi_folders)
    set(mpi_folders "")
  endif()
  configure_package_config_file(cmake/isotrope-flavour.cmake.in ${PROJECT_BINARY_DIR}/isotrope-flavour-${flavour}.cmake
    INSTALL_DESTINATION ${package_folder}
    NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
  install(FILES ${PROJECT_BINARY_DIR}/isotrope-flavour-${flavour}.cmake DESTINATION ${package_folder} COMPONENT development)
  install(EXPORT isotrope-mpi-${flavour} NAMESPACE isotrope:: FILE isotrope-mpi-${flavour}-targets.cmake
    DESTINATION ${package_folder} COMPONENT development)
endforeach()
include(cmake/pkg_config.cmake)

# What an installation needs, as one target and as the list for check_before_install.cmake.
get_property(installed GLOBAL PROPERTY isotrope_installed)
add_custom_target(isotrope_installed DEPENDS ${installed})
get_property(installed_files GLOBAL PROPERTY isotrope_installed_files)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/isotrope_installed.txt CONTENT "${installed_files}")

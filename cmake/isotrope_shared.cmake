# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# With -DBUILD_SHARED_LIBS=ON, what is installed for others is one shared library of all layers, libisotrope.so, and one for
# each MPI library, libisotrope_mpi_FLAVOUR.so, instead of a static library a layer. They export the names of the project
# and hide all others, such as those of the libraries that are compiled in (exported_names.map). Before 1.0 a
# minor version may change the interface, so it is part of the soname: libisotrope.so.0.1.
#
# The programs and the drop-in contain the layers themselves, so they start without any of these libraries.

function(isotrope_shared_properties target)
  set(map ${PROJECT_SOURCE_DIR}/cmake/exported_names.map)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined)
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX
    LINK_DEPENDS ${map}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# isotrope_shared_library(): target isotrope_shared, for others isotrope::isotrope.
function(isotrope_shared_library)
  get_property(layers GLOBAL PROPERTY isotrope_layers)
  set(objects)
  foreach(layer IN LISTS layers)
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endforeach()
  add_library(isotrope_shared SHARED ${objects})
  isotrope_shared_properties(isotrope_shared)
  set_target_properties(isotrope_shared PROPERTIES OUTPUT_NAME isotrope EXPORT_NAME isotrope)
  target_include_directories(isotrope_shared PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(isotrope_shared PRIVATE fmt::fmt PkgConfig::libcbor Threads::Threads)
  isotrope_install(isotrope_shared libraries EXPORT isotrope LIBRARY NAMELINK_COMPONENT development)
endfunction()

# isotrope_shared_mpi(FLAVOUR): target isotrope_mpi_FLAVOUR_shared, for others isotrope::mpi-FLAVOUR.
function(isotrope_shared_mpi flavour)
  set(target isotrope_mpi_${flavour}_shared)
  add_library(${target} SHARED $<TARGET_OBJECTS:isotrope_mpi_${flavour}>)
  isotrope_shared_properties(${target})
  # A program that calls only this library finds libisotrope.so beside it.
  set_target_properties(${target} PROPERTIES OUTPUT_NAME isotrope_mpi_${flavour} EXPORT_NAME mpi-${flavour} INSTALL_RPATH $ORIGIN)
  target_link_libraries(${target} PUBLIC isotrope_shared PRIVATE fmt::fmt)
  foreach(kind COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
    get_target_property(${kind} isotrope_mpi_api_${flavour} INTERFACE_${kind})
  endforeach()
  target_compile_definitions(${target} INTERFACE ${COMPILE_DEFINITIONS})
  if(INCLUDE_DIRECTORIES)
    target_include_directories(${target} SYSTEM INTERFACE ${INCLUDE_DIRECTORIES})
  endif()
  target_link_libraries(${target} PUBLIC ${LINK_LIBRARIES})
  isotrope_install(${target} ${flavour} EXPORT isotrope-mpi-${flavour} LIBRARY NAMELINK_COMPONENT development)
endfunction()

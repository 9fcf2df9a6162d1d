# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Run by ctest with BUILD, SCRATCH, GENERATOR, COMPILER and FLAGS; the flags carry sanitizers over to the consumer.
set(prefix ${SCRATCH}/prefix)
set(project ${SCRATCH}/build)
file(REMOVE_RECURSE ${prefix} ${project})

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${project} -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${project} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${project}/consumer OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)

if(NOT output STREQUAL "16 rounds, optimal\n")
  message(FATAL_ERROR "the consumer printed '${output}', not '16 rounds, optimal'")
endif()

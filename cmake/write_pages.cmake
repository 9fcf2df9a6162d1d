# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the manual pages and completions of PROGRAM, a list of its path behind an emulator if one is needed, into FOLDER.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} manual -o ${FOLDER}/man COMMAND_ERROR_IS_FATAL ANY)
foreach(shell bash zsh fish)
  execute_process(COMMAND ${PROGRAM} completion ${shell} OUTPUT_FILE ${FOLDER}/${shell} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

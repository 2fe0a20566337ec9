# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# What most sources include is parsed once: it took a third of a cold build. A source still includes what it uses, since
# other compilers than GCC and clang get no precompiled header.

# For ccache, which needs them to keep the objects (and what toolchain.py sets). All is as position-independent as
# libraries: the header is taken with the same option only.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(ullnic_precompiled_options -fpch-preprocess -fPIC)
else()
  # Templates that the header itself has instances of are instantiated once, too.
  set(ullnic_precompiled_options "SHELL:-Xclang -fno-pch-timestamp" -fpch-instantiate-templates -fPIC)
endif()

# A header NAME of what most sources include and MORE.
function(ullnic_precompiled_header name)
  if(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
    add_library(${name} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/precompiled.cc)
    target_link_libraries(${name} PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
    target_precompile_headers(${name} PRIVATE
      <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <string> <string_view> <utility> <vector>
      <fmt/format.h> <nlohmann/json.hpp> ${ARGN})
    target_compile_options(${name} PRIVATE ${ullnic_precompiled_options})
  endif()
endfunction()
ullnic_precompiled_header(ullnic_precompiled)

# Main programs read options, once: most of their compilation is of CLI11, and optimizing that would double it. Their
# targets have other sources, which are optimized, so they name their header themselves.
ullnic_precompiled_header(ullnic_precompiled_mains <CLI/CLI.hpp>)
function(ullnic_compile_mains)
  set(options ${ULLNIC_UNOPTIMIZED})
  if(TARGET ullnic_precompiled_mains)
    target_link_libraries(ullnic_precompiled_mains PRIVATE CLI11::CLI11)
    target_compile_options(ullnic_precompiled_mains PRIVATE ${ULLNIC_UNOPTIMIZED})
    set(header ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/ullnic_precompiled_mains.dir/cmake_pch.hxx)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      set(made ${header}.gch)
      list(APPEND options -Winvalid-pch -include ${header})
    else()
      set(made ${header}.pch)
      list(APPEND options -Xclang -include-pch -Xclang ${made})
    endif()
    foreach(option ${ullnic_precompiled_options})
      string(REGEX REPLACE "^SHELL:" "" option ${option})
      separate_arguments(option)
      list(APPEND options ${option})
    endforeach()
    set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON OBJECT_DEPENDS ${made})
  endif()
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}")
endfunction()

# Gives a header to all targets of this directory that are known by now, except models, which include nothing of it.
function(ullnic_precompile header)
  if(NOT TARGET ${header})
    return()
  endif()
  get_directory_property(targets BUILDSYSTEM_TARGETS)
  list(FILTER targets EXCLUDE REGEX "^(model_.*|verilated|ullnic_precompiled.*)$")
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "LIBRARY|EXECUTABLE")
      target_precompile_headers(${target} REUSE_FROM ${header})
      target_compile_options(${target} PRIVATE ${ullnic_precompiled_options})
    endif()
  endforeach()
endfunction()

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
  set(ullnic_precompiled_options "SHELL:-Xclang -fno-pch-timestamp" -fPIC)
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

# The host software's build compiles these, too, with the same options, so that ccache has them.
set(ullnic_shared_with_host ullnic_netns ullnic_program ullnic_qdma ullnic-qdma-loop)

# Gives a header to all targets of this directory that are known by now, except models, which include nothing of it.
function(ullnic_precompile header)
  if(NOT TARGET ${header})
    return()
  endif()
  get_directory_property(targets BUILDSYSTEM_TARGETS)
  list(FILTER targets EXCLUDE REGEX "^(model_.*|verilated|ullnic_precompiled.*)$")
  list(REMOVE_ITEM targets ${ullnic_shared_with_host})
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "LIBRARY|EXECUTABLE")
      target_precompile_headers(${target} REUSE_FROM ${header})
      target_compile_options(${target} PRIVATE ${ullnic_precompiled_options})
    endif()
  endforeach()
endfunction()

# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# How fuzz targets and what they try are compiled. A fault ends the run at once, so that it is found.
if(NOT CMAKE_C_COMPILER_ID MATCHES Clang AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "fuzz targets need clang, for libFuzzer: -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++")
endif()
add_compile_options(-g -O1 -fno-omit-frame-pointer
  -fsanitize=address,undefined -fno-sanitize-recover=undefined)
# Its cache of types goes by addresses, which differ from process to process: the same input would pass other edges.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=vptr>)
# What libFuzzer needs to see what an input reaches. It could also watch comparisons, which halves its speed: the inputs
# are made of operations, so there is nothing to guess.
add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table)
set(NO_COVERAGE -fno-sanitize-coverage=inline-8bit-counters,pc-table)
add_link_options(-fsanitize=address,undefined)

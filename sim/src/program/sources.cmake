# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# What the programs that print JSON lines have in common. Needs the target ullnic_netns.
#
# It runs seldom, and most of its compilation is of CLI11: optimizing that would double it.
include_guard()
add_library(ullnic_program STATIC
  ${CMAKE_CURRENT_LIST_DIR}/daemon.cc
  ${CMAKE_CURRENT_LIST_DIR}/host_events.cc
  ${CMAKE_CURRENT_LIST_DIR}/program.cc
  ${CMAKE_CURRENT_LIST_DIR}/wall_time.cc)
target_link_libraries(ullnic_program PUBLIC ullnic_netns CLI11::CLI11)
target_compile_options(ullnic_program PRIVATE ${ULLNIC_UNOPTIMIZED})

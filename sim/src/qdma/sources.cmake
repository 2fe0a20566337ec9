# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The DMA model, its vfio-user server, and the program that tests drivers with them: all that the host software's tests
# and the fuzz target compile of the simulation.
add_library(ullnic_netns STATIC ${CMAKE_CURRENT_LIST_DIR}/../port/netns.cc)
target_include_directories(ullnic_netns PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
target_compile_options(ullnic_netns PUBLIC -Wall -Wextra -Wshadow)
target_link_libraries(ullnic_netns PUBLIC fmt::fmt nlohmann_json::nlohmann_json)

add_library(ullnic_qdma STATIC
  ${CMAKE_CURRENT_LIST_DIR}/c2h.cc
  ${CMAKE_CURRENT_LIST_DIR}/completion.cc
  ${CMAKE_CURRENT_LIST_DIR}/context_store.cc
  ${CMAKE_CURRENT_LIST_DIR}/descriptor_queue.cc
  ${CMAKE_CURRENT_LIST_DIR}/device.cc
  ${CMAKE_CURRENT_LIST_DIR}/endpoint.cc
  ${CMAKE_CURRENT_LIST_DIR}/error_log.cc
  ${CMAKE_CURRENT_LIST_DIR}/h2c.cc
  ${CMAKE_CURRENT_LIST_DIR}/interrupts.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/config_space.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/dma_map.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/guarded_copy.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/irq_lines.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/message_stream.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/negotiation.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/server.cc
  ${CMAKE_CURRENT_LIST_DIR}/../vfio/server_requests.cc)
target_link_libraries(ullnic_qdma PUBLIC ullnic_netns)

include(${CMAKE_CURRENT_LIST_DIR}/../program/sources.cmake)
add_executable(ullnic-qdma-loop
  ${CMAKE_CURRENT_LIST_DIR}/loop_main.cc
  ${CMAKE_CURRENT_LIST_DIR}/loop_side.cc
  ${CMAKE_CURRENT_LIST_DIR}/serve.cc)
target_link_libraries(ullnic-qdma-loop PRIVATE ullnic_qdma ullnic_program)

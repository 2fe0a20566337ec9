# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# packetdrill's shared object over the TCP/IP engine, in two sizes (engine=full and engine=small of docs/packetdrill.md).
set(engine_list ${CMAKE_CURRENT_SOURCE_DIR}/src/packetdrill/rtl/toe_engine.f)
ullnic_verilate(model_toe_engine toe_engine ${engine_list})
ullnic_verilate(model_toe_engine_small toe_engine ${engine_list}
  RX_WINDOW_BYTES=16384 RX_FIFO_BYTES=65536 RX_REORDERING_EN=0 TIMESTAMPS_EN=0)
# They run for seconds: -O3 makes them 3 % faster, and takes more than twice as long.
target_compile_options(model_toe_engine PRIVATE -O1)
target_compile_options(model_toe_engine_small PRIVATE -O1)
add_library(ullnic-packetdrill MODULE
  src/packetdrill/engine.cc
  src/packetdrill/entry.cc
  src/packetdrill/ether.cc
  src/packetdrill/flags.cc
  src/packetdrill/model.cc
  src/packetdrill/sessions.cc
  src/packetdrill/sockets.cc
  src/packetdrill/timeline.cc)
target_link_libraries(ullnic-packetdrill PRIVATE ullnic_sim model_toe_engine model_toe_engine_small)

# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# packetdrill's shared object over the TCP/IP engine.
ullnic_verilate(model_toe_engine toe_engine ${CMAKE_CURRENT_SOURCE_DIR}/src/packetdrill/rtl/toe_engine.f)
add_library(ullnic-packetdrill MODULE
  src/packetdrill/engine.cc
  src/packetdrill/entry.cc
  src/packetdrill/ether.cc
  src/packetdrill/flags.cc
  src/packetdrill/sessions.cc
  src/packetdrill/sockets.cc
  src/packetdrill/timeline.cc)
target_link_libraries(ullnic-packetdrill PRIVATE ullnic_sim model_toe_engine)

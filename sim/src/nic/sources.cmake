# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# Whole cards with a far end at each port; needs no PCIe.
add_library(ullnic_nic STATIC
  src/nic/connection_guard.cc
  src/nic/far_end.cc
  src/nic/host_drivers.cc
  src/nic/line_meter.cc
  src/nic/nic_card.cc
  src/nic/nic_library.cc
  src/nic/nic_rig.cc
  src/nic/port_point.cc
  src/nic/port_specs.cc
  src/nic/tester.cc
  src/nic/trade_rules.cc
  src/nic/trade_tracker.cc)
target_link_libraries(ullnic_nic PUBLIC ullnic_sim)

# What the cards' libraries have besides: whole packets on their host ports.
add_library(ullnic_nic_ports STATIC EXCLUDE_FROM_ALL src/nic/packet_ports.cc)
target_link_libraries(ullnic_nic_ports PUBLIC ullnic_nic)

# The program: the card with its PCIe function.
add_executable(ullnic-card
  src/nic/card_report.cc
  src/nic/card_session.cc
  src/nic/main.cc)
target_link_libraries(ullnic-card PRIVATE ullnic_card_dma ullnic_program ullnic_port_spec)

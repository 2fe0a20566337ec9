# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The tick-to-trade sweep. To be included where ullnic_nic, the library of sim/src/nic, is known.
add_executable(ullnic-ate-sweep
  src/ate_sweep/ate_point.cc
  src/ate_sweep/connection.cc
  src/ate_sweep/main.cc
  src/ate_sweep/segment.cc
  src/ate_sweep/stimulus.cc)
target_link_libraries(ullnic-ate-sweep PRIVATE ullnic_nic ullnic_measuring)
target_include_directories(ullnic-ate-sweep SYSTEM PRIVATE
  ${ULLNIC_ROOT}/cards/stac_t0/regs/generated
  ${ULLNIC_ROOT}/cards/trigger/regs/generated)

# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The tick-to-trade sweep, and what other programs take of it. To be included where ullnic_nic, the library of sim/src/nic,
# is known.
add_library(ullnic_ate_stimulus STATIC
  src/ate_sweep/connection.cc
  src/ate_sweep/segment.cc
  src/ate_sweep/stimulus.cc)
target_link_libraries(ullnic_ate_stimulus PUBLIC ullnic_nic)
target_include_directories(ullnic_ate_stimulus SYSTEM PRIVATE
  ${ULLNIC_ROOT}/cards/stac_t0/regs/generated
  ${ULLNIC_ROOT}/cards/trigger/regs/generated)
add_executable(ullnic-ate-sweep src/ate_sweep/ate_point.cc src/ate_sweep/main.cc)
target_link_libraries(ullnic-ate-sweep PRIVATE ullnic_ate_stimulus ullnic_measuring)

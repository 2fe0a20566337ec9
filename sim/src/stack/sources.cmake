# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The card with a TCP/IP stack; built only if it is asked for. To be included where ullnic_nic and
# ullnic_link_session are known.
ullnic_verilate(model_toe_card toe_card ${ULLNIC_ROOT}/cards/toe/rtl/toe_card.f TICK_MS=10)
set_target_properties(model_toe_card PROPERTIES EXCLUDE_FROM_ALL TRUE)
add_executable(ullnic-stack EXCLUDE_FROM_ALL
  src/stack/main.cc
  src/stack/stack_session.cc)
target_link_libraries(ullnic-stack PRIVATE
  ullnic_nic ullnic_link_session model_toe_card CLI11::CLI11)

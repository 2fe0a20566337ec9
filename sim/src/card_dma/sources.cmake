# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The DMA of a card in RTL, built only if something that links it is asked for. To be included where ullnic_nic is known.
list(APPEND ULLNIC_VERILATOR_CONFIG ${CMAKE_CURRENT_LIST_DIR}/timers.vlt)
ullnic_verilate(model_card_qdma card_qdma ${ULLNIC_ROOT}/cards/common/rtl/card_qdma.f PORTS=2 QUEUES=64)
list(REMOVE_ITEM ULLNIC_VERILATOR_CONFIG ${CMAKE_CURRENT_LIST_DIR}/timers.vlt)
set_target_properties(model_card_qdma PROPERTIES EXCLUDE_FROM_ALL TRUE)
target_compile_options(model_card_qdma PRIVATE -O1)  # compiled in 11 s; -O3 takes 19, for some 7 % of speed
# The host's side of any top with the ports of qdma.
add_library(ullnic_card_dma_channels STATIC EXCLUDE_FROM_ALL
  src/card_dma/memory_channel.cc
  src/card_dma/msix_table.cc
  src/card_dma/target_channel.cc)
target_link_libraries(ullnic_card_dma_channels PUBLIC ullnic_qdma)
add_library(ullnic_card_dma STATIC EXCLUDE_FROM_ALL src/card_dma/rtl_dma.cc)
target_link_libraries(ullnic_card_dma PUBLIC ullnic_nic ullnic_card_dma_channels model_card_qdma)

# A loop in the place of a card, and its program.
add_library(ullnic_card_dma_loop STATIC EXCLUDE_FROM_ALL src/card_dma/loop_dma.cc)
target_link_libraries(ullnic_card_dma_loop PUBLIC ullnic_card_dma)
add_executable(ullnic-qdma-rtl-loop src/card_dma/loop_main.cc src/qdma/serve.cc)
target_link_libraries(ullnic-qdma-rtl-loop PRIVATE ullnic_card_dma_loop ullnic_program)

# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
#
# The DMA's example design in RTL and its program, built only if something that links it is asked for. To be included where
# ullnic_card_dma's channels are known. Its memory is larger than a card's, for transfers of 64 MiB.
ullnic_verilate(model_qdma_example qdma_example_card ${ULLNIC_ROOT}/cards/qdma_example/rtl/qdma_example_card.f
  QUEUES=64 VFS=4 MEMORY_BYTES=67108864)
set_target_properties(model_qdma_example PROPERTIES EXCLUDE_FROM_ALL TRUE)
target_compile_options(model_qdma_example PRIVATE -O1)  # compiled in 18 s; -O3 takes 33, for some 7 % of speed
add_library(ullnic_qdma_example STATIC EXCLUDE_FROM_ALL src/qdma_example/example_card.cc)
target_link_libraries(ullnic_qdma_example PUBLIC ullnic_card_dma_channels model_qdma_example)
add_executable(ullnic-qdma-example src/qdma_example/main.cc src/qdma/serve.cc)
target_link_libraries(ullnic-qdma-example PRIVATE ullnic_qdma_example ullnic_program)

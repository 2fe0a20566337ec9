/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the device reaches, too. Its last part, the ring of receive buffers, stands twice in
 * the address space: behind the ring's end comes its beginning again, so that a frame that runs
 * over the end lies in one piece.
 */
#ifndef ULLNIC_LIB_DMA_MEMORY_H
#define ULLNIC_LIB_DMA_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "transport.h"

struct ul_dma_memory {
  uint8_t* base;   /**< NULL: none */
  size_t bytes;    /**< that the device sees, from `iova` on */
  size_t mirrored; /**< bytes behind them that are the ring's first ones again */
  uint64_t iova;
  int fd;
};

/**
 * @param plain bytes in front of the ring; @param ring bytes of the ring; @param mirror bytes of
 * the ring's beginning that appear behind its end. Each a multiple of the page's size.
 */
int ul_dma_memory_make(struct ul_dma_memory* memory, struct ul_transport* transport, size_t plain,
                       size_t ring, size_t mirror, uint64_t iova);
void ul_dma_memory_free(struct ul_dma_memory* memory, struct ul_transport* transport);

#endif /* ULLNIC_LIB_DMA_MEMORY_H */

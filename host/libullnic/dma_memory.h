/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the device can access. Its last part, the ring of receive buffers, is mapped twice:
 * the ring's beginning follows its end, so that a frame that wraps is contiguous.
 */
#ifndef ULLNIC_LIB_DMA_MEMORY_H
#define ULLNIC_LIB_DMA_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "transport.h"

struct ul_dma_memory {
  uint8_t* base;   /**< NULL: none */
  size_t bytes;    /**< visible to the device, from `iova` on */
  size_t mirrored; /**< bytes after them that alias the ring's first ones */
  uint64_t iova;
  int fd;
};

/**
 * @param plain bytes before the ring; @param ring bytes of the ring; @param mirror bytes of the
 * ring's beginning that are mapped again after its end, or 0. Each a multiple of the page size.
 */
int ul_dma_memory_make(struct ul_dma_memory* memory, struct ul_transport* transport, size_t plain,
                       size_t ring, size_t mirror, uint64_t iova);
void ul_dma_memory_free(struct ul_dma_memory* memory, struct ul_transport* transport);

#endif /* ULLNIC_LIB_DMA_MEMORY_H */

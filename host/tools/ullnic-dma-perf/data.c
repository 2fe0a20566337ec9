/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Data to send and to expect. Memory has a function of the card address, so queues and directions
 * that share addresses agree on them.
 */
#include <string.h>

#include "perf.h"

static uint64_t mixed(uint64_t number) {
  const uint64_t z = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  return z ^ z >> 29;
}

void fill_memory(uint8_t* data, uint64_t address, uint64_t bytes, bool inverted) {
  const uint8_t flip = inverted ? 0xff : 0;
  uint64_t word = mixed(address / 8) >> 8 * (address % 8);
  for (uint64_t i = 0; i < bytes; ++i, word >>= 8) {
    if ((address + i) % 8 == 0) {
      word = mixed((address + i) / 8);
    }
    data[i] = (uint8_t)word ^ flip;
  }
}

void fill_packets(uint8_t* data, uint32_t bytes, uint32_t distance, uint32_t count) {
  for (uint32_t packet = 0; packet < count; ++packet) {
    uint8_t* at = data + (size_t)packet * distance;
    for (uint32_t i = 0; i < bytes; ++i) {
      at[i] = (uint8_t)(i / 2 >> 8 * (i % 2));
    }
  }
}

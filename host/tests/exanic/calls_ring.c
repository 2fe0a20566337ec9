/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode "ring": a separate program, compiled with EXANIC_RX_RING, that reads a buffer's memory.
 * Prints length and first byte of each frame; with 0 frames, polls forever.
 */
#define EXANIC_RX_RING
#include <stdio.h>
#include <string.h>

#include "calls.h"

/** Length of the next frame, or 0; a negative status. */
static int look(exanic_rx_t* rx, unsigned char* first) {
  int bytes = 0;
  for (;;) {
    union {
      struct rx_chunk_info info;
      uint64_t data;
    } u;
    volatile struct rx_chunk* chunk = &rx->buffer[rx->next_chunk];
    u.data = chunk->u.data;
    if (u.info.generation == (uint8_t)(rx->generation - 1)) {
      if (bytes == 0) {
        return 0;
      }
      continue;
    }
    if (u.info.generation != rx->generation) {
      __exanic_rx_catchup(rx);
      return -EXANIC_RX_FRAME_SWOVFL;
    }
    if (bytes == 0) {
      *first = (unsigned char)chunk->payload[0];
    }
    if (++rx->next_chunk == EXANIC_RX_NUM_CHUNKS) {
      rx->next_chunk = 0;
      ++rx->generation;
    }
    if (u.info.length != 0) {
      return bytes + u.info.length;
    }
    bytes += EXANIC_RX_CHUNK_PAYLOAD_SIZE;
  }
}

int run_ring(int count) {
  exanic_t* tester = exanic_acquire_handle("exanic0");
  exanic_t* card = exanic_acquire_handle("exanic1");
  exanic_rx_t* rx = tester == NULL ? NULL : exanic_acquire_rx_buffer(tester, 0, 0);
  exanic_tx_t* tx = card == NULL ? NULL : exanic_acquire_tx_buffer(card, 0, 0);
  if (rx == NULL || tx == NULL) {
    fail_call("ring");
  }
  char frame[1000];
  for (int i = 0; i < count; ++i) {
    memset(frame, 2 * i, sizeof frame);
    if (exanic_transmit_frame(tx, frame, (size_t)(60 + i * 90)) != 0) {
      fail_call("exanic_transmit_frame");
    }
  }
  if (count == 0) {
    puts("listening");
    fflush(stdout);
  }
  for (int i = 0; i < count || count == 0; ++i) {
    unsigned char first = 0;
    int bytes;
    while ((bytes = look(rx, &first)) == 0) {
      rest();
    }
    printf("%d %d\n", bytes, first);
  }
  exanic_release_rx_buffer(rx);
  exanic_release_tx_buffer(tx);
  exanic_release_handle(tester);
  exanic_release_handle(card);
  return EXIT_SUCCESS;
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode "flood".
 */
#include <stdio.h>
#include <unistd.h>

#include "calls.h"

/* Equal times in a row, each read from the card, until everything is sent; calls that find
 * nothing. */
enum { BUFFER_BYTES = 2048, FRAME_BYTES = 200, SAME = 2000, IDLE = 1000, IDLE_US = 100 };

static void send_all(exanic_tx_t* tx, int count) {
  char frame[FRAME_BYTES];
  for (int i = 0; i < count; ++i) {
    fill(frame, sizeof frame, (uint32_t)i);
    if (exanic_transmit_frame(tx, frame, sizeof frame) != 0) {
      fail_call("exanic_transmit_frame");
    }
  }
  exanic_cycles32_t last = 0;
  for (int same = 0; same < SAME;) {
    const exanic_cycles32_t now = exanic_get_tx_timestamp(tx);
    same = now == last && now != 0 ? same + 1 : 0;
    last = now;
  }
}

/** A listener that has not called yet has the same frames, and reports the same loss. */
static void take_chunks(exanic_rx_t* rx) {
  char* data;
  int frames = 0, more = 0;
  ssize_t size;
  while ((size = exanic_receive_chunk_inplace(rx, &data, NULL, &more)) != 0) {
    frames += size > 0 && !more;
    if (size < 0) {
      printf("%zd %s\n", size, exanic_get_last_error());
    }
  }
  printf("%d\n", frames);
}

int run_flood(const char* device, int count) {
  exanic_t* nic = exanic_acquire_handle(device);
  exanic_rx_t* other = nic == NULL ? NULL : exanic_acquire_rx_buffer(nic, 1, 0);
  exanic_rx_t* rx = other == NULL ? NULL : exanic_acquire_rx_buffer(nic, 1, 0);
  exanic_tx_t* tx = rx == NULL ? NULL : exanic_acquire_tx_buffer(nic, 0, 0);
  if (tx == NULL) {
    fail_call("flood");
  }
  send_all(tx, count);
  char buffer[BUFFER_BYTES];
  int frames = 0;
  for (int idle = 0; idle < IDLE;) {
    const ssize_t size = exanic_receive_frame(rx, buffer, sizeof buffer, NULL);
    idle = size == 0 ? idle + 1 : 0;
    frames += size > 0;
    if (size < 0) {
      printf("%zd %s\n", size, exanic_get_last_error());
    } else if (size == 0) {
      usleep(IDLE_US);
    }
  }
  printf("%d\n", frames);
  take_chunks(other);
  exanic_release_rx_buffer(other);
  exanic_release_tx_buffer(tx);
  exanic_release_rx_buffer(rx);
  exanic_release_handle(nic);
  return EXIT_SUCCESS;
}

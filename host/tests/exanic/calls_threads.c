/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode "threads".
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"

/* Much longer than the card simulates before it reports that a frame was sent. */
enum { BUFFER_BYTES = 2048, SLOW_US = 100000 };

static exanic_t* nic;
static exanic_rx_t* rx;
static exanic_tx_t* tx;
static int wanted;
static size_t frame_bytes;
static atomic_bool stop;

/* The sender may stop it as soon as its last frame has been sent: no answer may be lost. It is
 * slow, like a thread without a core of its own. */
static void* listen_until_stop(void* data) {
  int* received = data;
  char buffer[BUFFER_BYTES];
  exanic_cycles32_t when;
  while (!stop) {
    if (exanic_receive_frame(rx, buffer, sizeof buffer, &when) <= 0) {
      continue;
    }
    usleep(SLOW_US);
    if (!stop && exanic_expand_timestamp(nic, when) > 0) {
      ++*received;
    }
  }
  return NULL;
}

static void* send_all(void* data) {
  int* sent = data;
  char frame[BUFFER_BYTES];
  for (int i = 0; i < wanted; ++i) {
    fill(frame, frame_bytes, (uint32_t)i);
    const exanic_cycles32_t before = exanic_get_tx_timestamp(tx);
    if (exanic_transmit_frame(tx, frame, frame_bytes) != 0) {
      fail_call("exanic_transmit_frame");
    }
    while (exanic_get_tx_timestamp(tx) == before) {
    }
    ++*sent;
  }
  stop = true;
  return NULL;
}

int run_threads(const char* device, int tx_port, int rx_port, int count, size_t bytes) {
  wanted = count;
  frame_bytes = bytes;
  nic = exanic_acquire_handle(device);
  rx = nic == NULL ? NULL : exanic_acquire_rx_buffer(nic, rx_port, 0);
  tx = rx == NULL ? NULL : exanic_acquire_tx_buffer(nic, tx_port, 0);
  if (tx == NULL) {
    fail_call("threads");
  }
  pthread_t listener, sender;
  int sent = 0, received = 0;
  pthread_create(&listener, NULL, listen_until_stop, &received);
  pthread_create(&sender, NULL, send_all, &sent);
  pthread_join(sender, NULL);
  pthread_join(listener, NULL);
  printf("%d %d\n", sent, received);
  exanic_release_tx_buffer(tx);
  exanic_release_rx_buffer(rx);
  exanic_release_handle(nic);
  return EXIT_SUCCESS;
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The mode "chunks": the tester receives the card's frames with each chunk call, by a separate
 * listener each. Prints lines of call, length and frame.
 */
#include <stdio.h>
#include <string.h>

#include "calls.h"

enum { FRAME_BYTES = 9618, LISTENERS = 5, BURST = 50, CHUNK = EXANIC_RX_CHUNK_PAYLOAD_SIZE };

static exanic_tx_t* tx;
static exanic_rx_t* rx[LISTENERS];

static void send_frame(size_t bytes, int number) {
  char* frame = exanic_begin_transmit_frame(tx, bytes);
  if (frame == NULL) {
    fail_call("exanic_begin_transmit_frame");
  }
  for (size_t i = 0; i < bytes; ++i) {
    frame[i] = (char)(i * 7 + (size_t)number + i / 256);
  }
  if (exanic_end_transmit_frame(tx, 0) != 0) {
    fail_call("exanic_end_transmit_frame");
  }
}

/** Receives a chunk with the call of the listener with this number. */
static ssize_t receive(int way, char* data, int* more, uint32_t* time) {
  struct rx_chunk_info info = {0};
  char* place = NULL;
  uint32_t id = 0;
  ssize_t size;
  switch (way) {
    case 1:
      return exanic_receive_chunk(rx[way], data, more);
    case 2:
      size = exanic_receive_chunk_ex(rx[way], data, more, &info);
      *time = info.timestamp;
      return size;
    case 3:
      size = exanic_receive_chunk_inplace(rx[way], &place, &id, more);
      break;
    default:
      size = exanic_receive_chunk_inplace_ex(rx[way], &place, &id, more, &info);
      break;
  }
  if (size > 0) {
    memcpy(data, place, (size_t)size);
    *time = exanic_receive_chunk_timestamp(rx[way], id);
    if (exanic_receive_chunk_recheck(rx[way], id) != 1 ||
        (way == 4 && (*time != info.timestamp || (info.length == 0) != *more))) {
      fail_call("recheck");
    }
  }
  return size;
}

static void print_frame(int way, const char* frame, ssize_t size, long long time) {
  printf("%d %zd %lld ", way, size, time);
  for (ssize_t i = 0; i < size; ++i) {
    printf("%02x", (unsigned char)frame[i]);
  }
  printf("\n");
}

static void receive_in_each_way(void) {
  static char frame[FRAME_BYTES + CHUNK];
  exanic_cycles32_t whole;
  ssize_t size;
  while ((size = exanic_receive_frame(rx[0], frame, sizeof frame, &whole)) == 0) {
    rest();
  }
  print_frame(0, frame, size, 0);
  for (int way = 1; way < LISTENERS; ++way) {
    ssize_t total = 0;
    uint32_t time = whole;
    for (int more = 1; more;) {
      size = receive(way, frame + total, &more, &time);
      if (size < 0 || (more && size != 0 && size != CHUNK)) {
        fail_call("receive");
      }
      total += size;
    }
    print_frame(way, frame, total, (long long)(int32_t)(time - whole));
  }
}

/** A frame is aborted after its first chunk; the next one starts correctly. */
static void leave_out(void) {
  char data[CHUNK];
  int more = 0;
  uint32_t time;
  send_frame(1000, 1);
  while (receive(4, data, &more, &time) == 0) {
    rest();
  }
  const int first_has_more = more;
  const int aborted = exanic_receive_abort(rx[4]);
  send_frame(60, 2);
  ssize_t size;
  while ((size = receive(4, data, &more, &time)) == 0) {
    rest();
  }
  printf("abort %d %d %zd %d %d\n", first_has_more, aborted, size, more, data[0]);
}

/** Other listeners read all frames until the ring of one that does not has been overwritten. */
static void be_lapped(void) {
  static char frame[FRAME_BYTES + CHUNK];
  char* data;
  uint32_t id;
  int more;
  ssize_t size;
  send_frame(60, 3);
  while ((size = exanic_receive_chunk_inplace(rx[3], &data, &id, &more)) == 0 || data[0] != 3) {
    rest();
  }
  const int before = exanic_receive_chunk_recheck(rx[3], id);
  const int frames = EXANIC_RX_NUM_CHUNKS / (FRAME_BYTES / CHUNK) + 1;
  for (int sent = 0, taken = 0; taken < frames;) {
    for (int i = 0; i < BURST && sent < frames; ++i, ++sent) {
      send_frame(FRAME_BYTES, sent);
    }
    while (taken < sent) {
      if (exanic_receive_frame(rx[0], frame, sizeof frame, NULL) == FRAME_BYTES + 4) {
        ++taken;
      } else {
        rest();
      }
    }
  }
  const int after = exanic_receive_chunk_recheck(rx[3], id);
  size = exanic_receive_chunk_inplace(rx[3], &data, &id, &more);
  printf("lapped %d %d %zd %s\n", before, after, size, exanic_get_last_error());
  send_frame(60, 4);
  while ((size = exanic_receive_chunk_inplace(rx[3], &data, &id, &more)) == 0) {
    rest();
  }
  printf("next %zd %d\n", size, data[0]);
}

int run_chunks(void) {
  static const size_t lengths[] = {60, 115, 116, 117, 236, 237, 1514, FRAME_BYTES};
  exanic_t* tester = exanic_acquire_handle("exanic0");
  exanic_t* card = exanic_acquire_handle("exanic1");
  tx = card == NULL ? NULL : exanic_acquire_tx_buffer(card, 0, 0);
  if (tester == NULL || tx == NULL) {
    fail_call("chunks");
  }
  for (int i = 0; i < LISTENERS; ++i) {
    rx[i] = exanic_acquire_rx_buffer(tester, 0, 0);
    if (rx[i] == NULL) {
      fail_call("exanic_acquire_rx_buffer");
    }
  }
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
    send_frame(lengths[i], 0);
    receive_in_each_way();
  }
  leave_out();
  be_lapped();
  for (int i = 0; i < LISTENERS; ++i) {
    exanic_release_rx_buffer(rx[i]);
  }
  exanic_release_tx_buffer(tx);
  exanic_release_handle(tester);
  exanic_release_handle(card);
  return EXIT_SUCCESS;
}

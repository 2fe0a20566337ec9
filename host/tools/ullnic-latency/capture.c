/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Frames sent and received as pcapng (draft-ietf-opsawg-pcapng), one interface per direction, in ns
 * of virtual time.
 */
#include <stdio.h>
#include <string.h>

#include "latency.h"

enum {
  SECTION = 0x0a0d0d0a,
  INTERFACE = 1,
  PACKET = 6,
  BYTE_ORDER = 0x1a2b3c4d,
  ETHERNET = 1,
  OPTION_NAME = 2,
  OPTION_RESOLUTION = 9,
  NANOSECONDS = 9, /* 10^-9 s */
  NAME_BYTES = 9,  /* tx-port-0 */
  NAME_FIELD = 12,
  /* A packet's block around its data: 7 words before, the length again after it. */
  PACKET_BYTES = 32,
};

static FILE* capture;

static void put(uint32_t word) { fwrite(&word, sizeof word, 1, capture); }

static uint32_t padded(uint32_t bytes) { return (bytes + 3) & ~3u; }

static void put_interface(const char* direction, unsigned port) {
  const uint32_t bytes = 20 + 4 + NAME_FIELD + 8 + 4;
  char name[NAME_FIELD] = {0};
  snprintf(name, sizeof name, "%s-port-%u", direction, port);
  put(INTERFACE);
  put(bytes);
  put(ETHERNET);
  put(0);  // no length limit
  put(OPTION_NAME | NAME_BYTES << 16);
  fwrite(name, sizeof name, 1, capture);
  put(OPTION_RESOLUTION | 1 << 16);
  put(NANOSECONDS);
  put(0);  // end of options
  put(bytes);
}

void begin_capture(FILE* file, const struct options* options) {
  const uint32_t bytes = 28;
  if (file == NULL) {
    return;
  }
  capture = file;
  put(SECTION);
  put(bytes);
  put(BYTE_ORDER);
  put(1);  // version 1.0
  put(~0u);
  put(~0u);  // length unknown
  put(bytes);
  put_interface("tx", options->tx_port);
  put_interface("rx", options->rx_port);
}

void capture_frame(enum direction direction, const uint8_t* data, size_t bytes, uint64_t ticks) {
  static const uint8_t zeros[4];
  if (capture == NULL) {
    return;
  }
  const uint32_t length = (uint32_t)bytes, block = PACKET_BYTES + padded(length);
  const uint64_t ns = ticks / TICKS_PER_NS;
  put(PACKET);
  put(block);
  put(direction);
  put((uint32_t)(ns >> 32));
  put((uint32_t)ns);
  put(length);
  put(length);
  fwrite(data, bytes, 1, capture);
  fwrite(zeros, padded(length) - length, 1, capture);
  put(block);
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The daemon's state of an accelerated connection.
 */
#ifndef ULLNICD_ATE_STATE_H
#define ULLNICD_ATE_STATE_H

#include "daemon/ate.h"
#include "daemon/socket.h"

enum {
  ATE_QUIET_MS = 5,     /* SEQ unchanged for this long: hardware has finished */
  ATE_MIRROR_MS = 5000, /* the mirror must be complete by then */
};

enum ate_state {
  ATE_RESERVED,    /* the id is reserved; not connected yet */
  ATE_ACTIVE,      /* hardware sends */
  ATE_STOPPING,    /* disabled; the last frame may be in progress */
  ATE_CATCHING_UP, /* SEQ is final; the mirror of the last frames may be in flight */
};

/* Payload that was handed to the engine and has not been mirrored. */
struct payload {
  struct payload* next;
  size_t length;
  uint8_t data[];
};

struct ate {
  struct socket* socket;
  struct port* port;
  struct ate* next_of_tuple;
  uint16_t id;
  enum ate_state state;
  uint8_t peer_mac[6];
  uint32_t first;     /* sequence number of the stream's first byte */
  uint32_t mirrored;  /* of the next byte to be mirrored */
  uint32_t final_seq; /* SEQ after disabling */
  uint64_t stream_bytes;
  struct payload *payloads, **payloads_end;
  size_t payload_bytes;
  uint32_t ack, max_seq; /* as in the registers */
  uint16_t window;
  bool ack_waits; /* ACK pending until the ring has room */
  bool broken;
  uint64_t state_ms, asked_ms;
  uint64_t probe_ms, silent_ms; /* the last probe of a closed window; the first unanswered one */
  uint32_t probe_ticks;         /* the latter in lwIP's time */
  uint64_t shut_ms;             /* since when data wait for the window with nothing in flight */
  unsigned probe_gap_ms;
};

#endif /* ULLNICD_ATE_STATE_H */

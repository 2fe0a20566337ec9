/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the daemon keeps of an accelerated connection.
 */
#ifndef ULLNICD_ATE_STATE_H
#define ULLNICD_ATE_STATE_H

#include "daemon/ate.h"
#include "daemon/socket.h"

enum {
  ATE_QUIET_MS = 5,     /* SEQ has not moved for so long: hardware is through */
  ATE_MIRROR_MS = 5000, /* the mirror must have come by then */
};

enum ate_state {
  ATE_RESERVED,    /* the id is taken; not connected yet */
  ATE_ACTIVE,      /* hardware sends */
  ATE_STOPPING,    /* disabled; the last frame may be under way */
  ATE_CATCHING_UP, /* SEQ is final; the mirror of the last frames may be under way */
};

/* Payload that was handed to the engine and has not come back. */
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
  uint32_t mirrored;  /* of the next byte that the mirror will bring */
  uint32_t final_seq; /* SEQ after disabling */
  uint64_t stream_bytes;
  struct payload *payloads, **payloads_end;
  size_t payload_bytes;
  uint32_t ack, max_seq; /* as in the registers */
  uint16_t window;
  bool ack_waits; /* for room in the ring */
  bool broken;
  uint64_t state_ms, asked_ms;
  uint64_t probe_ms, silent_ms; /* the last probe of a closed window; the first without an answer */
  uint32_t probe_ticks;         /* the latter in lwIP's time */
  uint64_t shut_ms; /* since when the program's data wait for the window, nothing being in flight */
  unsigned probe_gap_ms;
};

#endif /* ULLNICD_ATE_STATE_H */

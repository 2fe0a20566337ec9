/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The network on a line of the card: hosts of any address, with one MAC. It records the card's last
 * TCP segment on each connection, so that a few bytes of input make a segment that matches that
 * connection's state, or nearly does.
 */
#ifndef ULLNIC_FUZZ_PEER_H
#define ULLNIC_FUZZ_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon.h"

enum { PEER_FLOWS = 8, PEER_LONGEST = 1522 };

enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16 };

struct flow {
  bool used;
  unsigned line;
  uint32_t card_ip, peer_ip; /* network order */
  uint16_t card_port, peer_port;
  uint32_t next;      /* next sequence number of the peer */
  uint32_t card_next; /* next sequence number of the card */
  uint8_t flags;      /* of the card's last segment */
};

struct segment {
  uint8_t flags;
  uint32_t sequence, acknowledgement;
  uint16_t window;
  const uint8_t* options;
  size_t option_bytes; /* a multiple of 4 */
  size_t payload;
};

struct peer {
  int line[DAEMON_PORTS];
  bool silent; /* it does not answer ARP requests */
  struct flow flows[PEER_FLOWS];
  unsigned last_flow;
  uint8_t last_frame[PEER_LONGEST]; /* of the card */
  size_t last_length;
  uint8_t patch[4]; /* for the next frame: offset, value, twice; zeros change nothing */
};

extern struct peer peer;

/* Processes frames of the card. */
void peer_look(void);
/* A flow in use, or the last one. */
struct flow* peer_flow(unsigned index);
/* A connection that the peer opens. */
struct flow* peer_new_flow(unsigned line, uint32_t card_ip, uint16_t card_port, uint32_t peer_ip,
                           uint16_t peer_port, uint32_t sequence);
void peer_segment(const struct flow* flow, const struct segment* segment);
/* Sends TCP's reply to the card's last segment, with `payload` bytes. */
void peer_reply(struct flow* flow, size_t payload, bool fin);
/* Sends a frame with an IP packet, or a part of one, with a correct header checksum. */
void peer_packet(unsigned line, uint32_t source, uint32_t destination, uint8_t protocol,
                 uint16_t id, uint16_t fragment, uint8_t ttl, const uint8_t* data, size_t length);
void peer_arp(unsigned line, uint16_t operation, uint32_t sender, uint32_t target, bool to_card);
void peer_frame(unsigned line, const uint8_t* data, size_t length);
uint16_t peer_sum(uint32_t sum, const uint8_t* data, size_t length);

#endif /* ULLNIC_FUZZ_PEER_H */

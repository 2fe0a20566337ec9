/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fields of a TCP segment in memory.
 */
#ifndef ULLNICD_TCP_FRAME_H
#define ULLNICD_TCP_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TCP_FLAG_ACK = 0x10 };

struct tcp_fields {
  uint32_t source_ip, destination_ip;     /* network order */
  uint16_t source_port, destination_port; /* network order */
  uint32_t seq;
  uint8_t flags;
  const uint8_t* payload;
  size_t payload_length;
};

/* Parses an IPv4 packet whose headers are contiguous (`length` bytes are available; the rest of the
 * payload may be elsewhere). False: not a whole TCP segment. */
static inline bool parse_tcp(const uint8_t* ip, size_t length, struct tcp_fields* fields) {
  if (length < 40 || ip[0] >> 4 != 4 || ip[9] != 6) return false;
  size_t header = (size_t)(ip[0] & 15) * 4, total = (size_t)ip[2] << 8 | ip[3];
  if (header < 20 || length < header + 20 || (ip[6] & 0x3f) != 0 || ip[7] != 0) return false;
  const uint8_t* tcp = ip + header;
  size_t offset = (size_t)(tcp[12] >> 4) * 4;
  if (offset < 20 || total < header + offset) return false;
  memcpy(&fields->source_ip, ip + 12, 4);
  memcpy(&fields->destination_ip, ip + 16, 4);
  memcpy(&fields->source_port, tcp, 2);
  memcpy(&fields->destination_port, tcp + 2, 2);
  fields->seq = (uint32_t)tcp[4] << 24 | (uint32_t)tcp[5] << 16 | (uint32_t)tcp[6] << 8 | tcp[7];
  fields->flags = tcp[13];
  fields->payload = tcp + offset;
  fields->payload_length = total - header - offset;
  return true;
}

/* The IPv4 packet in an Ethernet frame, with or without a VLAN tag; NULL if it holds none. */
static inline const uint8_t* ip_of_frame(const uint8_t* frame, size_t* length) {
  size_t header = *length >= 18 && frame[12] == 0x81 && frame[13] == 0x00 ? 18 : 14;
  if (*length < header || frame[header - 2] != 0x08 || frame[header - 1] != 0x00) return NULL;
  *length -= header;
  return frame + header;
}

#endif /* ULLNICD_TCP_FRAME_H */

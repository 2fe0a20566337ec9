/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Trigger frames, and detection of their answers.
 */
#include <string.h>

#include "latency.h"

enum {
  ETHERTYPE_AT = 12,
  NUMBER_AT = 14,
  HEADER_BYTES = 14,
  MIN_HEADER = 20,
  TCP = 6,
  /* STAC-T0 (cards/stac_t0/README.md). */
  TYPE_AT = 42,
  CONNECTION_AT = 44,
  LONG_INDEX_AT = 275,
  SHORT_INDEX_AT = 47,
  INDEX_BYTES = 8,
  ECHO_AT = 4,
};
static const uint16_t ethertype_local = 0x88b5;  // IEEE 802, for experiments
static const uint16_t ethertype_ipv4 = 0x0800;
static const uint16_t ethertype_vlan = 0x8100;

static uint64_t big_endian(const uint8_t* bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) {
    value = value << 8 | bytes[i];
  }
  return value;
}

static void put_big_endian(uint8_t* bytes, size_t count, uint64_t value) {
  for (size_t i = count; i-- > 0; value >>= 8) {
    bytes[i] = (uint8_t)value;
  }
}

/** SplitMix64: the number'th of the seed's sequence. */
static uint64_t random_number(uint64_t seed, uint32_t number) {
  uint64_t z = seed + (number + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

bool make_trigger(const struct options* options, uint32_t number, uint8_t* frame,
                  struct sample* sample) {
  memset(frame, 0xff, 6);
  memset(frame + 6, 0x02, 6);
  put_big_endian(frame + ETHERTYPE_AT, 2, ethertype_local);
  if (options->stac == STAC_NONE) {
    put_big_endian(frame + NUMBER_AT, 4, number);
    return true;
  }
  const bool is_long = options->stac == STAC_LONG;
  sample->index = random_number(options->seed, number);
  if (options->every) {
    sample->index &= ~options->mask;
  }
  frame[TYPE_AT] = is_long ? 'A' : 'B';
  frame[CONNECTION_AT] = (uint8_t)options->connection;
  frame[CONNECTION_AT + 1] = (uint8_t)(options->connection >> 8);
  put_big_endian(frame + (is_long ? LONG_INDEX_AT : SHORT_INDEX_AT), INDEX_BYTES, sample->index);
  return (sample->index & options->mask) == 0;
}

/** The payload of TCP over IPv4, with or without a VLAN tag; NULL: there is none. */
static const uint8_t* tcp_payload(const struct ullnic_frame* frame, size_t* bytes) {
  const uint8_t* data = frame->data;
  size_t left = frame->len;
  if (left >= HEADER_BYTES + 4 && big_endian(data + ETHERTYPE_AT, 2) == ethertype_vlan) {
    data += 4;
    left -= 4;
  }
  if (left < HEADER_BYTES + 2 * MIN_HEADER ||
      big_endian(data + ETHERTYPE_AT, 2) != ethertype_ipv4) {
    return NULL;
  }
  const uint8_t* ip = data + HEADER_BYTES;
  const size_t ip_header = (ip[0] & 15u) * 4u;
  const size_t total = big_endian(ip + 2, 2);
  if (ip[0] >> 4 != 4 || ip[9] != TCP || ip_header < MIN_HEADER || total > left - HEADER_BYTES ||
      total < ip_header + MIN_HEADER) {
    return NULL;
  }
  const size_t headers = ip_header + (ip[ip_header + 12] >> 4) * 4u;
  *bytes = total > headers ? total - headers : 0;
  return *bytes > 0 ? ip + headers : NULL;
}

bool is_answer(const struct options* options, const struct ullnic_frame* frame) {
  size_t bytes;
  return options->any_answer || tcp_payload(frame, &bytes) != NULL;
}

bool echoes(const struct options* options, const struct ullnic_frame* frame,
            const struct sample* sample) {
  size_t bytes;
  if (options->stac == STAC_NONE) {
    return true;
  }
  const uint8_t* payload = tcp_payload(frame, &bytes);
  return payload != NULL && bytes >= ECHO_AT + INDEX_BYTES &&
         big_endian(payload + ECHO_AT, INDEX_BYTES) == sample->index;
}

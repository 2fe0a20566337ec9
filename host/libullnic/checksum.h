/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * One's complement sums as the transmit engine expects them.
 */
#ifndef ULLNIC_LIB_CHECKSUM_H
#define ULLNIC_LIB_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t ul_fold(uint64_t sum) {
  while (sum >> 16) {
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (uint16_t)sum;
}

/** Sum of 16-bit words as a little-endian host reads them; an odd last byte counts as it is. */
static inline uint16_t ul_payload_sum(const void* payload, size_t len) {
  const uint8_t* at = payload;
  uint64_t sum = 0;
  for (; len >= 4; at += 4, len -= 4) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    sum += word;  // two words of 16 bits at once: 2^16 is 1 modulo 2^16 - 1
  }
  for (; len >= 2; at += 2, len -= 2) {
    uint16_t word;
    memcpy(&word, at, sizeof word);
    sum += word;
  }
  return ul_fold(sum + (len != 0 ? *at : 0));
}

#endif /* ULLNIC_LIB_CHECKSUM_H */

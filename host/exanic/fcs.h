/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Frame check sequence of IEEE 802.3: CRC-32 with the first bit in the LSB.
 */
#ifndef EXANIC_FCS_H
#define EXANIC_FCS_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t ethernet_fcs(const uint8_t* bytes, size_t count) {
  /* Effect of each 4-bit value on the remainder. */
  static const uint32_t table[16] = {
      0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
      0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
  };
  uint32_t remainder = ~UINT32_C(0);
  for (size_t i = 0; i < count; ++i) {
    remainder ^= bytes[i];
    remainder = remainder >> 4 ^ table[remainder & 15];
    remainder = remainder >> 4 ^ table[remainder & 15];
  }
  return ~remainder;
}

#endif /* EXANIC_FCS_H */

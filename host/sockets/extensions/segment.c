/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Length and checksums in the headers of a TCP segment: IPv4 and TCP without options are at the end
 * of the header. Works with and without acceleration.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "exasock/extensions.h"
#include "extensions/exported.h"

enum { IP = 20, TCP = 20, ETHERNET = 14, IP_SUM = 10, TCP_SUM = 16, LONGEST = 65535 };

static bool fits(size_t header_length, size_t data_length) {
  if (header_length >= ETHERNET + IP + TCP && data_length <= LONGEST - IP - TCP) return true;
  errno = EINVAL;
  return false;
}

static uint64_t add_words(uint64_t sum, const uint8_t* data, size_t length) {
  for (; length >= 2; data += 2, length -= 2) sum += (uint64_t)data[0] << 8 | data[1];
  return length > 0 ? sum + ((uint64_t)data[0] << 8) : sum;
}

static void put16(uint8_t* place, uint64_t value) {
  place[0] = (uint8_t)(value >> 8);
  place[1] = (uint8_t)value;
}

static void put_sum(uint8_t* place, uint64_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  put16(place, ~sum);
}

EXPORTED int exasock_tcp_set_length(void* header, size_t header_length, size_t data_length) {
  if (!fits(header_length, data_length)) return -1;
  uint8_t* ip = (uint8_t*)header + header_length - TCP - IP;
  put16(ip + 2, IP + TCP + data_length);
  put16(ip + IP_SUM, 0);
  put_sum(ip + IP_SUM, add_words(0, ip, IP));
  return 0;
}

EXPORTED int exasock_tcp_calc_checksum(void* header, size_t header_length, const void* data,
                                       size_t data_length) {
  if (!fits(header_length, data_length)) return -1;
  uint8_t* tcp = (uint8_t*)header + header_length - TCP;
  const uint8_t* addresses = tcp - 8;
  put16(tcp + TCP_SUM, 0);
  uint64_t sum = add_words(6 + TCP + data_length, addresses, 8);
  put_sum(tcp + TCP_SUM, add_words(add_words(sum, tcp, TCP), data, data_length));
  return 0;
}

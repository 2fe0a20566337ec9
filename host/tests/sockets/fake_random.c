/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked in place of getrandom(): fails while the file named by the card's option dry=FILE exists.
 * With its option id_end=N the low 16 bits of each number are N: in a hash table all sockets share
 * one bucket.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

ssize_t __real_getrandom(void* data, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void* data, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void* data, size_t bytes, unsigned flags) {
  struct stat there;
  const char *dry = getenv("ULLNIC_FAKE_DRY"), *end = getenv("ULLNIC_FAKE_ID_END");
  if (dry != NULL && stat(dry, &there) == 0) {
    errno = EAGAIN;
    return -1;
  }
  ssize_t got = __real_getrandom(data, bytes, flags);
  if (end != NULL && got == (ssize_t)sizeof(uint64_t)) {
    uint16_t low = (uint16_t)strtoul(end, NULL, 0);
    memcpy(data, &low, sizeof(low)); /* little endian */
  }
  return got;
}

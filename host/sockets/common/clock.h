/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ULLNIC_SOCKETS_CLOCK_H
#define ULLNIC_SOCKETS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_REALTIME, for timestamps of datagrams. */
static inline uint64_t clock_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif /* ULLNIC_SOCKETS_CLOCK_H */

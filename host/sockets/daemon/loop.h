/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The event loop: descriptors watched by epoll.
 */
#ifndef ULLNICD_LOOP_H
#define ULLNICD_LOOP_H

#include <stdint.h>

struct watch {
  int fd;
  void (*ready)(struct watch* watch, uint32_t events); /* EPOLL* */
};

/* 0 or -errno. */
int loop_open(void);
int loop_add(struct watch* watch, uint32_t events);
void loop_remove(struct watch* watch);
/* Waits and calls `ready` of each. A watch that was removed meanwhile is not called. */
int loop_wait(int timeout_ms);

#endif /* ULLNICD_LOOP_H */

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/kernel_limits.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static struct {
  const char* path;
  unsigned usual;
  int fd;
} limits[KERNEL_LIMITS] = {
    [MOST_MEMBERSHIPS] = {"/proc/sys/net/ipv4/igmp_max_memberships", 20, -1},
    [MOST_SOURCES] = {"/proc/sys/net/ipv4/igmp_max_msf", 10, -1},
    [MOST_RECEIVE_BUFFER] = {"/proc/sys/net/core/rmem_max", 212992, -1},
};

void kernel_limits_open(void) {
  for (unsigned i = 0; i < KERNEL_LIMITS; i++) {
    limits[i].fd = open(limits[i].path, O_RDONLY | O_CLOEXEC);
  }
}

unsigned kernel_limit(enum kernel_limit limit) {
  char text[16];
  unsigned value;
  ssize_t got = limits[limit].fd >= 0 ? pread(limits[limit].fd, text, sizeof(text) - 1, 0) : -1;
  if (got <= 0) return limits[limit].usual;
  text[got] = '\0';
  return sscanf(text, "%u", &value) == 1 ? value : limits[limit].usual;
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The calls of exasock/extensions.h without acceleration. libullnic-sockets.so replaces them in a
 * program that is started with it.
 */
#include <errno.h>
#include <stddef.h>

#include "exasock/extensions.h"

int exasock_loaded(void) { return 0; }

uint32_t exasock_version_code(void) { return 0; }

const char* exasock_version_text(void) { return NULL; }

int exasock_tcp_get_device(int fd, char* device, size_t length, int* port) {
  (void)fd;
  (void)device;
  (void)length;
  (void)port;
  errno = EOPNOTSUPP;
  return -1;
}

ssize_t exasock_tcp_build_header(int fd, void* header, size_t length, size_t offset, int flags) {
  (void)fd;
  (void)header;
  (void)length;
  (void)offset;
  (void)flags;
  errno = EOPNOTSUPP;
  return -1;
}

int exasock_tcp_send_advance(int fd, const void* data, size_t length) {
  (void)fd;
  (void)data;
  (void)length;
  errno = EOPNOTSUPP;
  return -1;
}

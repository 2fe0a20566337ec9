/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The calls of exasock/extensions.h, which replace those of libexasock_ext.
 */
#include "exasock/extensions.h"

#include <errno.h>
#include <stdio.h>

#include "preload/daemon.h"
#include "preload/real.h"
#include "preload/table.h"

EXPORTED int exasock_loaded(void) { return 1; }

EXPORTED uint32_t exasock_version_code(void) { return EXASOCK_VERSION(2, 7, 0); }

EXPORTED const char* exasock_version_text(void) { return "2.7.0 (ullnic)"; }

EXPORTED int exasock_tcp_get_device(int fd, char* device, size_t length, int* port) {
  const struct entry* entry = table_ours(fd);
  struct control_reply reply;
  if (entry == NULL || entry->datagram || daemon_query(entry->id, &reply) != 0) {
    errno = EOPNOTSUPP;
    return -1;
  }
  snprintf(device, length, CONTROL_DEVICE);
  *port = reply.port;
  return 0;
}

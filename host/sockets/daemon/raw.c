/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/raw.h"

#include <errno.h>
#include <sys/socket.h>

enum { AT_ONCE = 64 };

void raw_serve(struct socket* s) {
  static uint8_t frame[ULLNIC_MAX_FRAME + 1];
  if (s->state == CONTROL_CLOSED) return;
  for (int left = AT_ONCE; !s->drained; left--) {
    if (port_is_full(s->port)) return; /* called again when there is room */
    if (left == 0) {                   /* yields to others */
      socket_wake(s);
      return;
    }
    ssize_t got = recv(s->watch.fd, frame, sizeof(frame), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      s->drained = true;
    } else {
      port_send_frame(s->port, frame, (size_t)got);
    }
  }
  if (s->program_gone) socket_retire(s);
}

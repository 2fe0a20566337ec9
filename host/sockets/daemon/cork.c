/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/cork.h"

#include "daemon/log.h"
#include "daemon/program_stream.h"
#include "lwip/tcp.h"

enum { LONGEST_MS = 200 };

/* Everything in the stream was written with MSG_MORE: a later write ends the wait. */
static bool more_comes(const struct socket* s) {
  return s->cork.more_until > 0 && s->taken + stream_unread(s) <= s->cork.more_until;
}

size_t cork_let(struct socket* s, size_t count, size_t room) {
  size_t part = count % s->pcb->mss;
  bool corked = (s->options.cork || more_comes(s)) && !s->program_done && !s->cork.over;
  if (!corked || part == 0) {
    s->cork.since_ms = 0;
    s->cork.over = false;
    return count;
  }
  /* If room is the limit, an ACK must arrive first: the wait does not start yet. */
  if (count == part && count < room && s->cork.since_ms == 0) s->cork.since_ms = now_ms();
  return count - part;
}

void cork_more(struct socket* s, uint32_t bytes) {
  s->cork.more_until = s->taken + stream_unread(s) + bytes;
}

void cork_tick(struct socket* s) {
  if (s->cork.since_ms == 0 || now_ms() - s->cork.since_ms < LONGEST_MS) return;
  s->cork.over = true;
  socket_wake(s);
}

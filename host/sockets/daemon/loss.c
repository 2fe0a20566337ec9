/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/loss.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "daemon/log.h"
#include "daemon/program_stream.h"
#include "daemon/socket.h"

static const char* reason_of(int error) {
  switch (error) {
    case ECONNREFUSED:
      return "the peer refused the connection: nothing listens there";
    case ECONNRESET:
    case EPIPE: /* after its end of stream */
      return "the peer reset the connection";
    case ETIMEDOUT:
      return "the peer does not answer any more";
    case EHOSTUNREACH:
      return "nobody answers for this address on the card's network (ARP)";
    case ECANCELED:
      return "the transmit engine's connection could not be set up";
    case EPROTO:
      return "what the transmit engine sent does not fit its sequence number";
    case EBADMSG:
      return "the peer has bytes that the program sent itself and did not report";
    case ENETDOWN:
      return "ullnicd was ended";
    case ENODEV:
      return "the card is gone";
    default:
      return "closed by ullnicd";
  }
}

uint64_t loss_sent(const struct socket* s) { return s->taken - s->held + s->hardware; }

/* Appends. */
__attribute__((format(printf, 2, 3))) static void append(struct socket* s, const char* form, ...) {
  size_t length = strlen(s->text);
  va_list more;
  va_start(more, form);
  vsnprintf(s->text + length, sizeof(s->text) - length, form, more);
  va_end(more);
}

void loss_describe(struct socket* s) {
  uint64_t sent = loss_sent(s), unsent = stream_unread(s) + s->held;
  uint64_t lost = sent > s->acked ? sent - s->acked : 0;
  s->text[0] = '\0';
  append(s, "%s: %s", socket_text(s), reason_of(s->verdict));
  if (lost + unsent > 0) {
    append(s,
           "; from byte %llu of the stream on, %llu bytes were sent but not acknowledged%s and "
           "%llu not sent",
           (unsigned long long)s->acked, (unsigned long long)lost,
           s->hardware > 0 ? " (hardware's among them)" : "", (unsigned long long)unsent);
  } else if (sent > 0) {
    append(s, "; all %llu bytes of the stream were acknowledged", (unsigned long long)s->acked);
  }
}

void loss_tell(struct socket* s) {
  loss_describe(s);
  log_message("%s", s->text);
}

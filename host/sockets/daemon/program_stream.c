/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/program_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#include "lwip/pbuf.h"

enum { PIECES = 64 };

static uint8_t buffer[STREAM_CHUNK + 1];

/* Removes bytes from the stream. */
static size_t discard(struct socket* s, size_t count) {
  static uint8_t waste[STREAM_CHUNK];
  size_t done = 0;
  while (done < count) {
    size_t piece = count - done < sizeof(waste) ? count - done : sizeof(waste);
    ssize_t got = recv(s->watch.fd, waste, piece, MSG_DONTWAIT);
    if (got <= 0) break;
    done += (size_t)got;
  }
  return done;
}

static size_t waiting(const struct socket* s) {
  int bytes = 0;
  return s->watch.fd >= 0 && ioctl(s->watch.fd, FIONREAD, &bytes) == 0 ? (size_t)bytes : 0;
}

size_t stream_unread(const struct socket* s) {
  size_t bytes = waiting(s);
  return bytes > s->stale ? bytes - s->stale : 0;
}

size_t stream_peek(struct socket* s, size_t most, const uint8_t** data, size_t* message) {
  if (s->watch.fd < 0 || s->drained) return 0;
  /* A message is always peeked as a whole: a mark ends what recv() returns. */
  size_t wanted = s->kind == KIND_ATE ? STREAM_CHUNK : most + s->stale;
  if (wanted > sizeof(buffer)) wanted = sizeof(buffer);
  for (;;) {
    ssize_t got = recv(s->watch.fd, buffer, wanted, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0 || errno != EAGAIN) s->program_done = s->program_gone = true;
      s->drained = true;
      return 0;
    }
    size_t fresh = (size_t)got > s->stale ? (size_t)got - s->stale : 0;
    if (fresh > 0) {
      if (s->message_left > 0 && fresh > s->message_left) fresh = s->message_left;
      *data = buffer + s->stale;
      *message = fresh;
      return fresh < most ? fresh : most;
    }
    /* A mark follows the byte that was kept: new bytes are visible only once it is removed. */
    if (waiting(s) <= s->stale) {
      s->drained = true;
      return 0;
    }
    s->stale -= discard(s, s->stale);
  }
}

void stream_take(struct socket* s, size_t count) {
  size_t done = s->stale + count;
  size_t gone = discard(s, done - 1);
  s->stale = done - gone;
  s->taken += count;
}

void stream_open(struct socket* s) {
  while (s->stale > 1) {
    size_t gone = discard(s, s->stale - 1);
    if (gone == 0) return;
    s->stale -= gone;
  }
}

void stream_settle(struct socket* s) { s->stale -= discard(s, s->stale); }

void stream_receive(struct socket* s, struct pbuf* data) {
  struct received* received = malloc(sizeof(*received));
  if (received == NULL) abort();
  *received = (struct received){.data = data};
  *s->received_end = received;
  s->received_end = &received->next;
}

static void drop_first(struct socket* s) {
  struct received* first = s->received;
  s->received = first->next;
  if (s->received == NULL) s->received_end = &s->received;
  pbuf_free(first->data);
  free(first);
}

void stream_drop_received(struct socket* s) {
  while (s->received != NULL) drop_first(s);
}

/* The oldest received data, as segments. */
static int gather(const struct socket* s, struct iovec* pieces) {
  int count = 0;
  for (const struct received* r = s->received; r != NULL && count < PIECES; r = r->next) {
    size_t skip = r->offset;
    for (const struct pbuf* p = r->data; p != NULL && count < PIECES; p = p->next) {
      if (skip >= p->len) {
        skip -= p->len;
        continue;
      }
      pieces[count].iov_base = (uint8_t*)p->payload + skip;
      pieces[count++].iov_len = p->len - skip;
      skip = 0;
    }
  }
  return count;
}

size_t stream_give(struct socket* s) {
  size_t total = 0;
  while (s->received != NULL && s->watch.fd >= 0 && !s->program_deaf) {
    struct iovec pieces[PIECES];
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)gather(s, pieces)};
    ssize_t sent = sendmsg(s->watch.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      if (errno != EAGAIN) s->program_deaf = true;
      break;
    }
    total += (size_t)sent;
    while (sent > 0) {
      size_t left = s->received->data->tot_len - s->received->offset;
      if ((size_t)sent < left) {
        s->received->offset = (uint16_t)(s->received->offset + sent);
        break;
      }
      sent -= (ssize_t)left;
      drop_first(s);
    }
  }
  return total;
}

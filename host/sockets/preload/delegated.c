/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * For programs that themselves send frames on a connection: the calls of exasock/extensions.h and
 * of onload/extensions.h, two interfaces to daemon/delegated.h.
 */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "exasock/extensions.h"
#include "onload/extensions.h"
#include "preload/daemon.h"
#include "preload/notes.h"
#include "preload/real.h"
#include "preload/table.h"

enum {
  IP_TCP = 40,
  PUSH = 0x08,
  FLAGS_FROM_END = 7,
  RESOLVE_NS = 1000000,
  RESOLVE_STEP_NS = 100000,
};

/* Gets headers for up to `bytes` bytes. False: no accelerated TCP socket, or no ullnicd. */
static bool prepare(int fd, uint32_t bytes, bool any_neighbour, struct control_reply* reply) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL || entry->datagram) {
    note("delegated send: descriptor %d is not an accelerated TCP socket", fd);
    return false;
  }
  struct control_request request = new_request(CONTROL_DELEGATE);
  request.id = entry->id;
  request.delegated_bytes = bytes;
  request.any_neighbour = any_neighbour;
  int error = daemon_ask(&request, reply, NULL);
  if (error != 0 || reply->error != 0) {
    note("delegated send: %s", error != 0 ? strerror(error) : reply->text);
    return false;
  }
  if (reply->kind == KIND_ATE) {
    note(
        "delegated send: the transmit engine sends on this connection and owns its sequence "
        "number: use send(), which goes through the engine");
  }
  return true;
}

/* Reports bytes that ullnicd is to retransmit if they are lost. 0 or errno. */
static int report(const struct entry* entry, const uint8_t* data, size_t length) {
  struct control_request request = new_request(CONTROL_DELEGATED);
  request.id = entry->id;
  while (length > 0) {
    size_t piece = length < CONTROL_DATA ? length : CONTROL_DATA;
    struct control_reply reply;
    int error = daemon_tell(&request, data, piece, &reply);
    if (error != 0) return ECONNRESET;
    if (reply.error != 0) {
      note("%s", reply.text);
      return reply.error;
    }
    data += piece;
    length -= piece;
  }
  return 0;
}

static int fail(int error) {
  errno = error;
  return -1;
}

static int exasock_error(uint8_t state) {
  switch (state) {
    case DELEGATED_NO_SOCKET:
      return EOPNOTSUPP;
    case DELEGATED_CONNECTING:
      return ENOTCONN;
    case DELEGATED_SHUT:
      return EPIPE;
    default:
      return EAGAIN;
  }
}

EXPORTED ssize_t exasock_tcp_build_header(int fd, void* header, size_t length, size_t offset,
                                          int flags) {
  struct control_reply reply;
  struct delegated* d = &reply.delegated;
  if (offset != 0 || flags != 0) return fail(EINVAL);
  if (!prepare(fd, DELEGATED_SEGMENT, false, &reply)) return fail(EOPNOTSUPP);
  if (d->state != DELEGATED_OK) return fail(exasock_error(d->state));
  if (length < d->headers_length) return fail(EINVAL);
  d->headers[d->headers_length - FLAGS_FROM_END] |= PUSH;
  memcpy(header, d->headers, d->headers_length);
  return d->headers_length;
}

EXPORTED int exasock_tcp_send_advance(int fd, const void* data, size_t length) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL || entry->datagram) return fail(EOPNOTSUPP);
  int error = report(entry, data, length);
  return error == 0 ? 0 : fail(error);
}

static enum onload_delegated_send_rc onload_result(uint8_t state) {
  switch (state) {
    case DELEGATED_OK:
      return ONLOAD_DELEGATED_SEND_RC_OK;
    case DELEGATED_BUSY:
      return ONLOAD_DELEGATED_SEND_RC_SENDQ_BUSY;
    case DELEGATED_NO_WINDOW:
      return ONLOAD_DELEGATED_SEND_RC_NOWIN;
    case DELEGATED_NO_NEIGHBOUR:
      return ONLOAD_DELEGATED_SEND_RC_NOARP;
    default:
      return ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET;
  }
}

EXPORTED enum onload_delegated_send_rc onload_delegated_send_prepare(
    int fd, int size, unsigned flags, struct onload_delegated_send* out) {
  struct control_reply reply;
  const struct delegated* d = &reply.delegated;
  uint32_t bytes = size > 0 ? (uint32_t)size : 0;
  long left_ns = flags & ONLOAD_DELEGATED_SEND_FLAG_RESOLVE_ARP ? RESOLVE_NS : 0;
  for (;; left_ns -= RESOLVE_STEP_NS) {
    if (!prepare(fd, bytes, flags & ONLOAD_DELEGATED_SEND_FLAG_IGNORE_ARP, &reply)) {
      return ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET;
    }
    if (d->state != DELEGATED_NO_NEIGHBOUR || left_ns <= 0) break;
    nanosleep(&(struct timespec){.tv_nsec = RESOLVE_STEP_NS}, NULL);
  }
  out->mss = (int)reply.mss;
  out->send_wnd = (int)d->window;
  out->cong_wnd = d->congestion;
  out->user_size = size;
  if (d->state != DELEGATED_OK) return onload_result(d->state);
  bool small = out->headers_len < d->headers_length;
  out->headers_len = d->headers_length;
  if (small) return ONLOAD_DELEGATED_SEND_RC_SMALL_HEADER;
  memcpy(out->headers, d->headers, d->headers_length);
  out->ip_tcp_hdr_len = IP_TCP;
  out->ip_len_offset = d->headers_length - IP_TCP + 2;
  out->tcp_seq_offset = d->headers_length - IP_TCP / 2 + 4;
  return out->cong_wnd < out->mss ? ONLOAD_DELEGATED_SEND_RC_NOCWIN : ONLOAD_DELEGATED_SEND_RC_OK;
}

EXPORTED int onload_delegated_send_complete(int fd, const struct iovec* pieces, int count,
                                            int flags) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL || entry->datagram) return fail(ENOTTY);
  size_t total = 0;
  for (int i = 0; i < count; i++) {
    int error = report(entry, pieces[i].iov_base, pieces[i].iov_len);
    if (error == EPIPE && !(flags & MSG_NOSIGNAL)) raise(SIGPIPE);
    if (error != 0) return total > 0 ? (int)total : fail(error);
    total += pieces[i].iov_len;
  }
  return (int)total;
}

EXPORTED int onload_delegated_send_cancel(int fd) {
  const struct entry* entry = table_ours(fd);
  if (entry == NULL || entry->datagram) return fail(ENOTTY);
  struct control_request request = new_request(CONTROL_UNDELEGATE);
  struct control_reply reply;
  request.id = entry->id;
  int error = daemon_ask(&request, &reply, NULL);
  if (error != 0) return fail(ECONNRESET);
  return reply.error == 0 ? 0 : fail(reply.error);
}

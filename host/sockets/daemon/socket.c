/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

#include "daemon/datagram.h"
#include "daemon/listener.h"
#include "daemon/log.h"
#include "daemon/raw.h"
#include "daemon/stream.h"

enum {
  BUCKETS = 4096,
  KEPT = 4096,
  FILL = 16384,
  /* Of a program's stream; the kernel doubles it, and calls a socket writable when a quarter is
   * free of unread pieces. One can be as long as 17 pages (of a program that splices past our
   * library). */
  PROGRAM_BUFFER = 2 * 18 * 4096,
};

static struct socket* buckets[BUCKETS];
static struct socket *awake, **awake_end = &awake;
static struct socket *retired, **retired_end = &retired;
static unsigned retired_count;
static uint64_t next_id;

static uint64_t new_id(void) {
  /* Numbers of two runs of the daemon must not meet: a program may outlive one. */
  while (next_id == 0) {
    if (getrandom(&next_id, sizeof(next_id), 0) != (ssize_t)sizeof(next_id)) next_id = now_ms();
    next_id &= ~(uint64_t)0xffffffff;
  }
  return ++next_id;
}

static void ready(struct watch* watch, uint32_t events) {
  struct socket* socket = (struct socket*)watch;
  if (events & EPOLLRDHUP) socket->program_done = true;
  if (events & EPOLLERR) socket->program_deaf = true; /* gone with received data unread */
  if (events & (EPOLLHUP | EPOLLERR)) socket->program_done = socket->program_gone = true;
  socket->drained = false;
  socket_wake(socket);
  /* Not in its turn: what the card or another program brings next must find the address free. */
  if (socket->kind == KIND_LISTENER) listener_serve(socket);
  if (socket->program_gone && socket_is_datagram(socket)) datagram_serve(socket);
}

struct socket* socket_find(uint64_t id) {
  struct socket* socket = buckets[id % BUCKETS];
  while (socket != NULL && socket->id != id) socket = socket->next_of_hash;
  return socket;
}

struct socket* socket_new_bare(struct port* port) {
  struct socket* socket = calloc(1, sizeof(*socket));
  if (socket == NULL) return NULL;
  socket->id = new_id();
  socket->port = port;
  socket->watch.fd = -1;
  socket->watch.ready = ready;
  socket->ate_id = CONTROL_ATE_NONE;
  socket->received_end = &socket->received;
  socket->next_of_hash = buckets[socket->id % BUCKETS];
  buckets[socket->id % BUCKETS] = socket;
  return socket;
}

int socket_pair(struct socket* s, unsigned kind, int* program_end) {
  bool stream = kind == KIND_STREAM || kind == KIND_ATE || kind == KIND_LISTENER;
  int ends[2];
  if (socketpair(AF_UNIX, (stream ? SOCK_STREAM : SOCK_SEQPACKET) | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                 ends) < 0) {
    return -errno;
  }
  struct sockaddr_un name;
  socklen_t length = socket_name(&name, s->id, kind);
  s->watch.fd = ends[0];
  s->kind = kind;
  int room = PROGRAM_BUFFER;
  if (kind == KIND_STREAM) setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
  /* By the edge: a stream always has a byte to read. Datagrams are read until there are none. */
  int error = bind(ends[0], (struct sockaddr*)&name, length) < 0 ? -errno : 0;
  if (error == 0) error = loop_add(&s->watch, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
  if (error != 0) {
    close(ends[0]);
    close(ends[1]);
    s->watch.fd = -1;
    return error;
  }
  *program_end = ends[1];
  return 0;
}

struct socket* socket_new(struct port* port, unsigned kind, int* program_end) {
  struct socket* socket = socket_new_bare(port);
  if (socket == NULL) return NULL;
  int error = socket_pair(socket, kind, program_end);
  if (error == 0) return socket;
  socket_retire(socket);
  errno = -error;
  return NULL;
}

void socket_fill(struct socket* socket, int program_end) {
  static const char nothing[FILL];
  /* Small ones at last: the last byte is what stays unread, with the memory of its whole piece. */
  for (size_t piece = FILL; piece > 0; piece = piece == FILL ? 1 : 0) {
    ssize_t sent;
    while ((sent = send(program_end, nothing, piece, MSG_DONTWAIT | MSG_NOSIGNAL)) > 0) {
      socket->stale += (size_t)sent;
    }
  }
}

bool socket_is_datagram(const struct socket* socket) {
  return socket->kind == KIND_DATAGRAM || socket->kind == KIND_ADDRESSED;
}

/* What is received and not yet read counts against the sending end of a pair, which is ours. The
 * kernel doubles what it is given, and gives more than its limit only to the privileged. */
void socket_limit_received(struct socket* socket) {
  uint32_t wanted = socket->options.receive_buffer, got = 0;
  int half = (int)(wanted / 2);
  socklen_t length = sizeof(got);
  if (wanted == 0 || socket->watch.fd < 0) return;
  if (setsockopt(socket->watch.fd, SOL_SOCKET, SO_SNDBUFFORCE, &half, sizeof(half)) != 0) {
    setsockopt(socket->watch.fd, SOL_SOCKET, SO_SNDBUF, &half, sizeof(half));
  }
  getsockopt(socket->watch.fd, SOL_SOCKET, SO_SNDBUF, &got, &length);
  if (got < wanted) {
    log_message("%s: SO_RCVBUF is %u bytes, not %u: raise net.core.wmem_max", socket_text(socket),
                got, wanted);
    socket->options.receive_buffer = got;
  }
}

static void free_socket(struct socket* socket) {
  struct socket** link = &buckets[socket->id % BUCKETS];
  while (*link != socket) link = &(*link)->next_of_hash;
  *link = socket->next_of_hash;
  free(socket);
}

void socket_retire(struct socket* socket) {
  if (socket->watch.fd >= 0) {
    loop_remove(&socket->watch);
    close(socket->watch.fd);
    socket->watch.fd = -1;
  }
  if (socket->state == CONTROL_CLOSED) return;
  socket->state = CONTROL_CLOSED;
  socket->next_retired = NULL;
  *retired_end = socket;
  retired_end = &socket->next_retired;
  retired_count++;
}

/* Only the latest are remembered; never one that lwIP still knows. */
static void forget_old(void) {
  for (unsigned looked_at = 0, count = retired_count; retired_count > KEPT && looked_at < count;
       looked_at++) {
    struct socket* oldest = retired;
    retired = oldest->next_retired;
    if (retired == NULL) retired_end = &retired;
    if (oldest->pcb == NULL && oldest->udp == NULL && oldest->ate == NULL && !oldest->awake) {
      retired_count--;
      free_socket(oldest);
    } else {
      oldest->next_retired = NULL;
      *retired_end = oldest;
      retired_end = &oldest->next_retired;
    }
  }
}

const char* socket_text(const struct socket* socket) {
  static char text[2 * ENDPOINT_TEXT + 8];
  char local[ENDPOINT_TEXT], peer[ENDPOINT_TEXT];
  snprintf(text, sizeof(text), "%s to %s",
           endpoint_text(local, socket->local_ip, socket->local_port),
           endpoint_text(peer, socket->peer_ip, socket->peer_port));
  return text;
}

void socket_wake(struct socket* socket) {
  if (socket->awake) return;
  socket->awake = true;
  socket->next_awake = NULL;
  *awake_end = socket;
  awake_end = &socket->next_awake;
}

static void serve(struct socket* socket) {
  switch (socket->kind) {
    case KIND_STREAM:
    case KIND_ATE:
      stream_serve(socket);
      break;
    case KIND_LISTENER:
      listener_serve(socket);
      break;
    case KIND_DATAGRAM:
    case KIND_ADDRESSED:
      datagram_serve(socket);
      break;
    case KIND_RAW:
      raw_serve(socket);
      break;
    default:
      break;
  }
}

void sockets_serve(void) {
  struct socket* list = awake; /* those that are woken meanwhile have their turn next time */
  awake = NULL;
  awake_end = &awake;
  while (list != NULL) {
    struct socket* socket = list;
    list = socket->next_awake;
    socket->awake = false;
    serve(socket);
  }
}

bool sockets_awake(void) { return awake != NULL; }

static void for_each(void (*action)(struct socket* socket)) {
  for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
    struct socket* next;
    for (struct socket* socket = buckets[bucket]; socket != NULL; socket = next) {
      next = socket->next_of_hash;
      action(socket);
    }
  }
}

static void tick(struct socket* socket) {
  if (socket->kind == KIND_STREAM || socket->kind == KIND_ATE) stream_tick(socket);
}

void sockets_tick(void) {
  for_each(tick);
  forget_old();
}

static void wake_open(struct socket* socket) {
  if (socket->state != CONTROL_CLOSED) socket_wake(socket);
}

void sockets_wake_all(void) { for_each(wake_open); }

static int abort_error;
static bool aborted;

static void abort_stream(struct socket* socket) {
  if (socket->kind != KIND_STREAM && socket->kind != KIND_ATE) return;
  aborted |= socket->state != CONTROL_CLOSED;
  stream_abort(socket, abort_error);
}

bool sockets_abort_all(int error) {
  abort_error = error;
  aborted = false;
  for_each(abort_stream);
  return aborted;
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

#include "daemon/datagram.h"
#include "daemon/kernel_limits.h"
#include "daemon/listener.h"
#include "daemon/log.h"
#include "daemon/raw.h"
#include "daemon/stream.h"
#include "daemon/users.h"

enum {
  BUCKETS = 4096,
  KEPT = 4096,
  FILL = 16384,
  /* Of a program's stream. The kernel doubles it, and reports a socket as writable while unread
   * buffers fill at most a quarter. A buffer can have up to 17 pages (from a program that splices
   * past our library). */
  PROGRAM_BUFFER = 2 * 18 * 4096,
};

static struct socket *buckets[BUCKETS], *cookie_buckets[BUCKETS];
static struct socket *awake, **awake_end = &awake;
static unsigned retired_count;

/* They cannot be guessed, and two runs of the daemon do not share any: a program may outlive a
 * run. */
static uint64_t new_id(void) {
  uint64_t id = 0;
  while (id == 0 || socket_find(id) != NULL) {
    if (getrandom(&id, sizeof(id), 0) != (ssize_t)sizeof(id)) return 0;
  }
  return id;
}

static void ready(struct watch* watch, uint32_t events) {
  struct socket* socket = (struct socket*)watch;
  if (events & EPOLLRDHUP) socket->program_done = true;
  if (events & EPOLLERR) socket->program_deaf = true; /* closed with received data unread */
  if (events & (EPOLLHUP | EPOLLERR)) socket->program_done = socket->program_gone = true;
  socket->drained = false;
  socket_wake(socket);
  /* Served at once: the card's or another program's next event must find the address free. */
  if (socket->kind == KIND_LISTENER) listener_serve(socket);
  if (socket->program_gone && socket_is_datagram(socket)) datagram_serve(socket);
}

struct socket* socket_find(uint64_t id) {
  struct socket* socket = buckets[id % BUCKETS];
  while (socket != NULL && socket->id != id) socket = socket->next_of_hash;
  return socket;
}

struct socket* socket_of_cookie(uint64_t cookie) {
  struct socket* socket = cookie_buckets[cookie % BUCKETS];
  while (socket != NULL && socket->cookie != cookie) socket = socket->next_of_cookie;
  return socket;
}

bool socket_serves(const struct socket* socket, uint32_t user) {
  return socket->user->id == user || socket->holder == user;
}

static struct socket* new_without_pair(struct port* port, struct user* user) {
  uint64_t id = new_id();
  struct socket* socket = id != 0 ? calloc(1, sizeof(*socket)) : NULL;
  if (socket == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  socket->id = id;
  socket->user = user;
  socket->holder = user->id;
  socket->counted = true;
  user->references++;
  user->sockets++;
  socket->port = port;
  socket->watch.fd = -1;
  socket->watch.ready = ready;
  socket->ate_id = CONTROL_ATE_NONE;
  socket->received_end = &socket->received;
  socket->next_of_hash = buckets[id % BUCKETS];
  buckets[id % BUCKETS] = socket;
  return socket;
}

static int make_pair(struct socket* s, unsigned kind, int* program_end) {
  bool stream = kind == KIND_STREAM || kind == KIND_ATE;
  int ends[2];
  if (socketpair(AF_UNIX, (stream ? SOCK_STREAM : SOCK_SEQPACKET) | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
                 ends) < 0) {
    return -errno;
  }
  socklen_t length = sizeof(s->cookie);
  int room = PROGRAM_BUFFER;
  s->watch.fd = ends[0];
  s->kind = kind;
  if (kind == KIND_STREAM) setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
  int error = getsockopt(ends[1], SOL_SOCKET, SO_COOKIE, &s->cookie, &length) < 0 ? -errno : 0;
  /* Edge-triggered: a stream always has a byte to read. Datagrams are read until there are none. */
  if (error == 0) error = loop_add(&s->watch, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
  if (error != 0) {
    close(ends[0]);
    close(ends[1]);
    s->watch.fd = -1;
    return error;
  }
  s->next_of_cookie = cookie_buckets[s->cookie % BUCKETS];
  cookie_buckets[s->cookie % BUCKETS] = s;
  *program_end = ends[1];
  return 0;
}

struct socket* socket_new(struct port* port, unsigned kind, struct user* user, int* program_end) {
  if (!user_may_open(user)) {
    errno = ENOBUFS;
    return NULL;
  }
  struct socket* socket = new_without_pair(port, user);
  if (socket == NULL) return NULL;
  int error = make_pair(socket, kind, program_end);
  if (error == 0) return socket;
  socket_retire(socket);
  errno = -error;
  return NULL;
}

void socket_fill(struct socket* socket, int program_end) {
  static const char nothing[FILL];
  /* Small ones last: the last byte stays unread and keeps the memory of its whole buffer. */
  for (size_t piece = FILL; piece > 0; piece = piece == FILL ? 1 : 0) {
    ssize_t sent;
    while ((sent = send(program_end, nothing, piece, MSG_DONTWAIT | MSG_NOSIGNAL)) > 0) {
      socket->stale += (size_t)sent;
    }
  }
}

bool socket_is_datagram(const struct socket* socket) { return socket->kind == KIND_DATAGRAM; }

/* As Linux limits its own sockets: net.core.rmem_max, doubled, without privilege. */
static uint32_t most_received(const struct user* user) {
  if (user->id == 0) return UINT32_MAX;
  unsigned value = kernel_limit(MOST_RECEIVE_BUFFER);
  return value < UINT32_MAX / 2 ? 2 * value : UINT32_MAX;
}

/* Unread received data counts against the sending end of a pair, which is ours. The kernel doubles
 * the value, and exceeds its limit only for privileged processes. */
void socket_limit_received(struct socket* socket) {
  uint32_t wanted = socket->options.receive_buffer, got = 0;
  int half;
  socklen_t length = sizeof(got);
  if (wanted == 0 || socket->watch.fd < 0) return;
  uint32_t most = most_received(socket->user);
  if (wanted > most) wanted = most;
  half = (int)(wanted / 2);
  if (setsockopt(socket->watch.fd, SOL_SOCKET, SO_SNDBUFFORCE, &half, sizeof(half)) != 0) {
    setsockopt(socket->watch.fd, SOL_SOCKET, SO_SNDBUF, &half, sizeof(half));
  }
  getsockopt(socket->watch.fd, SOL_SOCKET, SO_SNDBUF, &got, &length);
  socket->options.receive_buffer = wanted;
  if (got < wanted) {
    static struct log_limit limit;
    log_limited(&limit, "%s: SO_RCVBUF is %u bytes, not %u: raise net.core.wmem_max",
                socket_text(socket), got, wanted);
    socket->options.receive_buffer = got;
  }
}

static void take_out(struct socket** link, const struct socket* socket, size_t next) {
  while (*link != NULL && *link != socket) link = (struct socket**)((char*)*link + next);
  if (*link != NULL) *link = *(struct socket**)((char*)*link + next);
}

static void free_socket(struct socket* socket) {
  take_out(&buckets[socket->id % BUCKETS], socket, offsetof(struct socket, next_of_hash));
  take_out(&cookie_buckets[socket->cookie % BUCKETS], socket,
           offsetof(struct socket, next_of_cookie));
  user_put(socket->user);
  free(socket);
}

void socket_count(struct socket* socket) {
  bool over = socket->state == CONTROL_CLOSED && socket->pcb == NULL && socket->ate == NULL &&
              !socket->in_time_wait;
  if (!over || !socket->counted) return;
  socket->counted = false;
  socket->user->sockets--;
}

static void append_retired(struct socket* socket) {
  struct user* user = socket->user;
  socket->next_retired = NULL;
  *user->retired_end = socket;
  user->retired_end = &socket->next_retired;
}

void socket_retire(struct socket* socket) {
  if (socket->watch.fd >= 0) {
    loop_remove(&socket->watch);
    close(socket->watch.fd);
    socket->watch.fd = -1;
  }
  if (socket->state == CONTROL_CLOSED) return;
  socket->state = CONTROL_CLOSED;
  append_retired(socket);
  socket->user->retired_count++;
  retired_count++;
  socket_count(socket);
}

/* The user with most retained sockets: only its own are dropped to make room. */
static struct user* user_with_most(void) {
  struct user* most = user_next(NULL);
  for (struct user* u = most; u != NULL; u = user_next(u)) {
    if (u->retired_count > most->retired_count) most = u;
  }
  return most;
}

/* Only the latest are retained; one that lwIP still knows is never freed. */
static void forget_old(void) {
  for (unsigned looked_at = 0, count = retired_count; retired_count > KEPT && looked_at < count;
       looked_at++) {
    struct user* user = user_with_most();
    struct socket* oldest = user->retired;
    user->retired = oldest->next_retired;
    if (user->retired == NULL) user->retired_end = &user->retired;
    if (!oldest->counted && oldest->udp == NULL && !oldest->awake) {
      retired_count--;
      user->retired_count--;
      free_socket(oldest);
    } else {
      append_retired(oldest);
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
  struct socket* list = awake; /* those that are woken meanwhile are served next time */
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

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/descriptor.h"
#include "daemon/log.h"
#include "daemon/stream.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/tcp.h"

enum { BACKLOG = 255 };

/* Passes a connection to the program that accepts. */
static int pass_on(const struct socket* listener, const struct socket* s, int program_end) {
  struct accepted accepted = {.id = s->id, .peer_ip = s->peer_ip, .peer_port = s->peer_port};
  uint32_t linger_s = s->options.linger ? s->options.linger_s : 0;
  accepted.linger_s = (uint16_t)(linger_s < UINT16_MAX ? linger_s : UINT16_MAX);
  struct iovec piece = {.iov_base = &accepted, .iov_len = sizeof(accepted)};
  union descriptor_room room;
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  attach_descriptor(&message, &room, program_end);
  return sendmsg(listener->watch.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

/* The next of the listeners that share the address, in turn. */
static struct socket* next_listener(struct tcp_pcb_listen* pcb) {
  struct socket* listener = pcb->callback_arg;
  if (listener == NULL || listener->next_sharer == NULL) return listener;
  pcb->callback_arg = listener->next_sharer;
  return listener;
}

static err_t on_accept(void* argument, struct tcp_pcb* pcb, err_t error) {
  struct socket* listener = argument;
  if (listener != NULL && pcb != NULL) listener = next_listener(pcb->listener);
  if (error != ERR_OK || pcb == NULL || listener == NULL) return ERR_VAL;
  int program_end;
  struct socket* s = socket_new(listener->port, KIND_STREAM, listener->user, &program_end);
  if (s == NULL) return ERR_MEM; /* lwIP resets the connection */
  socket_fill(s, program_end);
  s->holder = listener->holder;
  s->options = listener->options;
  socket_limit_received(s);
  stream_adopt(s, pcb);
  int failure = pass_on(listener, s, program_end);
  close(program_end);
  if (failure != 0) {
    static struct log_limit limit;
    log_limited(&limit, "%s: not handed over: %s", socket_text(s), strerror(failure));
    stream_let_go(s);
    socket_retire(s);
    return ERR_MEM;
  }
  return ERR_OK;
}

/* The loop may not have seen yet that the program is gone. */
static bool has_ended(const struct socket* listener) {
  struct pollfd look = {.fd = listener->watch.fd};
  return poll(&look, 1, 0) > 0 && (look.revents & (POLLHUP | POLLERR)) != 0;
}

/* lwIP's new connections inherit nothing from their listener. A SYN to a listener that has ended is
 * refused. */
static err_t on_passive_open(u8_t id, struct tcp_pcb_listen* listener, struct tcp_pcb* pcb) {
  (void)id;
  if (listener->callback_arg != NULL && has_ended(listener->callback_arg)) {
    tcp_rst(pcb, 0, pcb->rcv_nxt, &pcb->local_ip, &pcb->remote_ip, pcb->local_port,
            pcb->remote_port);
    return ERR_ABRT;
  }
  pcb->ttl = listener->ttl;
  pcb->tos = listener->tos;
  if (listener->callback_arg != NULL) stream_limit_window(listener->callback_arg, pcb);
  return ERR_OK;
}

/* A socket that listens there; NULL if none. */
static struct socket* find_listener(uint32_t ip, uint16_t port) {
  for (struct tcp_pcb_listen* l = tcp_listen_pcbs.listen_pcbs; l != NULL; l = l->next) {
    bool there = l->local_port == ntohs(port) && ip_2_ip4(&l->local_ip)->addr == ip;
    if (there && l->callback_arg != NULL) return l->callback_arg;
  }
  return NULL;
}

static bool may_share(const struct socket* listener, const struct control_options* options,
                      const struct user* user) {
  return listener->options.reuse_port && options->reuse_port && listener->user == user;
}

bool listener_in_the_way(uint32_t ip, uint16_t port, const struct control_options* options,
                         const struct user* user) {
  const struct socket* listener = port != 0 ? find_listener(ip, port) : NULL;
  return listener != NULL && !has_ended(listener) && !may_share(listener, options, user);
}

/* Adds it to the ring of `other`, whose pcb serves them all. */
static void share(struct socket* s, struct socket* other) {
  struct tcp_pcb* own = s->pcb;
  stream_let_go(s);
  tcp_close(own);
  s->pcb = other->pcb;
  s->state = CONTROL_LISTENING;
  s->kind = KIND_LISTENER;
  s->next_sharer = other->next_sharer != NULL ? other->next_sharer : other;
  other->next_sharer = s;
}

/* False: it was the last one. */
static bool leave(struct socket* s) {
  struct socket* before = s->next_sharer;
  if (before == NULL) return false;
  struct tcp_pcb_listen* pcb = (struct tcp_pcb_listen*)s->pcb;
  if (pcb->callback_arg == s) pcb->callback_arg = s->next_sharer;
  while (before->next_sharer != s) before = before->next_sharer;
  before->next_sharer = s->next_sharer == before ? NULL : s->next_sharer;
  s->next_sharer = NULL;
  return true;
}

int listener_start(struct socket* s, int backlog) {
  if (s->state == CONTROL_LISTENING) return 0;
  if (s->pcb == NULL) return EOPNOTSUPP; /* a datagram socket */
  if (backlog < 0) backlog = BACKLOG;    /* as on Linux, which treats it as unsigned */
  if (backlog == 0) backlog = 1;
  struct socket* sharer = find_listener(s->local_ip, s->local_port);
  if (sharer != NULL && may_share(sharer, &s->options, s->user)) {
    share(s, sharer);
    return 0;
  }
  err_t error;
  static const struct tcp_ext_arg_callbacks callbacks = {.passive_open = on_passive_open};
  struct tcp_pcb* pcb = s->pcb;
  stream_let_go(s); /* lwIP frees it and creates another one */
  tcp_ext_arg_set_callbacks(pcb, 0, &callbacks);
  struct tcp_pcb* listening =
      tcp_listen_with_backlog_and_err(pcb, (u8_t)(backlog > BACKLOG ? BACKLOG : backlog), &error);
  if (listening == NULL) {
    stream_take_over(s, pcb);
    return error == ERR_USE ? EADDRINUSE : ENOMEM;
  }
  s->pcb = listening;
  s->state = CONTROL_LISTENING;
  s->kind = KIND_LISTENER;
  tcp_arg(listening, s);
  tcp_accept(listening, on_accept);
  return 0;
}

void listener_serve(struct socket* s) {
  if (s->state != CONTROL_LISTENING || !s->program_gone) return;
  if (!leave(s)) {
    tcp_arg(s->pcb, NULL);
    tcp_close(s->pcb);
  }
  s->pcb = NULL;
  socket_retire(s);
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/listener.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "daemon/log.h"
#include "daemon/stream.h"
#include "lwip/tcp.h"

enum { BACKLOG = 255 };

/* Hands a connection to whoever accepts. */
static int pass_on(const struct socket* listener, const struct socket* s, int program_end) {
  struct accepted accepted = {.id = s->id, .peer_ip = s->peer_ip, .peer_port = s->peer_port};
  uint32_t linger_s = s->options.linger ? s->options.linger_s : 0;
  accepted.linger_s = (uint16_t)(linger_s < UINT16_MAX ? linger_s : UINT16_MAX);
  struct iovec piece = {.iov_base = &accepted, .iov_len = sizeof(accepted)};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof(control)};
  struct cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(rights), &program_end, sizeof(int));
  return sendmsg(listener->watch.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

static err_t on_accept(void* argument, struct tcp_pcb* pcb, err_t error) {
  struct socket* listener = argument;
  if (error != ERR_OK || pcb == NULL || listener == NULL) return ERR_VAL;
  int program_end;
  struct socket* s = socket_new(listener->port, KIND_STREAM, &program_end);
  if (s == NULL) return ERR_MEM; /* lwIP resets the connection */
  socket_fill(s, program_end);
  s->options = listener->options;
  socket_limit_received(s);
  stream_adopt(s, pcb);
  int failure = pass_on(listener, s, program_end);
  close(program_end);
  if (failure != 0) {
    log_message("%s: not handed over: %s", socket_text(s), strerror(failure));
    tcp_arg(pcb, NULL);
    s->pcb = NULL;
    socket_retire(s);
    return ERR_MEM;
  }
  return ERR_OK;
}

/* lwIP's new connections have nothing of their listener. */
static err_t on_passive_open(u8_t id, struct tcp_pcb_listen* listener, struct tcp_pcb* pcb) {
  (void)id;
  pcb->ttl = listener->ttl;
  pcb->tos = listener->tos;
  if (listener->callback_arg != NULL) stream_limit_window(listener->callback_arg, pcb);
  return ERR_OK;
}

int listener_start(struct socket* s, int backlog) {
  if (s->state == CONTROL_LISTENING) return 0;
  if (s->pcb == NULL) return EOPNOTSUPP; /* a socket of datagrams */
  if (backlog < 0) backlog = BACKLOG;    /* as on Linux, which takes it without its sign */
  if (backlog == 0) backlog = 1;
  err_t error;
  static const struct tcp_ext_arg_callbacks callbacks = {.passive_open = on_passive_open};
  struct tcp_pcb* pcb = s->pcb;
  tcp_arg(pcb, NULL);
  tcp_ext_arg_set_callbacks(pcb, 0, &callbacks);
  struct tcp_pcb* listening =
      tcp_listen_with_backlog_and_err(pcb, (u8_t)(backlog > BACKLOG ? BACKLOG : backlog), &error);
  if (listening == NULL) {
    tcp_arg(pcb, s);
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
  tcp_arg(s->pcb, NULL);
  tcp_close(s->pcb);
  s->pcb = NULL;
  socket_retire(s);
}

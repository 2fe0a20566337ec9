/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/ending.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "daemon/ate.h"
#include "daemon/delegated.h"
#include "daemon/loss.h"
#include "daemon/program_stream.h"
#include "daemon/stream.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/tcp.h"

void ending_left_time_wait(struct socket* s) {
  tcp_arg(s->pcb, NULL);
  s->pcb = NULL;
  s->in_time_wait = true;
  socket_wake(s);
}

bool ending_leave_time_wait(struct socket* s) {
  if (s->pcb == NULL || s->pcb->state != TIME_WAIT) return false;
  ending_left_time_wait(s);
  return true;
}

int ending_shutdown(struct socket* s, uint32_t how) {
  if (how != SHUT_WR && how != SHUT_RDWR) return EINVAL;
  if (s->shut != SHUT_RDWR) s->shut = (uint8_t)how;
  return 0;
}

/* Both directions of the pair are shut, without a close(): a later close() cannot be detected. */
static bool is_shut(const struct socket* s) {
  return s->shut == SHUT_RDWR || (s->shut == SHUT_WR && s->fin_reported);
}

bool ending_lingers(struct socket* s) {
  struct pollfd end = {.fd = s->watch.fd};
  if (s->state != CONTROL_CLOSED && (poll(&end, 1, 0) != 1 || (end.revents & POLLHUP) == 0)) {
    return false; /* another process holds it */
  }
  if (s->pcb == NULL) return s->ate != NULL;
  return s->pcb->state != FIN_WAIT_2 && s->pcb->state != TIME_WAIT;
}

void ending_part(struct socket* s) {
  if (s->verdict == 0) {
    if (!s->program_gone || s->fin_reported) stream_settle(s);
  } else {
    loss_describe(s); /* it may have written more meanwhile */
  }
  socket_retire(s);
}

void ending_finish(struct socket* s) {
  if (s->ate != NULL) {
    ate_close(s->ate);
    return;
  }
  if (!delegated_end(s)) return;
  if (!s->program_gone) {
    if (!s->fin_sent && tcp_shutdown(s->pcb, 0, 1) == ERR_OK) s->fin_sent = true;
    return;
  }
  if (ending_leave_time_wait(s)) return; /* called again without a connection */
  bool resets = s->options.linger && s->options.linger_s == 0 && !is_shut(s);
  if (resets || s->state == CONTROL_CONNECTING) {
    stream_abort(s, 0);
    return;
  }
  /* With unread received data, close() is a reset, as in the kernel. */
  bool unread = s->received != NULL && !is_shut(s);
  stream_drop_received(s);
  s->closing = true;
  struct tcp_pcb* pcb = s->pcb;
  if (unread || s->program_deaf) {
    tcp_abort(pcb);
    return;
  }
  pcb->rcv_wnd = TCP_WND_MAX(pcb); /* else lwIP sees SO_RCVBUF's limit as unread data: a reset */
  if (tcp_close(pcb) == ERR_OK) {
    ending_part(s); /* lwIP does the rest; on_error() still reports failures */
  }
}

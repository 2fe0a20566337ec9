/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/stream.h"

#include <arpa/inet.h>
#include <errno.h>

#include "checks.h"
#include "daemon/ate.h"
#include "daemon/cork.h"
#include "daemon/delegated.h"
#include "daemon/ending.h"
#include "daemon/log.h"
#include "daemon/loss.h"
#include "daemon/program_stream.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/tcp.h"

enum {
  NEIGHBOUR_PATIENCE_MS = 3000,
  PORT_ATTEMPTS = 1000,
  FIRST_RTO_MS = 1000,
  LEAST_WINDOW = 2 * TCP_MSS,
};

/* Records why it ended. The loss is known once the engine is quiet: stream_engine_left(). */
static void conclude(struct socket* s, int error) {
  if (s->verdict != 0 || error == 0) return;
  s->verdict = error;
  if (s->ate == NULL) loss_tell(s);
}

/* lwIP no longer has the connection. The program sees the end once it has received all data. */
static void ended(struct socket* s, int error) {
  s->pcb = NULL;
  conclude(s, error);
  if (s->ate != NULL) ate_peer_gone(s->ate);
  socket_wake(s);
}

static void on_error(void* argument, err_t error) {
  struct socket* s = argument;
  if (s == NULL) return;
  int result = 0;
  if (error == ERR_RST) {
    bool connecting = s->pcb != NULL && s->pcb->state == SYN_SENT;
    result = connecting ? ECONNREFUSED : s->peer_done ? EPIPE : ECONNRESET;
  } else if (error == ERR_ABRT) {
    result = s->verdict != 0 ? s->verdict : ETIMEDOUT;
  }
  /* Nothing is lost, and no reply is expected. */
  if (s->closing && s->acked >= loss_sent(s)) result = 0;
  ended(s, result);
}

static err_t on_receive(void* argument, struct tcp_pcb* pcb, struct pbuf* data, err_t error) {
  struct socket* s = argument;
  (void)error;
  if (s == NULL) {
    if (data != NULL) tcp_recved(pcb, data->tot_len), pbuf_free(data);
    return ERR_OK;
  }
  if (data == NULL) {
    s->peer_done = true;
  } else {
    stream_receive(s, data);
  }
  socket_wake(s);
  return ERR_OK;
}

static err_t on_sent(void* argument, struct tcp_pcb* pcb, u16_t length) {
  struct socket* s = argument;
  (void)pcb;
  if (s == NULL) return ERR_OK;
  s->acked += length;
  s->progress_ms = now_ms();
  socket_wake(s);
  return ERR_OK;
}

void stream_limit_window(const struct socket* s, struct tcp_pcb* pcb) {
  /* Linux advertises half of a buffer: the rest is for the overhead of segments. */
  uint32_t most = s->options.receive_buffer / 2;
  if (most < LEAST_WINDOW) most = LEAST_WINDOW;
  if (s->options.receive_buffer == 0 || most >= pcb->rcv_wnd) return;
  pcb->rcv_wnd = pcb->rcv_ann_wnd = most;
}

static err_t on_connected(void* argument, struct tcp_pcb* pcb, err_t error) {
  struct socket* s = argument;
  (void)error;
  if (s == NULL) return ERR_OK;
  stream_limit_window(s, pcb); /* the peer's window scale has set it to the maximum */
  pcb->snd_wl2 = pcb->lastack; /* RFC 9293, 3.10.7.3; lwIP leaves it before our SYN, a byte short */
  socket_wake(s);              /* the engine is set up once lwIP has processed this segment */
  return ERR_OK;
}

void stream_apply_options(struct socket* s) {
  struct tcp_pcb* pcb = s->pcb;
  if (pcb == NULL) return;
  pcb->ttl = s->options.ttl;
  pcb->tos = s->options.tos;
  if (s->options.reuse_address || s->options.reuse_port) {
    ip_set_option(pcb, SOF_REUSEADDR);
  } else {
    ip_reset_option(pcb, SOF_REUSEADDR);
  }
  if (s->state == CONTROL_LISTENING) return;
  if (s->options.no_delay || s->ate_id != CONTROL_ATE_NONE) {
    tcp_nagle_disable(pcb);
  } else {
    tcp_nagle_enable(pcb);
  }
  if (s->options.keep_alive) {
    ip_set_option(pcb, SOF_KEEPALIVE);
  } else {
    ip_reset_option(pcb, SOF_KEEPALIVE);
  }
  if (s->options.keep_idle_s > 0) pcb->keep_idle = s->options.keep_idle_s * 1000;
  if (s->options.keep_interval_s > 0) pcb->keep_intvl = s->options.keep_interval_s * 1000;
  if (s->options.keep_count > 0) pcb->keep_cnt = s->options.keep_count;
  if (s->cork.since_ms != 0) socket_wake(s); /* the cork may be removed */
}

/* lwIP frees a connection in many places, mostly without calling on_error(). */
static void on_destroy(u8_t id, void* argument) {
  struct socket* s = argument;
  (void)id;
  if (s == NULL) return;
  s->pcb = NULL;
  s->in_time_wait = false;
  socket_count(s);
  socket_wake(s);
}

void stream_take_over(struct socket* s, struct tcp_pcb* pcb) {
  static const struct tcp_ext_arg_callbacks callbacks = {.destroy = on_destroy};
  s->pcb = pcb;
  tcp_ext_arg_set_callbacks(pcb, 0, &callbacks);
  tcp_ext_arg_set(pcb, 0, s);
  tcp_arg(pcb, s);
  tcp_recv(pcb, on_receive);
  tcp_sent(pcb, on_sent);
  tcp_err(pcb, on_error);
  s->local_ip = ip_2_ip4(&pcb->local_ip)->addr;
  s->local_port = htons(pcb->local_port);
}

void stream_let_go(struct socket* s) {
  if (s->pcb == NULL) return;
  tcp_arg(s->pcb, NULL);
  tcp_ext_arg_set(s->pcb, 0, NULL);
  s->pcb = NULL;
}

int stream_bind(struct socket* s, uint32_t ip, uint16_t port) {
  struct tcp_pcb* pcb = tcp_new_ip_type(IPADDR_TYPE_V4);
  if (pcb == NULL) return ENOMEM;
  /* lwIP's one option for both; listener_start() keeps them apart. */
  if (s->options.reuse_address || s->options.reuse_port) ip_set_option(pcb, SOF_REUSEADDR);
  ip_addr_t address = IPADDR4_INIT(ip);
  err_t error = tcp_bind(pcb, &address, port != 0 ? ntohs(port) : port_some_number());
  for (int left = PORT_ATTEMPTS; port == 0 && error == ERR_USE && left > 0; left--) {
    error = tcp_bind(pcb, &address, port_some_number());
  }
  if (error != ERR_OK) {
    tcp_close(pcb);
    return error == ERR_USE ? EADDRINUSE : error == ERR_BUF ? EADDRNOTAVAIL : EINVAL;
  }
  stream_take_over(s, pcb);
  return 0;
}

int stream_connect(struct socket* s, uint32_t ip, uint16_t port) {
  ip_addr_t address = IPADDR4_INIT(ip);
  s->peer_ip = ip;
  s->peer_port = port;
  s->state = CONTROL_CONNECTING;
  s->started_ms = now_ms();
  stream_apply_options(s);
  stream_limit_window(s, s->pcb);
  err_t error = tcp_connect(s->pcb, &address, ntohs(port), on_connected);
  if (error == ERR_OK) return 0;
  return error == ERR_RTE      ? ENETUNREACH
         : error == ERR_ISCONN ? EISCONN
         : error == ERR_USE    ? EADDRNOTAVAIL
                               : ENOMEM;
}

void stream_adopt(struct socket* s, struct tcp_pcb* pcb) {
  stream_take_over(s, pcb);
  s->peer_ip = ip_2_ip4(&pcb->remote_ip)->addr;
  s->peer_port = htons(pcb->remote_port);
  s->state = CONTROL_CONNECTING;
  stream_apply_options(s);
  socket_wake(s);
}

/* RTO after the first measurement, the handshake's, as in RFC 6298: three times that, at least 1 s.
 * lwIP starts at 3 s and needs a dozen measurements to converge. */
static void begin_timing(struct tcp_pcb* pcb) {
  s16_t round_trip = pcb->sa >> 3;
  s16_t variation = LWIP_MAX((s16_t)(2 * round_trip), FIRST_RTO_MS / TCP_SLOW_INTERVAL);
  if (pcb->sv > variation) pcb->sv = variation;
  pcb->rto = (s16_t)(round_trip + pcb->sv);
}

/* A socket is ready only once the engine's registers are written. */
static void establish(struct socket* s) {
  if (s->ate != NULL) { /* NULL if the program closed it meanwhile */
    int error = ate_start(s);
    if (error != 0) {
      stream_abort(s, ECANCELED);
      return;
    }
  }
  begin_timing(s->pcb);
  ullnic_check_send_window(s->pcb);
  s->state = CONTROL_CONNECTED;
  s->progress_ms = now_ms();
  stream_open(s);
  log_detail("%s: connected%s", socket_text(s), s->ate != NULL ? ", accelerated" : "");
}

static void send_plain(struct socket* s) {
  const uint8_t* data;
  size_t message, count, room;
  while ((room = tcp_sndbuf(s->pcb)) > 0 &&
         (count = stream_peek(s, room < STREAM_CHUNK ? room : STREAM_CHUNK, &data, &message)) > 0) {
    if (!delegated_end(s)) return;
    if (count > 0xffff) count = 0xffff;
    if ((count = cork_let(s, count, room)) == 0) break;
    if (tcp_write(s->pcb, data, (u16_t)count, TCP_WRITE_FLAG_COPY) != ERR_OK) break;
    stream_take(s, count);
  }
  tcp_output(s->pcb);
}

void stream_abort(struct socket* s, int error) {
  if (s->state == CONTROL_CLOSED && s->pcb == NULL) return;
  ending_leave_time_wait(s); /* lwIP would free it without calling on_error() */
  conclude(s, error);
  struct tcp_pcb* pcb = s->pcb;
  if (pcb == NULL) {
    ended(s, 0);
    return;
  }
  if (s->ate != NULL) ate_stop_now(s->ate); /* the RST carries hardware's sequence number */
  tcp_abort(pcb);                           /* calls on_error() */
}

void stream_engine_left(struct socket* s) {
  s->ate = NULL;
  s->kind = KIND_STREAM;
  socket_count(s);
  if (s->verdict != 0) loss_tell(s);
  socket_wake(s);
}

/* The program's end has accepted this many bytes. */
static void open_window(struct socket* s, size_t given) {
  uint32_t most = s->options.receive_buffer / 2;
  while (given > 0 && s->pcb != NULL) { /* lwIP counts in 16 bits */
    u16_t part = given > 0xffff ? 0xffff : (u16_t)given;
    tcp_recved(s->pcb, part);
    given -= part;
  }
  /* Such a window never grows by lwIP's update threshold: the peer would have to probe. */
  if (s->pcb != NULL && most > 0 && most < 2 * TCP_WND_UPDATE_THRESHOLD) {
    tcp_ack_now(s->pcb);
    tcp_output(s->pcb);
  }
}

void stream_serve(struct socket* s) {
  if (s->state == CONTROL_CONNECTING && s->pcb != NULL && s->pcb->state >= ESTABLISHED) {
    establish(s);
  }
  if (s->state == CONTROL_CLOSED) return;
  size_t given = stream_give(s);
  if (s->pcb == NULL) {
    if (s->ate != NULL) return; /* until the engine is quiet */
    if (s->received == NULL || s->program_deaf || s->program_gone) {
      stream_drop_received(s);
      /* Orderly end: the program reads an end of stream; else ECONNRESET. */
      if (s->verdict == 0 && !s->program_gone) {
        if (!s->fin_reported) shutdown(s->watch.fd, SHUT_WR);
        s->fin_reported = true;
        return;
      }
      ending_part(s);
    }
    return;
  }
  if (given > 0) open_window(s, given);
  if (s->pcb == NULL) return;
  if (s->peer_done && s->received == NULL && !s->fin_reported) {
    shutdown(s->watch.fd, SHUT_WR);
    s->fin_reported = true;
  }
  if (s->state == CONTROL_CONNECTED) {
    if (s->ate != NULL) {
      ate_send(s->ate);
    } else if (!s->fin_sent) {
      send_plain(s);
    }
  }
  if (s->pcb == NULL) return;
  bool nothing_left = s->state != CONTROL_CONNECTED || s->drained || s->fin_sent;
  if (s->program_done && (s->program_gone || s->state == CONTROL_CONNECTED) && nothing_left)
    ending_finish(s);
}

void stream_tick(struct socket* s) {
  if (ending_leave_time_wait(s) || s->state == CONTROL_CLOSED) return;
  if (s->ate != NULL) ate_tick(s->ate);
  cork_tick(s);
  if (s->pcb == NULL) return;
  uint8_t mac[6];
  uint64_t now = now_ms();
  if (s->state == CONTROL_CONNECTING && s->pcb->state == SYN_SENT) {
    if (s->program_gone) {
      stream_abort(s, 0);
    } else if (now - s->started_ms > NEIGHBOUR_PATIENCE_MS &&
               !port_next_hop(s->port, s->peer_ip, mac)) {
      stream_abort(s, EHOSTUNREACH);
    } else if (s->options.user_timeout_ms > 0 && now - s->started_ms > s->options.user_timeout_ms) {
      stream_abort(s, ETIMEDOUT);
    }
    return;
  }
  if (s->pcb->unacked == NULL && s->pcb->unsent == NULL) {
    s->progress_ms = now;
  } else if (s->options.user_timeout_ms > 0 && now - s->progress_ms > s->options.user_timeout_ms) {
    stream_abort(s, ETIMEDOUT);
  }
}

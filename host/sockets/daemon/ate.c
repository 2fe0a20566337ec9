/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/ate.h"

#include <errno.h>
#include <stdlib.h>

#include "daemon/ate_state.h"
#include "daemon/log.h"
#include "daemon/program_stream.h"
#include "daemon/sent.h"
#include "daemon/stream.h"
#include "daemon/tcp_frame.h"
#include "lwip/priv/tcp_priv.h"
#include "ullnic/ate.h"

enum {
  SILENCE_MS = 120000,
  WHOLE_MS = 10000,
  NEIGHBOUR_MS = 60000,
  PROBE_MS = 300,
  PROBE_MS_MAX = 20000,
  /* Limit of payload that the engine holds. It can follow orders that are not in the mirror yet,
   * beyond MAX_SEQ, so lwIP reserves as much room. */
  PAYLOADS_MOST = TCP_SND_BUF / 4,
  ANSWER_MS = 700, /* Linux answers one such probe in 500 ms (tcp_invalid_ratelimit): two of them */
};

static unsigned tuple_hash(uint16_t local_port, uint16_t peer_port, uint32_t peer_ip) {
  uint32_t mix = ((uint32_t)local_port << 16 | peer_port) ^ peer_ip;
  return (mix ^ mix >> 16 ^ mix >> 7) % PORT_TUPLES;
}

static struct ate* find(struct port* port, uint32_t local_ip, uint32_t peer_ip, uint16_t local_port,
                        uint16_t peer_port) {
  struct ate* ate = port->by_tuple[tuple_hash(local_port, peer_port, peer_ip)];
  for (; ate != NULL; ate = ate->next_of_tuple) {
    const struct socket* s = ate->socket;
    if (s->local_port == local_port && s->peer_port == peer_port && s->peer_ip == peer_ip &&
        s->local_ip == local_ip) {
      return ate;
    }
  }
  return NULL;
}

int ate_reserve(struct socket* s, int id) {
  struct port* port = s->port;
  if (port->connections == 0) return EOPNOTSUPP;
  if (id < 0 || (unsigned)id >= port->connections) return EINVAL;
  if (port->by_id[id] != NULL) return EBUSY;
  struct ate* ate = calloc(1, sizeof(*ate));
  if (ate == NULL) return ENOMEM;
  *ate = (struct ate){.socket = s, .port = port, .id = (uint16_t)id, .state = ATE_RESERVED};
  ate->payloads_end = &ate->payloads;
  port->by_id[id] = ate;
  s->ate = ate;
  s->ate_id = id;
  return 0;
}

static void drop_payloads(struct ate* ate) {
  while (ate->payloads != NULL) {
    struct payload* first = ate->payloads;
    ate->payloads = first->next;
    free(first);
  }
  ate->payloads_end = &ate->payloads;
  ate->payload_bytes = 0;
}

static void release(struct ate* ate) {
  struct port* port = ate->port;
  struct socket* s = ate->socket;
  port->by_id[ate->id] = NULL;
  if (ate->state != ATE_RESERVED) {
    struct ate** link = &port->by_tuple[tuple_hash(s->local_port, s->peer_port, s->peer_ip)];
    while (*link != ate) link = &(*link)->next_of_tuple;
    *link = ate->next_of_tuple;
  }
  drop_payloads(ate);
  free(ate);
  stream_engine_left(s);
}

static uint16_t window_field(const struct tcp_pcb* pcb) {
  return TCPWND_MIN16(RCV_WND_SCALE(pcb, pcb->rcv_ann_wnd));
}

/* One past the last byte that hardware may send: limited by congestion window, the peer's window,
 * and lwIP's room for the mirrored bytes. */
static uint32_t max_seq(const struct tcp_pcb* pcb) {
  uint32_t edge = pcb->lastack + pcb->cwnd;
  uint32_t peer = pcb->snd_wl2 + pcb->snd_wnd;
  uint32_t room = pcb->snd_lbb + pcb->snd_buf - PAYLOADS_MOST;
  if (pcb->snd_queuelen > TCP_SND_QUEUELEN / 2) room = pcb->snd_lbb;
  if (TCP_SEQ_LT(peer, edge)) edge = peer;
  if (TCP_SEQ_LT(room, edge)) edge = room;
  return edge;
}

static int load(struct ate* ate) {
  const struct socket* s = ate->socket;
  const struct tcp_pcb* pcb = s->pcb;
  struct ullnic_ate_connection connection = {
      .local_ip = s->local_ip,
      .peer_ip = s->peer_ip,
      .local_port = s->local_port,
      .peer_port = s->peer_port,
      .seq = ate->mirrored,
      .ack = pcb->rcv_nxt,
      .window = window_field(pcb),
      .check_max_seq = true,
      .max_seq = max_seq(pcb),
      .vlan = ate->port->vlan,
  };
  memcpy(connection.local_mac, s->port->netif.hwaddr, 6);
  memcpy(connection.peer_mac, ate->peer_mac, 6);
  ate->ack = connection.ack;
  ate->window = connection.window;
  ate->max_seq = connection.max_seq;
  int error = ullnic_ate_setup(ate->port->card, ate->port->number, ate->id, &connection);
  if (error == 0) error = ullnic_ate_enable(ate->port->card, ate->port->number, ate->id);
  if (error != 0)
    log_message("%s: connection %u: %s", socket_text(s), ate->id, ullnic_last_error());
  return -error;
}

int ate_start(struct socket* s) {
  struct ate* ate = s->ate;
  if (!port_next_hop(s->port, s->peer_ip, ate->peer_mac)) {
    log_message("%s: the next hop's MAC address is not known any more", socket_text(s));
    return ENETUNREACH;
  }
  ate->first = ate->mirrored = s->pcb->snd_nxt;
  int error = load(ate);
  if (error != 0) return error;
  struct ate** bucket = &ate->port->by_tuple[tuple_hash(s->local_port, s->peer_port, s->peer_ip)];
  ate->next_of_tuple = *bucket;
  *bucket = ate;
  ate->state = ATE_ACTIVE;
  ate->asked_ms = now_ms();
  return 0;
}

/* Registers follow lwIP's state. */
static void update(struct ate* ate) {
  const struct tcp_pcb* pcb = ate->socket->pcb;
  if (pcb == NULL || ate->state != ATE_ACTIVE) return;
  uint16_t window = window_field(pcb);
  if (pcb->rcv_nxt != ate->ack || window != ate->window) {
    ate->ack = pcb->rcv_nxt;
    ate->window = window;
    ullnic_ate_update(ate->port->card, ate->port->number, ate->id, ate->ack, window);
  }
  uint32_t edge = max_seq(pcb);
  if (edge != ate->max_seq) {
    ate->max_seq = edge;
    ullnic_ate_set_max_seq(ate->port->card, ate->port->number, ate->id, edge);
    socket_wake(ate->socket);
  }
}

static void send_ack(struct ate* ate) {
  update(ate);
  ate->ack_waits = !port_send_payload(ate->port, ate->id, NULL, 0);
}

static void disable(struct ate* ate) {
  int error = ullnic_ate_disable(ate->port->card, ate->port->number, ate->id);
  if (error == 0) {
    error = ullnic_ate_read_seq(ate->port->card, ate->port->number, ate->id, &ate->final_seq);
  }
  if (error != 0) { /* only the mirror shows what the card has sent */
    if (error != -ENODEV)
      log_message("%s: disable: %s", socket_text(ate->socket), ullnic_last_error());
    ate->final_seq = ate->mirrored;
  }
  ate->state = ATE_STOPPING;
  ate->state_ms = now_ms();
}

/* Bytes of user logic among the mirrored ones. */
static uint64_t hardware_bytes(const struct ate* ate) {
  return ate->stream_bytes - (ate->socket->taken - ate->payload_bytes);
}

/* Payload that the engine did not accept: lwIP must send it. */
static void hand_back(struct ate* ate) {
  struct tcp_pcb* pcb = ate->socket->pcb;
  ate->socket->hardware = hardware_bytes(ate) + (ate->final_seq - ate->mirrored);
  ate->socket->held = ate->payload_bytes;
  for (struct payload* p = ate->payloads; pcb != NULL && p != NULL; p = p->next) {
    if (tcp_write(pcb, p->data, (u16_t)p->length, TCP_WRITE_FLAG_COPY) != ERR_OK) {
      stream_abort(ate->socket, ECONNRESET);
      return;
    }
  }
  if (pcb != NULL) ate->socket->held = 0;
}

static void wind_down(struct ate* ate, uint64_t now) {
  uint32_t seq = ate->final_seq;
  if (ate->state == ATE_STOPPING) {
    if (now - ate->state_ms < ATE_QUIET_MS) return;
    int error = ullnic_ate_read_seq(ate->port->card, ate->port->number, ate->id, &seq);
    ate->state_ms = now;
    if (error == 0 && seq != ate->final_seq) { /* a frame was in progress */
      ate->final_seq = seq;
      return;
    }
    ate->state = ATE_CATCHING_UP;
  }
  if (ate->mirrored != ate->final_seq && !ate->broken) { /* else it cannot arrive any more */
    if (now - ate->state_ms < ATE_MIRROR_MS) return;
    log_message("%s: the mirror of %u bytes that hardware sent did not come",
                socket_text(ate->socket), ate->final_seq - ate->mirrored);
    if (ate->socket->pcb != NULL) {
      ate->socket->pcb->snd_nxt = ate->final_seq;
      stream_abort(ate->socket, EPROTO);
    }
  }
  hand_back(ate);
  release(ate);
}

bool ate_service(struct port* port) {
  bool soon = false;
  for (unsigned id = 0; id < port->connections; id++) {
    struct ate* ate = port->by_id[id];
    if (ate == NULL || ate->state == ATE_RESERVED) continue;
    if (ate->state != ATE_ACTIVE) {
      soon = true;
      wind_down(ate, now_ms());
    } else if (ate->socket->pcb != NULL) {
      update(ate);
      if (ate->ack_waits) send_ack(ate);
      soon |= ate->ack_waits;
    }
  }
  return soon;
}

/* Hands one payload to the engine and keeps it until it is mirrored. */
static bool inject(struct ate* ate, const uint8_t* data, size_t length) {
  struct payload* payload = malloc(sizeof(*payload) + length);
  if (payload == NULL) return false;
  if (!port_send_payload(ate->port, ate->id, data, length)) {
    free(payload);
    return false;
  }
  payload->next = NULL;
  payload->length = length;
  memcpy(payload->data, data, length);
  *ate->payloads_end = payload;
  ate->payloads_end = &payload->next;
  ate->payload_bytes += length;
  return true;
}

/* How long probes may remain unanswered. */
static uint64_t patience(const struct socket* s) {
  return s->options.user_timeout_ms > 0 ? s->options.user_timeout_ms : SILENCE_MS;
}

/* A payload waits for a window that has room for all of it, so that hardware does not send in
 * between; unless this peer never advertised such a window, or has not for a long time. */
static bool may_cut(struct ate* ate, size_t count) {
  uint64_t now = now_ms(), longest = patience(ate->socket) / 2;
  if (longest > WHOLE_MS) longest = WHOLE_MS;
  if (ate->shut_ms == 0) ate->shut_ms = now;
  return count > ate->socket->pcb->snd_wnd_max || now - ate->shut_ms > longest;
}

void ate_send(struct ate* ate) {
  struct socket* s = ate->socket;
  if (ate->state != ATE_ACTIVE || s->pcb == NULL) return;
  update(ate);
  size_t mss = s->pcb->mss < ate->port->max_payload ? s->pcb->mss : ate->port->max_payload;
  const uint8_t* data;
  size_t count, message;
  while ((count = stream_peek(s, mss, &data, &message)) > 0) {
    uint32_t next = ate->mirrored + (uint32_t)ate->payload_bytes;
    int32_t room = (int32_t)(ate->max_seq - next);
    if (ate->payload_bytes + count > PAYLOADS_MOST) return;
    if (room < (int32_t)count) {
      bool in_flight = next != s->pcb->lastack;
      if (in_flight || !may_cut(ate, count) || room <= 0) return;
      count = (size_t)room;
    }
    ate->shut_ms = 0;
    if (!inject(ate, data, count)) return;
    stream_take(s, count);
    s->message_left = message - count;
  }
}

static void feed(struct ate* ate, const uint8_t* data, size_t length) {
  if (sent_elsewhere(ate->socket->pcb, ate->mirrored, data, length)) return;
  log_message("%s: lwIP has no memory for what hardware has sent", socket_text(ate->socket));
  stream_abort(ate->socket, ECONNRESET);
}

void ate_mirror(struct port* port, const uint8_t* frame, size_t length) {
  struct tcp_fields tcp;
  const uint8_t* ip = ip_of_frame(frame, &length);
  if (ip == NULL || !parse_tcp(ip, length, &tcp)) return;
  struct ate* ate =
      find(port, tcp.source_ip, tcp.destination_ip, tcp.source_port, tcp.destination_port);
  if (ate == NULL || tcp.payload_length == 0) return;
  if (tcp.payload + tcp.payload_length > ip + length || tcp.seq != ate->mirrored) {
    if (!ate->broken) {
      log_message("%s: mirror of %zu bytes at %u, expected %u", socket_text(ate->socket),
                  tcp.payload_length, tcp.seq, ate->mirrored);
      ate->broken = true;
      stream_abort(ate->socket, EPROTO);
    }
    return;
  }
  struct payload* first = ate->payloads;
  if (first != NULL && first->length == tcp.payload_length &&
      memcmp(first->data, tcp.payload, first->length) == 0) {
    ate->payloads = first->next;
    if (first->next == NULL) ate->payloads_end = &ate->payloads;
    ate->payload_bytes -= first->length;
    free(first);
  }
  if (ate->socket->pcb != NULL) feed(ate, tcp.payload, tcp.payload_length);
  ate->mirrored += (uint32_t)tcp.payload_length;
  ate->stream_bytes += tcp.payload_length;
  ate->socket->hardware = hardware_bytes(ate);
  socket_wake(ate->socket);
}

bool ate_takes_output(struct port* port, const struct tcp_fields* tcp) {
  if (tcp->payload_length > 0 || tcp->flags != TCP_FLAG_ACK) return false;
  struct ate* ate =
      find(port, tcp->source_ip, tcp->destination_ip, tcp->source_port, tcp->destination_port);
  if (ate == NULL || ate->state != ATE_ACTIVE || ate->socket->pcb == NULL) return false;
  if (tcp->seq != ate->socket->pcb->snd_nxt) return false;
  send_ack(ate);
  return true;
}

void ate_close(struct ate* ate) {
  if (ate->state == ATE_RESERVED) {
    release(ate);
    return;
  }
  if (ate->state != ATE_ACTIVE || ate->payloads != NULL) return; /* in progress, or not all sent */
  disable(ate);
}

void ate_peer_gone(struct ate* ate) {
  if (ate->state == ATE_RESERVED) {
    release(ate);
  } else if (ate->state == ATE_ACTIVE) {
    disable(ate);
  }
}

void ate_stop_now(struct ate* ate) {
  if (ate->state == ATE_RESERVED) return;
  if (ate->state == ATE_ACTIVE) disable(ate);
  uint32_t seq;
  int error = ullnic_ate_read_seq(ate->port->card, ate->port->number, ate->id, &seq);
  if (error == 0 && ate->socket->pcb != NULL) ate->socket->pcb->snd_nxt = seq;
}

static void send_probe(struct ate* ate, uint64_t now) {
  struct tcp_pcb* pcb = ate->socket->pcb;
  uint64_t longest = patience(ate->socket) / 2; /* so that a silent peer is noticed in time */
  if (ate->silent_ms == 0) {
    ate->silent_ms = now;
    ate->probe_ticks = tcp_ticks;
  }
  tcp_keepalive(pcb); /* the reply carries the window: a lost update would block forever */
  ate->probe_ms = now;
  ate->probe_gap_ms *= 2;
  if (ate->probe_gap_ms > longest) ate->probe_gap_ms = (unsigned)longest;
  if (ate->probe_gap_ms > PROBE_MS_MAX) ate->probe_gap_ms = PROBE_MS_MAX;
  if (ate->probe_gap_ms < PROBE_MS) ate->probe_gap_ms = PROBE_MS;
}

/* TCP_USER_TIMEOUT expires when the peer has been silent for that long and at least for ANSWER_MS;
 * also, as in the kernel, when the program's data have waited for that long although the peer
 * replies. */
static void probe_closed_window(struct ate* ate, uint64_t now) {
  struct socket* s = ate->socket;
  struct tcp_pcb* pcb = s->pcb;
  uint32_t limit = s->options.user_timeout_ms;
  if (ate->shut_ms == 0 && (int32_t)(ate->max_seq - ate->mirrored) >= (int32_t)pcb->mss) {
    ate->probe_ms = 0;
    return;
  }
  if (pcb->unacked != NULL || pcb->unsent != NULL) return; /* lwIP retransmits */
  if (ate->probe_ms == 0) {
    ate->probe_ms = now;
    ate->silent_ms = 0;
    ate->probe_gap_ms = PROBE_MS;
  }
  if (ate->silent_ms != 0 && (int32_t)(pcb->tmr - ate->probe_ticks) >= 0) ate->silent_ms = 0;
  uint64_t longest = patience(s) > ANSWER_MS ? patience(s) : ANSWER_MS;
  bool silent = ate->silent_ms != 0 && now - ate->silent_ms > longest;
  bool waiting = ate->shut_ms != 0 && limit > 0 && now - ate->shut_ms > limit;
  if (silent || waiting) {
    stream_abort(s, ETIMEDOUT);
  } else if (now - ate->probe_ms >= ate->probe_gap_ms) {
    send_probe(ate, now);
  }
}

/* The next hop's address may change during the connection. Its words are not written atomically, so
 * nothing may be sent meanwhile. */
static void follow_next_hop(struct ate* ate, uint64_t now) {
  uint8_t mac[6];
  if (now - ate->asked_ms > NEIGHBOUR_MS) { /* hardware's frames do not keep lwIP's table fresh */
    port_ask_next_hop(ate->port, ate->socket->peer_ip);
    ate->asked_ms = now;
  }
  if (!port_next_hop(ate->port, ate->socket->peer_ip, mac) ||
      memcmp(mac, ate->peer_mac, sizeof(mac)) == 0)
    return;
  if (ate->payloads != NULL) return; /* retried later: disabled, the engine drops what it holds */
  uint32_t seq;
  ullnic_ate_disable(ate->port->card, ate->port->number, ate->id);
  if (ullnic_ate_read_seq(ate->port->card, ate->port->number, ate->id, &seq) != 0) return;
  if (seq != ate->mirrored) { /* not quiet: retried later */
    ullnic_ate_enable(ate->port->card, ate->port->number, ate->id);
    return;
  }
  memcpy(ate->peer_mac, mac, sizeof(mac));
  load(ate);
  log_message("%s: the next hop's MAC address changed", socket_text(ate->socket));
}

void ate_tick(struct ate* ate) {
  if (ate->state != ATE_ACTIVE || ate->socket->pcb == NULL) return;
  update(ate);
  uint64_t now = now_ms();
  follow_next_hop(ate, now);
  probe_closed_window(ate, now);
  if (ate->shut_ms != 0) socket_wake(ate->socket); /* waiting payload may now be split */
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/delegated.h"

#include <errno.h>
#include <string.h>

#include "daemon/log.h"
#include "daemon/program_stream.h"
#include "daemon/sent.h"
#include "daemon/stream.h"
#include "lwip/inet_chksum.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/prot/ethernet.h"
#include "lwip_hooks.h"

enum { ETHERNET = 14, TAG = 4, IP = 20, TCP = 20, DO_NOT_FRAGMENT = 0x40, PROBE_MS = 300 };

static enum delegated_state state_of(const struct socket* s) {
  const struct tcp_pcb* pcb = s->pcb;
  if (s->udp != NULL || s->kind != KIND_STREAM || s->ate != NULL) return DELEGATED_NO_SOCKET;
  if (s->state == CONTROL_BOUND || s->state == CONTROL_CONNECTING) return DELEGATED_CONNECTING;
  bool open = pcb != NULL && (pcb->state == ESTABLISHED || pcb->state == CLOSE_WAIT);
  if (s->state != CONTROL_CONNECTED || !open) return DELEGATED_SHUT;
  bool unreported = pcb->snd_nxt != pcb->snd_lbb;
  return pcb->unsent != NULL || unreported || stream_unread(s) > 0 ? DELEGATED_BUSY : DELEGATED_OK;
}

static uint8_t* put16(uint8_t* place, uint16_t value) {
  *place++ = (uint8_t)(value >> 8);
  *place++ = (uint8_t)value;
  return place;
}

static uint8_t* put32(uint8_t* place, uint32_t value) {
  return put16(put16(place, (uint16_t)(value >> 16)), (uint16_t)value);
}

static uint8_t* put(uint8_t* place, const void* data, size_t length) {
  memcpy(place, data, length);
  return place + length;
}

/* Headers of a segment of maximum size; the program sets the TCP checksum. */
static void write_headers(const struct socket* s, const uint8_t* peer_mac, struct delegated* d) {
  const struct port* port = s->port;
  struct tcp_pcb* pcb = s->pcb;
  uint8_t* at = put(d->headers, peer_mac, 6);
  at = put(at, port->netif.hwaddr, 6);
  if (port->vlan >= 0) at = put16(put16(at, ETHTYPE_VLAN), (uint16_t)port->vlan);
  uint8_t* ip = put16(at, ETHTYPE_IP);
  at = put16(ip, (uint16_t)(0x4500 | pcb->tos));
  at = put16(at, (uint16_t)(IP + TCP + pcb->mss));
  at = put16(at, 0);
  at = put16(at, DO_NOT_FRAGMENT << 8);
  at = put16(at, (uint16_t)(pcb->ttl << 8 | IP_PROTO_TCP));
  at = put16(at, 0);
  at = put(at, &s->local_ip, 4);
  at = put(at, &s->peer_ip, 4);
  uint16_t sum = inet_chksum(ip, IP);
  memcpy(ip + 10, &sum, sizeof(sum));
  at = put(at, &s->local_port, 2);
  at = put(at, &s->peer_port, 2);
  at = put32(at, pcb->snd_lbb);
  at = put32(at, pcb->rcv_nxt);
  at = put16(at, TCP / 4 << 12 | TCP_ACK);
  at = put16(at, TCPWND_MIN16(RCV_WND_SCALE(pcb, pcb->rcv_ann_wnd)));
  at = put32(at, 0);
  d->headers_length = (uint8_t)(at - d->headers);
}

/* exasock's calls do not report the window, so their programs send whole segments: the window
 * counts as closed until one fits, unless this peer never advertised that much. */
static uint32_t least_window(const struct tcp_pcb* pcb, uint32_t bytes) {
  if (bytes != DELEGATED_SEGMENT) return 1;
  return pcb->mss < pcb->snd_wnd_max ? pcb->mss : pcb->snd_wnd_max;
}

/* lwIP probes for a lost window update only while it has data to send itself. */
static void ask_for_window(struct socket* s) {
  if (s->pcb->unacked != NULL || now_ms() - s->delegated.asked_ms < PROBE_MS) return;
  s->delegated.asked_ms = now_ms();
  tcp_keepalive(s->pcb);
}

void delegated_prepare(struct socket* s, uint32_t bytes, bool any_neighbour, struct delegated* d) {
  struct tcp_pcb* pcb = s->pcb;
  uint8_t mac[6] = {0};
  d->state = (uint8_t)state_of(s);
  if (d->state != DELEGATED_OK) return;
  uint32_t next = pcb->snd_lbb;
  int32_t peer = (int32_t)(pcb->snd_wl2 + pcb->snd_wnd - next);
  uint32_t room = pcb->snd_queuelen > TCP_SND_QUEUELEN / 2 ? 0 : tcp_sndbuf(pcb);
  d->window = peer <= 0 ? 0 : (uint32_t)peer < room ? (uint32_t)peer : room;
  d->congestion = (int32_t)(pcb->lastack + pcb->cwnd - next);
  if (d->window < least_window(pcb, bytes)) {
    ask_for_window(s);
    d->state = DELEGATED_NO_WINDOW;
    return;
  }
  s->delegated.asked_ms = now_ms();
  if (!port_next_hop(s->port, s->peer_ip, mac)) {
    port_ask_next_hop(s->port, s->peer_ip);
    if (!any_neighbour) {
      d->state = DELEGATED_NO_NEIGHBOUR;
      return;
    }
  }
  write_headers(s, mac, d);
  s->delegated.open = true;
  s->delegated.next = next;
  s->delegated.bytes = bytes < d->window ? bytes : d->window;
}

int delegated_report(struct socket* s, const uint8_t* data, size_t length) {
  struct tcp_pcb* pcb = s->pcb;
  if (pcb == NULL || s->state == CONTROL_CLOSED) return s->verdict != 0 ? s->verdict : EPIPE;
  if (!s->delegated.open) return EINVAL;
  if (length > s->delegated.bytes) return EMSGSIZE;
  uint32_t next = s->delegated.next;
  int32_t ahead = (int32_t)(pcb->lastack - next);
  size_t known = ahead <= 0 ? 0 : (size_t)ahead < length ? (size_t)ahead : length;
  pcb->snd_lbb += (uint32_t)known; /* acknowledged by the peer: nothing to keep */
  s->acked += known;
  s->taken += length;
  s->delegated.next += (uint32_t)length;
  s->delegated.bytes -= (uint32_t)length;
  if (length > known &&
      !sent_elsewhere(pcb, next + (uint32_t)known, data + known, length - known)) {
    stream_abort(s, EBADMSG);
    return ENOMEM;
  }
  if (s->delegated.bytes == 0) s->delegated.open = false;
  return 0;
}

bool delegated_end(struct socket* s) {
  if (!s->delegated.open) return true;
  s->delegated.open = false;
  if (s->pcb == NULL || !TCP_SEQ_GT(s->pcb->snd_nxt, s->pcb->snd_lbb)) return true;
  stream_abort(s, EBADMSG);
  return false;
}

err_t ullnic_tcp_input(struct tcp_pcb* pcb, const struct tcp_hdr* header) {
  if (pcb->state != ESTABLISHED && pcb->state != CLOSE_WAIT) return ERR_OK;
  const struct socket* s = pcb->callback_arg;
  uint32_t ack = header->ackno;
  if (s != NULL && s->delegated.open && (TCPH_FLAGS(header) & TCP_ACK) != 0 &&
      TCP_SEQ_GT(ack, pcb->snd_nxt) && TCP_SEQ_LEQ(ack, s->delegated.next + s->delegated.bytes)) {
    pcb->snd_nxt = ack;
  }
  return ERR_OK;
}

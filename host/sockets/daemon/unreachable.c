/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/unreachable.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/ip_icmp.h>

#include "daemon/log.h"
#include "daemon/socket.h"
#include "daemon/stream.h"
#include "daemon/udp_table.h"
#include "lwip/inet_chksum.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/prot/ip4.h"
#include "lwip/raw.h"

/* Minimum payload of the original packet in an error: ports, and TCP's sequence number. */
enum { PAYLOAD = 8 };

struct reason {
  uint8_t error;
  bool final;
};

/* By code (RFC 1122, 3.2.2.1; RFC 1812, 5.2.7.1), with Linux's errno. Code 4 (packet too big) is
 * ignored: the card's packets have at most 1,500 bytes, and smaller ones are not tried. */
static const struct reason unreachable[] = {
    [ICMP_NET_UNREACH] = {ENETUNREACH, false},  [ICMP_HOST_UNREACH] = {EHOSTUNREACH, false},
    [ICMP_PROT_UNREACH] = {ENOPROTOOPT, true},  [ICMP_PORT_UNREACH] = {ECONNREFUSED, true},
    [ICMP_SR_FAILED] = {EOPNOTSUPP, false},     [ICMP_NET_UNKNOWN] = {ENETUNREACH, true},
    [ICMP_HOST_UNKNOWN] = {EHOSTDOWN, true},    [ICMP_HOST_ISOLATED] = {ENONET, true},
    [ICMP_NET_ANO] = {ENETUNREACH, true},       [ICMP_HOST_ANO] = {EHOSTUNREACH, true},
    [ICMP_NET_UNR_TOS] = {ENETUNREACH, false},  [ICMP_HOST_UNR_TOS] = {EHOSTUNREACH, false},
    [ICMP_PKT_FILTERED] = {EHOSTUNREACH, true}, [ICMP_PREC_VIOLATION] = {EHOSTUNREACH, true},
    [ICMP_PREC_CUTOFF] = {EHOSTUNREACH, true},
};

static struct reason reason_of(uint8_t type, uint8_t code) {
  static const struct reason none, malformed = {EPROTO, true}, exceeded = {EHOSTUNREACH, false};
  if (type == ICMP_PARAMETERPROB) return malformed;
  if (type == ICMP_TIME_EXCEEDED) return exceeded;
  bool known = type == ICMP_DEST_UNREACH && code < sizeof(unreachable) / sizeof(unreachable[0]);
  return known ? unreachable[code] : none;
}

/* The packet that an error is about; network order. */
struct flow {
  uint32_t local_ip, peer_ip;
  uint16_t local_port, peer_port;
  uint32_t sequence; /* of TCP */
};

/* An off-path attacker cannot guess the sequence number. */
static struct socket* find_attempt(const struct flow* flow) {
  for (const struct tcp_pcb* pcb = tcp_active_pcbs; pcb != NULL; pcb = pcb->next) {
    if (pcb->state != SYN_SENT || htons(pcb->local_port) != flow->local_port ||
        htons(pcb->remote_port) != flow->peer_port ||
        ip_2_ip4(&pcb->local_ip)->addr != flow->local_ip ||
        ip_2_ip4(&pcb->remote_ip)->addr != flow->peer_ip) {
      continue;
    }
    bool sent = TCP_SEQ_BETWEEN(ntohl(flow->sequence), pcb->lastack, pcb->snd_nxt);
    return sent ? pcb->callback_arg : NULL;
  }
  return NULL;
}

static void end_attempt(const struct flow* flow, int error) {
  struct socket* s = find_attempt(flow);
  if (s == NULL) return;
  log_detail("%s: an ICMP message says: %s", socket_text(s), strerror(error));
  stream_abort(s, error);
}

/* `data`: follows the ICMP header, the beginning of a packet that we sent. */
static void take(const struct reason* reason, const uint8_t* data, size_t length) {
  struct flow flow;
  struct ip_hdr sent;
  if (length < sizeof(sent)) return;
  memcpy(&sent, data, sizeof(sent));
  size_t header = IPH_HL_BYTES(&sent);
  bool whole = IPH_V(&sent) == 4 && header >= sizeof(sent) && length >= header + PAYLOAD;
  bool first = (ntohs(IPH_OFFSET(&sent)) & IP_OFFMASK) == 0; /* other fragments have no ports */
  if (!whole || !first) return;
  flow.local_ip = sent.src.addr;
  flow.peer_ip = sent.dest.addr;
  memcpy(&flow.local_port, data + header, sizeof(flow.local_port));
  memcpy(&flow.peer_port, data + header + 2, sizeof(flow.peer_port));
  memcpy(&flow.sequence, data + header + 4, sizeof(flow.sequence));
  if (IPH_PROTO(&sent) == IP_PROTO_TCP) {
    end_attempt(&flow, reason->error);
  } else if (IPH_PROTO(&sent) == IP_PROTO_UDP && reason->final) {
    udp_table_fail(flow.local_ip, flow.local_port, flow.peer_ip, flow.peer_port, reason->error);
  }
}

/* Returns 0: lwIP processes it further and answers echo requests. */
static u8_t on_message(void* argument, struct raw_pcb* pcb, struct pbuf* packet,
                       const ip_addr_t* source) {
  uint8_t bytes[IP_HLEN_MAX + ICMP_MINLEN + IP_HLEN_MAX + PAYLOAD];
  (void)argument, (void)pcb, (void)source;
  u16_t header = ip_current_header_tot_len();
  size_t length = pbuf_copy_partial(packet, bytes, sizeof(bytes), 0);
  if (length < (size_t)header + ICMP_MINLEN) return 0;
  struct reason reason = reason_of(bytes[header], bytes[header + 1]);
  if (reason.error == 0) return 0;
  pbuf_remove_header(packet, header);
  bool good = inet_chksum_pbuf(packet) == 0;
  pbuf_add_header_force(packet, header);
  if (good) take(&reason, bytes + header + ICMP_MINLEN, length - header - ICMP_MINLEN);
  return 0;
}

int unreachable_open(void) {
  struct raw_pcb* pcb = raw_new(IP_PROTO_ICMP);
  if (pcb == NULL) return ENOMEM;
  raw_recv(pcb, on_message, NULL);
  return 0;
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "peer.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ETHERNET = 14, TAG = 4, IP = 20, TCP = 20, IP_TCP = 6 };

struct peer peer;

static const uint8_t peer_mac[6] = {0x02, 0, 0, 0, 0, 0x77};

static uint16_t get16(const uint8_t* at) { return (uint16_t)(at[0] << 8 | at[1]); }
static uint32_t get32(const uint8_t* at) { return (uint32_t)get16(at) << 16 | get16(at + 2); }

static void put16(uint8_t* at, uint16_t value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
}

static void put32(uint8_t* at, uint32_t value) {
  put16(at, (uint16_t)(value >> 16));
  put16(at + 2, (uint16_t)value);
}

uint16_t peer_sum(uint32_t sum, const uint8_t* data, size_t length) {
  for (size_t i = 0; i + 1 < length; i += 2) sum += get16(data + i);
  if (length & 1) sum += (uint32_t)data[length - 1] << 8;
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

/* The card's MAC address, as ullnicd chooses it: the IP address's last byte, the port. */
static void put_card_mac(uint8_t* at, unsigned line) {
  const uint8_t mac[6] = {0x02, 0x55, 0x4c, 0x4c, 2, (uint8_t)line};
  memcpy(at, mac, sizeof(mac));
}

void peer_frame(unsigned line, const uint8_t* data, size_t length) {
  uint8_t frame[PEER_LONGEST];
  if (length > sizeof(frame)) length = sizeof(frame);
  memcpy(frame, data, length);
  for (int i = 0; i < 4; i += 2) {
    if (peer.patch[i] != 0 && peer.patch[i] < length) frame[peer.patch[i]] ^= peer.patch[i + 1];
  }
  memset(peer.patch, 0, sizeof(peer.patch));
  if (send(peer.line[line], frame, length, MSG_DONTWAIT) < 0) {
    /* The line is full: the frame is lost, which may happen to any frame. */
  }
}

/* Returns where the payload begins. */
static uint8_t* put_ethernet(uint8_t* frame, unsigned line, uint16_t type) {
  put_card_mac(frame, line);
  memcpy(frame + 6, peer_mac, sizeof(peer_mac));
  uint8_t* at = frame + 12;
  if (line == 1) {
    put16(at, 0x8100);
    put16(at + 2, DAEMON_VLAN);
    at += TAG;
  }
  put16(at, type);
  return at + 2;
}

void peer_packet(unsigned line, uint32_t source, uint32_t destination, uint8_t protocol,
                 uint16_t id, uint16_t fragment, uint8_t ttl, const uint8_t* data, size_t length) {
  uint8_t frame[PEER_LONGEST] = {0};
  uint8_t* ip = put_ethernet(frame, line, 0x0800);
  if ((ntohl(destination) >> 28) == 0xe) { /* a group's MAC address */
    const uint8_t mac[3] = {0x01, 0x00, 0x5e};
    memcpy(frame, mac, sizeof(mac));
    put32(frame + 2, (ntohl(destination) & 0x7fffff) | (uint32_t)0x5e << 24);
    frame[2] = 0x5e;
  }
  size_t room = (size_t)(frame + sizeof(frame) - ip) - IP;
  if (length > room) length = room;
  ip[0] = 0x45;
  put16(ip + 2, (uint16_t)(IP + length));
  put16(ip + 4, id);
  put16(ip + 6, fragment);
  ip[8] = ttl;
  ip[9] = protocol;
  memcpy(ip + 12, &source, 4);
  memcpy(ip + 16, &destination, 4);
  put16(ip + 10, peer_sum(0, ip, IP));
  memcpy(ip + IP, data, length);
  size_t bytes = (size_t)(ip - frame) + IP + length;
  peer_frame(line, frame, bytes < 60 ? 60 : bytes);
}

void peer_arp(unsigned line, uint16_t operation, uint32_t sender, uint32_t target, bool to_card) {
  uint8_t frame[64] = {0};
  uint8_t* arp = put_ethernet(frame, line, 0x0806);
  if (!to_card) memset(frame, 0xff, 6);
  put16(arp, 1);
  put16(arp + 2, 0x0800);
  arp[4] = 6;
  arp[5] = 4;
  put16(arp + 6, operation);
  memcpy(arp + 8, peer_mac, sizeof(peer_mac));
  memcpy(arp + 14, &sender, 4);
  put_card_mac(arp + 18, line);
  memcpy(arp + 24, &target, 4);
  peer_frame(line, frame, sizeof(frame));
}

void peer_segment(const struct flow* flow, const struct segment* s) {
  uint8_t tcp[PEER_LONGEST];
  size_t header = TCP + s->option_bytes, length = header + s->payload;
  if (length > 1480) length = 1480;
  memset(tcp, 0, length);
  put16(tcp, ntohs(flow->peer_port));
  put16(tcp + 2, ntohs(flow->card_port));
  put32(tcp + 4, s->sequence);
  put32(tcp + 8, s->acknowledgement);
  tcp[12] = (uint8_t)(header / 4 << 4);
  tcp[13] = s->flags;
  put16(tcp + 14, s->window);
  if (s->option_bytes > 0) memcpy(tcp + TCP, s->options, s->option_bytes);
  for (size_t i = header; i < length; i++) tcp[i] = (uint8_t)(s->sequence + i - header);
  uint32_t pseudo = IP_TCP + (uint32_t)length;
  const uint32_t addresses[2] = {flow->peer_ip, flow->card_ip};
  for (int i = 0; i < 2; i++)
    pseudo += (ntohl(addresses[i]) >> 16) + (ntohl(addresses[i]) & 0xffff);
  put16(tcp + 16, peer_sum(pseudo, tcp, length));
  peer_packet(flow->line, flow->peer_ip, flow->card_ip, IP_TCP, 1, 0, 64, tcp, length);
}

void peer_reply(struct flow* flow, size_t payload, bool fin) {
  static const uint8_t options[] = {2, 4, 5, 0xb4, 1, 3, 3, 2};
  bool opening = flow->flags & SYN && !(flow->flags & ACK);
  struct segment s = {.flags = (uint8_t)(ACK | (opening ? SYN : 0) | (fin && !opening ? FIN : 0)),
                      .sequence = flow->next,
                      .acknowledgement = flow->card_next,
                      .window = 0x4000,
                      .options = options,
                      .option_bytes = opening ? sizeof(options) : 0,
                      .payload = opening ? 0 : payload};
  peer_segment(flow, &s);
  flow->next += (uint32_t)s.payload + (opening || fin);
}

struct flow* peer_flow(unsigned index) {
  struct flow* flow = &peer.flows[index % PEER_FLOWS];
  if (flow->used) return flow;
  flow = &peer.flows[peer.last_flow];
  return flow->used ? flow : NULL;
}

static struct flow* find_flow(uint32_t card_ip, uint16_t card_port, uint32_t peer_ip,
                              uint16_t peer_port) {
  for (unsigned i = 0; i < PEER_FLOWS; i++) {
    struct flow* flow = &peer.flows[i];
    if (flow->used && flow->card_port == card_port && flow->peer_port == peer_port &&
        flow->card_ip == card_ip && flow->peer_ip == peer_ip) {
      return flow;
    }
  }
  return NULL;
}

struct flow* peer_new_flow(unsigned line, uint32_t card_ip, uint16_t card_port, uint32_t peer_ip,
                           uint16_t peer_port, uint32_t sequence) {
  struct flow* flow = find_flow(card_ip, card_port, peer_ip, peer_port);
  if (flow == NULL) flow = &peer.flows[(peer.last_flow + 1) % PEER_FLOWS];
  for (unsigned i = 0; i < PEER_FLOWS && flow->used; i++) {
    if (!peer.flows[i].used) flow = &peer.flows[i];
  }
  peer.last_flow = (unsigned)(flow - peer.flows);
  *flow = (struct flow){.used = true,
                        .line = line,
                        .card_ip = card_ip,
                        .peer_ip = peer_ip,
                        .card_port = card_port,
                        .peer_port = peer_port,
                        .next = sequence};
  return flow;
}

static void look_at_tcp(unsigned line, const uint8_t* ip, size_t length) {
  size_t header = (size_t)(ip[0] & 15) * 4, total = get16(ip + 2);
  if (header < IP || total > length || total < header + TCP) return;
  const uint8_t* tcp = ip + header;
  uint32_t card_ip, peer_ip;
  uint16_t card_port, peer_port;
  memcpy(&card_ip, ip + 12, 4);
  memcpy(&peer_ip, ip + 16, 4);
  memcpy(&card_port, tcp, 2);
  memcpy(&peer_port, tcp + 2, 2);
  struct flow* flow = find_flow(card_ip, card_port, peer_ip, peer_port);
  uint8_t flags = tcp[13];
  bool opens = (flags & (SYN | ACK)) == SYN;
  if (flow == NULL && flags & RST) return;
  /* The peer's sequence numbers wrap, where wrong comparisons show. */
  if (flow == NULL || (opens && flow->card_next != get32(tcp + 4) + 1)) {
    flow = peer_new_flow(line, card_ip, card_port, peer_ip, peer_port, 0xfffff000);
  }
  uint32_t data = (uint32_t)(total - header - (size_t)(tcp[12] >> 4) * 4);
  uint32_t next = get32(tcp + 4) + data + ((flags & (SYN | FIN)) != 0);
  if (opens || (flags & SYN) != 0 || (int32_t)(next - flow->card_next) > 0) flow->card_next = next;
  flow->flags = flags;
}

static void look_at_frame(unsigned line, const uint8_t* frame, size_t length) {
  size_t head = frame[12] == 0x81 ? ETHERNET + TAG : ETHERNET;
  if (length < head + IP) return;
  const uint8_t* body = frame + head;
  uint16_t type = get16(body - 2);
  memcpy(peer.last_frame, frame, length);
  peer.last_length = length;
  if (type == 0x0806 && get16(body + 6) == 1 && !peer.silent) {
    uint32_t sender, target;
    memcpy(&sender, body + 14, 4);
    memcpy(&target, body + 24, 4);
    if (sender != target) peer_arp(line, 2, target, sender, true);
  }
  if (type == 0x0800 && body[9] == IP_TCP && (get16(body + 6) & 0x3fff) == 0) {
    look_at_tcp(line, body, length - head);
  }
}

void peer_look(void) {
  uint8_t frame[PEER_LONGEST];
  for (unsigned line = 0; line < DAEMON_PORTS; line++) {
    ssize_t got;
    while ((got = recv(peer.line[line], frame, sizeof(frame), MSG_DONTWAIT)) > 0) {
      look_at_frame(line, frame, (size_t)got);
    }
  }
}

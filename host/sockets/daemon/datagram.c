/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/datagram.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/uio.h>

#include "common/clock.h"
#include "daemon/groups.h"
#include "daemon/log.h"
#include "daemon/udp_table.h"
#include "lwip/udp.h"

enum { PIECES = 48, AT_ONCE = 64 };

void datagram_give(struct socket* s, const struct arrival* arrival) {
  struct datagram_address address = {.ip = arrival->source_ip,
                                     .port = arrival->source_port,
                                     .receive = s->options.receive,
                                     .stamping = s->options.stamping,
                                     .ttl = arrival->ttl,
                                     .tos = arrival->tos,
                                     .local_ip = arrival->destination_ip,
                                     .local_port = arrival->destination_port,
                                     .interface_ip = port_ip(arrival->port),
                                     .card_ns = port_frame_time(arrival->port),
                                     .system_ns = clock_now_ns()};
  struct iovec pieces[PIECES + 1];
  int count = 0;
  pieces[count++] = (struct iovec){.iov_base = &address, .iov_len = sizeof(address)};
  const struct pbuf* p = arrival->data;
  for (; p != NULL && count <= PIECES; p = p->next) {
    pieces[count++] = (struct iovec){.iov_base = p->payload, .iov_len = p->len};
  }
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
  if (p != NULL || sendmsg(s->watch.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
    if (s->lost_datagrams++ == 0) {
      log_detail("%s: a datagram found no room; further ones are only counted", socket_text(s));
    }
  }
}

void datagram_fail(struct socket* s, int error) {
  const struct datagram_address address = {.error = (uint8_t)error};
  send(s->watch.fd, &address, sizeof(address), MSG_DONTWAIT | MSG_NOSIGNAL);
}

static bool is_group(uint32_t ip) {
  ip4_addr_t address = {ip};
  return ip4_addr_ismulticast(&address);
}

static bool is_broadcast(const struct port* port, uint32_t ip) {
  ip4_addr_t address = {ip};
  return ip4_addr_isbroadcast(&address, &port->netif);
}

struct port* datagram_port(const struct socket* s, uint32_t ip) {
  struct port* port = NULL;
  if (is_group(ip)) {
    if (s->options.mcast_if != 0) port = port_with_address(s->options.mcast_if);
  } else if (s->local_ip == 0 || is_group(s->local_ip)) {
    port = port_for_peer(ip);
  }
  return port != NULL ? port : s->port;
}

static uint32_t source_of(const struct socket* s, const struct port* port) {
  return s->local_ip == 0 || is_group(s->local_ip) ? port_ip(port) : s->local_ip;
}

int datagram_connect(struct socket* s, uint32_t ip, uint16_t port) {
  int error = s->udp == NULL ? udp_table_bind(s, s->local_ip, 0) : 0;
  if (error != 0) return error;
  s->port = datagram_port(s, ip);
  if (s->local_ip == 0) udp_table_move(s, port_ip(s->port));
  s->peer_ip = ip;
  s->peer_port = port;
  s->state = CONTROL_CONNECTED;
  return 0;
}

/* As on Linux: the address that the program bound is kept. */
void datagram_disconnect(struct socket* s) {
  s->peer_ip = 0;
  s->peer_port = 0;
  s->state = CONTROL_BOUND;
  if (s->udp != NULL && !s->chose_ip) udp_table_move(s, 0);
  if (s->chose_port) return;
  udp_table_remove(s);
  s->local_port = 0;
}

/* Delivers to sockets of this machine. True: it is not also sent to the network. */
static bool deliver_here(const struct socket* s, struct port* port, uint32_t ip, uint16_t number,
                         const struct pbuf* data) {
  struct port* own = port_with_address(ip);
  struct arrival arrival = {.port = own != NULL ? own : port,
                            .source_ip = source_of(s, port),
                            .destination_ip = ip,
                            .source_port = s->local_port,
                            .destination_port = number,
                            .ttl = is_group(ip) ? s->options.mcast_ttl : s->options.ttl,
                            .tos = s->options.tos,
                            .to_many = own == NULL,
                            .data = data};
  bool looped = is_group(ip) ? s->options.mcast_loop : is_broadcast(port, ip);
  bool found = (own != NULL || looped) && udp_table_deliver(&arrival);
  if (own != NULL && !found)
    udp_table_fail(arrival.source_ip, s->local_port, ip, number, ECONNREFUSED);
  return own != NULL || (is_group(ip) && s->options.mcast_ttl == 0);
}

static void send_to(struct socket* s, struct pbuf* data, uint32_t ip, uint16_t number) {
  if (s->udp == NULL && udp_table_bind(s, s->local_ip, 0) != 0) return;
  struct port* port = datagram_port(s, ip);
  if (deliver_here(s, port, ip, number, data)) return;
  struct udp_pcb* pcb = udp_table_pcb(s); /* of all sockets with this number */
  pcb->ttl = s->options.ttl;
  pcb->tos = s->options.tos;
  pcb->mcast_ttl = s->options.mcast_ttl;
  const ip_addr_t to = IPADDR4_INIT(ip), from = IPADDR4_INIT(source_of(s, port));
  udp_sendto_if_src(pcb, data, &to, ntohs(number), &port->netif, &from);
}

static void send_one(struct socket* s, const uint8_t* data, size_t length) {
  struct datagram_address address = {0};
  if (length < sizeof(address)) return;
  memcpy(&address, data, sizeof(address));
  data += sizeof(address);
  length -= sizeof(address);
  struct pbuf* p = pbuf_alloc(PBUF_TRANSPORT, (u16_t)length, PBUF_RAM);
  if (p == NULL) return;
  pbuf_take(p, data, (u16_t)length);
  if (address.ip != 0) {
    send_to(s, p, address.ip, address.port);
  } else if (s->state == CONTROL_CONNECTED) {
    send_to(s, p, s->peer_ip, s->peer_port);
  }
  pbuf_free(p);
}

void datagram_serve(struct socket* s) {
  static uint8_t data[CONTROL_LONGEST_DATAGRAM + sizeof(struct datagram_address) + 1];
  if (s->state == CONTROL_CLOSED) return;
  for (int left = AT_ONCE; !s->drained; left--) {
    if (left == 0) { /* yields to others */
      socket_wake(s);
      return;
    }
    struct iovec piece = {.iov_base = data, .iov_len = sizeof(data)};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    ssize_t got = recvmsg(s->watch.fd, &message, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      s->drained = true;
    } else {
      send_one(s, data, (size_t)got);
    }
  }
  if (s->program_gone) {
    groups_leave_all(s);
    udp_table_remove(s);
    socket_retire(s);
  }
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/datagram.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/uio.h>
#include <time.h>

#include "daemon/groups.h"
#include "daemon/log.h"
#include "lwip/udp.h"

enum { LONGEST = 65507, PIECES = 48, AT_ONCE = 64 };

static void on_receive(void* argument, struct udp_pcb* udp, struct pbuf* data, const ip_addr_t* ip,
                       u16_t port) {
  struct socket* s = argument;
  (void)udp;
  struct datagram_address address = {.ip = ip_2_ip4(ip)->addr, .port = htons(port)};
  if (s->options.stamping != 0) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    address.system_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    address.card_ns = port_frame_time(s->port);
  }
  struct iovec pieces[PIECES + 1];
  int count = 0;
  if (s->kind == KIND_ADDRESSED) {
    pieces[count++] = (struct iovec){.iov_base = &address, .iov_len = sizeof(address)};
  }
  const struct pbuf* p = data;
  for (; p != NULL && count <= PIECES; p = p->next) {
    pieces[count++] = (struct iovec){.iov_base = p->payload, .iov_len = p->len};
  }
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
  if (p != NULL || sendmsg(s->watch.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
    if (s->lost_datagrams++ == 0) {
      log_detail("%s: a datagram found no room; further ones are only counted", socket_text(s));
    }
  }
  pbuf_free(data);
}

int datagram_bind(struct socket* s, uint32_t ip, uint16_t port) {
  s->udp = udp_new_ip_type(IPADDR_TYPE_V4);
  if (s->udp == NULL) return ENOMEM;
  ip_addr_t address = IPADDR4_INIT(ip);
  if (s->options.reuse_address) ip_set_option(s->udp, SOF_REUSEADDR);
  if (udp_bind(s->udp, &address, ntohs(port)) != ERR_OK) {
    udp_remove(s->udp);
    s->udp = NULL;
    return EADDRINUSE;
  }
  s->udp->mcast_ttl = 1;
  udp_recv(s->udp, on_receive, s);
  s->local_ip = ip;
  s->local_port = htons(s->udp->local_port);
  return 0;
}

int datagram_connect(struct socket* s, uint32_t ip, uint16_t port) {
  ip_addr_t address = IPADDR4_INIT(ip);
  if (udp_connect(s->udp, &address, ntohs(port)) != ERR_OK) return ENETUNREACH;
  s->peer_ip = ip;
  s->peer_port = port;
  s->state = CONTROL_CONNECTED;
  return 0;
}

int datagram_join(struct socket* s, uint32_t group, bool silent) {
  /* lwIP gives a group's datagrams only to those that are bound to no address. */
  udp_bind_netif(s->udp, &s->port->netif);
  if (udp_bind(s->udp, IP4_ADDR_ANY, s->udp->local_port) != ERR_OK) return EADDRINUSE;
  return groups_join(s, group, silent);
}

static void send_one(struct socket* s, const uint8_t* data, size_t length) {
  struct datagram_address address = {0};
  if (s->kind == KIND_ADDRESSED) {
    if (length < sizeof(address)) return;
    memcpy(&address, data, sizeof(address));
    data += sizeof(address);
    length -= sizeof(address);
  }
  struct pbuf* p = pbuf_alloc(PBUF_TRANSPORT, (u16_t)length, PBUF_RAM);
  if (p == NULL) return;
  pbuf_take(p, data, (u16_t)length);
  if (address.ip != 0) {
    ip_addr_t ip = IPADDR4_INIT(address.ip);
    udp_sendto_if(s->udp, p, &ip, ntohs(address.port), &s->port->netif);
  } else if (s->state == CONTROL_CONNECTED) {
    udp_send(s->udp, p);
  }
  pbuf_free(p);
}

void datagram_serve(struct socket* s) {
  static uint8_t data[LONGEST + sizeof(struct datagram_address) + 1];
  if (s->state == CONTROL_CLOSED) return;
  for (int left = AT_ONCE; !s->drained; left--) {
    if (left == 0) { /* others have their turn */
      socket_wake(s);
      return;
    }
    struct iovec piece = {.iov_base = data, .iov_len = sizeof(data)};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    ssize_t got = recvmsg(s->watch.fd, &message, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    /* An empty datagram also reads as 0; after the last one 0 means that the program is gone. */
    if (got < 0 || (got == 0 && s->program_done)) {
      s->drained = true;
    } else {
      send_one(s, data, (size_t)got);
    }
  }
  if (s->program_gone) {
    groups_leave_all(s);
    udp_remove(s->udp);
    s->udp = NULL;
    socket_retire(s);
  }
}

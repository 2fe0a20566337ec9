/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/udp_table.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

#include "daemon/datagram.h"
#include "daemon/groups.h"
#include "lwip/icmp.h"
#include "lwip/udp.h"
#include "lwip_hooks.h"

enum { ATTEMPTS = 1000, BOUND_SCORE = 2, CONNECTED_SCORE = 1, BUCKETS = 4096 };

struct udp_port {
  struct udp_port* next;
  uint16_t number; /* network order */
  struct udp_pcb* pcb;
  struct socket* first; /* the latest */
};

static struct udp_port* buckets[BUCKETS];

static struct udp_port** bucket_of(uint16_t number) { return &buckets[ntohs(number) % BUCKETS]; }

static struct udp_port* find(uint16_t number) {
  struct udp_port* p = *bucket_of(number);
  while (p != NULL && p->number != number) p = p->next;
  return p;
}

struct udp_pcb* udp_table_pcb(const struct socket* s) { return s->udp->pcb; }

bool udp_table_in_use(uint32_t ip, uint16_t number, const struct control_options* options,
                      const struct user* user) {
  const struct udp_port* p = find(number);
  for (const struct socket* s = p != NULL ? p->first : NULL; s != NULL; s = s->next_on_udp) {
    bool overlap = s->local_ip == 0 || ip == 0 || s->local_ip == ip;
    bool address_shared = s->options.reuse_address && options->reuse_address;
    bool port_shared = s->options.reuse_port && options->reuse_port && s->user == user;
    if (overlap && !address_shared && !port_shared) return true;
  }
  return false;
}

static bool peer_fits(const struct socket* s, const struct arrival* a) {
  return s->state != CONTROL_CONNECTED ||
         (s->peer_ip == a->source_ip && (s->peer_port == 0 || s->peer_port == a->source_port));
}

static bool deliver_to_many(const struct udp_port* p, const struct arrival* a) {
  bool found = false;
  for (struct socket* s = p->first; s != NULL; s = s->next_on_udp) {
    bool address_fits = s->local_ip == 0 || s->local_ip == a->destination_ip;
    if (!address_fits || !peer_fits(s, a) || !groups_allow(s, a)) continue;
    datagram_give(s, a);
    found = true;
  }
  return found;
}

/* Among sockets that share a port number by SO_REUSEPORT, each peer is always assigned to the same
 * one. */
static struct socket* one_of(struct socket* best, const struct arrival* a) {
  static uint32_t secret;
  while (secret == 0) secret = ullnic_random();
  unsigned count = 0;
  for (const struct socket* s = best; s != NULL; s = s->next_on_udp) {
    count += s->shares_port && s->state != CONTROL_CONNECTED && s->local_ip == best->local_ip;
  }
  if (!best->shares_port || best->state == CONTROL_CONNECTED || count < 2) return best;
  uint32_t hash = (secret ^ a->source_ip) * 2654435761u;
  hash = (hash ^ hash >> 15 ^ a->source_port) * 2246822519u;
  hash = (hash ^ hash >> 13) % count;
  struct socket* s = best;
  for (;; s = s->next_on_udp) {
    if (!s->shares_port || s->state == CONTROL_CONNECTED || s->local_ip != best->local_ip) continue;
    if (hash-- == 0) return s;
  }
}

static bool deliver_to_one(const struct udp_port* p, const struct arrival* a) {
  struct socket* best = NULL;
  int best_score = -1;
  for (struct socket* s = p->first; s != NULL; s = s->next_on_udp) {
    if ((s->local_ip != 0 && s->local_ip != a->destination_ip) || !peer_fits(s, a)) continue;
    int score = (s->local_ip != 0 ? BOUND_SCORE : 0) +
                (s->state == CONTROL_CONNECTED ? CONNECTED_SCORE : 0);
    if (score > best_score) {
      best_score = score;
      best = s;
    }
  }
  if (best == NULL) return false;
  datagram_give(one_of(best, a), a);
  return true;
}

bool udp_table_deliver(const struct arrival* a) {
  const struct udp_port* p = find(a->destination_port);
  if (p == NULL) return false;
  return a->to_many ? groups_admit(a) && deliver_to_many(p, a) : deliver_to_one(p, a);
}

void udp_table_fail(uint32_t ip, uint16_t number, uint32_t peer_ip, uint16_t peer_port, int error) {
  const struct udp_port* p = find(number);
  for (struct socket* s = p != NULL ? p->first : NULL; s != NULL; s = s->next_on_udp) {
    if (s->state != CONTROL_CONNECTED || s->peer_ip != peer_ip || s->peer_port != peer_port ||
        s->local_ip != ip) {
      continue;
    }
    datagram_fail(s, error);
    return;
  }
}

static void on_receive(void* argument, struct udp_pcb* pcb, struct pbuf* data, const ip_addr_t* ip,
                       u16_t number) {
  const struct udp_port* p = argument;
  const struct ip_hdr* header = ip4_current_header();
  struct netif* netif = ip_current_input_netif();
  const ip4_addr_t* to = ip4_current_dest_addr();
  struct arrival arrival = {
      .port = netif->state,
      .source_ip = ip_2_ip4(ip)->addr,
      .destination_ip = to->addr,
      .source_port = htons(number),
      .destination_port = p->number,
      .ttl = IPH_TTL(header),
      .tos = IPH_TOS(header),
      .to_many = ip4_addr_ismulticast(to) || ip4_addr_isbroadcast(to, netif),
      .data = data,
  };
  (void)pcb;
  if (!udp_table_deliver(&arrival) && !arrival.to_many) {
    pbuf_header_force(data, (s16_t)(ip_current_header_tot_len() + UDP_HLEN));
    icmp_dest_unreach(data, ICMP_DUR_PORT);
  }
  pbuf_free(data);
}

static struct udp_port* add(uint16_t number) {
  struct udp_port* p = calloc(1, sizeof(*p));
  struct udp_pcb* pcb = p != NULL ? udp_new_ip_type(IPADDR_TYPE_V4) : NULL;
  if (pcb == NULL || udp_bind(pcb, IP4_ADDR_ANY, ntohs(number)) != ERR_OK) {
    if (pcb != NULL) udp_remove(pcb);
    free(p);
    return NULL;
  }
  struct udp_port** bucket = bucket_of(number);
  *p = (struct udp_port){.next = *bucket, .number = number, .pcb = pcb};
  udp_recv(pcb, on_receive, p);
  return *bucket = p;
}

static void put_first(struct socket* s) {
  s->next_on_udp = s->udp->first;
  s->udp->first = s;
}

static void take_out(struct socket* s) {
  struct socket** link = &s->udp->first;
  while (*link != s) link = &(*link)->next_on_udp;
  *link = s->next_on_udp;
}

int udp_table_bind(struct socket* s, uint32_t ip, uint16_t number) {
  bool chosen = number != 0;
  for (int left = ATTEMPTS; number == 0 && left > 0; left--) {
    number = htons(port_some_number());
    if (find(number) != NULL) number = 0;
  }
  if (number == 0 || udp_table_in_use(ip, number, &s->options, s->user)) return EADDRINUSE;
  s->udp = find(number);
  if (s->udp == NULL) s->udp = add(number);
  if (s->udp == NULL) return ENOMEM;
  s->local_ip = ip;
  s->local_port = number;
  s->chose_ip = ip != 0;
  s->chose_port = chosen;
  s->shares_port = s->options.reuse_port != 0;
  put_first(s);
  return 0;
}

void udp_table_move(struct socket* s, uint32_t ip) {
  s->local_ip = ip;
  take_out(s);
  put_first(s);
}

void udp_table_remove(struct socket* s) {
  struct udp_port* p = s->udp;
  if (p == NULL) return;
  take_out(s);
  s->udp = NULL;
  if (p->first != NULL) return;
  struct udp_port** link = bucket_of(p->number);
  while (*link != p) link = &(*link)->next;
  *link = p->next;
  udp_remove(p->pcb);
  free(p);
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/port.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "checks.h"
#include "daemon/ate.h"
#include "daemon/groups.h"
#include "daemon/log.h"
#include "daemon/sent.h"
#include "daemon/time_wait.h"
#include "lwip/etharp.h"
#include "lwip/prot/ethernet.h"
#include "netif/ethernet.h"
#include "ullnic/ate.h"

enum {
  RECEIVE_BATCH = 256,
  MTU = 1500,
  LEAST_FRAME = 60,
  EPHEMERAL_FIRST = 49152,
  EPHEMERAL_LAST = 65534,
};

static struct port* ports[ULLNIC_MAX_PORTS];
static unsigned port_count;

struct port* port_at(unsigned index) { return index < port_count ? ports[index] : NULL; }

static bool queue_frame(struct port* port, struct pbuf* frame) {
  if (port->waiting_count == PORT_QUEUE) return false;
  port->waiting[(port->waiting_first + port->waiting_count++) % PORT_QUEUE] = frame;
  return true;
}

/* Queues one frame in the card's ring. 0, or -EAGAIN without room; a frame that can never be sent
 * is dropped and counted. */
static int send_frame(struct port* port, const struct pbuf* frame) {
  int result = ullnic_send_raw(port->queue, frame->payload, frame->len);
  if (result == 0 || result == -EAGAIN) return result;
  if (port->frames_lost++ == 0) log_message("port %u: %s", port->number, ullnic_last_error());
  return 0;
}

static void send_or_queue(struct port* port, struct pbuf* frame) {
  if (port->waiting_count == 0 && send_frame(port, frame) == 0) {
    pbuf_free(frame);
  } else if (!queue_frame(port, frame)) {
    port->frames_lost++;
    pbuf_free(frame);
  }
}

static err_t link_output(struct netif* netif, struct pbuf* p) {
  /* A contiguous copy: lwIP must not find its segments in use later. */
  struct pbuf* frame = pbuf_clone(PBUF_RAW, PBUF_RAM, p);
  if (frame == NULL) return ERR_MEM;
  send_or_queue(netif->state, frame);
  return ERR_OK;
}

void port_send_frame(struct port* port, const void* data, size_t length) {
  struct pbuf* frame = pbuf_alloc(PBUF_RAW, (u16_t)length, PBUF_RAM);
  if (frame == NULL) {
    port->frames_lost++;
    return;
  }
  pbuf_take(frame, data, (u16_t)length);
  send_or_queue(port, frame);
}

bool port_is_full(struct port* port) {
  bool full = port->waiting_count > 0;
  port->blocked |= full; /* the caller must be woken later */
  return full;
}

static err_t packet_output(struct netif* netif, struct pbuf* p, const ip4_addr_t* destination) {
  struct tcp_fields tcp;
  if (groups_hold_back(netif->state, p)) return ERR_OK;
  if (parse_tcp(p->payload, p->len, &tcp) &&
      (sent_takes_output(&tcp) || ate_takes_output(netif->state, &tcp))) {
    return ERR_OK;
  }
  return etharp_output(netif, p, destination);
}

static err_t set_up_netif(struct netif* netif) {
  netif->name[0] = 'u';
  netif->name[1] = 'l';
  netif->output = packet_output;
  netif->linkoutput = link_output;
  netif->mtu = MTU;
  netif->hwaddr_len = ETH_HWADDR_LEN;
  netif->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET | NETIF_FLAG_IGMP |
                 NETIF_FLAG_LINK_UP;
  return ERR_OK;
}

static void interrupt(struct watch* watch, uint32_t events) {
  (void)watch; /* the loop polls all ports after each wait */
  (void)events;
}

int port_open(ullnic_t* card, const struct port_config* config) {
  struct port* port = calloc(1, sizeof(*port));
  if (port == NULL) return -ENOMEM;
  port->card = card;
  port->number = config->number;
  port->vlan = config->vlan != 0 ? config->vlan : ULLNIC_ATE_NO_VLAN;
  int error = ullnic_port_open(card, config->number, &port->queue);
  if (error != 0) {
    log_message("port %u: %s", config->number, ullnic_last_error());
    free(port);
    return error;
  }
  if ((ullnic_tcp_enables(card) >> config->number) & 1) {
    error = ullnic_ate_connections(card, config->number, &port->connections);
    if (error == 0) error = ullnic_ate_max_payload(card, config->number, &port->max_payload);
    if (error == 0) port->by_id = calloc(port->connections, sizeof(struct ate*));
    if (error != 0 || port->by_id == NULL) {
      log_message("port %u: transmit engine: %s", config->number,
                  error != 0 ? ullnic_last_error() : "no memory");
      return error != 0 ? error : -ENOMEM;
    }
  }
  ip4_addr_t address = {config->address}, netmask = {config->netmask}, gateway = {config->gateway};
  memcpy(port->netif.hwaddr, config->mac, sizeof(config->mac));
  netif_add(&port->netif, &address, &netmask, &gateway, port, set_up_netif, ethernet_input);
  netif_set_up(&port->netif);
  if (config->gateway != 0) netif_set_default(&port->netif);
  port->watch = (struct watch){.fd = ullnic_port_fd(port->queue), .ready = interrupt};
  error = loop_add(&port->watch, EPOLLIN | EPOLLET);
  if (error != 0) return error;
  ports[port_count++] = port;
  return 0;
}

void ports_close(void) {
  ullnic_lwip_end();
  for (unsigned i = 0; i < port_count; i++) {
    loop_remove(&ports[i]->watch);
    ullnic_port_close(ports[i]->queue);
  }
  port_count = 0;
}

s32_t ullnic_vlan_tag(struct netif* netif) {
  const struct port* port = netif->state;
  return port->vlan;
}

/* A tag with VLAN ID 0 (priority only) is as none; the priority of others is ignored. */
int ullnic_vlan_is_ours(struct netif* netif, const struct eth_vlan_hdr* tag) {
  struct port* port = netif->state;
  int wanted = port->vlan == ULLNIC_ATE_NO_VLAN ? 0 : port->vlan & 0xfff;
  bool ours = VLAN_ID(tag) == wanted;
  port->other_vlan += !ours;
  return ours;
}

static bool is_tagged(const struct ullnic_frame* frame) {
  return frame->len > SIZEOF_ETH_HDR && frame->data[12] == ETHTYPE_VLAN >> 8 &&
         frame->data[13] == (ETHTYPE_VLAN & 0xff);
}

static void hand_over(struct port* port, const struct ullnic_frame* frame) {
  /* lwIP reads headers without checking the length; shorter frames do not occur on the line. */
  uint16_t length = frame->len < LEAST_FRAME ? LEAST_FRAME : frame->len;
  struct pbuf* p = pbuf_alloc(PBUF_RAW, length, PBUF_RAM);
  if (p == NULL) return;
  memset((uint8_t*)p->payload + frame->len, 0, (size_t)(length - frame->len));
  memcpy(p->payload, frame->data, frame->len);
  if (port->netif.input(p, &port->netif) != ERR_OK) pbuf_free(p);
  ullnic_check_after_input();
}

static void receive(struct port* port, const struct ullnic_frame* frame) {
  if (frame->type == ULLNIC_FRAME_SENT) {
    port->mirrored++;
    ate_mirror(port, frame->data, frame->len);
    return;
  }
  if (frame->type != ULLNIC_FRAME_RECEIVED) {
    /* Not part of the stream: the receiver dropped it, and SEQ does not include it. */
    if (port->mirrored_bad++ == 0) {
      log_message(
          "port %u: user logic broke a rule of the transmit engine: a frame left with a "
          "wrong FCS (see the engine's counters); further ones are only counted",
          port->number);
    }
    return;
  }
  if (port->vlan != ULLNIC_ATE_NO_VLAN && !is_tagged(frame)) {
    port->other_vlan++;
    return;
  }
  port->frames_in++;
  port->frame_ticks = frame->timestamp;
  hand_over(port, frame);
  if (time_wait_look_again()) hand_over(port, frame);
}

uint64_t port_frame_time(const struct port* port) {
  uint64_t tick_ps = ullnic_tick_ps(port->card), ticks = port->frame_ticks;
  return ticks / 1000 * tick_ps + ticks % 1000 * tick_ps / 1000;
}

int ports_receive(bool* more, bool* soon) {
  *more = *soon = false;
  for (unsigned i = 0; i < port_count; i++) {
    struct port* port = ports[i];
    int left = RECEIVE_BATCH, result = 0;
    struct ullnic_frame frame;
    while (left > 0 && (result = ullnic_receive(port->queue, &frame)) > 0) {
      receive(port, &frame);
      left--;
    }
    if (result < 0) {
      log_message("port %u: %s", port->number, ullnic_last_error());
      return result;
    }
    if (left == 0) *more = true;
    *soon |= ate_service(port);
  }
  return 0;
}

bool ports_send(void) {
  bool waiting = false;
  for (unsigned i = 0; i < port_count; i++) {
    struct port* port = ports[i];
    while (port->waiting_count > 0) {
      struct pbuf* frame = port->waiting[port->waiting_first];
      if (send_frame(port, frame) != 0) break;
      pbuf_free(frame);
      port->waiting_first = (port->waiting_first + 1) % PORT_QUEUE;
      port->waiting_count--;
    }
    waiting |= port->waiting_count > 0 || port->blocked;
    port->blocked = false;
  }
  return waiting;
}

bool ports_arm(void) {
  bool ready = false;
  for (unsigned i = 0; i < port_count; i++) ready |= ullnic_port_arm(ports[i]->queue) != 0;
  return ready;
}

bool port_send_payload(struct port* port, uint16_t connection, const void* data, size_t length) {
  int result = -EAGAIN;
  if (port->waiting_count == 0) result = ullnic_send_payload(port->queue, connection, data, length);
  port->blocked |= result == -EAGAIN;
  if (result != 0 && result != -EAGAIN) {
    log_message("port %u: connection %u: %s", port->number, connection, ullnic_last_error());
  }
  return result == 0;
}

struct port* port_for_peer(uint32_t ip) {
  ip4_addr_t address = {ip};
  for (unsigned i = 0; i < port_count; i++) {
    const struct netif* netif = &ports[i]->netif;
    if (ip4_addr_netcmp(&address, netif_ip4_addr(netif), netif_ip4_netmask(netif))) return ports[i];
  }
  /* Through the gateway: every address except the loopback ones. */
  if (netif_default == NULL || ip4_addr_isloopback(&address)) return NULL;
  return netif_default->state;
}

struct port* port_with_address(uint32_t ip) {
  for (unsigned i = 0; i < port_count; i++) {
    if (netif_ip4_addr(&ports[i]->netif)->addr == ip) return ports[i];
  }
  return NULL;
}

uint32_t port_ip(const struct port* port) { return netif_ip4_addr(&port->netif)->addr; }

uint32_t port_broadcast(const struct port* port) {
  return port_ip(port) | ~netif_ip4_netmask(&port->netif)->addr;
}

/* lwIP's own choice counts from a random number and wraps to 0 after the highest. */
uint16_t port_some_number(void) {
  return (uint16_t)(EPHEMERAL_FIRST + ullnic_random() % (EPHEMERAL_LAST - EPHEMERAL_FIRST + 1));
}

struct port* port_only(void) { return port_count == 1 ? ports[0] : NULL; }

struct port* port_numbered(unsigned number) {
  for (unsigned i = 0; i < port_count; i++) {
    if (ports[i]->number == number) return ports[i];
  }
  return NULL;
}

static ip4_addr_t next_hop_ip(const struct netif* netif, uint32_t ip) {
  ip4_addr_t peer = {ip};
  bool direct = ip4_addr_netcmp(&peer, netif_ip4_addr(netif), netif_ip4_netmask(netif));
  return direct ? peer : *netif_ip4_gw(netif);
}

bool port_next_hop(struct port* port, uint32_t ip, uint8_t* mac) {
  struct eth_addr* found;
  const ip4_addr_t* found_ip;
  ip4_addr_t next = next_hop_ip(&port->netif, ip);
  if (etharp_find_addr(&port->netif, &next, &found, &found_ip) < 0) return false;
  memcpy(mac, found->addr, sizeof(found->addr));
  return true;
}

void port_ask_next_hop(struct port* port, uint32_t ip) {
  ip4_addr_t next = next_hop_ip(&port->netif, ip);
  etharp_query(&port->netif, &next, NULL);
}

uint32_t ports_tcp_enables(void) {
  uint32_t mask = 0;
  for (unsigned i = 0; i < port_count; i++) {
    if (ports[i]->connections > 0) mask |= 1u << ports[i]->number;
  }
  return mask;
}

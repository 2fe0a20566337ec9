/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A port of the card as a network interface of lwIP.
 */
#ifndef ULLNICD_PORT_H
#define ULLNICD_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/loop.h"
#include "lwip/netif.h"
#include "ullnic/ullnic.h"

struct ate;

enum { PORT_TUPLES = 1024, PORT_QUEUE = 2048 };

struct port {
  struct watch watch; /* the card's interrupt */
  ullnic_t* card;
  ullnic_port_t* queue;
  unsigned number;
  struct netif netif;
  unsigned connections; /* of its engine, 0 without one */
  unsigned max_payload; /* of its engine, bytes */
  int vlan;           /* tag (priority << 13 | VLAN ID) of all its frames, or ULLNIC_ATE_NO_VLAN */
  struct ate** by_id; /* connections in use */
  struct ate* by_tuple[PORT_TUPLES];
  struct pbuf* waiting[PORT_QUEUE]; /* frames that the card's ring had no room for */
  unsigned waiting_first, waiting_count;
  bool blocked;         /* a sender found no room in the ring */
  uint64_t frame_ticks; /* timestamp of the frame that lwIP is processing */
  uint64_t frames_in, mirrored, mirrored_bad, frames_lost;
  uint64_t other_vlan; /* frames of other VLANs */
};

/* Configuration of a port: --address, --gateway, --mac and --vlan. */
struct port_config {
  unsigned number;
  uint16_t vlan;                      /* priority << 13 | id; 0: none */
  uint32_t address, netmask, gateway; /* network order; gateway 0: none */
  uint8_t mac[6];
};

/* Returns 0 or -errno, with the reason on stderr. */
int port_open(ullnic_t* card, const struct port_config* config);
void ports_close(void);
/* Receives frames from the card, at most a batch per port. `more`: there are more; `soon`: call
 * again within milliseconds. -ENODEV ends the daemon. */
int ports_receive(bool* more, bool* soon);
/* Sends frames that waited for room in the rings. True: some still wait. */
bool ports_send(void);
/* Requests interrupts. True: frames are already available, do not sleep. */
bool ports_arm(void);

/* The port through which an address is reached; NULL if none. */
struct port* port_for_peer(uint32_t ip);
/* The port that has this address. */
struct port* port_with_address(uint32_t ip);
uint32_t port_ip(const struct port* port);
uint32_t port_broadcast(const struct port* port);
/* A port number for a socket that requests any, in host order. */
uint16_t port_some_number(void);
struct port* port_at(unsigned index); /* NULL after the last one */
/* MAC address of the next hop to an address; false if ARP has not resolved it. */
bool port_next_hop(struct port* port, uint32_t ip, uint8_t* mac);
/* Sends a new ARP request for it. */
void port_ask_next_hop(struct port* port, uint32_t ip);
uint32_t ports_tcp_enables(void);
/* Timestamp of the frame that lwIP is processing, in ns since the card's reset. */
uint64_t port_frame_time(const struct port* port);
/* The port, if there is only one; else NULL. */
struct port* port_only(void);
/* Sends a whole frame unmodified. One that the card can never send is dropped and counted. */
void port_send_frame(struct port* port, const void* data, size_t length);
/* Whether frames wait for room in the card's ring; if so, all sockets are woken when there is
 * room. */
bool port_is_full(struct port* port);
/* The port with this number on the card; NULL if it has no address here. */
struct port* port_numbered(unsigned number);
/* Hands payload to the engine. False: no room now. */
bool port_send_payload(struct port* port, uint16_t connection, const void* data, size_t length);

#endif /* ULLNICD_PORT_H */

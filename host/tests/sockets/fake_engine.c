/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The transmit engine of the card of the tests, modelled in C, and user logic that sends orders.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake_card.h"

static uint32_t add_words(uint32_t sum, const uint8_t* data, size_t len) {
  for (size_t i = 0; i + 1 < len; i += 2) sum += (uint32_t)data[i] << 8 | data[i + 1];
  if (len & 1) sum += (uint32_t)data[len - 1] << 8;
  return sum;
}

static void put_sum(uint8_t* place, uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  sum = ~sum;
  place[0] = (uint8_t)(sum >> 8);
  place[1] = (uint8_t)sum;
}

static void put32(uint8_t* place, uint32_t value) {
  for (int i = 0; i < 4; i++) place[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The peer's advertised window, from its segments, by our port (network order). */
static struct {
  uint8_t scale;
  uint32_t edge;
} windows[65536];

static uint32_t get32(const uint8_t* place) {
  return (uint32_t)place[0] << 24 | (uint32_t)place[1] << 16 | (uint32_t)place[2] << 8 | place[3];
}

void learn_window(const uint8_t* f, size_t len) {
  if (len > 18 && f[12] == 0x81) f += 4, len -= 4; /* with a VLAN tag */
  if (len < 54 || f[12] != 8 || f[13] != 0 || f[14] != 0x45 || f[23] != 6) return;
  const uint8_t* tcp = f + 34;
  uint16_t port;
  memcpy(&port, tcp + 2, 2);
  bool syn = tcp[13] & 2;
  if (syn) {
    windows[port].scale = 0;
    const uint8_t *end = tcp + (tcp[12] >> 4) * 4, *o = tcp + 20;
    if (end > f + len) end = f + len;
    while (o + 2 < end && *o != 0 && (*o == 1 || o[1] >= 2)) {
      if (*o == 3 && o[2] <= 14) windows[port].scale = o[2];
      o += *o == 1 ? 1 : o[1];
    }
  }
  uint32_t window = (uint32_t)tcp[14] << 8 | tcp[15];
  uint32_t edge = get32(tcp + 8) + (syn ? window : window << windows[port].scale);
  if (syn || (int32_t)(edge - windows[port].edge) > 0) windows[port].edge = edge;
}

bool engine_send(struct ullnic_port* port, unsigned id, const void* payload, size_t len) {
  struct connection* connection = &port->connections[id];
  struct ullnic_ate_connection* c = &connection->c;
  uint8_t f[LONGEST] = {0};
  if (!connection->enabled) {
    port->card->no_conn++;
    return false;
  }
  memcpy(f, c->peer_mac, 6);
  memcpy(f + 6, c->local_mac, 6);
  uint8_t* type = f + 12;
  if (c->vlan != ULLNIC_ATE_NO_VLAN) {
    put32(type, 0x81000000 | (uint32_t)c->vlan);
    type += 4;
  }
  type[0] = 8;
  uint8_t *ip = type + 2, *tcp = ip + 20;
  size_t header = (size_t)(tcp + 20 - f);
  ip[0] = 0x45;
  ip[2] = (uint8_t)((40 + len) >> 8);
  ip[3] = (uint8_t)(40 + len);
  ip[6] = 0x40;
  ip[8] = 64;
  ip[9] = 6;
  memcpy(ip + 12, &c->local_ip, 4);
  memcpy(ip + 16, &c->peer_ip, 4);
  put_sum(ip + 10, add_words(0, ip, 20));
  memcpy(tcp, &c->local_port, 2);
  memcpy(tcp + 2, &c->peer_port, 2);
  put32(tcp + 4, c->seq);
  put32(tcp + 8, c->ack);
  tcp[12] = 0x50;
  tcp[13] = len > 0 ? 0x18 : 0x10;
  tcp[14] = (uint8_t)(c->window >> 8);
  tcp[15] = (uint8_t)c->window;
  if (len > 0) memcpy(tcp + 20, payload, len);
  put_sum(tcp + 16, add_words(add_words(6 + 20 + (uint32_t)len, ip + 12, 8), tcp, 20 + len));
  c->seq += (uint32_t)len;
  if (len == 0 || port->card->lose_mirror == 0 || --port->card->lose_mirror > 0) {
    struct held* mirror = hold(f, header + len, ULLNIC_FRAME_SENT);
    if (port->card->lag_us > 0) mirror->due_us = now_us() + port->card->lag_us;
    push(port, mirror);
  }
  leave(port, f, header + len);
  return true;
}

static void judge_window(struct ullnic_card* card, const struct ullnic_ate_connection* c,
                         size_t len) {
  if ((int32_t)(c->seq + (uint32_t)len - windows[c->local_port].edge) > 0) card->beyond_window++;
}

static void send_queued(struct ullnic_port* port) {
  while (port->queued != NULL && port->queued->due_us <= now_us()) {
    struct held* first = port->queued;
    port->queued = first->next;
    if (port->queued == NULL) port->queued_last = &port->queued;
    port->card->payloads += software_send(port, (unsigned)first->ticks, first->data, first->len);
    free(first);
  }
}

/* An order: 'H', length, counter (little endian), then bytes that follow from the counter. */
void user_logic(struct ullnic_port* port) {
  struct ullnic_card* card = port->card;
  send_queued(port);
  if (port->number != 0 || card->orders < 0) return;
  uint64_t now = now_us();
  for (int id = card->orders; id <= card->orders_to; id++) {
    struct connection* connection = &port->connections[id];
    const bool enabled = connection->enabled;
    if ((!enabled && connection->late_orders == 0) ||
        connection->orders_sent >= card->order_count || now < connection->next_order_us) {
      continue;
    }
    uint8_t order[LONGEST];
    size_t len = ORDER_HEAD + draw(card) % (card->order_bytes - ORDER_HEAD + 1);
    if ((int32_t)(connection->c.max_seq - connection->c.seq) < (int32_t)len) continue;
    judge_window(card, &connection->c, len);
    uint32_t number = connection->orders_sent++;
    order[0] = 'H';
    order[1] = (uint8_t)len;
    order[2] = (uint8_t)(len >> 8);
    for (int i = 0; i < 4; i++) order[3 + i] = (uint8_t)(number >> 8 * i);
    for (size_t i = ORDER_HEAD; i < len; i++) order[i] = (uint8_t)(number * 7 + i);
    connection->enabled = true; /* as it was when a late order entered the engine */
    if (engine_send(port, (unsigned)id, order, len)) card->orders_sent++;
    connection->enabled = enabled;
    connection->next_order_us = now + draw(card) % (2 * card->order_gap_us + 1);
    if (enabled) continue;
    connection->late_orders--;
    connection->next_order_us = now + card->late_gap_us;
  }
}

bool software_send(struct ullnic_port* port, unsigned id, const void* payload, size_t len) {
  /* Orders that the daemon has not yet seen in the mirror can push its payload beyond the
   * window. */
  if (len > 0 && port->card->orders < 0) judge_window(port->card, &port->connections[id].c, len);
  return engine_send(port, id, payload, len);
}

int ullnic_ate_connections(ullnic_t* card, unsigned port, unsigned* connections) {
  (void)card;
  (void)port;
  *connections = CONNECTIONS;
  return 0;
}

int ullnic_ate_max_payload(ullnic_t* card, unsigned port, unsigned* bytes) {
  (void)card;
  (void)port;
  *bytes = 1460;
  return 0;
}

int ullnic_ate_setup(ullnic_t* card, unsigned port, unsigned id,
                     const struct ullnic_ate_connection* connection) {
  if ((int)id == card->refuse) return fail(EIO, "the fake card is set to refuse connection %u", id);
  struct connection* c = &card->port[port].connections[id];
  if (c->enabled) return fail(EBUSY, "connection %u is enabled", id);
  bool same = c->c.local_port == connection->local_port && c->c.peer_port == connection->peer_port;
  uint32_t sent = same ? c->orders_sent : 0; /* else it is a new stream */
  *c = (struct connection){.c = *connection, .set_up = true, .orders_sent = sent};
  return 0;
}

int ullnic_ate_enable(ullnic_t* card, unsigned port, unsigned id) {
  struct connection* c = &card->port[port].connections[id];
  if (!c->set_up) return fail(EINVAL, "connection %u was not set up", id);
  c->enabled = true;
  return 0;
}

/* Whether a payload of this connection is not in the mirror yet: the engine may still have to send
 * it, and drops it if the connection is disabled. */
static bool is_under_way(const struct ullnic_port* port, const struct ullnic_ate_connection* c) {
  for (const struct held* mirror = port->first; mirror != NULL; mirror = mirror->next) {
    const uint8_t* tcp = mirror->data + (c->vlan != ULLNIC_ATE_NO_VLAN ? 38 : 34);
    if (mirror->type == ULLNIC_FRAME_SENT && memcmp(tcp, &c->local_port, 2) == 0 &&
        mirror->data + mirror->len > tcp + 20) {
      return true;
    }
  }
  return false;
}

int ullnic_ate_disable(ullnic_t* card, unsigned port, unsigned id) {
  struct connection* c = &card->port[port].connections[id];
  card->early_disables += c->enabled && is_under_way(&card->port[port], &c->c);
  if (c->enabled && card->late_orders > 0) {
    c->late_orders = card->late_orders;
    c->next_order_us = now_us() + card->late_gap_us;
  }
  c->enabled = false;
  card->disables++;
  return 0;
}

int ullnic_ate_update(ullnic_t* card, unsigned port, unsigned id, uint32_t ack, uint16_t window) {
  struct ullnic_ate_connection* c = &card->port[port].connections[id].c;
  c->ack = ack;
  c->window = window;
  return 0;
}

int ullnic_ate_set_max_seq(ullnic_t* card, unsigned port, unsigned id, uint32_t max_seq) {
  card->port[port].connections[id].c.max_seq = max_seq;
  user_logic(&card->port[port]);
  return 0;
}

int ullnic_ate_read_seq(ullnic_t* card, unsigned port, unsigned id, uint32_t* seq) {
  /* It takes as long as the engine takes for its next payload. */
  if (card->port[port].queued != NULL) card->port[port].queued->due_us = 0;
  user_logic(&card->port[port]);
  *seq = card->port[port].connections[id].c.seq;
  return 0;
}

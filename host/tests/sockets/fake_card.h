/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Internals of the tests' card: see fake_card.c.
 */
#ifndef ULLNIC_FAKE_CARD_H
#define ULLNIC_FAKE_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ullnic/ate.h"
#include "ullnic/ullnic.h"

enum { QUEUES = 2048, CONNECTIONS = 512, RING = 64, LONGEST = 2048, ORDER_HEAD = 7 };

struct held {
  struct held* next;
  uint16_t len;
  uint8_t type;
  uint64_t due_us, ticks;
  uint8_t data[];
};

struct connection {
  struct ullnic_ate_connection c;
  bool enabled, set_up;
  uint32_t orders_sent;
  unsigned late_orders; /* sent although it is disabled */
  uint64_t next_order_us;
};

struct ullnic_port {
  struct ullnic_card* card;
  unsigned number;
  int tap, poller, timer;
  bool open;
  struct held *first, **last, *given;
  struct held *swapped_out, *swapped_in;
  struct held *queued, **queued_last; /* payloads that the engine has not sent; ticks: connection */
  struct connection connections[CONNECTIONS];
  uint32_t seq;
};

struct ullnic_card {
  unsigned ports;
  struct ullnic_port port[ULLNIC_MAX_PORTS];
  uint64_t random;
  double drop_in, drop_out, dup, swap;
  unsigned lag_us, queue_us, engines, order_count, order_bytes, order_gap_us, late_orders,
      late_gap_us, lose_mirror;
  int orders, orders_to, refuse;
  int dma; /* file; 0: none */
  unsigned dma_looks;
  FILE* stats;
  char gate[256];
  uint64_t orders_sent, no_conn, dropped_in, dropped_out, doubled, swapped, payloads, acks,
      raw_payloads, beyond_window, disables, early_disables;
};

/* Sets the message of ullnic_last_error(). Returns -error. */
int fail(int error, const char* format, ...) __attribute__((format(printf, 2, 3)));
uint64_t now_us(void);
uint64_t draw(struct ullnic_card* card);
/* Copies a frame and appends it to those that wait for the daemon. */
struct held* hold(const void* data, size_t len, uint8_t type);
void push(struct ullnic_port* port, struct held* held);
/* Sends a frame to the line, with the faults of the options. */
void leave(struct ullnic_port* port, const void* data, size_t len);

/* The engine: headers, SEQ, mirror. False: the connection is not enabled. */
bool engine_send(struct ullnic_port* port, unsigned id, const void* payload, size_t len);
/* The same for a payload of the daemon's, which must respect the peer's window. */
bool software_send(struct ullnic_port* port, unsigned id, const void* payload, size_t len);
/* Sends the orders that are due. */
void user_logic(struct ullnic_port* port);
/* Reads the window from the peer's segment. */
void learn_window(const uint8_t* frame, size_t len);

#endif /* ULLNIC_FAKE_CARD_H */

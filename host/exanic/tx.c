/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sending.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"
#include "tester.h"

enum { FULL_RING_PATIENCE_S = 20 };

static exanic_tx_t* make_tx(exanic_t* exanic, unsigned number) {
  exanic_tx_t* tx = calloc(1, sizeof *tx);
  if (tx == NULL) {
    ex_error("%s: no memory", exanic->name);
    return NULL;
  }
  tx->exanic = exanic;
  tx->number = number;
  return tx;
}

exanic_tx_t* exanic_acquire_tx_buffer(exanic_t* exanic, int port_number, size_t requested_size) {
  (void)requested_size;
  if (!ex_port_hold(exanic, port_number)) {
    return NULL;
  }
  struct ex_port* port = &exanic->ports[port_number];
  pthread_mutex_lock(&port->lock);
  if (port->tx == NULL) {
    port->tx = make_tx(exanic, (unsigned)port_number);
  }
  exanic_tx_t* tx = port->tx;
  if (tx == NULL) {
    ex_port_release(exanic, (unsigned)port_number);
    return NULL;
  }
  ++tx->holders;
  pthread_mutex_unlock(&port->lock);
  return tx;
}

static void lock_for_sender(struct ex_port* port) {
  atomic_fetch_add(&port->senders, 1);
  pthread_mutex_lock(&port->lock);
  atomic_fetch_sub(&port->senders, 1);
}

void exanic_release_tx_buffer(exanic_tx_t* tx) {
  if (tx == NULL) {
    return;
  }
  exanic_t* exanic = tx->exanic;
  const unsigned number = tx->number;
  struct ex_port* port = &exanic->ports[number];
  lock_for_sender(port);
  if (--tx->holders == 0) {
    port->tx = NULL;
    free(tx);
  }
  ex_port_release(exanic, number);
}

size_t exanic_get_tx_mtu(exanic_tx_t* tx) {
  (void)tx;
  return ULLNIC_MAX_FRAME;
}

static int send_once(struct ex_port* port, const char* frame, size_t bytes) {
  lock_for_sender(port);
  const int result = ullnic_send_raw(port->port, frame, bytes);
  pthread_mutex_unlock(&port->lock);
  return result;
}

int exanic_transmit_frame(exanic_tx_t* tx, const char* frame, size_t frame_size) {
  exanic_t* exanic = tx->exanic;
  struct ex_port* port = &exanic->ports[tx->number];
  int result = send_once(port, frame, frame_size);
  for (time_t end = 0; result == -EAGAIN; result = send_once(port, frame, frame_size)) {
    const time_t now = time(NULL);
    if (end == 0) {
      end = now + FULL_RING_PATIENCE_S;
    } else if (now > end) {
      ex_error("%s: port %u: the card has fetched no frame for %d s; is its link down?",
               exanic->name, tx->number, FULL_RING_PATIENCE_S);
      return -1;
    }
    sched_yield();
  }
  if (result != 0) {
    ex_card_error(exanic, result);
    return -1;
  }
  return 0;
}

char* exanic_begin_transmit_frame(exanic_tx_t* tx, size_t frame_size) {
  if (tx->begun || frame_size > sizeof tx->frame) {
    ex_error(tx->begun ? "%s: port %u: end or abort the frame that is begun"
                       : "%s: port %u: a frame of %zu bytes; the card takes at most %zu",
             tx->exanic->name, tx->number, frame_size, sizeof tx->frame);
    return NULL;
  }
  tx->begun = true;
  return tx->frame;
}

int exanic_end_transmit_frame(exanic_tx_t* tx, size_t frame_size) {
  if (exanic_abort_transmit_frame(tx) != 0) {
    return -1;
  }
  return exanic_transmit_frame(tx, tx->frame, frame_size);
}

int exanic_abort_transmit_frame(exanic_tx_t* tx) {
  if (!tx->begun) {
    ex_error("%s: port %u: no frame is begun", tx->exanic->name, tx->number);
    return -1;
  }
  tx->begun = false;
  return 0;
}

exanic_cycles32_t exanic_get_tx_timestamp(exanic_tx_t* tx) {
  exanic_t* exanic = tx->exanic;
  if (!exanic->tester) {
    if (!tx->told) {
      fprintf(stderr, "libexanic: %s: it does not say when a frame left; measure with a tester\n",
              exanic->name);
      tx->told = true;
    }
    return 0;
  }
  const uint32_t before = tx->sent;
  const int result = tester_read_sent(exanic->card, tx->number, &tx->sent, &tx->sent_time);
  if (result != 0) {
    ex_card_error(exanic, result);
  } else if (tx->sent != before) {
    ex_rx_catch_up(exanic);
  }
  return ex_give_out(exanic, tx->sent_time);
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Receiving.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fcs.h"
#include "internal.h"
#include "tester.h"

enum {
  FCS_BYTES = 4,
  /* The ring has 2048 buffers: before so many frames in a row nothing can have been lost. */
  RUN_OF_LOSS = 1024,
  CATCH_UP_US = 200000,
  CATCH_UP_STEP_US = 20,
};

/** The card's counter of frames that software did not take in time. */
static int read_lost(const exanic_rx_t* rx, uint32_t* lost) {
  const exanic_t* exanic = rx->exanic;
  return ullnic_read32(exanic->card,
                       exanic->tester ? TESTER_DROPPED(rx->number)
                                      : ULLNIC_HOST_PATH_REGISTER(rx->number, RX_NO_ROOM),
                       lost);
}

static exanic_rx_t* make_rx(exanic_t* exanic, unsigned number) {
  exanic_rx_t* rx = calloc(1, sizeof *rx);
  if (rx == NULL) {
    ex_error("%s: no memory", exanic->name);
    return NULL;
  }
  rx->exanic = exanic;
  rx->number = number;
  const int result = read_lost(rx, &rx->lost);
  if (result != 0) {
    ex_card_error(exanic, result);
  }
  if (result != 0 || ex_now(exanic, &rx->since) != 0) {
    free(rx);
    return NULL;
  }
  return rx;
}

exanic_rx_t* exanic_acquire_rx_buffer(exanic_t* exanic, int port_number, int buffer_number) {
  if (buffer_number != 0) {
    ex_error("%s: buffer %d: a port has buffer 0 only, there is no flow steering", exanic->name,
             buffer_number);
    return NULL;
  }
  if (!ex_port_hold(exanic, port_number)) {
    return NULL;
  }
  struct ex_port* port = &exanic->ports[port_number];
  pthread_mutex_lock(&port->lock);
  if (port->rx == NULL) {
    port->rx = make_rx(exanic, (unsigned)port_number);
  }
  exanic_rx_t* rx = port->rx;
  if (rx == NULL) {
    ex_port_release(exanic, (unsigned)port_number);
    return NULL;
  }
  ++rx->holders;
  pthread_mutex_unlock(&port->lock);
  return rx;
}

void exanic_release_rx_buffer(exanic_rx_t* rx) {
  if (rx == NULL) {
    return;
  }
  exanic_t* exanic = rx->exanic;
  const unsigned number = rx->number;
  struct ex_port* port = &exanic->ports[number];
  pthread_mutex_lock(&port->lock);
  if (--rx->holders == 0) {
    port->rx = NULL;
    port->silent = true;
    free(rx);
  }
  ex_port_release(exanic, number);
}

/** The ring is empty. Were frames lost meanwhile? */
static ssize_t on_empty(exanic_rx_t* rx) {
  const unsigned run = rx->run;
  uint32_t lost;
  rx->run = 0;
  atomic_fetch_add(&rx->exanic->ports[rx->number].empty_calls, 1);
  if (run < RUN_OF_LOSS || read_lost(rx, &lost) != 0 || lost == rx->lost) {
    return 0;
  }
  ex_error("%s: port %u: %u frames were lost, as they were not taken in time", rx->exanic->name,
           rx->number, lost - rx->lost);
  rx->lost = lost;
  return -EXANIC_RX_FRAME_SWOVFL;
}

static ssize_t hand_over(exanic_rx_t* rx, const struct ullnic_frame* frame, char* buffer,
                         size_t size, exanic_cycles32_t* timestamp) {
  const size_t bytes = frame->len + (size_t)FCS_BYTES;
  if (bytes > size) {
    ex_error("%s: port %u: a frame of %zu bytes does not fit a buffer of %zu", rx->exanic->name,
             rx->number, bytes, size);
    return -EXANIC_RX_FRAME_TRUNCATED;
  }
  memcpy(buffer, frame->data, frame->len);
  // The card has checked the frame's own and taken it off: this is the same again.
  const uint32_t fcs = ethernet_fcs(frame->data, frame->len);
  for (unsigned i = 0; i < FCS_BYTES; ++i) {
    buffer[frame->len + i] = (char)(fcs >> 8 * i);
  }
  const exanic_cycles32_t low = ex_give_out(rx->exanic, frame->timestamp);
  if (timestamp != NULL) {
    *timestamp = low;
  }
  return (ssize_t)bytes;
}

static ssize_t receive(exanic_rx_t* rx, ullnic_port_t* port, char* buffer, size_t size,
                       exanic_cycles32_t* timestamp) {
  struct ullnic_frame frame;
  int result;
  while ((result = ullnic_receive(port, &frame)) == 1) {
    ++rx->run;
    if (frame.type == ULLNIC_FRAME_RECEIVED && frame.timestamp >= rx->since) {
      return hand_over(rx, &frame, buffer, size, timestamp);
    }
  }
  if (result < 0) {
    ex_card_error(rx->exanic, result);
    return -EXANIC_RX_FRAME_ABORTED;
  }
  return on_empty(rx);
}

ssize_t exanic_receive_frame(exanic_rx_t* rx, char* rx_buf, size_t rx_buf_size,
                             exanic_cycles32_t* timestamp) {
  struct ex_port* port = &rx->exanic->ports[rx->number];
  atomic_store(&port->listener, pthread_self());
  atomic_store(&port->silent, false);
  if (atomic_load(&port->senders) != 0 || pthread_mutex_trylock(&port->lock) != 0) {
    return 0;
  }
  const ssize_t result = receive(rx, port->port, rx_buf, rx_buf_size, timestamp);
  pthread_mutex_unlock(&port->lock);
  return result;
}

/** Two calls that found nothing: the later one began after now, so all before it has been used. */
static void catch_up(struct ex_port* port) {
  const unsigned before = atomic_load(&port->empty_calls);
  for (unsigned us = 0; us < CATCH_UP_US; us += CATCH_UP_STEP_US) {
    if (atomic_load(&port->empty_calls) - before >= 2) {
      return;
    }
    usleep(CATCH_UP_STEP_US);
  }
  atomic_store(&port->silent, true);  // until it calls again
}

void ex_rx_catch_up(exanic_t* exanic) {
  for (unsigned i = 0; i < ullnic_ports(exanic->card); ++i) {
    struct ex_port* port = &exanic->ports[i];
    if (!atomic_load(&port->silent) &&
        !pthread_equal(atomic_load(&port->listener), pthread_self())) {
      catch_up(port);
    }
  }
}

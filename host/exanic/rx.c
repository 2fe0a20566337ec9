/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Listeners, and frames that are received whole.
 *
 * Each listener fetches frames from the card: its own are returned, those of others are written to
 * their rings.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fcs.h"
#include "internal.h"
#include "tester.h"

enum {
  FCS_BYTES = 4,
  /* The card's ring has 2048 buffers: before this many consecutive frames no loss is possible. */
  RUN_OF_LOSS = 1024,
  CATCH_UP_US = 200000,
  CATCH_UP_STEP_US = 20,
};

/** Reads the card's counter of frames that software did not read in time. */
static int read_lost(exanic_t* exanic, unsigned number, uint32_t* lost) {
  const int result = ullnic_read32(
      exanic->own->card,
      exanic->own->tester ? TESTER_DROPPED(number) : ULLNIC_HOST_PATH_REGISTER(number, RX_NO_ROOM),
      lost);
  if (result != 0) {
    ex_card_error(exanic, result);
  }
  return result;
}

/** Reports to listeners the frames that the card dropped for lack of room. */
static int note_lost(struct ex_port* port, exanic_t* exanic, unsigned number) {
  uint32_t lost;
  const int result = read_lost(exanic, number, &lost);
  if (result == 0 && lost != port->lost) {
    for (struct exanic_rx_own* rx = port->listeners; rx != NULL; rx = rx->next) {
      ex_ring_break(rx, lost - port->lost);
    }
    port->lost = lost;
  }
  return result;
}

static bool has_listener(const struct ex_port* port, int buffer) {
  for (struct exanic_rx_own* rx = port->listeners; rx != NULL; rx = rx->next) {
    if (rx->face.buffer_number == buffer) {
      return true;
    }
  }
  return false;
}

/** The port is locked, and its handle retained. */
static exanic_rx_t* make_rx(exanic_t* exanic, int number, int buffer, bool threaded) {
  struct ex_port* port = &exanic->own->ports[number];
  struct exanic_rx_own* rx = calloc(1, sizeof *rx);
  if (rx == NULL || !ex_ring_make(rx)) {
    ex_error("%s: no memory", exanic->name);
    free(rx);
    return NULL;
  }
  rx->face.own = rx;
  rx->face.exanic = exanic;
  rx->face.port_number = number;
  rx->face.buffer_number = buffer;
  rx->threaded = threaded;
  rx->silent = true;
  // Earlier losses concern only the listeners that existed then.
  if (note_lost(port, exanic, (unsigned)number) != 0 || ex_now(exanic, &rx->since) != 0 ||
      (threaded && !ex_ring_thread_start(exanic, (unsigned)number))) {
    free((void*)rx->face.buffer);
    free(rx);
    return NULL;
  }
  rx->next = port->listeners;
  port->listeners = rx;
  return &rx->face;
}

enum { UNUSED_BUFFER = -1 };

static exanic_rx_t* acquire(exanic_t* exanic, int port_number, int buffer, bool threaded) {
  if (buffer != UNUSED_BUFFER && (buffer < 0 || buffer > EX_FILTER_BUFFERS)) {
    ex_error("%s: buffer %d: a port has the buffers 0 to %d", exanic->name, buffer,
             EX_FILTER_BUFFERS);
    return NULL;
  }
  if (exanic->own->sends_only) {
    ex_error(
        "%s: ullnicd receives what comes to its card; receive with sockets, or hold another "
        "card",
        exanic->name);
    return NULL;
  }
  if (!ex_port_hold(exanic, port_number)) {
    return NULL;
  }
  struct ex_port* port = &exanic->own->ports[port_number];
  pthread_mutex_lock(&port->lock);
  if (buffer == UNUSED_BUFFER) {
    buffer = port->steering.hash_buffers + 1;
    while (buffer <= EX_FILTER_BUFFERS && has_listener(port, buffer)) {
      ++buffer;
    }
  }
  exanic_rx_t* rx = NULL;
  if (buffer > EX_FILTER_BUFFERS) {
    ex_error("%s: port %d: all %d buffers are in use; release one", exanic->name, port_number,
             EX_FILTER_BUFFERS);
  } else {
    rx = make_rx(exanic, port_number, buffer, threaded);
  }
  if (rx == NULL) {
    ex_port_release(exanic, (unsigned)port_number);
    return NULL;
  }
  pthread_mutex_unlock(&port->lock);
  return rx;
}

exanic_rx_t* exanic_acquire_rx_buffer(exanic_t* exanic, int port_number, int buffer_number) {
  return acquire(exanic, port_number, buffer_number, false);
}

exanic_rx_t* exanic_acquire_unused_filter_buffer(exanic_t* exanic, int port_number) {
  return acquire(exanic, port_number, UNUSED_BUFFER, false);
}

exanic_rx_t* exanic_acquire_rx_ring(exanic_t* exanic, int port_number, int buffer_number) {
  return acquire(exanic, port_number, buffer_number, true);
}

exanic_rx_t* exanic_acquire_unused_filter_ring(exanic_t* exanic, int port_number) {
  return acquire(exanic, port_number, UNUSED_BUFFER, true);
}

void exanic_release_rx_buffer(exanic_rx_t* rx) {
  if (rx == NULL) {
    return;
  }
  exanic_t* exanic = rx->exanic;
  const unsigned number = (unsigned)rx->port_number;
  const int buffer = rx->buffer_number;
  struct ex_port* port = &exanic->own->ports[number];
  pthread_mutex_lock(&port->lock);
  struct exanic_rx_own** link = &port->listeners;
  while (*link != rx->own) {
    link = &(*link)->next;
  }
  *link = rx->own->next;
  if (buffer != 0 && !has_listener(port, buffer)) {
    ex_steer_forget(&port->steering, buffer);
  }
  const bool threaded = rx->own->threaded;
  free((void*)rx->buffer);
  free(rx->own);
  if (threaded) {
    pthread_mutex_unlock(&port->lock);
    ex_ring_thread_stop(exanic, number);
    pthread_mutex_lock(&port->lock);
  }
  ex_port_release(exanic, number);
}

int ex_rx_fetch(struct ex_port* port, exanic_t* exanic, unsigned number, struct exanic_rx_own* rx,
                struct ullnic_frame* frame, struct ex_match* filter) {
  int result;
  while ((result = ullnic_receive(port->port, frame)) == 1) {
    ++port->run;
    if (frame->type != ULLNIC_FRAME_RECEIVED) {
      continue;
    }
    *filter = ex_steer(&port->steering, frame);
    bool mine = false;
    for (struct exanic_rx_own* each = port->listeners; each != NULL; each = each->next) {
      if (each->face.buffer_number == filter->buffer && frame->timestamp >= each->since) {
        if (each == rx) {
          mine = true;
        } else {
          ex_ring_put(each, frame, filter);
        }
      }
    }
    if (mine) {
      return 1;
    }
  }
  if (result < 0) {
    ex_card_error(exanic, result);
    return result;
  }
  const unsigned run = port->run;
  port->run = 0;
  if (rx != NULL) {
    atomic_fetch_add(&rx->empty_calls, 1);
  }
  // A card that is gone is reported by the next call.
  if (run >= RUN_OF_LOSS) {
    (void)note_lost(port, exanic, number);
  }
  return 0;
}

struct ex_port* ex_rx_begin(exanic_rx_t* rx) {
  struct ex_port* port = &rx->exanic->own->ports[rx->port_number];
  atomic_store(&rx->own->thread, pthread_self());
  atomic_store(&rx->own->silent, false);
  if (atomic_load(&port->senders) != 0 || pthread_mutex_trylock(&port->lock) != 0) {
    return NULL;
  }
  return port;
}

ssize_t ex_rx_truncated(const exanic_rx_t* rx, size_t bytes, size_t size) {
  ex_error("%s: port %d: a frame of %zu bytes does not fit a buffer of %zu", rx->exanic->name,
           rx->port_number, bytes, size);
  return -EXANIC_RX_FRAME_TRUNCATED;
}

static ssize_t hand_over(exanic_rx_t* rx, const struct ullnic_frame* frame, char* buffer,
                         size_t size, exanic_cycles32_t* timestamp) {
  const size_t bytes = frame->len + (size_t)FCS_BYTES;
  if (bytes > size) {
    return ex_rx_truncated(rx, bytes, size);
  }
  memcpy(buffer, frame->data, frame->len);
  // The card has checked and removed the frame's FCS: this computes the same value.
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

ssize_t exanic_receive_frame(exanic_rx_t* rx, char* rx_buf, size_t rx_buf_size,
                             exanic_cycles32_t* timestamp) {
  struct ex_port* port = ex_rx_begin(rx);
  if (port == NULL) {
    return 0;
  }
  ssize_t result = 0;
  enum ex_ring_state state = ex_ring_state(rx->own);
  if (state == EX_RING_EMPTY) {
    struct ullnic_frame frame;
    struct ex_match filter;
    const int got =
        ex_rx_fetch(port, rx->exanic, (unsigned)rx->port_number, rx->own, &frame, &filter);
    result = got == 1  ? hand_over(rx, &frame, rx_buf, rx_buf_size, timestamp)
             : got < 0 ? -EXANIC_RX_FRAME_ABORTED
                       : 0;
    if (got == 0) {
      state = ex_ring_state(rx->own);
    }
  }
  if (state == EX_RING_CHUNK) {
    result = ex_ring_take_frame(rx->own, rx_buf, rx_buf_size, timestamp);
  } else if (state == EX_RING_LAPPED) {
    result = ex_ring_catch_up(rx->own);
  }
  pthread_mutex_unlock(&port->lock);
  return result;
}

/** True if a listener may not have read everything that arrived before its calls were marked. */
static bool is_behind(struct exanic_rx_own* rx) {
  return !atomic_load(&rx->silent) && !pthread_equal(atomic_load(&rx->thread), pthread_self()) &&
         atomic_load(&rx->empty_calls) - rx->mark < 2;
}

/** Waits for two calls that find nothing: the later one begins after now, so everything earlier has
 * been read. */
static void catch_up(struct ex_port* port) {
  bool wait = true;
  for (unsigned us = 0; wait && us <= CATCH_UP_US; us += CATCH_UP_STEP_US) {
    wait = false;
    ex_lock_for_sender(port);
    for (struct exanic_rx_own* rx = port->listeners; rx != NULL; rx = rx->next) {
      if (us == 0) {
        rx->mark = atomic_load(&rx->empty_calls);
      }
      if (is_behind(rx)) {
        wait = true;
        if (us == CATCH_UP_US) {
          atomic_store(&rx->silent, true);  // until it calls again
        }
      }
    }
    pthread_mutex_unlock(&port->lock);
    if (wait) {
      usleep(CATCH_UP_STEP_US);
    }
  }
}

void ex_rx_catch_up(exanic_t* exanic) {
  for (unsigned i = 0; i < exanic->num_ports; ++i) {
    catch_up(&exanic->own->ports[i]);
  }
}

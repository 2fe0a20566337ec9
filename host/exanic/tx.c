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

enum { FULL_RING_PATIENCE_S = 20, NO_FEEDBACK = 0x8000 };

/** Pages of the region from `first` on, as bits of tx_pages. */
static uint64_t page_bits(unsigned first, unsigned pages) {
  return (pages == EX_TX_REGION_PAGES ? UINT64_MAX : (UINT64_C(1) << pages) - 1) << first;
}

/** Allocates pages of a port's region for a buffer; the port is locked. false with the error
 * set. */
static bool take_pages(struct ex_port* port, exanic_tx_t* tx, size_t bytes) {
  const size_t pages = bytes == 0 ? 1 : bytes / PAGE_SIZE;
  if (port->tx_region == NULL) {
    port->tx_region = calloc(EX_TX_REGION_PAGES, PAGE_SIZE);
  }
  if (bytes % PAGE_SIZE != 0 || port->tx_region == NULL) {
    ex_error(
        port->tx_region == NULL ? "%s: no memory" : "%s: %zu bytes: a buffer has a multiple of %lu",
        tx->exanic->name, bytes, PAGE_SIZE);
    return false;
  }
  for (unsigned first = 0; first + pages <= EX_TX_REGION_PAGES; ++first) {
    const uint64_t bits = page_bits(first, (unsigned)pages);
    if ((port->tx_pages & bits) == 0) {
      port->tx_pages |= bits;
      tx->buffer_offset = first * (uint32_t)PAGE_SIZE;
      tx->buffer_size = (uint32_t)(pages * PAGE_SIZE);
      tx->buffer = port->tx_region + tx->buffer_offset;
      return true;
    }
  }
  ex_error(
      "%s: port %d: %zu bytes in a row are not free of %lu; ask for fewer, or release a buffer",
      tx->exanic->name, tx->port_number, pages * PAGE_SIZE, EX_TX_REGION_PAGES * PAGE_SIZE);
  return false;
}

exanic_tx_t* exanic_acquire_tx_buffer(exanic_t* exanic, int port_number, size_t requested_size) {
  if (!ex_port_hold(exanic, port_number)) {
    return NULL;
  }
  struct ex_port* port = &exanic->own->ports[port_number];
  ex_lock_for_sender(port);
  struct exanic_tx_own* tx = calloc(1, sizeof *tx);
  if (tx == NULL) {
    ex_error("%s: no memory", exanic->name);
  } else {
    tx->face = (exanic_tx_t){.own = tx, .exanic = exanic, .port_number = port_number};
    if (!take_pages(port, &tx->face, requested_size)) {
      free(tx);
      tx = NULL;
    }
  }
  if (tx == NULL) {
    ex_port_release(exanic, (unsigned)port_number);
    return NULL;
  }
  pthread_mutex_unlock(&port->lock);
  return &tx->face;
}

void exanic_release_tx_buffer(exanic_tx_t* tx) {
  if (tx == NULL) {
    return;
  }
  exanic_t* exanic = tx->exanic;
  const unsigned number = (unsigned)tx->port_number;
  struct ex_port* port = &exanic->own->ports[number];
  ex_lock_for_sender(port);
  port->tx_pages &= ~page_bits((unsigned)(tx->buffer_offset / PAGE_SIZE),
                               (unsigned)(tx->buffer_size / PAGE_SIZE));
  free(tx->own);
  ex_port_release(exanic, number);
}

size_t exanic_get_tx_mtu(exanic_tx_t* tx) {
  (void)tx;
  return ULLNIC_MAX_FRAME;
}

enum { RAW_FRAME = -1 };

/** Sends a frame, or payload of a connection. */
static int send_once(struct ex_port* port, int connection, const char* data, size_t bytes) {
  ex_lock_for_sender(port);
  const int result = connection == RAW_FRAME
                         ? ullnic_send_raw(port->port, data, bytes)
                         : ullnic_send_payload(port->port, (uint16_t)connection, data, bytes);
  pthread_mutex_unlock(&port->lock);
  return result;
}

static int send_all(exanic_t* exanic, unsigned number, int connection, const char* data,
                    size_t bytes) {
  struct ex_port* port = &exanic->own->ports[number];
  int result = send_once(port, connection, data, bytes);
  for (time_t end = 0; result == -EAGAIN; result = send_once(port, connection, data, bytes)) {
    const time_t now = time(NULL);
    if (end == 0) {
      end = now + FULL_RING_PATIENCE_S;
    } else if (now > end) {
      ex_error("%s: port %u: the card has fetched no frame for %d s; is its link down?",
               exanic->name, number, FULL_RING_PATIENCE_S);
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

int exanic_transmit_frame(exanic_tx_t* tx, const char* frame, size_t frame_size) {
  return send_all(tx->exanic, (unsigned)tx->port_number, RAW_FRAME, frame, frame_size);
}

int exanic_transmit_frame_ex(exanic_tx_t* tx, const char* frame, size_t frame_size,
                             uint32_t flags) {
  if ((flags & ~(uint32_t)EXA_FRAME_WARM) != 0) {
    ex_error("%s: port %d: flags 0x%x: only EXA_FRAME_WARM is known", tx->exanic->name,
             tx->port_number, flags);
    return -1;
  }
  if ((flags & EXA_FRAME_WARM) != 0) {
    struct ex_port* port = &tx->exanic->own->ports[tx->port_number];
    ex_lock_for_sender(port);
    (void)ullnic_send_pending(port->port);
    pthread_mutex_unlock(&port->lock);
    return 0;
  }
  return exanic_transmit_frame(tx, frame, frame_size);
}

/** Begins a frame or payload and returns where to write it; NULL with the error set. */
static char* begin(exanic_tx_t* tx, size_t bytes, bool payload) {
  struct exanic_tx_own* own = tx->own;
  if (own->begun || bytes > sizeof own->frame) {
    ex_error(own->begun ? "%s: port %d: end or abort the frame that is begun"
                        : "%s: port %d: a frame of %zu bytes; the card takes at most %zu",
             tx->exanic->name, tx->port_number, bytes, sizeof own->frame);
    return NULL;
  }
  own->begun = true;
  own->begun_payload = payload;
  own->begun_bytes = bytes;
  return own->frame;
}

/** Ends what was begun; returns the bytes to send, or -1 with the error set. */
static ssize_t end(exanic_tx_t* tx, size_t bytes, bool payload) {
  struct exanic_tx_own* own = tx->own;
  if (!own->begun || own->begun_payload != payload) {
    ex_error("%s: port %d: no %s is begun", tx->exanic->name, tx->port_number,
             payload ? "payload" : "frame");
    return -1;
  }
  own->begun = false;
  if (bytes > own->begun_bytes) {
    ex_error("%s: port %d: %zu bytes are more than the %zu that were begun", tx->exanic->name,
             tx->port_number, bytes, own->begun_bytes);
    return -1;
  }
  return (ssize_t)(bytes == 0 ? own->begun_bytes : bytes);
}

char* exanic_begin_transmit_frame(exanic_tx_t* tx, size_t frame_size) {
  return begin(tx, frame_size, false);
}

int exanic_end_transmit_frame(exanic_tx_t* tx, size_t frame_size) {
  const ssize_t bytes = end(tx, frame_size, false);
  return bytes < 0 ? -1 : exanic_transmit_frame(tx, tx->own->frame, (size_t)bytes);
}

int exanic_abort_transmit_frame(exanic_tx_t* tx) {
  if (!tx->own->begun) {
    ex_error("%s: port %d: no frame is begun", tx->exanic->name, tx->port_number);
    return -1;
  }
  tx->own->begun = false;
  return 0;
}

static bool is_payload(exanic_tx_t* tx, exanic_tx_type_id_t type) {
  if (type != EXANIC_TX_TYPE_TCP_ACCEL) {
    ex_error("%s: port %d: type %d: payload is of EXANIC_TX_TYPE_TCP_ACCEL", tx->exanic->name,
             tx->port_number, (int)type);
  }
  return type == EXANIC_TX_TYPE_TCP_ACCEL;
}

int exanic_transmit_payload(exanic_tx_t* tx, uint16_t connection_id, exanic_tx_type_id_t type,
                            const char* payload, size_t payload_size) {
  return !is_payload(tx, type) ? -1
                               : send_all(tx->exanic, (unsigned)tx->port_number, connection_id,
                                          payload, payload_size);
}

char* exanic_begin_transmit_payload(exanic_tx_t* tx, uint16_t connection_id,
                                    exanic_tx_type_id_t type, size_t payload_size,
                                    uint16_t** csum) {
  char* payload = !is_payload(tx, type) ? NULL : begin(tx, payload_size, true);
  if (payload != NULL) {
    tx->own->connection = connection_id;
    *csum = &tx->own->csum;
  }
  return payload;
}

int exanic_end_transmit_payload(exanic_tx_t* tx, exanic_tx_type_id_t type, size_t payload_size) {
  const ssize_t bytes = !is_payload(tx, type) ? -1 : end(tx, payload_size, true);
  return bytes < 0 ? -1
                   : send_all(tx->exanic, (unsigned)tx->port_number, tx->own->connection,
                              tx->own->frame, (size_t)bytes);
}

int ex_tx_command(exanic_t* exanic, unsigned number, uint32_t offset) {
  struct ex_port* port = &exanic->own->ports[number];
  const struct tx_chunk* chunk = (const void*)(port->tx_region + offset);
  const uint32_t region = EX_TX_REGION_PAGES * (uint32_t)PAGE_SIZE;
  const uint32_t head = sizeof *chunk + exanic_payload_padding_bytes(EXANIC_TX_TYPE_RAW);
  const bool in_region =
      offset % 8 == 0 && offset < region - head && (port->tx_pages >> offset / PAGE_SIZE & 1) != 0;
  if (!in_region || chunk->length < 2 || offset + sizeof *chunk + chunk->length > region) {
    ex_error(
        "%s: port %u: TX_COMMAND 0x%x: no chunk is there; write buffer_offset and its offset in "
        "the buffer, a multiple of 8",
        exanic->name, number, offset);
    return -1;
  }
  if (chunk->feedback_slot_index < NO_FEEDBACK) {
    ex_error(
        "%s: port %u: the chunk at 0x%x asks for feedback, which is not there: set "
        "feedback_slot_index to 0x8000",
        exanic->name, number, offset);
    return -1;
  }
  const char* data = chunk->payload + 2;
  const size_t bytes = chunk->length - 2u;
  if (chunk->type == EXANIC_TX_TYPE_RAW) {
    return send_all(exanic, number, RAW_FRAME, data, bytes);
  }
  struct tx_payload_metadata metadata;
  if (chunk->type == EXANIC_TX_TYPE_TCP_ACCEL && bytes >= sizeof metadata) {
    memcpy(&metadata, data, sizeof metadata);
    return send_all(exanic, number, metadata.connection_id, data + sizeof metadata,
                    bytes - sizeof metadata);
  }
  ex_error("%s: port %u: the chunk at 0x%x is of type %u, or too short for it", exanic->name,
           number, offset, chunk->type);
  return -1;
}

exanic_cycles32_t exanic_get_tx_timestamp(exanic_tx_t* tx) {
  exanic_t* exanic = tx->exanic;
  struct exanic_tx_own* own = tx->own;
  if (!exanic->own->tester) {
    if (!own->has_warned) {
      fprintf(stderr, "libexanic: %s: it does not say when a frame left; measure with a tester\n",
              exanic->name);
      own->has_warned = true;
    }
    return 0;
  }
  const uint32_t before = own->sent;
  pthread_mutex_lock(&exanic->own->clock_lock);
  const int result =
      tester_read_sent(exanic->own->card, (unsigned)tx->port_number, &own->sent, &own->sent_time);
  pthread_mutex_unlock(&exanic->own->clock_lock);
  if (result != 0) {
    ex_card_error(exanic, result);
  } else if (own->sent != before) {
    ex_rx_catch_up(exanic);
  }
  return ex_give_out(exanic, own->sent_time);
}

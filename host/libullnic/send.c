/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Host to card: a chunk in each slot, one descriptor per chunk.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>

#include "checksum.h"
#include "error.h"
#include "internal.h"

enum {
  MIN_FRAME = 14,
  CHUNK_HEADER_BYTES = 8,
  PAD_BYTES = 2,
  TCP_HEADER_BYTES = 18,
  CHUNK_RAW = 1,
  CHUNK_TCP = 2,
};

_Static_assert(ULLNIC_SEND_FRAMES == UL_SEND_SLOTS - 1, "one slot stays free");
_Static_assert(CHUNK_HEADER_BYTES + PAD_BYTES + ULLNIC_MAX_FRAME <= UL_SEND_SLOT_BYTES,
               "the longest frame fits a slot");
_Static_assert(CHUNK_HEADER_BYTES + PAD_BYTES + TCP_HEADER_BYTES + UL_MAX_PAYLOAD <=
                   UL_SEND_SLOT_BYTES,
               "so does the longest payload");

static uint32_t next(uint32_t index) { return index + 1 == UL_SEND_SLOTS ? 0 : index + 1; }

void ul_send_init(struct ullnic_port* port, uint8_t* slots, void* ring) {
  port->send = (struct ul_sender){.slots = slots, .ring = ring};
  for (unsigned i = 0; i < UL_SEND_SLOTS; ++i) {
    port->send.ring[i].address = port->memory.iova + (uint64_t)(slots - port->memory.base) +
                                 i * (uint64_t)UL_SEND_SLOT_BYTES;
    port->send.ring[i].flags = QDMA_H2C_FIRST | QDMA_H2C_LAST;
  }
}

/** The status slot follows the last descriptor. Returns true if the queue has stopped. */
static bool look_at_status(struct ul_sender* send) {
  const uint32_t* slot = (const uint32_t*)&send->ring[UL_SEND_SLOTS];
  const uint32_t status = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  send->cidx = QDMA_STATUS_CIDX(status) % UL_SEND_SLOTS;
  return QDMA_STATUS_ERROR(status) != 0;
}

static int ring_doorbell(struct ullnic_port* port) {
  struct ul_sender* send = &port->send;
  if (send->doorbell_pidx == send->pidx) {
    return 0;
  }
  const int result = ul_qdma_ring(&port->card->qdma, port->number, QDMA_DOORBELL_H2C, send->pidx);
  if (result == 0) {
    send->doorbell_pidx = send->pidx;
  }
  return result;
}

/** Called when the last check found no free slot. */
static int wait_for_slot(struct ullnic_port* port) {
  struct ul_sender* send = &port->send;
  if (look_at_status(send)) {
    return ul_fail(EIO,
                   "%s: the card has stopped the send ring of port %u; close the port and open "
                   "it anew",
                   port->card->name, port->number);
  }
  if (next(send->pidx) != send->cidx) {
    return 0;
  }
  int result = ring_doorbell(port);
  if (result == 0) {
    result = port->card->transport->ops->alive(port->card->transport);
  }
  return result != 0 ? result
                     : ul_fail_text(EAGAIN, "the port's send ring is full; try again later");
}

/** Reserves the next slot, if there is one. */
static int take_slot(struct ullnic_port* port, uint8_t** slot) {
  struct ul_sender* send = &port->send;
  if (next(send->pidx) == send->cidx) {
    const int result = wait_for_slot(port);
    if (result != 0) {
      return result;
    }
  }
  *slot = send->slots + (size_t)send->pidx * UL_SEND_SLOT_BYTES;
  return 0;
}

/** Sends the slot's contents; `bytes` are those after the chunk's header. */
static int send_slot(struct ullnic_port* port, uint8_t* slot, unsigned type, size_t bytes) {
  struct ul_sender* send = &port->send;
  const uint16_t length = (uint16_t)bytes;
  const uint16_t index = (uint16_t)send->pidx;
  memset(slot, 0, CHUNK_HEADER_BYTES + PAD_BYTES);
  memcpy(slot + 2, &index, sizeof index);
  memcpy(slot + 4, &length, sizeof length);
  slot[6] = (uint8_t)type;
  struct qdma_h2c_descriptor* descriptor = &send->ring[send->pidx];
  descriptor->bytes = descriptor->packet_bytes = (uint16_t)(CHUNK_HEADER_BYTES + bytes);
  send->pidx = next(send->pidx);
  return send->hold ? 0 : ring_doorbell(port);
}

static void copy(uint8_t* to, const struct ullnic_piece* pieces, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (pieces[i].len != 0) {
      memcpy(to, pieces[i].data, pieces[i].len);
      to += pieces[i].len;
    }
  }
}

/** Sends through the daemon that owns the card. */
static int send_lent(const struct ullnic_port* port, const struct ullnic_piece* pieces,
                     unsigned count, size_t len) {
  uint8_t frame[ULLNIC_MAX_FRAME];
  copy(frame, pieces, count);
  if (send(port->lent_fd, frame, len, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) {
    return 0;
  }
  if (errno == EAGAIN) {
    return ul_fail_text(EAGAIN, "the daemon has not yet sent what waits; try again later");
  }
  return ul_fail(ENODEV, "%s: the daemon that owns the card is gone (%s); start it anew",
                 port->card->name, strerror(errno));
}

int ullnic_send_raw(ullnic_port_t* port, const void* frame, size_t len) {
  const struct ullnic_piece whole = {.data = frame, .len = len};
  return ullnic_send_gather(port, &whole, 1);
}

/** Total length, or a value above any frame's: the plain sum of arbitrary lengths may wrap. */
static size_t length_of(const struct ullnic_piece* pieces, unsigned count) {
  size_t len = 0;
  for (unsigned i = 0; i < count && len <= ULLNIC_MAX_FRAME; ++i) {
    len = pieces[i].len <= ULLNIC_MAX_FRAME ? len + pieces[i].len : pieces[i].len;
  }
  return len;
}

int ullnic_send_gather(ullnic_port_t* port, const struct ullnic_piece* pieces, unsigned count) {
  const size_t len = length_of(pieces, count);
  if (len < MIN_FRAME || len > ULLNIC_MAX_FRAME) {
    return ul_fail(EINVAL, "a frame has %d to %d bytes without FCS, not %zu", MIN_FRAME,
                   ULLNIC_MAX_FRAME, len);
  }
  const uint32_t max_frame = port->card->max_frame[port->number];
  if (len > max_frame) {
    return ul_fail(EMSGSIZE,
                   "frame of %zu bytes; port %u sends at most %u, because its engine keeps a frame "
                   "whole; take a port without an engine",
                   len, port->number, max_frame);
  }
  if (port->lent_fd >= 0) {
    return send_lent(port, pieces, count, len);
  }
  uint8_t* slot;
  const int result = take_slot(port, &slot);
  if (result != 0) {
    return result;
  }
  copy(slot + CHUNK_HEADER_BYTES + PAD_BYTES, pieces, count);
  return send_slot(port, slot, CHUNK_RAW, PAD_BYTES + len);
}

int ullnic_send_payload(ullnic_port_t* port, uint16_t conn, const void* payload, size_t len) {
  const struct ul_ate* ate = &port->card->ate[port->number];
  if (port->lent_fd >= 0) {
    return ul_fail(EOPNOTSUPP, "%s: the daemon owns its engines; use SO_EXA_ATE", port->card->name);
  }
  if (ate->connections == 0) {
    return ul_fail(EOPNOTSUPP, "port %u has no TCP transmit engine; take another", port->number);
  }
  if (conn >= ate->connections) {
    return ul_fail(EINVAL, "connection %u: the engine of port %u has 0 to %u", conn, port->number,
                   ate->connections - 1);
  }
  if (len > ate->max_payload) {
    return ul_fail(EMSGSIZE, "payload of %zu bytes; the engine of port %u sends at most %u at once",
                   len, port->number, ate->max_payload);
  }
  uint8_t* slot;
  const int result = take_slot(port, &slot);
  if (result != 0) {
    return result;
  }
  uint8_t* metadata = slot + CHUNK_HEADER_BYTES + PAD_BYTES;
  memset(metadata, 0, TCP_HEADER_BYTES);
  const uint16_t sum = ul_payload_sum(payload, len);
  metadata[0] = (uint8_t)(sum >> 8);
  metadata[1] = (uint8_t)sum;
  metadata[2] = (uint8_t)conn;
  metadata[3] = (uint8_t)(conn >> 8);
  if (len != 0) {
    memcpy(metadata + TCP_HEADER_BYTES, payload, len);
  }
  return send_slot(port, slot, CHUNK_TCP, PAD_BYTES + TCP_HEADER_BYTES + len);
}

void ullnic_send_hold(ullnic_port_t* port) { port->send.hold = true; }

int ullnic_send_release(ullnic_port_t* port) {
  port->send.hold = false;
  return port->lent_fd >= 0 ? 0 : ring_doorbell(port);
}

unsigned ullnic_send_pending(ullnic_port_t* port) {
  if (port->lent_fd >= 0) {
    return 0;
  }
  (void)look_at_status(&port->send);
  return (port->send.pidx + UL_SEND_SLOTS - port->send.cidx) % UL_SEND_SLOTS;
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Card to host: packets are written to consecutive buffers of 2 KiB, with one completion each.
 * Buffers that were read are returned to the card in groups, so that a frame costs no register
 * access.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "internal.h"

enum { PACKET_HEADER_BYTES = 16, CHECK_ALIVE_EVERY = 256 };

_Static_assert(ULLNIC_RECEIVE_BUFFERS == UL_BUFFERS - 1, "one buffer stays with the program");
_Static_assert(UL_BUFFER_BYTES + UL_MIRROR_BYTES >= PACKET_HEADER_BYTES + ULLNIC_MAX_FRAME,
               "the longest packet lies in one piece");

int ul_receive_init(struct ullnic_port* port, void* descriptors, void* completions,
                    const uint8_t* buffers, uint64_t buffers_iova) {
  port->receive = (struct ul_receiver){
      .buffers = buffers, .descriptors = descriptors, .completions = completions, .colour = 1};
  for (unsigned i = 0; i < UL_BUFFERS; ++i) {
    port->receive.descriptors[i] = buffers_iova + (uint64_t)i * UL_BUFFER_BYTES;
  }
  return ul_qdma_ring(&port->card->qdma, port->number, QDMA_DOORBELL_C2H, UL_BUFFERS - 1);
}

static bool entry_waits(const struct ul_receiver* receive, uint64_t* entry) {
  *entry = __atomic_load_n(&receive->completions[receive->cidx], __ATOMIC_ACQUIRE);
  return QDMA_ENTRY_COLOUR(*entry) == receive->colour;
}

/**
 * Returns completions and buffers to the card. Completions first: when the card has the buffers,
 * there must be room for their completions.
 */
static int give_back(struct ullnic_port* port, uint32_t interrupt) {
  struct ul_receiver* receive = &port->receive;
  struct ul_qdma* qdma = &port->card->qdma;
  int result = ul_qdma_ring(qdma, port->number, QDMA_DOORBELL_COMPLETION,
                            receive->cidx | QDMA_CIDX_TRIGGER_EVERY | interrupt);
  if (result == 0 && receive->free != 0) {
    receive->free = 0;
    const uint32_t pidx = (receive->buffer + UL_BUFFERS - 1) % UL_BUFFERS;
    result = ul_qdma_ring(qdma, port->number, QDMA_DOORBELL_C2H, pidx);
  }
  return result;
}

static int fail_broken(struct ullnic_port* port, const char* what) {
  port->receive.broken = true;
  return ul_fail(EPROTO, "%s: port %u: %s; close the port and open it anew",
                 port->card->transport->name, port->number, what);
}

/** The last frame's data is no longer valid for the caller. */
static void take_back(struct ul_receiver* receive) {
  receive->free += receive->lent;
  receive->buffer = (receive->buffer + receive->lent) % UL_BUFFERS;
  receive->lent = 0;
}

static int take_packet(struct ullnic_port* port, uint64_t entry, struct ullnic_frame* frame) {
  struct ul_receiver* receive = &port->receive;
  const uint32_t bytes = QDMA_ENTRY_BYTES(entry);
  if (QDMA_ENTRY_ERROR(entry) || !QDMA_ENTRY_USED_BUFFERS(entry)) {
    return fail_broken(port, "a completion tells of an error");
  }
  if (bytes <= PACKET_HEADER_BYTES || bytes > PACKET_HEADER_BYTES + ULLNIC_MAX_FRAME) {
    return fail_broken(port, "a packet of an impossible size");
  }
  const uint8_t* packet = receive->buffers + (size_t)receive->buffer * UL_BUFFER_BYTES;
  memcpy(&frame->len, packet, sizeof frame->len);
  frame->type = packet[2];
  frame->port = packet[3];
  memcpy(&frame->seq, packet + 4, sizeof frame->seq);
  memcpy(&frame->timestamp, packet + 8, sizeof frame->timestamp);
  frame->data = packet + PACKET_HEADER_BYTES;
  if (frame->len != bytes - PACKET_HEADER_BYTES || frame->port != port->number ||
      frame->type > ULLNIC_FRAME_SENT_BAD) {
    return fail_broken(port, "a packet's header does not fit it");
  }
  receive->lent = (bytes + UL_BUFFER_BYTES - 1) / UL_BUFFER_BYTES;
  if (++receive->cidx == UL_BUFFERS) {
    receive->cidx = 0;
    receive->colour ^= 1;
  }
  return 1;
}

/** Frames received on such a port belong to the daemon. */
static int refuse_lent(const struct ullnic_port* port) {
  return ul_fail(EOPNOTSUPP,
                 "%s: what port %u receives is the daemon's; use a socket, or the card itself "
                 "without the daemon",
                 port->card->name, port->number);
}

int ullnic_receive(ullnic_port_t* port, struct ullnic_frame* frame) {
  struct ul_receiver* receive = &port->receive;
  if (port->lent_fd >= 0) {
    return refuse_lent(port);
  }
  take_back(receive);
  if (receive->broken) {
    return fail_broken(port, "the card broke the format before");
  }
  uint64_t entry;
  if (entry_waits(receive, &entry)) {
    receive->idle = 0;
    // -ENODEV is reported only after all frames that had arrived were read.
    if (receive->free >= UL_GIVE_BACK) {
      (void)give_back(port, 0);
    }
    return take_packet(port, entry, frame);
  }
  if (++receive->idle % CHECK_ALIVE_EVERY != 0) {
    return 0;
  }
  return port->card->transport->ops->alive(port->card->transport);
}

int ullnic_port_fd(ullnic_port_t* port) { return port->fd; }

int ullnic_port_arm(ullnic_port_t* port) {
  struct ul_receiver* receive = &port->receive;
  if (port->lent_fd >= 0) {
    return refuse_lent(port);
  }
  take_back(receive);
  uint64_t entry;
  if (entry_waits(receive, &entry)) {  // or a malformed one, which ullnic_receive() reports
    return 1;
  }
  uint64_t interrupts;
  if (read(port->card->interrupt[port->number], &interrupts, sizeof interrupts) < 0 &&
      errno != EAGAIN) {
    return ul_fail(errno, "%s: cannot read an interrupt: %s", port->card->transport->name,
                   strerror(errno));
  }
  int result = give_back(port, QDMA_CIDX_INTERRUPT);
  if (result == 0) {
    result = port->card->transport->ops->alive(port->card->transport);
  }
  return result != 0 ? result : entry_waits(receive, &entry);
}

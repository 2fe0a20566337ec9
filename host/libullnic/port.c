/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A port's memory, queues and descriptor for waiting.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "call.h"
#include "error.h"
#include "internal.h"

#define PAGE 4096u
#define PAGES(bytes) (((bytes) + PAGE - 1) / PAGE * PAGE)

/** Where things are in a port's memory, in bytes; the receive buffers come last. */
enum {
  SLOTS = 0,
  SEND_RING = SLOTS + PAGES(UL_SEND_SLOTS * UL_SEND_SLOT_BYTES),
  DESCRIPTORS = SEND_RING + PAGES((UL_SEND_SLOTS + 1) * sizeof(struct qdma_h2c_descriptor)),
  COMPLETIONS = DESCRIPTORS + PAGES((UL_BUFFERS + 1) * sizeof(uint64_t)),
  BUFFERS = COMPLETIONS + PAGES((UL_BUFFERS + 1) * sizeof(uint64_t)),
};

/** Bus addresses: far above the window of interrupts, below 39 bits. */
#define PORT_IOVA(port) (((uint64_t)(port) + 16) << 28)

static int make_fd(struct ullnic_port* port) {
  struct ul_transport* transport = port->card->transport;
  struct epoll_event interrupt = {.events = EPOLLIN};
  uint32_t end_events;
  const int end_fd = transport->ops->watch(transport, &end_events);
  struct epoll_event end = {.events = end_events};
  port->fd = epoll_create1(EPOLL_CLOEXEC);
  if (port->fd < 0 ||
      epoll_ctl(port->fd, EPOLL_CTL_ADD, port->card->interrupt[port->number], &interrupt) != 0 ||
      epoll_ctl(port->fd, EPOLL_CTL_ADD, end_fd, &end) != 0) {
    return ul_fail(errno, "no descriptor to wait on port %u: %s", port->number, strerror(errno));
  }
  return 0;
}

static int start_queue(struct ullnic_port* port) {
  struct ullnic_card* card = port->card;
  struct ul_dma_memory* memory = &port->memory;
  const uint64_t iova = memory->iova;
  const struct ul_qdma_queue queue = {.qid = port->number,
                                      .vector = port->number,
                                      .h2c_ring = iova + SEND_RING,
                                      .c2h_ring = iova + DESCRIPTORS,
                                      .completion_ring = iova + COMPLETIONS};
  ul_send_init(port, memory->base + SLOTS, memory->base + SEND_RING);
  const int result = ul_qdma_queue_start(&card->qdma, &queue);
  return result != 0 ? result
                     : ul_receive_init(port, memory->base + DESCRIPTORS, memory->base + COMPLETIONS,
                                       memory->base + BUFFERS, iova + BUFFERS);
}

static void free_port(struct ullnic_port* port) {
  if (port->fd >= 0) {
    close(port->fd);
  }
  ul_dma_memory_free(&port->memory, port->card->transport);
  free(port);
}

static int open_locked(ullnic_t* card, unsigned number, ullnic_port_t** opened) {
  if (card->port[number] != NULL) {
    return ul_fail(EBUSY, "%s: port %u is open already; close it first", card->name, number);
  }
  struct ullnic_port* port = calloc(1, sizeof *port);
  if (port == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  port->card = card;
  port->number = number;
  port->fd = -1;
  port->lent_fd = -1;
  port->memory.fd = -1;
  if (card->transport->owned_elsewhere) {
    const int lent = card->transport->ops->lend(card->transport, number, &port->lent_fd);
    if (lent != 0) {
      free(port);
      return lent;
    }
    card->port[number] = port;
    *opened = port;
    return 0;
  }
  int result = make_fd(port);
  if (result == 0) {
    result = ul_dma_memory_make(&port->memory, card->transport, BUFFERS,
                                UL_BUFFERS * UL_BUFFER_BYTES, UL_MIRROR_BYTES, PORT_IOVA(number));
  }
  if (result == 0) {
    result = start_queue(port);
  }
  if (result != 0) {
    (void)ul_qdma_queue_stop(&card->qdma, number);
    free_port(port);
    return result;
  }
  card->port[number] = port;
  *opened = port;
  return 0;
}

int ullnic_port_open(ullnic_t* card, unsigned number, ullnic_port_t** opened) {
  UL_ONE_DEADLINE();
  if (number >= card->ports) {
    return ul_fail(EINVAL, "%s: no port %u; it has 0 to %u", card->name, number, card->ports - 1);
  }
  pthread_mutex_lock(&card->lock);
  const int result = open_locked(card, number, opened);
  pthread_mutex_unlock(&card->lock);
  return result;
}

void ullnic_port_close(ullnic_port_t* port) {
  UL_ONE_DEADLINE();
  if (port == NULL) {
    return;
  }
  struct ullnic_card* card = port->card;
  pthread_mutex_lock(&card->lock);
  card->port[port->number] = NULL;
  if (port->lent_fd >= 0) {
    close(port->lent_fd);
    free(port);
  } else {
    (void)ul_qdma_queue_stop(&card->qdma, port->number);
    free_port(port);
  }
  pthread_mutex_unlock(&card->lock);
}

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Definitions of the opaque types of ullnic.h.
 */
#ifndef ULLNIC_LIB_INTERNAL_H
#define ULLNIC_LIB_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "dma_memory.h"
#include "qdma.h"
#include "transport.h"
#include "ullnic/ullnic.h"

/*
 * Sizes of a port's rings. One entry of a ring is the status slot, and another must stay free, so a
 * ring of N + 1 holds N - 1. There are never more completions than buffers in flight, as each
 * completion uses at least one buffer.
 */
enum {
  UL_SEND_SLOTS = 256,
  UL_SEND_SLOT_BYTES = 9728, /**< longest chunk: 8 + 2 + 9618 */
  UL_BUFFERS = 2048,
  UL_BUFFER_BYTES = 2048,
  UL_MIRROR_BYTES = 8192, /**< the longest packet, 16 + 9618, may begin in the ring's last buffer */
  UL_GIVE_BACK = UL_BUFFERS / 8,
  UL_MAX_PAYLOAD = ULLNIC_MAX_FRAME - 54, /**< after the headers of Ethernet, IPv4 and TCP */
};

/** State of a port's engine in ate.c. */
struct ul_ate {
  unsigned connections; /**< 0: the port has none */
  unsigned max_payload;
  uint8_t* control; /**< of each connection: copy of its control register, and UL_ATE_LOADED */
};

struct ullnic_card {
  char* name;
  struct ul_transport* transport;
  struct ul_qdma qdma;
  pthread_mutex_t lock; /**< context registers, ports opened and closed */
  unsigned ports;
  uint32_t tcp_enables;
  uint32_t kind;
  int interrupt[ULLNIC_MAX_PORTS];      /**< eventfds */
  uint32_t max_frame[ULLNIC_MAX_PORTS]; /**< bytes that the port accepts from the host */
  struct ul_ate ate[ULLNIC_MAX_PORTS];
  struct ullnic_port* port[ULLNIC_MAX_PORTS];
};

struct ul_sender {
  uint8_t* slots;
  struct qdma_h2c_descriptor* ring;
  uint32_t pidx;
  uint32_t cidx;          /**< last value read */
  uint32_t doorbell_pidx; /**< last written to the doorbell */
  bool hold;
};

struct ul_receiver {
  const uint8_t* buffers;
  uint64_t* descriptors;
  uint64_t* completions;
  uint32_t buffer; /**< where the next packet begins */
  uint32_t cidx;   /**< next completion */
  uint32_t colour; /**< that it is expected to have */
  uint32_t lent;   /**< buffers of the frame that the caller holds */
  uint32_t free;   /**< buffers read but not yet returned to the card */
  uint32_t idle;   /**< calls in a row that found nothing */
  bool broken;
};

struct ullnic_port {
  struct ullnic_card* card;
  unsigned number;
  struct ul_dma_memory memory;
  struct ul_sender send;
  struct ul_receiver receive;
  int fd;      /**< epoll: the interrupt, and the card's end */
  int lent_fd; /**< of a card that a daemon owns: for frames to send only; else -1 */
};

/** Reads the engines' parameters and disables all their connections. ate.c */
int ul_ate_start(struct ullnic_card* card);
void ul_ate_end(struct ullnic_card* card);
/** Puts the rings into the port's memory. send.c, receive.c */
void ul_send_init(struct ullnic_port* port, uint8_t* slots, void* ring);
int ul_receive_init(struct ullnic_port* port, void* descriptors, void* completions,
                    const uint8_t* buffers, uint64_t buffers_iova);

#endif /* ULLNIC_LIB_INTERNAL_H */

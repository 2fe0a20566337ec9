/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file fifo_if.h
 * Format of receive chunks, and of the header of a preloaded transmit frame.
 */
#ifndef EXANIC_FIFO_IF_H
#define EXANIC_FIFO_IF_H

#include <stdint.h>

#include "exanic/pcie_if.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Status of a chunk. */
struct rx_chunk_info {
  uint32_t timestamp;     /**< time of the frame's first bit, lower 32 bits */
  uint8_t frame_status;   /**< of the last chunk: rx_frame_status, and the filter's kind above it */
  uint8_t length;         /**< bytes of the last chunk; 0: the chunk is full and more follow */
  uint8_t matched_filter; /**< in a buffer from 1 on: number of the filter that matched */
  uint8_t generation;     /**< how often the ring has wrapped */
};

struct rx_chunk {
  char payload[EXANIC_RX_CHUNK_PAYLOAD_SIZE];
  union {
    struct rx_chunk_info info;
    uint64_t data;
  } u;
};

/** Errors of a frame; exanic_receive_frame() returns them negated. */
enum rx_frame_status {
  EXANIC_RX_FRAME_OK = 0,
  EXANIC_RX_FRAME_ABORTED = 1, /**< the card is gone or stopped in mid-frame; see the last error */
  EXANIC_RX_FRAME_CORRUPT = 2, /**< never occurs: the card drops and counts bad frames */
  EXANIC_RX_FRAME_HWOVFL = 3,  /**< never occurs: only software can overflow */
  EXANIC_RX_FRAME_ERROR_MASK = 0x0f,
  EXANIC_RX_FRAME_FILTER_REGION = 0xf0,
};

/** Head of a frame in exanic_tx_t::buffer, for REG_PORT_TX_COMMAND. */
struct tx_chunk {
  uint16_t feedback_id;
  uint16_t feedback_slot_index; /**< 0x8000: no feedback. Others are rejected: unsupported */
  uint16_t length;              /**< bytes of the payload with its padding */
  uint8_t type;                 /**< exanic_tx_type_id_t */
  uint8_t flags;                /**< 0 */
  char payload[];               /**< after exanic_payload_padding_bytes(): frame, or metadata */
};

/** Precedes payload of type EXANIC_TX_TYPE_TCP_ACCEL. */
struct tx_payload_metadata {
  uint16_t csum; /**< not read: the library computes the checksum */
  uint16_t connection_id;
  uint8_t _reserved[14];
  char payload[];
};

/** Padding bytes before a chunk's contents. */
static inline unsigned exanic_payload_padding_bytes(exanic_tx_type_id_t type) {
  return type == EXANIC_TX_TYPE_RAW || type == EXANIC_TX_TYPE_TCP_ACCEL ? 2 : 0;
}

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FIFO_IF_H */

/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file fifo_tx.h Frames that a port sends. */
#ifndef EXANIC_FIFO_TX_H
#define EXANIC_FIFO_TX_H

#include <stdbool.h>

#include "exanic/exanic.h"
#include "exanic/fifo_if.h"
#include "exanic/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Flag of exanic_transmit_frame_ex(): runs the send path and sends nothing. */
#define EXA_FRAME_WARM (1 << 0)

#define EXANIC_NO_FEEDBACK                                                                     \
  "ullnic: the card gives no feedback for a frame; exanic_transmit_frame() waits for room in " \
  "the ring by itself, and exanic_get_tx_timestamp() tells what has left"

/**
 * A sender on a port. Read-only, except for the memory that buffer points to.
 *
 * A program may write frames to the buffer ahead of time, each with a struct tx_chunk before it,
 * and send one later: exanic_register_write(exanic, REG_PORT_INDEX(port_number,
 * REG_PORT_TX_COMMAND), buffer_offset + the chunk's offset in the buffer). The library reads the
 * frame during that call; the buffer may be reused afterwards. It is host memory, not the card's.
 */
typedef struct exanic_tx {
  struct exanic_tx_own* own; /**< the library's */
  exanic_t* exanic;
  int port_number;
  char* buffer;
  uint32_t buffer_offset; /**< of buffer, in the port's region */
  uint32_t buffer_size;
  EXANIC_ABSENT_MEMBER(feedback_slot, EXANIC_NO_FEEDBACK);
  EXANIC_ABSENT_MEMBER(feedback, EXANIC_NO_FEEDBACK);
  EXANIC_ABSENT_MEMBER(feedback_seq, EXANIC_NO_FEEDBACK);
  EXANIC_ABSENT_MEMBER(feedback_offsets, EXANIC_NO_FEEDBACK);
  EXANIC_ABSENT_MEMBER(need_feedback, EXANIC_NO_FEEDBACK);
  EXANIC_ABSENT_MEMBER(next_seq, EXANIC_NO_FEEDBACK);
  EXANIC_ABSENT_MEMBER(queue_len, EXANIC_NO_FEEDBACK);
} exanic_tx_t;

/**
 * Opens a port for sending.
 *
 * @param requested_size bytes of exanic_tx_t::buffer, a multiple of PAGE_SIZE out of the port's 256
 *   KiB; 0: one page. The functions below do not use it: the card's ring always holds 255 frames of
 *   any length
 * @return NULL with the reason in exanic_get_last_error()
 */
exanic_tx_t* exanic_acquire_tx_buffer(exanic_t* exanic, int port_number, size_t requested_size);
/** Releases the buffer. NULL is ignored. */
void exanic_release_tx_buffer(exanic_tx_t* tx);

/** Longest frame in bytes, without FCS. A port with a transmit engine has a lower limit. */
size_t exanic_get_tx_mtu(exanic_tx_t* tx);

/**
 * Sends a frame; waits for room in the ring.
 *
 * @param frame from the destination address on, without FCS; the card pads it to 60 bytes
 * @return 0; -1 with the reason in exanic_get_last_error()
 */
int exanic_transmit_frame(exanic_tx_t* tx, const char* frame, size_t frame_size);
/** The same with flags: EXA_FRAME_WARM. */
int exanic_transmit_frame_ex(exanic_tx_t* tx, const char* frame, size_t frame_size, uint32_t flags);

/** The same in two steps. Returns where to write a frame of up to frame_size bytes; NULL: too
 * many. */
char* exanic_begin_transmit_frame(exanic_tx_t* tx, size_t frame_size);
/** Sends the frame; frame_size 0: as many bytes as were requested. */
int exanic_end_transmit_frame(exanic_tx_t* tx, size_t frame_size);
/** Cancels the frame. */
int exanic_abort_transmit_frame(exanic_tx_t* tx);

/**
 * Hands payload to the port's TCP transmit engine, as ullnic_send_payload() does. The program must
 * have set up the connection, with the registers REG_ATE_OFFSET(). On a card that ullnicd holds
 * ("ullnic0") the call fails: write to the connection's socket instead.
 *
 * @param type EXANIC_TX_TYPE_TCP_ACCEL
 * @return 0; -1 with the reason in exanic_get_last_error()
 */
int exanic_transmit_payload(exanic_tx_t* tx, uint16_t connection_id, exanic_tx_type_id_t type,
                            const char* payload, size_t payload_size);
/** The same in two steps. @param[out] csum may be written; the library computes the checksum. */
char* exanic_begin_transmit_payload(exanic_tx_t* tx, uint16_t connection_id,
                                    exanic_tx_type_id_t type, size_t payload_size, uint16_t** csum);
/** Sends the payload; payload_size 0: as many bytes as were requested. */
int exanic_end_transmit_payload(exanic_tx_t* tx, exanic_tx_type_id_t type, size_t payload_size);

/**
 * Time of the first bit of the last frame sent; 0 before the first. A tester publishes it 2 us of
 * virtual time after the frame's end: an immediate reply has arrived by then. Other cards have no
 * such time: always 0, with one line on standard error.
 */
exanic_cycles32_t exanic_get_tx_timestamp(exanic_tx_t* tx);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FIFO_TX_H */

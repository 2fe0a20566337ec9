/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file fifo_rx.h Frames that a port receives. */
#ifndef EXANIC_FIFO_RX_H
#define EXANIC_FIFO_RX_H

#include <sys/types.h>
#include <unistd.h>

#include "exanic/exanic.h"
#include "exanic/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What can be wrong with a frame; negated, a result of exanic_receive_frame(). */
enum rx_frame_status {
  EXANIC_RX_FRAME_OK = 0,
  EXANIC_RX_FRAME_ABORTED = 1, /**< the card went away, or broke off; see the last error */
  EXANIC_RX_FRAME_CORRUPT = 2, /**< never comes: the card drops and counts wrong frames */
  EXANIC_RX_FRAME_HWOVFL = 3,  /**< never comes: room is lacked by software only */
  EXANIC_RX_FRAME_ERROR_MASK = 0x0f,
};
enum rx_frame_status_sw_err {
  EXANIC_RX_FRAME_SWOVFL = 256, /**< frames were lost, as the program did not take them in time */
  EXANIC_RX_FRAME_TRUNCATED = 257, /**< the frame did not fit the buffer and is gone */
};

typedef struct exanic_rx exanic_rx_t;

/**
 * Begins to receive on a port: what arrives from now on.
 *
 * @param buffer_number 0; there are no flow steering buffers
 * @return NULL with the reason in exanic_get_last_error()
 */
exanic_rx_t* exanic_acquire_rx_buffer(exanic_t* exanic, int port_number, int buffer_number);
/** Ends it. NULL is fine. */
void exanic_release_rx_buffer(exanic_rx_t* rx);

/**
 * The oldest frame that waits, from the destination address to the FCS. Never sleeps. One thread at
 * a time; another may send on the same port.
 *
 * @param[out] timestamp if not NULL: when the frame's first bit passed
 * @return bytes with FCS; 0: no frame; negative: see rx_frame_status
 */
ssize_t exanic_receive_frame(exanic_rx_t* rx, char* rx_buf, size_t rx_buf_size,
                             exanic_cycles32_t* timestamp);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FIFO_RX_H */

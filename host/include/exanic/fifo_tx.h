/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file fifo_tx.h Frames that a port sends. */
#ifndef EXANIC_FIFO_TX_H
#define EXANIC_FIFO_TX_H

#include "exanic/exanic.h"
#include "exanic/time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct exanic_tx exanic_tx_t;

/**
 * Opens a port for sending.
 *
 * @param requested_size of the ring, in bytes; it has always room for 255 frames of any length
 * @return NULL with the reason in exanic_get_last_error()
 */
exanic_tx_t* exanic_acquire_tx_buffer(exanic_t* exanic, int port_number, size_t requested_size);
/** Ends it. NULL is fine. */
void exanic_release_tx_buffer(exanic_tx_t* tx);

/** Longest frame, without FCS. */
size_t exanic_get_tx_mtu(exanic_tx_t* tx);

/**
 * Hands a frame to the card; waits for room in the ring.
 *
 * @param frame from the destination address on, without FCS; the card pads it to 60 bytes
 * @return 0; -1 with the reason in exanic_get_last_error()
 */
int exanic_transmit_frame(exanic_tx_t* tx, const char* frame, size_t frame_size);

/** The same in two steps: where to write a frame of up to so many bytes (NULL: too many), */
char* exanic_begin_transmit_frame(exanic_tx_t* tx, size_t frame_size);
/** and that it is there. */
int exanic_end_transmit_frame(exanic_tx_t* tx, size_t frame_size);
/** Or that nothing is to be sent. */
int exanic_abort_transmit_frame(exanic_tx_t* tx);

/**
 * When the first bit of the last frame that left passed; 0 before the first. A tester publishes it
 * 2 us of virtual time after the frame's end: what came back of the frame at once has arrived by
 * then. A card other than a tester has no such time: 0 for ever, and one line on standard error.
 */
exanic_cycles32_t exanic_get_tx_timestamp(exanic_tx_t* tx);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FIFO_TX_H */

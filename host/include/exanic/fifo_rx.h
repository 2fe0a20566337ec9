/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file fifo_rx.h
 * Frames that a port receives, whole or in chunks of EXANIC_RX_CHUNK_PAYLOAD_SIZE bytes.
 *
 * A port has buffers 0 to 32. A frame goes to the buffer of the filter that it matches (filter.h),
 * with flow hashing to one of the first buffers, else to buffer 0. The library, not the card, does
 * filtering and hashing; both apply to this process only.
 *
 * A program compiled with -DEXANIC_RX_RING may read a buffer's ring directly. A thread of the
 * library then writes the ring; it sleeps while no frames arrive.
 */
#ifndef EXANIC_FIFO_RX_H
#define EXANIC_FIFO_RX_H

#include <sys/types.h>
#include <unistd.h>

#include "exanic/exanic.h"
#include "exanic/fifo_if.h"
#include "exanic/time.h"

#ifdef EXANIC_RX_RING
#define exanic_acquire_rx_buffer exanic_acquire_rx_ring
#define exanic_acquire_unused_filter_buffer exanic_acquire_unused_filter_ring
#endif
#define EXANIC_NO_RING                                                                             \
  "ullnic: a card writes no chunks to memory; call exanic_receive_chunk_inplace_ex(), or compile " \
  "with -DEXANIC_RX_RING to have a thread that does"

#ifdef __cplusplus
extern "C" {
#endif

enum rx_frame_status_sw_err {
  EXANIC_RX_FRAME_SWOVFL = 256,    /**< frames were lost: the program was too slow */
  EXANIC_RX_FRAME_TRUNCATED = 257, /**< the frame did not fit the buffer and was discarded */
};

/** A listener to a buffer, with its own read position. Read-only. */
typedef struct exanic_rx {
  struct exanic_rx_own* own; /**< the library's */
  exanic_t* exanic;
  int port_number;
  int buffer_number;
#ifdef EXANIC_RX_RING
  volatile struct rx_chunk* buffer; /**< EXANIC_RX_NUM_CHUNKS of them */
  uint32_t next_chunk;              /**< next chunk to read, and */
  uint8_t generation;               /**< the generation that it will have */
#else
  EXANIC_ABSENT_MEMBER(buffer, EXANIC_NO_RING);
  EXANIC_ABSENT_MEMBER(next_chunk, EXANIC_NO_RING);
  EXANIC_ABSENT_MEMBER(generation, EXANIC_NO_RING);
#endif
  EXANIC_ABSENT_MEMBER(sentinel_chunk, "ullnic: use exanic_receive_chunk_recheck()");
  EXANIC_ABSENT_MEMBER(sentinel_chunk_generation, "ullnic: use exanic_receive_chunk_recheck()");
} exanic_rx_t;

/**
 * Starts to listen to a buffer, from the next frame on. Each listener receives every frame.
 *
 * @param buffer_number 0: frames that neither a filter nor hashing directs elsewhere; 1 to 32
 * @return NULL with the reason in exanic_get_last_error()
 */
exanic_rx_t* exanic_acquire_rx_buffer(exanic_t* exanic, int port_number, int buffer_number);
/** The same for an unused buffer from 1 on; its number is in the result. */
exanic_rx_t* exanic_acquire_unused_filter_buffer(exanic_t* exanic, int port_number);
/** Stops listening; the last listener of a buffer from 1 on removes its filters. NULL is
 * ignored. */
void exanic_release_rx_buffer(exanic_rx_t* rx);

/**
 * Distributes TCP and UDP frames over IPv4 (with EXANIC_RX_HASH_FUNCTION_IP: all IPv4 frames) to
 * the buffers from 1 on; a flow stays in one buffer. Filters take precedence. A frame for a buffer
 * that has not been acquired is dropped.
 *
 * @param max_buffers a power of 2, 1 to 32
 * @param hash_function enum rx_hash_function
 * @return number of buffers used: the greatest power of 2 up to max_buffers that is free from 1 on;
 *   -1 with the reason in exanic_get_last_error()
 */
int exanic_enable_flow_hashing(exanic_t* exanic, int port_number, int max_buffers,
                               int hash_function);
/** Disables flow hashing. */
void exanic_disable_flow_hashing(exanic_t* exanic, int port_number);

/**
 * Copies the oldest unread frame, from the destination address to the FCS. Never sleeps. One thread
 * at a time per listener; others may send on the same port.
 *
 * @param[out] timestamp if not NULL: time of the frame's first bit
 * @return bytes with FCS; 0: no frame; negative: see rx_frame_status
 */
ssize_t exanic_receive_frame(exanic_rx_t* rx, char* rx_buf, size_t rx_buf_size,
                             exanic_cycles32_t* timestamp);

/**
 * Copies the next chunk.
 *
 * @param[out] rx_buf has EXANIC_RX_CHUNK_PAYLOAD_SIZE bytes
 * @param[out] more_chunks 1: the frame continues; 0: it was the frame's last chunk; unchanged if
 *   there is none
 * @return bytes; 0: none; negative: see rx_frame_status
 */
ssize_t exanic_receive_chunk(exanic_rx_t* rx, char* rx_buf, int* more_chunks);
/** The same, with the chunk's status. Chunks of bad frames are returned, too: see
 * info->frame_status. */
ssize_t exanic_receive_chunk_ex(exanic_rx_t* rx, char* rx_buf, int* more_chunks,
                                struct rx_chunk_info* info);

/**
 * Returns the next chunk in place. It is overwritten after EXANIC_RX_NUM_CHUNKS more chunks.
 *
 * @param[out] chunk_id if not NULL: for the three calls below
 */
ssize_t exanic_receive_chunk_inplace(exanic_rx_t* rx, char** rx_buf_ptr, uint32_t* chunk_id,
                                     int* more_chunks);
/** The same, with the chunk's status. */
ssize_t exanic_receive_chunk_inplace_ex(exanic_rx_t* rx, char** rx_buf_ptr, uint32_t* chunk_id,
                                        int* more_chunks, struct rx_chunk_info* info);
/** Returns 1 if everything read from the chunk so far is valid, 0 if it has been overwritten. */
int exanic_receive_chunk_recheck(exanic_rx_t* rx, uint32_t chunk_id);
/** Time of the first bit of the chunk's frame, if the chunk has not been overwritten. */
exanic_cycles32_t exanic_receive_chunk_timestamp(exanic_rx_t* rx, uint32_t chunk_id);
/** Skips the rest of a frame after a chunk with more_chunks 1. Returns 0 or an error as above. */
int exanic_receive_abort(exanic_rx_t* rx);

/** Resumes at the next complete frame after a chunk with an unexpected generation. */
void __exanic_rx_catchup(exanic_rx_t* rx)
#ifndef EXANIC_RX_RING
    EXANIC_ABSENT(EXANIC_NO_RING)
#endif
        ;

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FIFO_RX_H */

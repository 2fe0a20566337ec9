/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file fifo_rx.h
 * Frames that a port receives, whole or in chunks of EXANIC_RX_CHUNK_PAYLOAD_SIZE bytes.
 *
 * A port has the buffers 0 to 32. A frame goes to the buffer of the filter that it matches
 * (filter.h), with flow hashing to one of the first ones, else to buffer 0. Filters and hashing are
 * the library's work, not the card's, and hold in this process.
 *
 * Programs may look into a buffer's ring themselves if they are compiled with -DEXANIC_RX_RING. A
 * thread of the library then writes it, which sleeps while nothing comes.
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
  EXANIC_RX_FRAME_SWOVFL = 256, /**< frames were lost, as the program did not take them in time */
  EXANIC_RX_FRAME_TRUNCATED = 257, /**< the frame did not fit the buffer and is gone */
};

/** Who listens to a buffer, from its own place on. To be read only. */
typedef struct exanic_rx {
  struct exanic_rx_own* own; /**< the library's */
  exanic_t* exanic;
  int port_number;
  int buffer_number;
#ifdef EXANIC_RX_RING
  volatile struct rx_chunk* buffer; /**< EXANIC_RX_NUM_CHUNKS of them */
  uint32_t next_chunk;              /**< that is read next, and */
  uint8_t generation;               /**< what its generation will be */
#else
  EXANIC_ABSENT_MEMBER(buffer, EXANIC_NO_RING);
  EXANIC_ABSENT_MEMBER(next_chunk, EXANIC_NO_RING);
  EXANIC_ABSENT_MEMBER(generation, EXANIC_NO_RING);
#endif
  EXANIC_ABSENT_MEMBER(sentinel_chunk, "ullnic: use exanic_receive_chunk_recheck()");
  EXANIC_ABSENT_MEMBER(sentinel_chunk_generation, "ullnic: use exanic_receive_chunk_recheck()");
} exanic_rx_t;

/**
 * Begins to listen to a buffer: what arrives from now on. Each listener has every frame.
 *
 * @param buffer_number 0: what no filter and no hashing takes elsewhere; 1 to 32
 * @return NULL with the reason in exanic_get_last_error()
 */
exanic_rx_t* exanic_acquire_rx_buffer(exanic_t* exanic, int port_number, int buffer_number);
/** The same for a buffer from 1 on that nobody uses; its number is in the result. */
exanic_rx_t* exanic_acquire_unused_filter_buffer(exanic_t* exanic, int port_number);
/** Ends it; the last listener of a buffer from 1 on takes its filters away. NULL is fine. */
void exanic_release_rx_buffer(exanic_rx_t* rx);

/**
 * Spreads TCP and UDP frames over IPv4 (with EXANIC_RX_HASH_FUNCTION_IP: all IPv4 frames) over the
 * buffers from 1 on, those of one flow into one. Filters come first. A frame for a buffer that
 * nobody has acquired is dropped.
 *
 * @param max_buffers a power of 2, 1 to 32
 * @param hash_function enum rx_hash_function
 * @return buffers that are used: the greatest power of 2 up to max_buffers that is free from 1 on;
 *   -1 with the reason in exanic_get_last_error()
 */
int exanic_enable_flow_hashing(exanic_t* exanic, int port_number, int max_buffers,
                               int hash_function);
/** Ends it. */
void exanic_disable_flow_hashing(exanic_t* exanic, int port_number);

/**
 * The oldest frame that waits, from the destination address to the FCS. Never sleeps. One thread at
 * a time for a listener; others may send on the same port.
 *
 * @param[out] timestamp if not NULL: when the frame's first bit passed
 * @return bytes with FCS; 0: no frame; negative: see rx_frame_status
 */
ssize_t exanic_receive_frame(exanic_rx_t* rx, char* rx_buf, size_t rx_buf_size,
                             exanic_cycles32_t* timestamp);

/**
 * The next chunk, copied.
 *
 * @param[out] rx_buf has EXANIC_RX_CHUNK_PAYLOAD_SIZE bytes
 * @param[out] more_chunks 1: the frame goes on; 0: it was the frame's last; as it was, if none came
 * @return bytes; 0: none; negative: see rx_frame_status
 */
ssize_t exanic_receive_chunk(exanic_rx_t* rx, char* rx_buf, int* more_chunks);
/** The same, and what is known of it. A wrong frame's chunks come, too: see info->frame_status. */
ssize_t exanic_receive_chunk_ex(exanic_rx_t* rx, char* rx_buf, int* more_chunks,
                                struct rx_chunk_info* info);

/**
 * The next chunk, where it is. It stays until EXANIC_RX_NUM_CHUNKS more have come.
 *
 * @param[out] chunk_id if not NULL: for the three calls below
 */
ssize_t exanic_receive_chunk_inplace(exanic_rx_t* rx, char** rx_buf_ptr, uint32_t* chunk_id,
                                     int* more_chunks);
/** The same, and what is known of it. */
ssize_t exanic_receive_chunk_inplace_ex(exanic_rx_t* rx, char** rx_buf_ptr, uint32_t* chunk_id,
                                        int* more_chunks, struct rx_chunk_info* info);
/** 1: what was read up to now of the chunk was right; 0: it has been overwritten. */
int exanic_receive_chunk_recheck(exanic_rx_t* rx, uint32_t chunk_id);
/** When the first bit of the chunk's frame passed, if it has not been overwritten. */
exanic_cycles32_t exanic_receive_chunk_timestamp(exanic_rx_t* rx, uint32_t chunk_id);
/** Leaves out the rest of a frame of which a chunk with more_chunks 1 came. 0, or as above. */
int exanic_receive_abort(exanic_rx_t* rx);

/** Goes on where frames are whole again, when a chunk has a generation that it should not have. */
void __exanic_rx_catchup(exanic_rx_t* rx)
#ifndef EXANIC_RX_RING
    EXANIC_ABSENT(EXANIC_NO_RING)
#endif
        ;

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_FIFO_RX_H */

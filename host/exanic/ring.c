/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A listener's ring of chunks. Its writer holds the port's lock; its reader may be a program that
 * reads it without the lock.
 *
 * In the n-th pass through the ring, chunks have generation n. A reader that expects n sees n as a
 * new chunk, n - 1 as none yet, and anything else as missing frames. Where frames are missing
 * before the reader is lapped, the writer skips a generation.
 */
#include <stdlib.h>
#include <string.h>

#include "fcs.h"
#include "internal.h"

enum { FCS_BYTES = 4, PAYLOAD = EXANIC_RX_CHUNK_PAYLOAD_SIZE, NOT_WRITING = EXANIC_RX_NUM_CHUNKS };

/** Status of a chunk, written and read atomically. */
union word {
  struct rx_chunk_info info;
  uint64_t data;
};

static void step(uint32_t* chunk, uint8_t* generation) {
  if (++*chunk == EXANIC_RX_NUM_CHUNKS) {
    *chunk = 0;
    ++*generation;
  }
}

bool ex_ring_make(struct exanic_rx_own* rx) {
  // Untouched memory costs nothing.
  rx->face.buffer = calloc(EXANIC_RX_NUM_CHUNKS, sizeof *rx->face.buffer);
  rx->put_generation = rx->face.generation = rx->restart_generation = 1;
  atomic_store(&rx->writing, NOT_WRITING);
  return rx->face.buffer != NULL;
}

static void put_chunk(struct exanic_rx_own* rx, const void* data, size_t bytes,
                      struct rx_chunk_info info) {
  struct rx_chunk* slot = (struct rx_chunk*)&rx->face.buffer[rx->put];
  union word known = {.info = info};
  known.info.generation = rx->put_generation;
  const uint32_t here = rx->put;
  step(&rx->put, &rx->put_generation);
  rx->face.buffer[rx->put].u.info.generation = (uint8_t)(rx->put_generation - 1);
  atomic_store(&rx->writing, here);
  memcpy(slot->payload, data, bytes);
  __atomic_store_n(&slot->u.data, known.data, __ATOMIC_RELEASE);
  atomic_store(&rx->writing, NOT_WRITING);
  ++rx->since_restart;
}

void ex_ring_put(struct exanic_rx_own* rx, const struct ullnic_frame* frame,
                 const struct ex_match* filter) {
  // The card has checked and removed the frame's FCS: this computes the same value.
  const uint32_t fcs = ethernet_fcs(frame->data, frame->len);
  const size_t total = frame->len + (size_t)FCS_BYTES;
  const struct rx_chunk_info info = {
      .timestamp = ex_give_out(rx->face.exanic, frame->timestamp),
      .frame_status = (uint8_t)(filter->region << 4),
      .matched_filter = filter->filter,
  };
  for (size_t at = 0; at < total; at += PAYLOAD) {
    const size_t bytes = total - at < PAYLOAD ? total - at : PAYLOAD;
    uint8_t piece[PAYLOAD];
    const size_t of_frame = at >= frame->len          ? 0
                            : frame->len - at < bytes ? frame->len - at
                                                      : bytes;
    memcpy(piece, frame->data + at, of_frame);
    for (size_t i = of_frame; i < bytes; ++i) {
      piece[i] = (uint8_t)(fcs >> 8 * (at + i - frame->len));
    }
    struct rx_chunk_info this = info;
    this.length = at + bytes == total ? (uint8_t)bytes : 0;
    put_chunk(rx, piece, bytes, this);
  }
}

void ex_ring_break(struct exanic_rx_own* rx, uint32_t lost) {
  rx->lost += lost;
  rx->put_generation += 2;
  rx->restart = rx->put;
  rx->restart_generation = rx->put_generation;
  rx->since_restart = 0;
  rx->face.buffer[rx->put].u.info.generation = (uint8_t)(rx->put_generation - 1);
}

static union word look(const struct exanic_rx_own* rx) {
  const struct rx_chunk* slot = (const struct rx_chunk*)&rx->face.buffer[rx->face.next_chunk];
  return (union word){.data = __atomic_load_n(&slot->u.data, __ATOMIC_ACQUIRE)};
}

enum ex_ring_state ex_ring_state(const struct exanic_rx_own* rx) {
  const uint8_t generation = look(rx).info.generation;
  if (generation == rx->face.generation) {
    return EX_RING_CHUNK;
  }
  return generation == (uint8_t)(rx->face.generation - 1) ? EX_RING_EMPTY : EX_RING_LAPPED;
}

ssize_t ex_ring_catch_up(struct exanic_rx_own* rx) {
  const bool is_lapped = rx->since_restart >= EXANIC_RX_NUM_CHUNKS;
  rx->face.next_chunk = is_lapped ? rx->put : rx->restart;
  rx->face.generation = is_lapped ? rx->put_generation : rx->restart_generation;
  if (is_lapped) {
    ex_error("%s: port %d: frames of buffer %d were overwritten, as they were not taken in time",
             rx->face.exanic->name, rx->face.port_number, rx->face.buffer_number);
  } else {
    ex_error("%s: port %d: %u frames were lost, as they were not taken in time",
             rx->face.exanic->name, rx->face.port_number, rx->lost);
  }
  rx->lost = 0;
  return -EXANIC_RX_FRAME_SWOVFL;
}

void __exanic_rx_catchup(exanic_rx_t* rx) {
  struct ex_port* port = &rx->exanic->own->ports[rx->port_number];
  pthread_mutex_lock(&port->lock);
  ex_ring_catch_up(rx->own);
  pthread_mutex_unlock(&port->lock);
}

/** Consumes the next chunk; gives its number if `id` is not NULL. The state is EX_RING_CHUNK. */
static struct rx_chunk_info take_chunk(struct exanic_rx_own* rx, char** payload, uint32_t* id) {
  const struct rx_chunk_info info = look(rx).info;
  *payload = (char*)rx->face.buffer[rx->face.next_chunk].payload;
  if (id != NULL) {
    *id = rx->face.generation * (uint32_t)EXANIC_RX_NUM_CHUNKS + rx->face.next_chunk;
  }
  step(&rx->face.next_chunk, &rx->face.generation);
  return info;
}

ssize_t ex_ring_take_frame(struct exanic_rx_own* rx, char* buffer, size_t size,
                           exanic_cycles32_t* timestamp) {
  size_t total = 0;
  struct rx_chunk_info info;
  do {
    char* payload;
    info = take_chunk(rx, &payload, NULL);
    const size_t bytes = info.length != 0 ? info.length : PAYLOAD;
    if (total + bytes <= size) {
      memcpy(buffer + total, payload, bytes);
    }
    total += bytes;
  } while (info.length == 0);
  if (total > size) {
    return ex_rx_truncated(&rx->face, total, size);
  }
  if (timestamp != NULL) {
    *timestamp = info.timestamp;
  }
  return (ssize_t)total;
}

/** Fetches a frame from the card if the ring is empty. 1: there is a chunk now; else a result. */
static ssize_t have_chunk(struct exanic_rx_own* rx, struct ex_port* port) {
  enum ex_ring_state state = ex_ring_state(rx);
  if (state == EX_RING_EMPTY) {
    struct ullnic_frame frame;
    struct ex_match filter;
    const int result =
        ex_rx_fetch(port, rx->face.exanic, (unsigned)rx->face.port_number, rx, &frame, &filter);
    if (result < 0) {
      return -EXANIC_RX_FRAME_ABORTED;
    }
    if (result == 1) {
      ex_ring_put(rx, &frame, &filter);
    }
    state = ex_ring_state(rx);
  }
  return state == EX_RING_LAPPED ? ex_ring_catch_up(rx) : state == EX_RING_CHUNK;
}

/** Returns a chunk in place; copies it, if `copy` is not NULL, while the port is locked. */
static ssize_t receive_chunk(exanic_rx_t* face, char** payload, char* copy, uint32_t* id,
                             int* more_chunks, struct rx_chunk_info* info) {
  struct ex_port* port = ex_rx_begin(face);
  if (port == NULL) {
    return 0;
  }
  ssize_t result = have_chunk(face->own, port);
  if (result == 1) {
    *info = take_chunk(face->own, payload, id);
    result = info->length != 0 ? info->length : PAYLOAD;
    *more_chunks = info->length == 0;
    if (copy != NULL) {
      memcpy(copy, *payload, (size_t)result);
    }
  }
  pthread_mutex_unlock(&port->lock);
  return result;
}

ssize_t exanic_receive_chunk(exanic_rx_t* rx, char* rx_buf, int* more_chunks) {
  struct rx_chunk_info info;
  return exanic_receive_chunk_ex(rx, rx_buf, more_chunks, &info);
}

ssize_t exanic_receive_chunk_ex(exanic_rx_t* rx, char* rx_buf, int* more_chunks,
                                struct rx_chunk_info* info) {
  char* payload;
  return receive_chunk(rx, &payload, rx_buf, NULL, more_chunks, info);
}

ssize_t exanic_receive_chunk_inplace(exanic_rx_t* rx, char** rx_buf_ptr, uint32_t* chunk_id,
                                     int* more_chunks) {
  struct rx_chunk_info info;
  return receive_chunk(rx, rx_buf_ptr, NULL, chunk_id, more_chunks, &info);
}

ssize_t exanic_receive_chunk_inplace_ex(exanic_rx_t* rx, char** rx_buf_ptr, uint32_t* chunk_id,
                                        int* more_chunks, struct rx_chunk_info* info) {
  return receive_chunk(rx, rx_buf_ptr, NULL, chunk_id, more_chunks, info);
}

int exanic_receive_chunk_recheck(exanic_rx_t* rx, uint32_t chunk_id) {
  const uint32_t chunk = chunk_id % EXANIC_RX_NUM_CHUNKS;
  // Orders the reads of the chunk before the checks: first whether it is being written, then
  // whether it was overwritten.
  atomic_thread_fence(memory_order_acquire);
  return atomic_load(&rx->own->writing) != chunk &&
         rx->buffer[chunk].u.info.generation == (uint8_t)(chunk_id / EXANIC_RX_NUM_CHUNKS);
}

exanic_cycles32_t exanic_receive_chunk_timestamp(exanic_rx_t* rx, uint32_t chunk_id) {
  return rx->buffer[chunk_id % EXANIC_RX_NUM_CHUNKS].u.info.timestamp;
}

int exanic_receive_abort(exanic_rx_t* face) {
  struct exanic_rx_own* rx = face->own;
  struct ex_port* port = &face->exanic->own->ports[face->port_number];
  pthread_mutex_lock(&port->lock);
  // A frame is in the ring with all its chunks, or it has been overwritten.
  ssize_t result = 0;
  enum ex_ring_state state;
  for (bool last = false; !last && (state = ex_ring_state(rx)) != EX_RING_EMPTY;) {
    char* payload;
    if (state == EX_RING_LAPPED) {
      result = ex_ring_catch_up(rx);
      break;
    }
    last = take_chunk(rx, &payload, NULL).length != 0;
  }
  pthread_mutex_unlock(&port->lock);
  return (int)result;
}

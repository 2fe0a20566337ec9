/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shared declarations of libexanic's files.
 */
#ifndef EXANIC_INTERNAL_H
#define EXANIC_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef EXANIC_FIFO_RX_H
#error "exanic_rx_t has another size without EXANIC_RX_RING: include internal.h first"
#endif
#define EXANIC_RX_RING  // for the members of exanic_rx_t that only such programs see
#include "exanic/exanic.h"
#include "exanic/fifo_rx.h"
#include "exanic/fifo_tx.h"
#undef exanic_acquire_rx_buffer
#undef exanic_acquire_unused_filter_buffer
#include "steer.h"
#include "ullnic/ullnic.h"

enum { EX_KNOWN_TIMES = 1024, EX_TX_REGION_PAGES = 64 };

/** A port of libullnic belongs to one thread at a time; here one thread may send while others
 * listen. */
struct ex_port {
  pthread_mutex_t lock;
  /** Threads waiting to send: a listener, which polls continuously, yields to them. */
  atomic_uint senders;
  ullnic_port_t* port;
  unsigned holders;
  /** Listeners, and their shared state. */
  struct exanic_rx_own* listeners;
  struct ex_steering steering;
  uint32_t lost; /**< last value of the card's counter of frames without room */
  unsigned run;  /**< frames since the card's ring was last empty */
  struct ex_ring_thread* ring_thread;
  /** Memory of all exanic_tx_t::buffer of the port, and which pages are in use. */
  char* tx_region;
  uint64_t tx_pages;
};

struct exanic_own {
  exanic_t face; /**< the public part */
  struct exanic_own* next;
  unsigned references;
  pid_t pid; /**< the process that opened it */
  ullnic_t* card;
  bool tester;
  bool sends_only; /**< ullnicd holds it */
  int64_t tick_ps;
  pthread_mutex_t clock_lock;
  /** Timestamps recently returned, indexed by their lowest bits. */
  atomic_uint_least64_t known[EX_KNOWN_TIMES];
  /** When the card was found to be gone, in seconds; 0: it is present. */
  atomic_llong gone_s;
  struct ex_port ports[ULLNIC_MAX_PORTS];
};

struct exanic_rx_own {
  exanic_rx_t face;
  struct exanic_rx_own* next;
  /** Frames that started earlier are not for this listener. */
  uint64_t since;
  bool threaded; /**< the program reads the ring directly */
  uint32_t lost; /**< lost frames not reported to it yet */
  /** Write position of its ring; the chunk that is being written. See ring.c. */
  uint32_t put;
  uint8_t put_generation;
  atomic_uint writing;
  /** Position of the first complete frame after a loss, and chunks since. */
  uint32_t restart;
  uint8_t restart_generation;
  uint64_t since_restart;
  /** See ex_rx_catch_up(): calls that found nothing; it has stopped calling; its thread. */
  atomic_uint empty_calls;
  unsigned mark;
  atomic_bool silent;
  _Atomic(pthread_t) thread;
};

struct exanic_tx_own {
  exanic_tx_t face;
  uint32_t sent;
  uint64_t sent_time;
  bool has_warned; /**< about missing timestamps */
  /** A frame, or a payload, that has been begun: its bytes, and its connection. */
  bool begun, begun_payload;
  size_t begun_bytes;
  uint16_t connection;
  char frame[ULLNIC_MAX_FRAME];
  uint16_t csum;
};

#define ex_error exanic_err_printf
/**
 * Takes over libullnic's error. A card that is gone is reported on standard error, as programs'
 * loops ignore errors; after five more seconds of calls the process gets SIGTERM.
 */
void ex_card_error(exanic_t* exanic, int result);

/** Opens the port if needed, and retains the handle; false with the error set. */
bool ex_port_hold(exanic_t* exanic, int number);
/** Undoes that and unlocks the port, which the caller has locked. */
void ex_port_release(exanic_t* exanic, unsigned number);
/** True if the port exists; false with the error set. */
bool ex_has_port(exanic_t* exanic, int number);
/** Locks a port with priority over listeners. */
void ex_lock_for_sender(struct ex_port* port);

/** Reads the card's clock. */
int ex_now(exanic_t* exanic, uint64_t* ticks);
/** Records a 64-bit timestamp and returns its lower half for the program. */
exanic_cycles32_t ex_give_out(exanic_t* exanic, uint64_t ticks);

/**
 * Fetches the card's next frame for this listener; frames for others go to their rings. The port is
 * locked. rx NULL: all frames are for others.
 *
 * @param[out] the filter that matched
 * @return 1; 0 none; negative with the error set: the card is gone
 */
int ex_rx_fetch(struct ex_port* port, exanic_t* exanic, unsigned number, struct exanic_rx_own* rx,
                struct ullnic_frame* frame, struct ex_match* filter);

/** Begins a listener's call and returns the locked port; NULL: it is busy, report no frame. */
struct ex_port* ex_rx_begin(exanic_rx_t* rx);

/** Returns -EXANIC_RX_FRAME_TRUNCATED, with the error set. */
ssize_t ex_rx_truncated(const exanic_rx_t* rx, size_t bytes, size_t size);

/** State of a listener's ring at its read position. */
enum ex_ring_state { EX_RING_EMPTY, EX_RING_CHUNK, EX_RING_LAPPED };
enum ex_ring_state ex_ring_state(const struct exanic_rx_own* rx);
/** Allocates it; false: no memory. */
bool ex_ring_make(struct exanic_rx_own* rx);
/** Writes a frame into it. */
void ex_ring_put(struct exanic_rx_own* rx, const struct ullnic_frame* frame,
                 const struct ex_match* filter);
/** Marks missing frames: the next read finds EX_RING_LAPPED. */
void ex_ring_break(struct exanic_rx_own* rx, uint32_t lost);
/** Resumes after EX_RING_LAPPED; returns -EXANIC_RX_FRAME_SWOVFL with the error set. */
ssize_t ex_ring_catch_up(struct exanic_rx_own* rx);
/** Reads a frame from it, as exanic_receive_frame(). The state is EX_RING_CHUNK. */
ssize_t ex_ring_take_frame(struct exanic_rx_own* rx, char* buffer, size_t size,
                           exanic_cycles32_t* timestamp);

/** Starts a thread that writes the rings of a port, unless it runs. The port is and stays
 * locked. */
bool ex_ring_thread_start(exanic_t* exanic, unsigned number);
/** Stops it if no listener needs it any more. The port must not be locked. */
void ex_ring_thread_stop(exanic_t* exanic, unsigned number);

/** Sends the chunk at an offset of the port's region. 0; -1 with the error set. */
int ex_tx_command(exanic_t* exanic, unsigned number, uint32_t offset);

/**
 * Gives listening threads time to read frames that have arrived. A program that sees that its last
 * frame was sent stops its listener at once; on a busy machine that thread may not have run since
 * the reply arrived.
 */
void ex_rx_catch_up(exanic_t* exanic);

#endif /* EXANIC_INTERNAL_H */
